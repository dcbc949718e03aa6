// The FFT convolution pass by pass: its transforms and the products of its spectra (fft_products.cpp) are seen
// through its results against the double reference; its plans and what they cost by their own numbers.
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
#include <vector>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;
using tensor::Tensor;

/// Tiles that hold the whole image, wrap into its padding, or lie side by side; odd and even sizes and padding;
/// kernels larger than the image; batches that are no multiple of anything; channels and filters that fill their last
/// group of 16 or do not.
const std::vector<Geometry> kGeometries{
    {1, 1, 1, 16, 16, 11, 2},   {2, 2, 3, 16, 32, 1, 1},    {7, 5, 9, 16, 16, 3, 2},    {29, 7, 6, 32, 16, 5, 2},
    {1, 16, 32, 32, 16, 7, 2},  {2, 13, 10, 16, 48, 7, 1},  {3, 32, 31, 16, 16, 11, 2}, {1, 33, 20, 48, 16, 4, 2},
    {1, 64, 64, 16, 16, 7, 2},  {1, 64, 63, 16, 16, 11, 2}, {2, 75, 41, 16, 16, 5, 2},  {1, 41, 75, 16, 16, 2, 1},
    {1, 38, 37, 16, 16, 11, 1}, {1, 90, 24, 16, 16, 10, 2}, {1, 12, 141, 16, 16, 9, 2}, {2, 20, 13, 3, 5, 5, 2},
    {1, 9, 11, 17, 33, 3, 1},   {3, 24, 23, 1, 1, 7, 2},    {2, 70, 9, 47, 20, 10, 2},  {3, 6, 37, 130, 2, 4, 1},
    {1, 17, 16, 15, 100, 8, 2},
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
    void expectNear(const Geometry& g, const Shape& shape, const Array& exact, double elementTolerance,
                    const Pass& pass) {
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
            EXPECT_TRUE(isNear(*first, exact, dtype(), elementTolerance));
            if (dtype() == DType::Float32) {
                EXPECT_TRUE(isNearInL2(*first, exact, kFftRms));
            } else if (dtype() == DType::Float16) {
                EXPECT_TRUE(isNearInL2(*first, exact, kFftHalfRms));
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
        expectNear(g, g.y(), conv2dBiasRelu(x, w, b, g.stride), kFftElement,
                   [&](auto& convolution, const Tensor& y) { convolution.forward(on(x), on(w), on(b), y, nullptr); });
    }
}

TEST_P(FftConvolution, BackwardWeightsMatchesTheDoubleReference) {
    for (const Geometry& g : kGeometries) {
        const Array x = drawn(g.x(), -0.5, 1.0, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        expectNear(
            g, g.w(), conv2dBackwardWeights(x, dy, g.stride, g.kernel), fftGradientElement(dtype()),
            [&](auto& convolution, const Tensor& dw) { convolution.backwardWeights(on(x), on(dy), dw, nullptr); });
    }
}

TEST_P(FftConvolution, BackwardDataMatchesTheDoubleReference) {
    for (const Geometry& g : kGeometries) {
        const Array w = drawn(g.w(), -0.5, 0.5, 1);
        const Array dy = drawn(g.y(), -1.0, 1.0, 2);
        expectNear(
            g, g.x(), conv2dBackwardData(w, dy, g.stride, g.x()), fftGradientElement(dtype()),
            [&](auto& convolution, const Tensor& dx) { convolution.backwardData(on(w), on(dy), dx, nullptr); });
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
                convolution.forward(on(x), on(filled(g.w(), 0.5)), on(zeros({g.filters})), y, nullptr);
                // All that a direct convolution would have lost: at least the output below the bad pixel.
                const std::int64_t pixel = place / 16, image = pixel / 144, row = pixel % 144 / 12,
                                   column = pixel % 12;
                expectBad(fromDevice(device(), y), ((image * 6 + row / 2) * 6 + column / 2) * 16, 16);
                convolution.backwardWeights(on(x), on(filled(g.y(), 0.5)), dw, nullptr);
                const Array gradient = fromDevice(device(), dw);
                // Output (row / 2, column / 2) meets this pixel at tap 2 or 3 of both axes.
                for (std::int64_t tap = (2 + row % 2) * 7 + 2 + column % 2, k = 0; k < 16; ++k) {
                    EXPECT_FALSE(std::isfinite(gradient[(tap * 16 + place % 16) * 16 + k]));
                }
            }
            Array dy = drawn(g.y(), 0.1, 1.0, 1);
            dy[dy.count() - 1] = bad;
            convolution.backwardData(on(filled(g.w(), 0.5)), on(dy), dx, nullptr);
            expectBad(fromDevice(device(), dx), g.x().count() - 16, 16);
            convolution.backwardWeights(on(drawn(g.x(), 0.1, 1.0, 1)), on(dy), dw, nullptr);
            EXPECT_FALSE(std::isfinite(fromDevice(device(), dw)[(3 * 7 + 3) * 256 + 15]));
            Array w = drawn(g.w(), 0.1, 1.0, 1);
            w[w.count() / 2] = bad;
            convolution.forward(on(drawn(g.x(), 0.1, 1.0, 1)), on(w), on(zeros({g.filters})), y, nullptr);
            const Array got = fromDevice(device(), y);
            EXPECT_FALSE(std::isfinite(got[(2 * 6 + 2) * 16 + w.count() / 2 % 16]));
        }
    }
}

