#include "engine/backend/backend.h"
#include "engine/backend/cpu/convolution_choice.h"
#include "engine/backend/cpu/plan/convolution_planner.h"
#include "engine/backend/cpu/plan/convolution_trial.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;
using Kind = cpu::ConvolutionMethod::Kind;
using cpu::ConvolutionMethod;

/// By the model tiles of 15 are the best and tiles of 35 less than twice behind.
const cpu::ConvolutionGeometry kNear{1, 48, 48, 32, 7, 7, 64, 2};
constexpr ConvolutionMethod kPreferred{Kind::Fft, 15}, kOther{Kind::Fft, 35};
/// A convolution that transforms do not pay for.
const cpu::ConvolutionGeometry kDirect{1, 64, 64, 128, 1, 1, 128, 1};
/// The article's third convolution: transforms are far ahead.
const cpu::ConvolutionGeometry kFar{1, 64, 64, 64, 11, 11, 128, 2};

class Planner : public testing::Test {
protected:
    std::filesystem::path file() const { return m_folder.path() / "cache" / "convolutions.tsv"; }
    cpu::ConvolutionPlanner planner(const std::string& machine = "this", const std::string& rule = "auto") const {
        return {rule, cpu::MethodMemory(file(), machine)};
    }
    /// Asks with a timing under which `fast` takes 1 s and everything else 2 s.
    ConvolutionMethod ask(cpu::ConvolutionPlanner planner, const cpu::ConvolutionGeometry& g, ConvolutionMethod fast,
                          std::int64_t batch = 32, bool oneDnn = true) {
        return planner.methodFor(
            g, batch, [=] { return oneDnn; },
            [&](const ConvolutionMethod& method, const auto&, std::int64_t) {
                ++m_trials;
                return method == fast ? 1.0 : 2.0;
            });
    }

    TemporaryFolder m_folder;
    int m_trials = 0;
};

TEST_F(Planner, TriesWhatLiesNearOnceForAMachineAndRemembersIt) {
    EXPECT_EQ(ask(planner(), kNear, kOther), kOther);
    const int trials = m_trials;
    EXPECT_GT(trials, 1);
    EXPECT_EQ(ask(planner(), kNear, kPreferred), kOther);
    EXPECT_EQ(ask(planner(), kNear, kPreferred, 17), kOther) << "bounded by 32, too";
    EXPECT_EQ(m_trials, trials);
    EXPECT_EQ(ask(planner("another"), kNear, kPreferred), kPreferred);
    EXPECT_GT(m_trials, trials);
}

TEST_F(Planner, TriesNothingWhereTheModelIsSureOrNothingCanBeKept) {
    EXPECT_EQ(ask(planner(), kDirect, kOther), ConvolutionMethod{Kind::OneDnn});
    EXPECT_EQ(ask(planner(), kNear, kOther, 1), kPreferred) << "too small to matter";
    EXPECT_EQ(ask({"auto", cpu::MethodMemory({}, "this")}, kNear, kOther), kPreferred);
    EXPECT_EQ(m_trials, 0);
}

TEST_F(Planner, DoesNotRememberWhatItChoseForWantOfOneDnn) {
    const cpu::ConvolutionGeometry g{1, 96, 96, 16, 3, 3, 16, 1}; // oneDNN lies near
    ask(planner(), g, {Kind::OneDnn}, 32, false);
    EXPECT_EQ(m_trials, 0);
    EXPECT_EQ(ask(planner(), g, {Kind::OneDnn}), ConvolutionMethod{Kind::OneDnn});
}

TEST_F(Planner, DoesNotRememberATrialThatLackedMemory) {
    const auto lacking = [](const ConvolutionMethod& method, const auto&, std::int64_t) {
        return method == kOther ? std::numeric_limits<double>::infinity() : 2.0;
    };
    EXPECT_EQ(planner().methodFor(
                  kNear, 32, [] { return true; }, lacking),
              kPreferred);
    EXPECT_EQ(ask(planner(), kNear, kOther), kOther) << "tried again, and not found in the file";
}

TEST_F(Planner, KeepsToTheRuleAndToWhatIsThere) {
    EXPECT_EQ(ask(planner("this", "direct"), kFar, {Kind::Fft, 35}), ConvolutionMethod{Kind::OneDnn});
    EXPECT_EQ(ask(planner("this", "fft"), kDirect, {Kind::OneDnn}).kind, Kind::Fft);
    EXPECT_EQ(ask(planner(), kDirect, {Kind::OneDnn}, 32, false).kind, Kind::Fft) << "oneDNN on another set";
    EXPECT_EQ(ask(planner(), {1, 256, 256, 3, 5, 5, 32, 2}, {Kind::OneDnn}).kind, Kind::Narrow);
    EXPECT_EQ(ask(planner("this", "fft"), {1, 40, 40, 64, 25, 25, 64, 1}, {Kind::Fft, 35}).kind, Kind::OneDnn)
        << "kernels that no tile takes";
}

