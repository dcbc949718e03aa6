// The machine's measured rates (ceilings.cpp and its loops, ceiling_kernels.cpp): that they are rates at all, never
// how high they are.
#include "engine/backend/cpu/ceilings.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/tensor/error.h"
#include "tests/engine/numerics/every_backend.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace halfstep::support {
namespace {

namespace cpu = backend::cpu;

cpu::MachineCeilings measured(int threads) {
    return cpu::measureCeilings({.threads = threads,
                                 .isa = isaUnderTest(),
                                 .trials = 2,
                                 .trialSeconds = 0.001,
                                 .leastBytes = std::size_t{3} << 20});
}

TEST(Ceilings, AreFiniteRatesOfTheThreadsAndTheInstructionSetAskedFor) {
    for (const int threads : {1, 2, 3}) {
        const cpu::MachineCeilings found = measured(threads);
        EXPECT_EQ(found.threads, threads);
        EXPECT_EQ(found.isa, cpu::chooseInstructionSet(isaUnderTest()).name);
        for (const double rate : {found.fmaGflops, found.readGbps, found.copyGbps, found.triadGbps}) {
            EXPECT_TRUE(std::isfinite(rate) && rate > 0) << rate;
        }
        EXPECT_EQ(found.memoryGbps(), std::max({found.readGbps, found.copyGbps, found.triadGbps}));
        EXPECT_LE(found.bytes, std::size_t{3} << 20);
        EXPECT_GT(found.bytes, std::size_t{2} << 20);
    }
}

TEST(Ceilings, AnUnknownInstructionSetIsAnError) {
    EXPECT_THROW(cpu::measureCeilings({.isa = "abacus"}), ConfigError);
}

TEST(CeilingKernels, DoWhatIsCounted) {
    const cpu::CeilingKernels kernels = cpu::kernelsFor(cpu::chooseInstructionSet(isaUnderTest())).ceilings;
    float result = 0;
    const double once = kernels.multiplyAdd(1, &result);
    EXPECT_EQ(kernels.multiplyAdd(100, &result), 100 * once);
    EXPECT_EQ(std::fmod(once, 2 * 12), 0.0);                // twelve vectors
    EXPECT_EQ(result, static_cast<float>(once) / 2 * 0.5f); // every lane has come to 0.25 / (1 - 0.5)

    std::vector<float> x(128), y(128), z(128);
    std::iota(x.begin(), x.end(), 0.0f);
    EXPECT_EQ(kernels.sum(x.data(), x.size()), 127 * 64.0f);
    kernels.copy(x.data(), x.size(), y.data());
    EXPECT_EQ(y, x);
    kernels.triad(x.data(), y.data(), x.size(), z.data());
    EXPECT_EQ(z[0], 0.0f);
    EXPECT_EQ(z[127], 4 * 127.0f);
}

} // namespace
} // namespace halfstep::support