TEST(FftPlan, FitsAnyChannelsAndFiltersAndKernelsThatATileHolds) {
    const auto fits = [](const cpu::ConvolutionGeometry& g) { return cpu::fftPlan(g, 2).has_value(); };
    EXPECT_TRUE(fits({1, 64, 64, 64, 11, 11, 128, 2}));
    EXPECT_TRUE(fits({1, 64, 64, 3, 11, 11, 128, 2}));
    EXPECT_TRUE(fits({1, 64, 64, 64, 11, 11, 100, 2}));
    EXPECT_FALSE(fits({1, 64, 64, 64, 13, 13, 128, 1}));
}

/// The cheapest plan for a batch; none if no tile size fits.
std::optional<cpu::FftPlan> cheapestFftPlan(const cpu::ConvolutionGeometry& geometry, std::int64_t batch) {
    std::optional<cpu::FftPlan> cheapest;
    for (const int tile : cpu::kFftTiles) {
        const auto plan = cpu::fftPlanWithTile(geometry, tile);
        if (plan && (!cheapest || cpu::fftCost(geometry, *plan, batch) < cpu::fftCost(geometry, *cheapest, batch))) {
            cheapest = plan;
        }
    }
    return cheapest;
}

TEST(FftPlan, TheArticlesLayersTakeOneTileOrFourOf35) {
    const auto second = cheapestFftPlan({1, 128, 128, 32, 7, 7, 64, 2}, 32);
    const auto third = cheapestFftPlan({1, 64, 64, 64, 11, 11, 128, 2}, 32);
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
        return cpu::fftCost(g, cheapestFftPlan(g, 32).value(), 32) < cpu::directCost(g, 32);
    };
    EXPECT_TRUE(pays({1, 64, 64, 64, 11, 11, 128, 2}));
    EXPECT_TRUE(pays({1, 128, 128, 32, 7, 7, 64, 2}));
    EXPECT_FALSE(pays({1, 64, 64, 64, 1, 1, 64, 1}));
    EXPECT_FALSE(pays({1, 2, 2, 64, 11, 11, 128, 2}));
    EXPECT_FALSE(pays({1, 256, 256, 3, 5, 5, 32, 2}));
}

TEST(FftPlan, CostsWhatItsWholeGroupsOfChannelsCost) {
    const auto cost = [](std::int64_t channels, std::int64_t filters) {
        const cpu::ConvolutionGeometry g{1, 64, 64, channels, 7, 7, filters, 2};
        return cpu::fftCost(g, cpu::fftPlan(g, 2).value(), 32);
    };
    EXPECT_EQ(cost(17, 33), cost(32, 48));
    EXPECT_LT(cost(16, 33), cost(17, 33));
    EXPECT_LT(cost(17, 32), cost(17, 33));
}

