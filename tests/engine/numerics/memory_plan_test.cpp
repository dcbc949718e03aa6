#include "engine/backend/cpu/machine_memory.h"
#include "engine/optim/optimizer.h"
#include "engine/tensor/error.h"
#include "engine/train/memory_plan.h"
#include "engine/train/training_step.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/temporary_folder.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>

namespace halfstep::support {
namespace {

using precision::Policy;
using train::PredictedMemory;
using train::TrainingPlan;

TrainingPlan planOf(Policy policy, std::int64_t size, std::int64_t batch) {
    return {.network = {.policy = policy, .height = size, .width = size, .classes = 10, .batchCapacity = batch}};
}

/// The peak of a training that is really made, twice, on a back end of its own.
std::uint64_t measuredPeak(const TrainingPlan& plan, const std::shared_ptr<backend::Backend>& device) {
    nn::ConvNet network(device, plan.network);
    network.initialize(1);
    const auto optimizer = plan.optimizer == values::OptimizerKind::Sgd
                               ? optim::makeSgd(device, network.variables(), 0.001)
                               : optim::makeAdam(device, network.variables(), {});
    train::TrainingStep step(*device, network, *optimizer, nullptr);
    for (int round = 0; round < 2; ++round) {
        std::vector<std::int64_t> batches{plan.network.batchCapacity};
        batches.insert(batches.end(), plan.smallerBatches.begin(), plan.smallerBatches.end());
        for (const std::int64_t batch : batches) {
            network.input(batch);
            step.run(std::vector<std::int64_t>(static_cast<std::size_t>(batch)));
        }
        for (const std::int64_t batch : plan.validationBatches) {
            network.input(batch);
            network.forward(nn::Mode::Inference);
        }
    }
    return device->peakBytes();
}

class MemoryPlan : public testing::TestWithParam<std::tuple<Policy, std::string>> {};

TEST_P(MemoryPlan, PredictsWhatTheStepsTake) {
    const auto& [policy, method] = GetParam();
    int turn = 0;
    for (const auto& [size, batch] : {std::pair{16, 1}, std::pair{35, 7}, std::pair{64, 16}, std::pair{130, 3}}) {
        const int threads = ++turn % 2 == 0 ? 1 : 3;
        TrainingPlan plan = planOf(policy, size, batch);
        plan.optimizer = turn == 3 ? values::OptimizerKind::Sgd : values::OptimizerKind::Adam;
        if (turn < 4) {
            plan.smallerBatches = {batch / 2 + 1};
            plan.validationBatches = {batch, 1};
        }
        const PredictedMemory predicted = train::predictMemory(plan, *makeTestBackend(threads, method));
        const std::uint64_t measured = measuredPeak(plan, makeTestBackend(threads, method));
        EXPECT_EQ(predicted.peak, measured) << size << " pixels, batch " << batch << ", " << threads << " threads";
        EXPECT_EQ(predicted.total(), predicted.peak);
        EXPECT_GT(predicted.variables, 0u);
        EXPECT_GT(predicted.activations, 0u);
        EXPECT_GT(predicted.gradients, 0u);
        EXPECT_GT(predicted.workspace, 0u);
        EXPECT_EQ(predicted.optimizer > 0, plan.optimizer == values::OptimizerKind::Adam);
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, MemoryPlan,
                         testing::Combine(testing::Values(Policy::Float32, Policy::MixedFloat16, Policy::BFloat16),
                                          testing::Values("auto", "fft", "direct")),
                         [](const auto& test) {
                             return std::string(precision::traitsOf(std::get<Policy>(test.param)).name) + "_" +
                                    std::get<std::string>(test.param);
                         });

TEST(MemoryPlan, OfWhatNoMachineHasTakesNothing) {
    const auto device = makeTestBackend(2, "auto");
    const PredictedMemory predicted = train::predictMemory(planOf(Policy::Float32, 2048, 100'000), *device);
    EXPECT_GT(predicted.peak, std::uint64_t{10} << 40);
    EXPECT_EQ(device->peakBytes(), 0u);
}

TEST(MemoryPlan, TheLargestBatchFitsAndOneMoreDoesNot) {
    const auto device = makeTestBackend(2, "auto");
    constexpr std::uint64_t kFree = std::uint64_t{200} << 20;
    const TrainingPlan plan = planOf(Policy::MixedFloat16, 64, 4096);
    const std::int64_t best = train::largestBatch(plan, *device, kFree);
    ASSERT_GT(best, 8);
    EXPECT_LE(train::predictMemory(planOf(Policy::MixedFloat16, 64, best), *device).peak, kFree);
    EXPECT_GT(train::predictMemory(planOf(Policy::MixedFloat16, 64, best + 1), *device).peak, kFree);
    EXPECT_EQ(train::largestBatch(plan, *device, 1 << 20), 0);
}

TEST(MemoryPlan, UpwardsTheLargestBatchIsFoundWithoutOneToBeginWith) {
    const auto device = makeTestBackend(2, "auto");
    for (const std::uint64_t mebibytes : {150U, 333U, 700U}) {
        const std::uint64_t bytes = mebibytes << 20U;
        TrainingPlan plan = planOf(Policy::MixedFloat16, 64, 1);
        plan.validationBatches = {1};
        const std::int64_t best = train::largestBatchUpTo(plan, *device, bytes);
        ASSERT_GT(best, 0);
        const auto peakOf = [&](std::int64_t batch) {
            TrainingPlan of = planOf(Policy::MixedFloat16, 64, batch);
            of.validationBatches = {batch};
            return train::predictMemory(of, *device).peak;
        };
        EXPECT_LE(peakOf(best), bytes);
        std::int64_t power = 1;
        while (power <= best) {
            power *= 2;
        }
        EXPECT_GT(peakOf(power), bytes) << "the next power of two after " << best;
    }
    EXPECT_EQ(train::largestBatchUpTo(planOf(Policy::Float32, 64, 7), *device, 1 << 20), 0);
    EXPECT_EQ(train::largestBatchUpTo(planOf(Policy::Float32, 32, 7), *device, std::uint64_t{1} << 40, 100), 100);
}

TEST(MemoryPlan, RefusesWhatDoesNotFitInOneSentenceWithAllFigures) {
    const auto device = backend::makeBackend(
        {.device = "cpu", .threads = 2, .isa = isaUnderTest(), .memoryLimitBytes = std::uint64_t{100} << 20});
    EXPECT_NO_THROW(train::requireMemory(planOf(Policy::Float32, 64, 2), *device));
    const auto messageOf = [&](const TrainingPlan& plan) -> std::string {
        try {
            train::requireMemory(plan, *device);
        } catch (const OutOfMemoryError& error) {
            return error.what();
        }
        return "nothing was thrown";
    };
    EXPECT_THAT(messageOf(planOf(Policy::Float32, 256, 4096)),
                testing::AllOf(testing::HasSubstr("batches of 4096 images of 256 x 256"),
                               testing::HasSubstr("100.0 MiB are free"), testing::HasSubstr("fits; smaller images")));
    EXPECT_THAT(messageOf(planOf(Policy::Float32, 4096, 1)), testing::HasSubstr("Not even one image"));
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() / 1000;
    EXPECT_THAT(messageOf(planOf(Policy::Float32, 64, kHuge)), testing::HasSubstr("more than can be counted"));
}

TEST(Allocate, OfATensorWhoseBytesNobodyCanCountIsAnError) {
    const auto device = makeTestBackend(1);
    constexpr std::int64_t kLarge = std::int64_t{1} << 31;
    EXPECT_THROW(device->allocate(DType::Float32, {kLarge, kLarge, 2, 1}), OutOfMemoryError);
    EXPECT_THROW(device->rehearsal()->allocate(DType::Float32, {kLarge, kLarge, kLarge, 16}), OutOfMemoryError);
    EXPECT_EQ(device->heldBytes(), 0u);
}

/// A folder with the files of a kernel that tells what the test writes.
class MachineMemory : public testing::Test {
protected:
    void write(const char* name, const char* text) const {
        const std::filesystem::path file = m_folder.path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    backend::cpu::MachineMemory memory() const { return backend::cpu::machineMemory(m_folder.path()); }

private:
    TemporaryFolder m_folder;
};

TEST_F(MachineMemory, IsWhatTheTightestGroupLeaves) {
    write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:   1 kB\nMemAvailable:    800 kB\n");
    EXPECT_EQ(memory().totalBytes, 1000u * 1024);
    EXPECT_EQ(memory().freeBytes, 800u * 1024);
    write("proc/self/cgroup", "0::/jobs/one\n");
    write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
    write("sys/fs/cgroup/jobs/memory.max", "700000\n");
    write("sys/fs/cgroup/jobs/memory.current", "100000\n");
    EXPECT_EQ(memory().totalBytes, 700000u);
    EXPECT_EQ(memory().freeBytes, 600000u);
    write("sys/fs/cgroup/memory.max", "500000\n");
    write("sys/fs/cgroup/memory.current", "600000\n");
    EXPECT_EQ(memory().totalBytes, 500000u);
    EXPECT_EQ(memory().freeBytes, 0u);
    // A wider group above may be fuller than its tight one below.
    write("sys/fs/cgroup/memory.max", "900000\n");
    write("sys/fs/cgroup/memory.current", "890000\n");
    EXPECT_EQ(memory().totalBytes, 700000u);
    EXPECT_EQ(memory().freeBytes, 10000u);
    // Pages of files are given up when they are needed.
    write("sys/fs/cgroup/memory.stat", "anon 1\nactive_file 200000\ninactive_file 300000\nfile 1\n");
    EXPECT_EQ(memory().freeBytes, 510000u);
}

TEST_F(MachineMemory, KnowsTheGroupsOfVersionOneAndHowToDoWithout) {
    EXPECT_GT(memory().freeBytes, std::uint64_t{1} << 40) << "nothing tells: no bound";
    write("proc/meminfo", "MemTotal:       1000 kB\n");
    EXPECT_EQ(memory().freeBytes, 1000u * 1024);
    write("proc/self/cgroup", "5:cpu:/jobs\n4:memory:/jobs/one\n0::/elsewhere\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "600000\n");
    write("sys/fs/cgroup/memory/jobs/one/memory.usage_in_bytes", "500000\n");
    write("sys/fs/cgroup/memory/jobs/one/memory.stat", "cache 5\ntotal_inactive_file 100000\ntotal_active_file 0\n");
    EXPECT_EQ(memory().totalBytes, 600000u);
    EXPECT_EQ(memory().freeBytes, 200000u);
}

TEST_F(MachineMemory, IsNoMoreThanTheProcessMayMap) {
    write("proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    800 kB\n");
    write("proc/self/status", "Name:\thalfstep\nVmPeak:\t     400 kB\nVmSize:\t     300 kB\n");
    write("proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units     \n"
                              "Max locked memory         65536                65536                bytes     \n"
                              "Max address space         unlimited            unlimited            bytes     \n");
    EXPECT_EQ(memory().freeBytes, 800u * 1024);
    write("proc/self/limits", "Max address space         512000               unlimited            bytes     \n");
    EXPECT_EQ(memory().totalBytes, 512000u);
    EXPECT_EQ(memory().freeBytes, 512000u - 300 * 1024);
    write("proc/self/limits", "Max address space         1024                 1024                 bytes     \n");
    EXPECT_EQ(memory().freeBytes, 0u);
}

} // namespace
} // namespace halfstep::support
