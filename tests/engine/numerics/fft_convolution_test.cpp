#include "engine/backend/cpu/fft/fft_convolution.h"
#include "engine/backend/cpu/fft/fft_cost.h"
#include "engine/tensor/error.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/tested_geometry.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/tolerance.h"
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;
using tensor::Tensor;

/// Tiles that hold the whole image, wrap into its padding, or lie side by side; odd and even sizes and padding;
/// kernels larger than the image; batches that are no multiple of anything.
const std::vector<Geometry> kGeometries{
    {1, 1, 1, 16, 16, 11, 2},   {2, 2, 3, 16, 32, 1, 1},    {7, 5, 9, 16, 16, 3, 2},    {29, 7, 6, 32, 16, 5, 2},
    {1, 16, 32, 32, 16, 7, 2},  {2, 13, 10, 16, 48, 7, 1},  {3, 32, 31, 16, 16, 11, 2}, {1, 33, 20, 48, 16, 4, 2},
    {1, 64, 64, 16, 16, 7, 2},  {1, 64, 63, 16, 16, 11, 2}, {2, 75, 41, 16, 16, 5, 2},  {1, 41, 75, 16, 16, 2, 1},
    {1, 38, 37, 16, 16, 11, 1}, {1, 90, 24, 16, 16, 10, 2}, {1, 12, 141, 16, 16, 9, 2},
};

/// An FFT convolution and all that it works with.
class Team {
public:
    explicit Team(int threads, std::optional<std::uint64_t> memoryLimit = std::nullopt)
        : m_pool(threads),
          m_kernels(cpu::kernelsFor(cpu::chooseInstructionSet(isaUnderTest()))),
          m_memory(memoryLimit),
          m_scratch(threads) {}
    int threads() const { return m_pool.threads(); }
    std::uint64_t peakBytes() const { return m_memory.peakBytes(); }
    cpu::FftConvolution convolution(const Geometry& g, const cpu::FftPlan& plan) {
        return {g.engine(), plan, {m_pool, m_kernels, m_memory, m_scratch}};
    }

private:
    cpu::ThreadPool m_pool;
    cpu::Kernels m_kernels;
    cpu::MemoryLedger m_memory;
    cpu::FftScratch m_scratch;
};

class FftConvolution : public EveryBackend {
protected:
    FftConvolution() {
        for (const int threads : {1, 2, 3, 5}) {
            m_teams.push_back(std::make_unique<Team>(threads));
        }
    }

    /// Runs `pass` with every tile size that fits and every team into tensors of `shape`, expects equal bits from all
    /// teams, and holds what the first gives to `exact`.
    template <class Pass>
    void expectNear(const Geometry& g, const Shape& shape, const Array& exact, const Pass& pass) {
        int fitting = 0;
        for (std::size_t kernel = 0; kernel < cpu::kFftTiles.size(); ++kernel) {
            const auto plan = cpu::fftPlan(g.engine(), static_cast<int>(kernel));
            if (!plan) {
                continue;
            }
            ++fitting;
            SCOPED_TRACE("tile " + std::to_string(plan->tile) + ", " + g.text());
            std::optional<Array> first;
            for (const auto& team : m_teams) {
                // What the memory held must not shine through.
                const Tensor result = onDevice(device(), dtype(), filled(shape, 100));
                auto convolution = team->convolution(g, *plan);
                pass(convolution, result);
                const Array got = fromDevice(device(), result);
                if (!first) {
                    first = got;
                } else {
                    EXPECT_TRUE(sameBits(got, *first)) << "1 and " << team->threads() << " threads differ";
                }
            }
            EXPECT_TRUE(isNear(*first, exact, dtype(), kFftElement));
            if (dtype() == DType::Float32) {
                EXPECT_TRUE(isNearInL2(*first, exact, kFftRms));
            }
        }
        EXPECT_GT(fitting, 0);
    }
    Tensor on(const Array& array) const { return onDevice(device(), dtype(), array); }

    std::vector<std::unique_ptr<Team>> m_teams;
};

TEST_P(FftConvolution, ForwardMatchesTheDoubleReference) {
    for (const Geometry& g : kGeometries) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array w = drawn(g.w(), -0.5, 0.5, 2);
        const Array b = drawn({g.filters}, -0.5, 0.5, 3);
        expectNear(g, g.y(), conv2dBiasRelu(x, w, b, g.stride),
                   [&](auto& convolution, const Tensor& y) { convolution.forward(on(x), on(w), on(b), y); });
    }
}

TEST_P(FftConvolution, BackwardWeightsMatchesTheDoubleReference) {
    for (const Geometry& g : kGeometries) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        expectNear(g, g.w(), conv2dBackwardWeights(x, dy, g.stride, g.kernel),
                   [&](auto& convolution, const Tensor& dw) { convolution.backwardWeights(on(x), on(dy), dw); });
    }
}