TEST_F(Planner, LooksOverWhatItCannotRead) {
    std::filesystem::create_directories(file().parent_path());
    std::ofstream(file()) << "this\tno such convolution\n\xff\n\tthis\tauto\tfft36\nthis\n";
    EXPECT_EQ(ask(planner(), kNear, kOther), kOther);
    std::filesystem::remove_all(file().parent_path());
    std::ofstream(file().parent_path()) << "a file where the folder should be";
    EXPECT_EQ(ask(planner(), kNear, kOther), kOther);
}

TEST(ConvolutionMethod, IsReadFromItsName) {
    for (const ConvolutionMethod method : {ConvolutionMethod{Kind::Narrow}, ConvolutionMethod{Kind::OneDnn},
                                           ConvolutionMethod{Kind::Fft, 15}, ConvolutionMethod{Kind::Fft, 45}}) {
        EXPECT_EQ(ConvolutionMethod::named(method.name()), method) << method.name();
    }
    for (const char* name : {"", "fft", "fft16", "fft35 ", "direct"}) {
        EXPECT_EQ(ConvolutionMethod::named(name), std::nullopt) << name;
    }
}

TEST(MethodMemory, ForgetsNothingThatAnotherProcessAdds) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "convolutions.tsv";
    cpu::MethodMemory one(file, "CPU avx2"), other(file, "CPU avx2"), elsewhere(file, "CPU sse4");
    one.remember("first", kPreferred);
    other.remember("second", kOther);
    elsewhere.remember("first", {Kind::OneDnn});
    one.remember("second", kPreferred); // the last word counts
    const cpu::MethodMemory read(file, "CPU avx2");
    EXPECT_EQ(read.find("first"), kPreferred);
    EXPECT_EQ(read.find("second"), kPreferred);
    EXPECT_EQ(read.find("third"), std::nullopt);
    EXPECT_EQ(cpu::MethodMemory(file, "CPU sse4").find("first"), ConvolutionMethod{Kind::OneDnn});
    EXPECT_FALSE(cpu::MethodMemory({}, "CPU avx2").lasts());
}

/// A trial (convolution_trial.h) makes its convolution by make_convolution.h.
TEST(ConvolutionTrial, TimesEveryMethodThatFits) {
    cpu::ThreadPool pool(2);
    const cpu::InstructionSet set = cpu::chooseInstructionSet("auto");
    const cpu::Kernels kernels = cpu::kernelsFor(set);
    const cpu::ConvolutionGeometry few{1, 20, 20, 3, 5, 5, 16, 2}, many{1, 20, 20, 16, 5, 5, 16, 1};
    for (const auto& [method, geometry] :
         {std::pair{ConvolutionMethod{Kind::Narrow}, few}, std::pair{ConvolutionMethod{Kind::OneDnn}, few},
          std::pair{ConvolutionMethod{Kind::OneDnn}, many}, std::pair{ConvolutionMethod{Kind::Fft, 15}, many},
          std::pair{ConvolutionMethod{Kind::Fft, 35}, many}}) {
        const double seconds = cpu::timeConvolution(method, geometry, 3, pool, kernels, set.name);
        EXPECT_GT(seconds, 0) << method.name();
        EXPECT_TRUE(std::isfinite(seconds)) << method.name();
    }
}

TEST(ConvolutionChoice, MakesAConvolutionOnceForAShape) {
    cpu::ThreadPool pool(1);
    const cpu::Kernels kernels = cpu::kernelsFor(cpu::chooseInstructionSet("auto"));
    const cpu::MemoryLedger memory(std::nullopt);
    cpu::ConvolutionChoice choice({"fft", cpu::MethodMemory({}, "this")}, "", pool, kernels, memory);
    const backend::Shape x{2, 20, 20, 16}, w{5, 5, 16, 16};
    const cpu::Convolution* same = &choice.of(x, w, {});
    EXPECT_EQ(&choice.of(x, w, {}), same);
    EXPECT_NE(&choice.of(x, w, {2}), same);
    EXPECT_NE(&choice.of({3, 20, 20, 16}, w, {}), same) << "another batch";
    EXPECT_NE(&choice.of(x, w, {1, backend::Padding::Valid}), same);
}

TEST(ConvolutionAlgorithms, AreToldForEveryPass) {
    const auto device = backend::makeBackend({.threads = 1});
    const auto third =
        device->convolutionAlgorithms({32, 64, 64, 64}, {11, 11, 64, 128}, {2}, tensor::DType::Float32);
    EXPECT_EQ(third.forward, "FFT, 1 tile of 35x35 an image");
    EXPECT_EQ(third.backwardData, third.forward);
    const auto first = device->convolutionAlgorithms({32, 256, 256, 3}, {5, 5, 3, 32}, {2}, tensor::DType::Float32);
    EXPECT_EQ(first.forward, "direct, few channels");
}

} // namespace
} // namespace halfstep::support
