// The pieces that NarrowConvolution is made of, each by itself.
#include "engine/backend/cpu/narrow/padded_rows.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/engine/numerics/tested_geometry.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <algorithm>
#include <cmath>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;

cpu::Kernels kernelsUnderTest() {
    return cpu::kernelsFor(cpu::chooseInstructionSet(isaUnderTest()));
}

std::vector<float> drawnFloats(std::size_t count, std::uint64_t seed) {
    const Array drawn = RandomNumbers(seed).array({static_cast<std::int64_t>(count)}, -1.0, 1.0);
    return {drawn.values.begin(), drawn.values.end()};
}

/// Row `r` of image `n` from column -before on, zero outside the image.
std::vector<float> paddedRow(const Geometry& g, const Array& x, std::int64_t n, std::int64_t r) {
    const std::int64_t before = g.engine().paddingWidth() / 2, columns = (g.y()[2] - 1) * g.stride + g.kernel;
    std::vector<float> row;
    for (std::int64_t i = -before; i < columns - before; ++i) {
        for (std::int64_t c = 0; c < g.channels; ++c) {
            const bool inside = i >= 0 && i < g.width;
            row.push_back(inside ? static_cast<float>(x[((n * g.height + r) * g.width + i) * g.channels + c]) : 0.0f);
        }
    }
    return row;
}

TEST(PaddedRows, AreTheImagesRowsBetweenZerosWhicheverOutputRowAsks) {
    const auto device = makeTestBackend(1);
    const cpu::Kernels kernels = kernelsUnderTest();
    for (const Geometry& g : {Geometry{2, 9, 7, 3, 16, 5, 2},
                              {3, 4, 4, 1, 16, 11, 1},
                              {1, 6, 5, 4, 16, 1, 2},
                              {2, 1, 1, 2, 16, 3, 2},
                              {1, 8, 8, 3, 16, 4, 1}}) {
        const cpu::ConvolutionGeometry geometry = g.engine();
        const Array x = rounded(DType::Float16, RandomNumbers(1).array(g.x(), -1.0, 1.0));
        const tensor::Tensor stored = onDevice(*device, DType::Float16, x);
        std::vector<float> memory(cpu::PaddedRows::size(geometry));
        cpu::PaddedRows rows(geometry, stored, kernels.of(DType::Float16), memory.data());
        for (std::int64_t n = 0; n < g.batch; ++n) {
            for (std::int64_t output = 0; output < g.y()[1]; ++output) {
                const std::int64_t top = output * g.stride - geometry.paddingHeight() / 2;
                const auto window = rows.of(n, output);
                ASSERT_EQ(static_cast<std::int64_t>(window.firstRow), std::max<std::int64_t>(-top, 0)) << g.text();
                ASSERT_EQ(top + static_cast<std::int64_t>(window.firstRow + window.rowCount),
                          std::min(top + g.kernel, g.height))
                    << g.text();
                for (std::size_t i = 0; i < window.rowCount; ++i) {
                    const auto right = paddedRow(g, x, n, top + static_cast<std::int64_t>(window.firstRow + i));
                    EXPECT_TRUE(std::equal(right.begin(), right.end(), window.rows[i])) << g.text();
                }
            }
        }
    }
}

TEST(NarrowKernels, AStripOfAnyLengthIsTheSumOfItsProducts) {
    const cpu::NarrowKernels kernels = kernelsUnderTest().narrow;
    constexpr std::size_t kRows = 2, kTaps = 9, kStride = 6;
    for (const std::size_t filters : {16U, 32U, 48U}) {
        const auto row = drawnFloats(kernels.pixels * kStride + kTaps, 1);
        const auto weights = drawnFloats(kRows * kTaps * filters, 2), bias = drawnFloats(filters, 3);
        for (std::size_t pixels = 1; pixels <= kernels.pixels; ++pixels) {
            std::vector<float> y((pixels + 1) * filters, 7.0f);
            cpu::NarrowStrip strip{.rowCount = kRows, .taps = kTaps, .pixelStride = kStride, .filters = filters};
            strip.rows[0] = row.data();
            strip.rows[1] = row.data() + 1;
            strip.weights = weights.data();
            strip.bias = bias.data();
            strip.pixels = pixels;
            strip.y = y.data();
            kernels.forward[static_cast<std::size_t>(DType::Float32)](strip);
            for (std::size_t i = 0; i < pixels * filters; ++i) {
                double sum = static_cast<double>(bias[i % filters]), sizes = std::abs(sum);
                for (std::size_t product = 0; product < kRows * kTaps; ++product) {
                    const float* x = strip.rows[product / kTaps] + i / filters * kStride + product % kTaps;
                    const double term =
                        static_cast<double>(*x) * static_cast<double>(weights[product * filters + i % filters]);
                    sum += term;
                    sizes += std::abs(term);
                }
                ASSERT_NEAR(static_cast<double>(y[i]), std::max(sum, 0.0), sumTolerance(kRows * kTaps) * sizes);
            }
            EXPECT_TRUE(std::all_of(y.end() - static_cast<std::ptrdiff_t>(filters), y.end(),
                                    [](float after) { return after == 7.0f; }));
        }
    }
}

} // namespace
} // namespace halfstep::support