TEST_P(FftConvolution, BackwardDataMatchesTheDoubleReference) {
    for (const Geometry& g : kGeometries) {
        const Array w = drawn(g.w(), -0.5, 0.5, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        expectNear(g, g.x(), conv2dBackwardData(w, dy, g.stride, g.x()),
                   [&](auto& convolution, const Tensor& dx) { convolution.backwardData(on(w), on(dy), dx); });
    }
}

TEST_P(FftConvolution, NanAndInfinityStayNonFinite) {
    const Geometry g{2, 12, 12, 16, 16, 7, 2};
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        for (std::size_t kernel = 0; kernel < cpu::kFftTiles.size(); ++kernel) {
            auto convolution =
                m_teams.front()->convolution(g, cpu::fftPlan(g.engine(), static_cast<int>(kernel)).value());
            const Tensor y = device().allocate(dtype(), g.y());
            const Tensor dx = device().allocate(dtype(), g.x());
            const Tensor dw = device().allocate(dtype(), g.w());
            const auto expectBad = [&](const Array& got, std::int64_t begin, std::int64_t count) {
                for (std::int64_t i = begin; i < begin + count; ++i) {
                    ASSERT_FALSE(std::isfinite(got[i])) << "element " << i << ", " << bad;
                }
            };
            for (const std::int64_t place : {std::int64_t{0}, g.x().count() / 2 + 5 * 16 + 3, g.x().count() - 1}) {
                Array x = drawn(g.x(), 0.1, 1.0, 1);
                x[place] = bad;
                convolution.forward(on(x), on(filled(g.w(), 0.5)), on(zeros({g.filters})), y);
                // All that a direct convolution would have lost: at least the output below the bad pixel.
                const std::int64_t pixel = place / 16, image = pixel / 144, row = pixel % 144 / 12,
                                   column = pixel % 12;
                expectBad(fromDevice(device(), y), ((image * 6 + row / 2) * 6 + column / 2) * 16, 16);
                convolution.backwardWeights(on(x), on(filled(g.y(), 0.5)), dw);
                const Array gradient = fromDevice(device(), dw);
                // Output (row / 2, column / 2) meets this pixel at tap 2 or 3 of both axes.
                for (std::int64_t tap = (2 + row % 2) * 7 + 2 + column % 2, k = 0; k < 16; ++k) {
                    EXPECT_FALSE(std::isfinite(gradient[(tap * 16 + place % 16) * 16 + k]));
                }
            }
            Array dy = drawn(g.y(), 0.1, 1.0, 1);
            dy[dy.count() - 1] = bad;
            convolution.backwardData(on(filled(g.w(), 0.5)), on(dy), dx);
            expectBad(fromDevice(device(), dx), g.x().count() - 16, 16);
            convolution.backwardWeights(on(drawn(g.x(), 0.1, 1.0, 1)), on(dy), dw);
            EXPECT_FALSE(std::isfinite(fromDevice(device(), dw)[(3 * 7 + 3) * 256 + 15]));
            Array w = drawn(g.w(), 0.1, 1.0, 1);
            w[w.count() / 2] = bad;
            convolution.forward(on(drawn(g.x(), 0.1, 1.0, 1)), on(w), on(zeros({g.filters})), y);
            const Array got = fromDevice(device(), y);
            EXPECT_FALSE(std::isfinite(got[(2 * 6 + 2) * 16 + w.count() / 2 % 16]));
        }
    }
}

TEST(FftPlan, FitsOnlyWholeGroupsOfChannelsAndKernelsThatATileHolds) {
    const auto fits = [](const cpu::ConvolutionGeometry& g) { return cpu::fftPlan(g, 2).has_value(); };
    EXPECT_TRUE(fits({1, 64, 64, 64, 11, 11, 128, 2}));
    EXPECT_FALSE(fits({1, 64, 64, 3, 11, 11, 128, 2}));
    EXPECT_FALSE(fits({1, 64, 64, 64, 11, 11, 100, 2}));
    EXPECT_FALSE(fits({1, 64, 64, 64, 13, 13, 128, 1}));
}

TEST(FftPlan, TheArticlesLayersTakeOneTileOrFourOf35) {
    const auto second = cpu::cheapestFftPlan({1, 128, 128, 32, 7, 7, 64, 2}, 32);
    const auto third = cpu::cheapestFftPlan({1, 64, 64, 64, 11, 11, 128, 2}, 32);
    ASSERT_TRUE(second && third);
    EXPECT_EQ(second->tile, 35);
    EXPECT_EQ(second->forwardTiles(), 4);
    EXPECT_EQ(second->backwardTiles(), 4);
    EXPECT_EQ(third->tile, 35);
    EXPECT_EQ(third->forwardTiles(), 1);
    EXPECT_EQ(third->backwardTiles(), 1);
}

