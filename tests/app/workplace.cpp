#include "tests/app/workplace.h"
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>
#include <sstream>

namespace halfstep::app {

std::string Workplace::pictures() const {
    const std::filesystem::path set = *this / "photographs";
    for (const auto& [split, count] : {std::pair{"train", 12}, std::pair{"val", 4}}) {
        for (int label = 0; label < 2; ++label) {
            const std::filesystem::path folder = set / split / (label == 0 ? "bright" : "dark");
            std::filesystem::create_directories(folder);
            for (int i = 0; i < count; ++i) {
                const cv::Mat picture(40, 30, CV_8UC3, cv::Scalar(label == 0 ? 200 : 40, 5 * i, split[0]));
                cv::imwrite((folder / fmt::format("{}.png", i)).string(), picture);
            }
        }
    }
    return set;
}

std::vector<std::string> Workplace::smallRun(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"train", "--data", pictures(), "--image-size", "32", "--batch-size", "9"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::vector<std::string> Workplace::smallSweep(const std::vector<std::string>& more,
                                               const std::string& batches) const {
    std::vector<std::string> arguments{"sweep", "--data",   pictures(), "--image-size", "32", "--steps",
                                       "2",     "--warmup", "1",        "--repeats",    "2",  "--batch-sizes",
                                       batches};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

void Workplace::refuses(const std::vector<std::string>& arguments, int exitCode, const std::string& sentence) const {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
    EXPECT_THAT(ended.err, testing::HasSubstr(sentence));
    EXPECT_EQ(ended.out, "");
}

Program::Options Workplace::options() const {
    return {.folder = *this / "",
            .environment = {{"HALFSTEP_CACHE", file("cache")}, {"HALFSTEP_HISTORY", file("runs.sqlite")}}};
}

Ended Workplace::run(const std::vector<std::string>& arguments) const {
    return Program(arguments, options()).end();
}

nlohmann::ordered_json Workplace::jsonOf(const std::vector<std::string>& arguments) const {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    return nlohmann::ordered_json::parse(ended.out, nullptr, false);
}

std::string Workplace::contentOf(const std::string& name) const {
    std::ifstream in(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> Workplace::linesOf(const std::string& name) const {
    std::istringstream text(contentOf(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

} // namespace halfstep::app