TEST_P(FftConvolution, WritesNothingBehindItsLastChannel) {
    const Geometry g{1, 1, 1, 3, 5, 1, 1};
    for (std::size_t kernel = 0; kernel < cpu::kFftTiles.size(); ++kernel) {
        auto convolution =
            m_teams.front()->convolution(g, cpu::fftPlan(g.engine(), static_cast<int>(kernel)).value());
        const auto afterIt = [&](const Shape& shape, const auto& pass) {
            const Tensor longer = on(filled({shape.count() + 16}, 7));
            pass(Tensor{dtype(), shape, longer.data});
            const Array got = fromDevice(device(), longer);
            for (std::int64_t i = shape.count(); i < got.count(); ++i) {
                EXPECT_EQ(got[i], 7) << i;
            }
        };
        const Tensor x = on(filled(g.x(), 1)), w = on(filled(g.w(), 1)), b = on(filled({g.filters}, 1));
        const Tensor dy = on(filled(g.y(), 1));
        afterIt(g.y(), [&](const Tensor& y) { convolution.forward(x, w, b, y, nullptr); });
        afterIt(g.w(), [&](const Tensor& dw) { convolution.backwardWeights(x, dy, dw, nullptr); });
        afterIt(g.x(), [&](const Tensor& dx) { convolution.backwardData(w, dy, dx, nullptr); });
    }
}

TEST(FftOperations, GrowWithTheBatchButForTheWeightsAndAreFewerThanTheDirectOnes) {
    const cpu::ConvolutionGeometry third{1, 64, 64, 64, 11, 11, 128, 2};
    const cpu::FftPlan plan = cheapestFftPlan(third, 32).value();
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
        convolution.forward(x, w, on(zeros({g.filters})), y, nullptr);
        convolution.backwardWeights(x, y, w, nullptr);
        convolution.backwardData(w, y, x, nullptr);
        EXPECT_GT(team.peakBytes(), 0u);
        EXPECT_TRUE(peak == 0 || team.peakBytes() == peak) << batch;
        peak = team.peakBytes();
    }
}

TEST_P(FftConvolution, ItsMemoryCountsAgainstTheLimit) {
    Team team(2, 1 << 20);
    const Geometry g{8, 40, 40, 16, 32, 7, 2};
    auto convolution = team.convolution(g, cpu::fftPlan(g.engine(), 2).value());
    EXPECT_THROW(
        convolution.forward(on(zeros(g.x())), on(zeros(g.w())), on(zeros({g.filters})), on(zeros(g.y())), nullptr),
        OutOfMemoryError);
}

TEST_P(FftConvolution, ABatchTooLargeForItsSpectraIsTakenInParts) {
    // Its spectra do not fit at once: 48 MiB hold 15 images of this size in float32, 30 in float16.
    const Geometry g{33, 150, 150, 16, 16, 1, 2};
    const Array x = drawn(g.x(), -0.5, 1.0, 1), w = drawn(g.w(), -0.5, 0.5, 2), dy = drawn(g.y(), -1.0, 1.0, 3);
    auto convolution = m_teams[1]->convolution(g, cpu::fftPlan(g.engine(), 2).value());
    const Tensor dw = device().allocate(dtype(), g.w()), y = device().allocate(dtype(), g.y());
    convolution.backwardWeights(on(x), on(dy), dw, nullptr);
    EXPECT_TRUE(isNear(fromDevice(device(), dw), conv2dBackwardWeights(x, dy, g.stride, g.kernel), dtype(),
                       fftGradientElement(dtype())));
    const Tensor dx = device().allocate(dtype(), g.x());
    convolution.backwardData(on(w), on(dy), dx, nullptr);
    EXPECT_TRUE(isNear(fromDevice(device(), dx), conv2dBackwardData(w, dy, g.stride, g.x()), dtype(),
                       fftGradientElement(dtype())));
    convolution.forward(on(x), on(w), on(zeros({g.filters})), y, nullptr);
    EXPECT_TRUE(
        isNear(fromDevice(device(), y), conv2dBiasRelu(x, w, zeros({g.filters}), g.stride), dtype(), kFftElement));
}

