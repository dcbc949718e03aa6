#include "engine/backend/backend.h"
#include "engine/backend/cpu/one_dnn.h"
#include "engine/backend/devices.h"
#include "engine/tensor/error.h"
#include "tests/support/convolution_oracle.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"
#include "tests/support/tolerance.h"
#include <gtest/gtest.h>

namespace halfstep::support {
namespace {

/// The article's second and third convolution, small in everything but the image: what a step needs beside them never
/// went through oneDNN, which a process can hold to one instruction set only.
TEST(SeveralInstructionSets, ServeOneProcess) {
    const std::vector<std::string> isas = backend::devices().front().isas;
    for (const std::string& isa : isas) {
        const auto device = backend::makeBackend({.threads = 2, .isa = isa});
        EXPECT_EQ(device->isa(), isa);
        for (const std::int64_t kernel : {7, 11}) {
            const Shape xShape{2, 64, 64, 16}, wShape{kernel, kernel, 16, 16};
            const Array x = RandomNumbers(1).array(xShape, -1.0, 1.0), w = RandomNumbers(2).array(wShape, -1.0, 1.0);
            const Array exact = conv2dBiasRelu(x, w, zeros({16}), 2);
            const auto y = device->allocate(DType::Float32, exact.shape);
            device->conv2dBiasRelu(onDevice(*device, DType::Float32, x), onDevice(*device, DType::Float32, w),
                                   onDevice(*device, DType::Float32, zeros({16})), {2}, y);
            EXPECT_TRUE(isNear(fromDevice(*device, y), exact, DType::Float32, kFftElement)) << isa;
        }
    }
}

TEST(SeveralInstructionSets, AreRefusedToOneDnnInASentence) {
    const std::vector<std::string> isas = backend::devices().front().isas;
    const auto convolve = [](const std::string& isa) {
        const auto device = backend::makeBackend({.threads = 1, .isa = isa, .convolution = "direct"});
        const auto x = device->allocate(DType::Float32, {1, 8, 8, 8});
        const auto w = device->allocate(DType::Float32, {3, 3, 8, 8});
        device->conv2dBiasRelu(x, w, device->allocate(DType::Float32, {8}), {1},
                               device->allocate(DType::Float32, {1, 8, 8, 8}));
    };
    convolve(isas.front());
    for (const std::string& other : {std::string("avx2"), std::string("sse4")}) {
        if (other != isas.front()) { // also where the CPU has no other set: oneDNN is asked, not the kernels
            EXPECT_FALSE(backend::cpu::oneDnnCanBeHeldTo(other)) << other;
            EXPECT_THROW(backend::cpu::holdOneDnnTo(other), ConfigError) << other;
        }
    }
    if (isas.back() != isas.front()) {
        EXPECT_THROW(convolve(isas.back()), ConfigError);
    }
    convolve(isas.front());
}

} // namespace
} // namespace halfstep::support
