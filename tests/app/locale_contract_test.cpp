#include "tests/app/workplace.h"
#include <array>
#include <cstdio>

/// Case E01: what is exported has the same bytes in every locale of the machine.
namespace halfstep::app {
namespace {

/// "C", those of the case, whether the machine has them or not, and two more that it has.
std::vector<std::string> locales() {
    std::vector<std::string> names{"C", "de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "hi_IN.UTF-8", "POSIX"};
    FILE* list = popen("locale -a", "r");
    std::array<char, 256> line{};
    for (int more = 0; list != nullptr && more < 8 && std::fgets(line.data(), line.size(), list) != nullptr; ++more) {
        std::string name = line.data();
        names.push_back(name.substr(0, name.find('\n')));
    }
    if (list != nullptr) {
        pclose(list);
    }
    return names;
}

class LocaleContract : public Workplace {};

TEST_F(LocaleContract, ExportsOfSweepsAndRunsAndReportsAreByteEqual) {
    ASSERT_EQ(run(smallSweep({"--policies", "float32,mixed_float16", "--learning-rate", "0.0015"}, "9")).exitCode, 0);
    ASSERT_EQ(run(smallRun({"--steps", "4", "--learning-rate", "0.0015", "--seed", "1234567"})).exitCode, 0);
    const std::array kFiles{"s.csv", "s.json", "s.md", "s.tex", "r.csv", "r.json", "r.md", "r.tex", "report.html"};
    std::vector<std::string> first;
    for (const std::string& locale : locales()) {
        Program::Options options = this->options();
        options.environment["LC_ALL"] = locale;
        options.environment["LANG"] = locale;
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"runs", "export", "s1", "--csv", file("s.csv"), "--json", file("s.json"),
                                       "--markdown", file("s.md"), "--latex", file("s.tex")},
              {"runs", "export", "1", "--csv", file("r.csv"), "--json", file("r.json"), "--markdown", file("r.md"),
               "--latex", file("r.tex")},
              {"report", "s1", "1", "--output", file("report.html")}}) {
            const Ended ended = Program(command, options).end();
            ASSERT_EQ(ended.exitCode, 0) << locale << ": " << ended.err;
        }
        std::vector<std::string> contents;
        for (const char* name : kFiles) {
            contents.push_back(contentOf(name));
            EXPECT_GT(contents.back().size(), 100U) << name;
        }
        if (first.empty()) {
            first = contents;
        }
        for (std::size_t i = 0; i < kFiles.size(); ++i) {
            EXPECT_EQ(contents[i], first[i]) << kFiles[i] << " in " << locale;
        }
    }
}

TEST_F(LocaleContract, ADecimalPointIsReadInEveryLocaleAndACommaIsRefused) {
    for (const char* locale : {"C", "de_DE.UTF-8"}) {
        Program::Options options = this->options();
        options.environment["LC_ALL"] = locale;
        std::vector<std::string> command = smallRun({"--steps", "1", "--learning-rate", "0.001", "--json"});
        const Ended point = Program(command, options).end();
        ASSERT_EQ(point.exitCode, 0) << point.err;
        EXPECT_EQ(nlohmann::json::parse(point.out).at("config").at("learning_rate"), 0.001);
        EXPECT_EQ(Program(smallRun({"--learning-rate", "0,001"}), options).end().exitCode, 2);
    }
}

} // namespace
} // namespace halfstep::app