TEST_P(FftConvolution, WhatAForwardPassReservesChangesNoBit) {
    // One tile and many, the same spectra of dy in both backward passes and others, a batch in two parts, each of
    // which is reserved; then a batch of another size.
    for (const Geometry& g : {Geometry{3, 32, 31, 16, 32, 11, 2}, Geometry{2, 75, 41, 32, 16, 5, 2},
                              Geometry{20, 150, 150, 16, 16, 1, 2}}) {
        backend::ReserveSpace reserve;
        std::unique_ptr<cpu::FftConvolution> used; // a backend keeps one for each size of batch
        for (const std::int64_t batch : {g.batch, g.batch, g.batch - 1}) {
            Geometry part = g;
            part.batch = batch;
            const cpu::FftPlan plan = cpu::fftPlan(g.engine(), 2).value();
            auto convolution = std::make_unique<cpu::FftConvolution>(m_teams[1]->convolution(part, plan));
            const auto seed = static_cast<std::uint64_t>(batch);
            const Tensor x = on(drawn(part.x(), -1, 1, seed)), w = on(drawn(part.w(), -1, 1, 2));
            const Tensor b = on(zeros({part.filters})), dy = on(drawn(part.y(), -1, 1, seed + 3));
            const auto passes = [&](backend::ReserveSpace* space) {
                const Tensor y = device().allocate(dtype(), part.y()), dw = device().allocate(dtype(), part.w());
                const Tensor dx = device().allocate(dtype(), part.x());
                convolution->forward(x, w, b, y, space);
                convolution->backwardWeights(x, dy, dw, space);
                convolution->backwardData(w, dy, dx, space);
                return std::vector{fromDevice(device(), y), fromDevice(device(), dw), fromDevice(device(), dx)};
            };
            const std::vector<Array> plain = passes(nullptr), spared = passes(&reserve);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                EXPECT_TRUE(sameBits(plain[i], spared[i])) << g.text() << ", batch " << batch << ", result " << i;
            }
            EXPECT_NE(reserve.content, nullptr);
            used = std::move(convolution);
        }
    }
}

/// Spectra in float16 have a factor of their own for every tile, so that neither the size of the gradients nor zeros
/// beside small ones matter.
TEST_P(FftConvolution, GradientsOfAnySizeKeepTheirAccuracy) {
    const Geometry g{2, 40, 23, 32, 48, 5, 2};
    const Array x = drawn(g.x(), -0.5, 1.0, 1), w = drawn(g.w(), -0.5, 0.5, 2), plain = drawn(g.y(), -1.0, 1.0, 3);
    auto convolution = m_teams[1]->convolution(g, cpu::fftPlan(g.engine(), 1).value());
    for (const double factor :
         {dtype() == DType::Float16 ? 0.01 : 1e-25, 1.0, dtype() == DType::Float16 ? 10.0 : 1e25}) {
        Array dy = scaled(plain, factor);
        for (std::int64_t i = 0; i < dy.count(); ++i) {
            dy[i] = i % g.filters < 20 ? 0.0 : dy[i];
        }
        dy = rounded(dtype(), dy);
        const Tensor dx = device().allocate(dtype(), g.x()), dw = device().allocate(dtype(), g.w());
        convolution.backwardWeights(on(x), on(dy), dw, nullptr);
        convolution.backwardData(on(w), on(dy), dx, nullptr);
        const Array exactW = conv2dBackwardWeights(x, dy, g.stride, g.kernel);
        EXPECT_TRUE(isNear(fromDevice(device(), dw), exactW, dtype(), fftGradientElement(dtype()))) << factor;
        const Array exactX = conv2dBackwardData(w, dy, g.stride, g.x());
        EXPECT_TRUE(isNear(fromDevice(device(), dx), exactX, dtype(), fftGradientElement(dtype()))) << factor;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, FftConvolution, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
