#include "engine/backend/cuda/kernels/kernel_images.h"
#include "engine/backend/cuda/weight_layout.h"
#include "tests/engine/cuda/stand_in_card.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"

namespace halfstep::support {
namespace {

using namespace backend::cuda;

class WeightLayout : public EveryBackend {};

/// [R, S, C, K] to [K, R, S, C].
Array toKrsc(const Array& w) {
    const std::int64_t rows = w.shape[0] * w.shape[1] * w.shape[2], k = w.shape[3];
    Array result{{k, w.shape[0], w.shape[1], w.shape[2]}, std::vector<double>(w.values.size())};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < k; ++column) {
            result.values[static_cast<std::size_t>(column * rows + row)] =
                w.values[static_cast<std::size_t>(row * k + column)];
        }
    }
    return result;
}

TEST_P(WeightLayout, GoesToCuDnnsOrderAndBack) {
    KernelSet kernels(standInCard(), kernelImages());
    for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{5, 5, 3, 32}, Shape{3, 3, 1, 33}, Shape{1, 1, 31, 1},
                               Shape{2, 3, 11, 65}, Shape{7, 7, 32, 64}}) {
        const Array w = drawn(shape, -1, 1, 5);
        const tensor::Tensor stored = onDevice(device(), dtype(), w);
        const Array exact = toKrsc(w);
        const tensor::Tensor turned = device().allocate(dtype(), exact.shape);
        kernelsToKrsc(kernels, stored, turned.data.get());
        EXPECT_TRUE(sameBits(fromDevice(device(), turned), exact)) << shape.text();
        const tensor::Tensor back = device().allocate(dtype(), shape);
        kernelsFromKrsc(kernels, turned.data.get(), back);
        EXPECT_TRUE(sameBits(fromDevice(device(), back), w)) << shape.text();
    }
}

INSTANTIATE_TEST_SUITE_P(Card, WeightLayout, everyDType(), dtypeName);

} // namespace
} // namespace halfstep::support
