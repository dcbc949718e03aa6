#include "engine/backend/cuda/cudnn/convolution_plan.h"
#include "tests/engine/cudnn/described_cards.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

namespace halfstep::backend::cuda {
namespace {

using support::DescribedCard;
using support::describedCards;
using support::installedCudnn;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct NamedProblem {
    std::string name;
    ConvolutionProblem problem;
};

/// The eight passes of the network's three convolutions; the first needs no gradient of its images.
std::vector<NamedProblem> problemsOf(Arithmetic arithmetic, std::int64_t n) {
    const ConvolutionOptions options{.stride = 2, .padding = Padding::Same};
    const std::vector<std::pair<Shape, Shape>> layers{{Shape{n, 256, 256, 3}, Shape{5, 5, 3, 32}},
                                                      {Shape{n, 128, 128, 32}, Shape{7, 7, 32, 64}},
                                                      {Shape{n, 64, 64, 64}, Shape{11, 11, 64, 128}}};
    std::vector<NamedProblem> problems;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto add = [&](const char* pass, ConvolutionPass which) {
            problems.push_back({fmt::format("conv{} {}", layer + 1, pass),
                                {which, layers[layer].first, layers[layer].second, options, arithmetic}});
        };
        add("forward", ConvolutionPass::Forward);
        add("weights", ConvolutionPass::BackwardWeights);
        if (layer > 0) {
            add("data", ConvolutionPass::BackwardData);
        }
    }
    return problems;
}

bool has(const DescribedCard& card, Arithmetic arithmetic) {
    return card.computeCapability >= 80 ||
           (arithmetic != Arithmetic::BFloat16 && arithmetic != Arithmetic::TensorFloat32);
}

constexpr std::array kArithmetics{Arithmetic::Float32, Arithmetic::TensorFloat32, Arithmetic::Float16,
                                  Arithmetic::BFloat16};

/// For three channels in bfloat16 cuDNN 9 has Tensor Core engines only that make eight of them in their workspace, of
/// 1 MiB an image: more than the budget for large batches.
bool padsChannels(const ConvolutionProblem& problem) {
    return problem.arithmetic == Arithmetic::BFloat16 && problem.x[3] == 3 && problem.x[0] > 200;
}

class PlansFor : public testing::TestWithParam<DescribedCard> {};

/// Batch 32 on all cards; the sizes that stand for last and large batches on two, so that the test stays short.
std::vector<std::int64_t> batchesOn(const DescribedCard& card) {
    return card.name == "A100" || card.name == "H200" ? std::vector<std::int64_t>{1, 7, 32, 512}
                                                      : std::vector<std::int64_t>{32};
}

nlohmann::ordered_json snapshotOf(const ConvolutionPlan& plan) {
    return {{"engine", plan.engine}, {"notes", plan.notes.text()}, {"workspace", plan.workspaceBytes}};
}

std::string snapshotFile() {
    return std::string(HALFSTEP_TESTS_FOLDER) + "/golden/cudnn_plans.json";
}

/// With a driver cuDNN also offers the engines that it compiles at run time.
bool driverIsInstalled() {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    return driver != nullptr && dlclose(driver) == 0;
}

TEST_P(PlansFor, EveryPassOfTheNetwork) {
    HALFSTEP_NEEDS_CUDNN();
    const DescribedCard& card = GetParam();
    const CudnnTarget target = CudnnTarget::described(installedCudnn(), card.properties);
    nlohmann::ordered_json found = nlohmann::ordered_json::object();
    for (const Arithmetic arithmetic : kArithmetics) {
        if (!has(card, arithmetic)) {
            continue;
        }
        for (const std::int64_t batch : batchesOn(card)) {
            for (const NamedProblem& problem : problemsOf(arithmetic, batch)) {
                const std::string name = fmt::format("{}, {}, batch {}", problem.name, nameOf(arithmetic), batch);
                SCOPED_TRACE(name);
                std::optional<ConvolutionPlan> plan;
                ASSERT_NO_THROW(plan.emplace(planConvolution(target, problem.problem)));
                EXPECT_LE(plan->workspaceBytes, kWorkspaceBudget);
                EXPECT_TRUE(plan->notes.allowedFor(arithmetic));
                if (arithmetic == Arithmetic::Float32) {
                    EXPECT_FALSE(plan->notes.has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE)) << plan->text();
                } else if (arithmetic != Arithmetic::TensorFloat32) {
                    const std::uint64_t enough =
                        padsChannels(problem.problem) ? kWorkspaceBudget * 4 : kWorkspaceBudget;
                    const ConvolutionPlan fast = planConvolution(target, problem.problem, enough);
                    EXPECT_TRUE(fast.notes.has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE)) << fast.text();
                }
                found[name] = snapshotOf(*plan);
            }
        }
    }
    if (const char* folder = std::getenv("HALFSTEP_WRITE_CUDNN_PLANS"); folder != nullptr) {
        std::ofstream(fmt::format("{}/{}.json", folder, card.name)) << found.dump(1);
    }
    const auto golden = nlohmann::ordered_json::parse(std::ifstream(snapshotFile()));
    if (golden.at("cudnn") == installedCudnn()->versionText() && !driverIsInstalled()) {
        EXPECT_EQ(found, golden.at("cards").at(card.name));
    }
}

