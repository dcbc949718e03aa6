#include "engine/report/command.h"
#include "engine/report/run_tables.h"
#include "engine/report/sweep_tables.h"
#include "engine/store/run_export.h"
#include "engine/store/sweep_export.h"
#include "engine/values/json.h"
#include "tests/engine/report/made_sweep.h"
#include <gmock/gmock.h>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::report {
namespace {

/// As in de_DE: 1.234,5.
class Commas : public std::numpunct<char> {
protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// Puts the global locale back.
class GlobalLocale {
public:
    explicit GlobalLocale(const std::locale& locale) : m_before(std::locale::global(locale)) {}
    ~GlobalLocale() { std::locale::global(m_before); }
    GlobalLocale(const GlobalLocale&) = delete;
    GlobalLocale& operator=(const GlobalLocale&) = delete;

private:
    std::locale m_before;
};

/// Everything that is written of a sweep and a run.
std::vector<std::string> everything() {
    const values::Sweep sweep = madeSweep("Größe 1,5");
    RunRecord run = madeRun("x");
    run.run.config.learningRate = 0.0015;
    run.run.config.seed = 1234567;
    run.steps[0].loss = 2.302585092994046;
    std::ostringstream steps;
    store::writeStepsCsv(steps, 1234, run.steps);
    return {store::cellsCsv(sweep),
            values::jsonText(store::sweepJson(sweep)),
            sweepMarkdown(sweep),
            sweepLatex(sweep),
            runMarkdown(run),
            runLatex(run),
            steps.str(),
            values::jsonText(store::runJson(run.run, run.epochs, &run.steps)),
            shellCommand(trainArguments(run.run.config)),
            shellCommand(sweepArguments(sweep.config))};
}

TEST(Locale, ADecimalCommaChangesNoByte) {
    const std::vector<std::string> plain = everything();
    const GlobalLocale german(std::locale(std::locale::classic(), new Commas));
    std::ostringstream proof;
    proof << 1234.5;
    ASSERT_EQ(proof.str(), "1.234,5") << "the locale is in force";
    EXPECT_EQ(everything(), plain);
}

TEST(Locale, TheNumbersAreThoseOfTheCase) {
    RunRecord run = madeRun();
    run.run.config.learningRate = 1e-07;
    run.run.config.epsilon = 1e+30;
    run.run.config.lossScale.scale = 2.302585092994046;
    EXPECT_EQ(shellCommand(trainArguments(run.run.config)),
              "halfstep train --policy mixed_float16 --batch-size 16 --device cpu --epochs 2 --learning-rate 1e-07 "
              "--epsilon 1e+30 --loss-scale 2.302585092994046");
}

} // namespace
} // namespace halfstep::report
