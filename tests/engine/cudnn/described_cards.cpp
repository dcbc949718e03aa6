#include "tests/engine/cudnn/described_cards.h"
#include <nlohmann/json.hpp>

namespace halfstep::support {
namespace {

struct Figures {
    const char* name;
    int computeCapability, multiprocessors, kibOfSharedMemory, threads, blocks, megahertz, memoryMegahertz,
        mibOfCache;
    std::int64_t gibOfMemory;
};

DescribedCard card(const Figures& figures) {
    const nlohmann::json properties{{"deviceName", figures.name},
                                    {"cudaDeviceId", 0},
                                    {"deviceVer", figures.computeCapability * 10},
                                    {"driverVer", 13000},
                                    {"multiProcessorCount", figures.multiprocessors},
                                    {"warpSize", 32},
                                    {"regsPerBlock", 65536},
                                    {"maxSharedMemoryPerBlock", 49152},
                                    {"maxSharedMemoryPerBlockOptin", figures.kibOfSharedMemory * 1024},
                                    {"reservedSharedMemoryPerBlock", figures.computeCapability >= 80 ? 1024 : 0},
                                    {"maxRegistersPerSM", 65536},
                                    {"maxCtasPerSM", figures.blocks},
                                    {"maxThreadsPerBlock", 1024},
                                    {"maxThreadsPerSM", figures.threads},
                                    {"maxGridSize", {2147483647, 65535, 65535}},
                                    {"maxBlockSize", {1024, 1024, 64}},
                                    {"pciDeviceId", 0},
                                    {"isTccDriver", 0},
                                    {"supportCoopLaunch", 1},
                                    {"smClockRateKHz", figures.megahertz * 1000},
                                    {"memClockRateKHz", figures.memoryMegahertz * 1000},
                                    {"l2CacheSize", figures.mibOfCache << 20},
                                    {"totalGlobalMem", figures.gibOfMemory << 30}};
    return {figures.name, figures.computeCapability, properties.dump()};
}

} // namespace

std::shared_ptr<const backend::cuda::CudnnLibrary> installedCudnn() {
    static const std::shared_ptr<const backend::cuda::CudnnLibrary> library = [] {
        try {
            return backend::cuda::CudnnLibrary::open();
        } catch (const BackendError&) {
            return std::shared_ptr<const backend::cuda::CudnnLibrary>();
        }
    }();
    return library;
}

std::vector<DescribedCard> describedCards() {
    return {card({"T4", 75, 40, 64, 1024, 16, 1590, 5001, 4, 15}),
            card({"A100", 80, 108, 163, 2048, 32, 1410, 1593, 40, 80}),
            card({"RTX 4090", 89, 128, 99, 1536, 24, 2520, 10501, 72, 24}),
            card({"H100", 90, 132, 227, 2048, 32, 1980, 2619, 50, 80}),
            card({"H200", 90, 132, 227, 2048, 32, 1980, 3201, 60, 140}),
            card({"B200", 100, 148, 227, 2048, 32, 1965, 3996, 126, 178})};
}

} // namespace halfstep::support
