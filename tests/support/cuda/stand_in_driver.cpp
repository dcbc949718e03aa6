// A stand-in for NVIDIA's driver, as a library of its own that tests open in place of libcuda.so.1: one card whose
// memory is the host's and whose kernels are Halfstep's own sources, run by the emulator. What it should refuse is
// set by environment variables, read at every call:
//   HALFSTEP_STAND_IN_VERSION   version of the driver (13000)
//   HALFSTEP_STAND_IN_INIT      result of cuInit (0)
//   HALFSTEP_STAND_IN_CARDS     number of cards (1)
//   HALFSTEP_STAND_IN_BYTES     memory of a card (1 GiB)
//   HALFSTEP_STAND_IN_FAILURE   result of every call after cards were opened, as if the card had vanished (0)
// It is strict where the real one would crash or corrupt: copies and launches outside what was allocated abort.
#include "tests/support/cuda/emulator.h"
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <map>
#include <mutex>
#include <stdexcept>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

long setting(const char* name, long otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

std::size_t cardBytes() {
    return static_cast<std::size_t>(setting("HALFSTEP_STAND_IN_BYTES", 1L << 30));
}

CUresult health() {
    return static_cast<CUresult>(setting("HALFSTEP_STAND_IN_FAILURE", CUDA_SUCCESS));
}

struct Card {
    std::mutex mutex;
    std::map<std::uintptr_t, std::size_t> blocks; ///< of device memory
    std::size_t held = 0;
};

Card& card() {
    static Card one;
    return one;
}

/// Aborts unless the bytes lie in one block.
void requireDeviceMemory(CUdeviceptr memory, std::size_t bytes, const char* call) {
    const std::scoped_lock lock(card().mutex);
    const auto after = card().blocks.upper_bound(memory);
    if (after != card().blocks.begin()) {
        const auto& [begin, size] = *std::prev(after);
        if (memory + bytes <= begin + size) {
            return;
        }
    }
    std::fprintf(stderr, "stand-in driver: %s of %zu bytes at %llx lies outside of device memory\n", call, bytes,
                 static_cast<unsigned long long>(memory));
    std::abort();
}

void* host(CUdeviceptr memory) {
    return reinterpret_cast<void*>(memory);
}

} // namespace

EXPORT CUresult cuInit(unsigned) {
    return static_cast<CUresult>(setting("HALFSTEP_STAND_IN_INIT", CUDA_SUCCESS));
}
EXPORT CUresult cuDriverGetVersion(int* version) {
    *version = static_cast<int>(setting("HALFSTEP_STAND_IN_VERSION", 13000));
    return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorName(CUresult error, const char** name) {
    switch (error) {
    case CUDA_ERROR_OUT_OF_MEMORY:
        *name = "CUDA_ERROR_OUT_OF_MEMORY";
        return CUDA_SUCCESS;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
        *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
        return CUDA_SUCCESS;
    case CUDA_ERROR_STUB_LIBRARY:
        *name = "CUDA_ERROR_STUB_LIBRARY";
        return CUDA_SUCCESS;
    default:
        *name = "CUDA_ERROR_UNKNOWN";
        return CUDA_SUCCESS;
    }
}
EXPORT CUresult cuGetErrorString(CUresult, const char** text) {
    *text = "as the test asked";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int* count) {
    *count = static_cast<int>(setting("HALFSTEP_STAND_IN_CARDS", 1));
    return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetName(char* name, int length, CUdevice) {
    std::snprintf(name, static_cast<std::size_t>(length), "Stand-in card");
    return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = static_cast<int>(setting("HALFSTEP_STAND_IN_CAPABILITY", 90) / 10);
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = static_cast<int>(setting("HALFSTEP_STAND_IN_CAPABILITY", 90) % 10);
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 2; // few, so that grids are small and loops really stride
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}
EXPORT CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
    *bytes = cardBytes();
    return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice) {
    std::snprintf(id, static_cast<std::size_t>(length), "0000:65:00.0");
    return CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
    *context = reinterpret_cast<CUcontext>(&card());
    return health();
}
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
    return CUDA_SUCCESS;
}
EXPORT CUresult cuCtxSetCurrent(CUcontext) {
    return health();
}

EXPORT CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    const std::scoped_lock lock(card().mutex);
    *total = cardBytes();
    *free = *total - std::min(*total, card().held);
    return health();
}
EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* memory, std::size_t bytes) {
    if (health() != CUDA_SUCCESS) {
        return health();
    }
    const std::scoped_lock lock(card().mutex);
    if (bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes > cardBytes() - std::min(cardBytes(), card().held)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    void* block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(block, 0xCC, bytes); // a card's memory is not cleared
    *memory = reinterpret_cast<CUdeviceptr>(block);
    card().blocks[*memory] = bytes;
    card().held += bytes;
    return CUDA_SUCCESS;
}
EXPORT CUresult cuMemFree_v2(CUdeviceptr memory) {
    const std::scoped_lock lock(card().mutex);
    const auto block = card().blocks.find(memory);
    if (block == card().blocks.end()) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    card().held -= block->second;
    card().blocks.erase(block);
    std::free(host(memory));
    return CUDA_SUCCESS;
}
EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
    requireDeviceMemory(to, bytes, "a copy to the card");
    std::memcpy(host(to), from, bytes);
    return health();
}
EXPORT CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
    requireDeviceMemory(from, bytes, "a copy from the card");
    std::memcpy(to, host(from), bytes);
    return health();
}
EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
    requireDeviceMemory(to, bytes, "filling");
    std::memset(host(to), value, bytes);
    return health();
}

// Everything is done when it is asked for: a stream has nothing to hold.
EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned) {
    *stream = reinterpret_cast<CUstream>(&card());
    return health();
}
EXPORT CUresult cuStreamDestroy_v2(CUstream) {
    return CUDA_SUCCESS;
}
EXPORT CUresult cuStreamSynchronize(CUstream) {
    return health();
}

EXPORT CUresult cuModuleLoadData(CUmodule* module, const void*) {
    *module = reinterpret_cast<CUmodule>(&card());
    return health();
}
EXPORT CUresult cuModuleUnload(CUmodule) {
    return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
    const halfstep::test::cuda::Launch* kernel = halfstep::test::cuda::kernelNamed(name);
    if (kernel == nullptr) {
        return CUDA_ERROR_NOT_FOUND;
    }
    *function = reinterpret_cast<CUfunction>(const_cast<halfstep::test::cuda::Launch*>(kernel));
    return CUDA_SUCCESS;
}
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream, void** parameters,
                               void** extra) {
    if (health() != CUDA_SUCCESS) {
        return health();
    }
    if (sharedBytes != 0 || extra != nullptr) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    try {
        halfstep::test::cuda::run(*reinterpret_cast<halfstep::test::cuda::Launch*>(function), {gridX, gridY, gridZ},
                                  {blockX, blockY, blockZ}, parameters);
    } catch (const std::logic_error& error) {
        std::fprintf(stderr, "stand-in driver: %s\n", error.what());
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    return CUDA_SUCCESS;
}