TEST(FftPlan, PaysForLargeKernelsOnLargeImagesOnly) {
    const auto pays = [](const cpu::ConvolutionGeometry& g) {
        return cpu::fftCost(g, cpu::cheapestFftPlan(g, 32).value(), 32) < cpu::directCost(g, 32);
    };
    EXPECT_TRUE(pays({1, 64, 64, 64, 11, 11, 128, 2}));
    EXPECT_TRUE(pays({1, 128, 128, 32, 7, 7, 64, 2}));
    EXPECT_FALSE(pays({1, 64, 64, 64, 1, 1, 64, 1}));
    EXPECT_FALSE(pays({1, 2, 2, 64, 11, 11, 128, 2}));
}

TEST(FftOperations, GrowWithTheBatchButForTheWeightsAndAreFewerThanTheDirectOnes) {
    const cpu::ConvolutionGeometry third{1, 64, 64, 64, 11, 11, 128, 2};
    const cpu::FftPlan plan = cpu::cheapestFftPlan(third, 32).value();
    for (const auto pass : {cpu::FftPass::Forward, cpu::FftPass::BackwardWeights, cpu::FftPass::BackwardData}) {
        const cpu::FftOperations one = cpu::fftOperations(third, plan, 1, pass);
        const cpu::FftOperations many = cpu::fftOperations(third, plan, 32, pass);
        EXPECT_EQ(many.products, 32 * one.products);
        EXPECT_EQ(many.transforms, 32 * one.transforms);
        EXPECT_EQ(many.weights, one.weights);
        EXPECT_EQ(many.products, 3.0 * 613 * 256 * 128 * 32); // bins, phases of channels, filters, images of one tile
        EXPECT_LT(many.all(), 0.25 * 32 * 1'015'021'568);
    }
}

TEST_P(FftConvolution, AllocatesNothingAfterItsFirstPassesAlsoForASmallerBatch) {
    Team team(3);
    std::uint64_t peak = 0;
    for (const std::int64_t batch : {8, 8, 5}) {
        const Geometry g{batch, 40, 40, 16, 32, 7, 2};
        auto convolution = team.convolution(g, cpu::fftPlan(g.engine(), 1).value());
        const Tensor x = on(drawn(g.x(), -1, 1, 1)), w = on(drawn(g.w(), -1, 1, 2)), y = on(drawn(g.y(), -1, 1, 3));
        convolution.forward(x, w, on(zeros({g.filters})), y);
        convolution.backwardWeights(x, y, w);
        convolution.backwardData(w, y, x);
        EXPECT_GT(team.peakBytes(), 0u);
        EXPECT_TRUE(peak == 0 || team.peakBytes() == peak) << batch;
        peak = team.peakBytes();
    }
}

TEST_P(FftConvolution, ItsMemoryCountsAgainstTheLimit) {
    Team team(2, 1 << 20);
    const Geometry g{8, 40, 40, 16, 32, 7, 2};
    auto convolution = team.convolution(g, cpu::fftPlan(g.engine(), 2).value());
    EXPECT_THROW(convolution.forward(on(zeros(g.x())), on(zeros(g.w())), on(zeros({g.filters})), on(zeros(g.y()))),
                 OutOfMemoryError);
}

TEST_P(FftConvolution, ABatchTooLargeForItsSpectraIsTakenInParts) {
    // Its spectra do not fit at once: 96 MiB hold 31 images of this size.
    const Geometry g{33, 150, 150, 16, 16, 1, 2};
    const Array x = drawn(g.x(), -0.5, 1.0, 1), w = drawn(g.w(), -0.5, 0.5, 2), dy = drawn(g.y(), -1.0, 1.0, 3);
    auto convolution = m_teams[1]->convolution(g, cpu::fftPlan(g.engine(), 2).value());
    const Tensor dw = device().allocate(dtype(), g.w()), y = device().allocate(dtype(), g.y());
    convolution.backwardWeights(on(x), on(dy), dw);
    EXPECT_TRUE(
        isNear(fromDevice(device(), dw), conv2dBackwardWeights(x, dy, g.stride, g.kernel), dtype(), kFftElement));
    convolution.forward(on(x), on(w), on(zeros({g.filters})), y);
    EXPECT_TRUE(
        isNear(fromDevice(device(), y), conv2dBiasRelu(x, w, zeros({g.filters}), g.stride), dtype(), kFftElement));
}

INSTANTIATE_TEST_SUITE_P(Cpu, FftConvolution, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