std::string cardName(const testing::TestParamInfo<DescribedCard>& tested) {
    std::string name = tested.param.name;
    std::erase(name, ' ');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cards, PlansFor, testing::ValuesIn(describedCards()), cardName);

TEST(ConvolutionPlan, SaysThatACardHasNoWay) {
    HALFSTEP_NEEDS_CUDNN();
    const CudnnTarget t4 = CudnnTarget::described(installedCudnn(), describedCards().front().properties);
    const ConvolutionProblem problem = problemsOf(Arithmetic::BFloat16, 32).back().problem;
    EXPECT_THAT([&] { planConvolution(t4, problem); },
                ThrowsMessage<BackendError>(HasSubstr("bfloat16 on this card")));
}

TEST(ConvolutionPlan, IsFoundForEveryStrideAndPadding) {
    HALFSTEP_NEEDS_CUDNN();
    const CudnnTarget h200 = CudnnTarget::described(installedCudnn(), describedCards().at(4).properties);
    for (const ConvolutionPass pass :
         {ConvolutionPass::Forward, ConvolutionPass::BackwardWeights, ConvolutionPass::BackwardData}) {
        for (const int stride : {1, 2}) {
            for (const Padding padding : {Padding::Same, Padding::Valid}) {
                for (const std::int64_t kernel : {1, 2, 3, 4}) {
                    const ConvolutionProblem problem{pass,
                                                     Shape{2, 9, 12, 8},
                                                     Shape{kernel, kernel, 8, 16},
                                                     {.stride = stride, .padding = padding},
                                                     Arithmetic::Float16};
                    EXPECT_NO_THROW(planConvolution(h200, problem))
                        << "stride " << stride << ", kernel " << kernel << ", valid " << (padding == Padding::Valid);
                }
            }
        }
    }
}

TEST(ConvolutionPlan, KeepsToTheWorkspaceBudget) {
    HALFSTEP_NEEDS_CUDNN();
    const CudnnTarget a100 = CudnnTarget::described(installedCudnn(), describedCards().at(1).properties);
    for (const NamedProblem& problem : problemsOf(Arithmetic::TensorFloat32, 256)) {
        EXPECT_LE(planConvolution(a100, problem.problem, 1 << 20).workspaceBytes, 1U << 20) << problem.name;
    }
}

TEST(CudnnTarget, RefusesAnIncompleteDescription) {
    HALFSTEP_NEEDS_CUDNN();
    EXPECT_THAT([] { CudnnTarget::described(installedCudnn(), R"({"deviceName": "a card"})"); },
                ThrowsMessage<BackendError>(HasSubstr("could not prepare the description of a card")));
}

TEST(AxisGeometry, IsThatOfTheBackends) {
    const ConvolutionOptions same{.stride = 2, .padding = Padding::Same};
    const auto values = [](const AxisGeometry& axis) { return std::array{axis.outputs, axis.before, axis.after}; };
    EXPECT_EQ(values(axisGeometry(256, 5, same)), (std::array<std::int64_t, 3>{128, 1, 2}));
    EXPECT_EQ(values(axisGeometry(7, 3, same)), (std::array<std::int64_t, 3>{4, 1, 1}));
    EXPECT_EQ(values(axisGeometry(8, 1, same)), (std::array<std::int64_t, 3>{4, 0, 0}));
    EXPECT_EQ(values(axisGeometry(8, 3, {.stride = 2, .padding = Padding::Valid})),
              (std::array<std::int64_t, 3>{3, 0, 0}));
}

} // namespace
} // namespace halfstep::backend::cuda
