#include "engine/backend/cuda/driver/driver.h"
#include <dlfcn.h>
#include <fmt/format.h>

namespace halfstep::backend::cuda {
namespace {

constexpr std::string_view kAdvice =
    "Install NVIDIA's driver for this card (Debian: package nvidia-driver, of non-free), "
    "or train on the CPU.";

/// Finds a function; the type of the pointer is the field's.
class Finder {
public:
    explicit Finder(void* library) : m_library(library) {}

    template <typename Function>
    void operator()(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(dlsym(m_library, name));
        if (function == nullptr && m_missing.empty()) {
            m_missing = name;
        }
    }
    const std::string& missing() const { return m_missing; }

private:
    void* m_library;
    std::string m_missing;
};

/// Returns the name of the first function that is not there. The versions are those of CUDA 12.0, whose drivers lack
/// later ones.
std::string find(DriverApi& api, void* library) {
    Finder find(library);
    find(api.init, "cuInit");
    find(api.driverGetVersion, "cuDriverGetVersion");
    find(api.getErrorName, "cuGetErrorName");
    find(api.getErrorString, "cuGetErrorString");
    find(api.deviceGetCount, "cuDeviceGetCount");
    find(api.deviceGet, "cuDeviceGet");
    find(api.deviceGetName, "cuDeviceGetName");
    find(api.deviceGetAttribute, "cuDeviceGetAttribute");
    find(api.deviceTotalMem, "cuDeviceTotalMem_v2");
    find(api.deviceGetPciBusId, "cuDeviceGetPCIBusId");
    find(api.primaryContextRetain, "cuDevicePrimaryCtxRetain");
    find(api.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
    find(api.contextSetCurrent, "cuCtxSetCurrent");
    find(api.memGetInfo, "cuMemGetInfo_v2");
    find(api.memAlloc, "cuMemAlloc_v2");
    find(api.memFree, "cuMemFree_v2");
    find(api.memcpyHostToDeviceAsync, "cuMemcpyHtoDAsync_v2");
    find(api.memcpyDeviceToHostAsync, "cuMemcpyDtoHAsync_v2");
    find(api.memsetD8Async, "cuMemsetD8Async");
    find(api.streamCreate, "cuStreamCreate");
    find(api.streamDestroy, "cuStreamDestroy_v2");
    find(api.streamSynchronize, "cuStreamSynchronize");
    find(api.moduleLoadData, "cuModuleLoadData");
    find(api.moduleUnload, "cuModuleUnload");
    find(api.moduleGetFunction, "cuModuleGetFunction");
    find(api.launchKernel, "cuLaunchKernel");
    return find.missing();
}

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

} // namespace

std::shared_ptr<const Driver> Driver::open(const std::string& library) {
    const std::shared_ptr<Driver> driver(new Driver);
    driver->m_library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (driver->m_library == nullptr) {
        const char* reason = dlerror();
        throw BackendError(fmt::format("no NVIDIA driver is installed ({}). {}",
                                       reason != nullptr ? reason : "libcuda.so.1 is missing", kAdvice));
    }
    const std::string missing = find(driver->m_api, driver->m_library);
    if (driver->m_api.driverGetVersion != nullptr) {
        driver->m_api.driverGetVersion(&driver->m_version);
    }
    // The toolkit's stub has every function and version 0; its cuInit says what it is.
    if (!missing.empty() || (driver->m_version != 0 && driver->m_version < kOldestDriver)) {
        throw BackendError(fmt::format(
            "the NVIDIA driver is too old: it knows CUDA {}{}, and Halfstep needs {} or later. "
            "Install a newer driver, or train on the CPU.",
            versionText(driver->m_version), missing.empty() ? std::string() : fmt::format(" (no {})", missing),
            versionText(kOldestDriver)));
    }
    const CUresult started = driver->m_api.init(0);
    if (started == CUDA_ERROR_NO_DEVICE) {
        throw BackendError("the NVIDIA driver is installed, but it finds no card that it can use (is one built in, "
                           "and visible to this "
                           "program: CUDA_VISIBLE_DEVICES?). Train on the CPU.");
    }
    if (started != CUDA_SUCCESS) {
        throw BackendError(fmt::format("the NVIDIA driver does not start: {}. {}", driver->textOf(started), kAdvice));
    }
    driver->check(driver->m_api.deviceGetCount(&driver->m_devices), "count the cards");
    if (driver->m_devices == 0) {
        throw BackendError(
            "the NVIDIA driver finds no card (is CUDA_VISIBLE_DEVICES set to hide it?). Train on the CPU.");
    }
    return driver;
}

Driver::~Driver() {
    if (m_library != nullptr) {
        dlclose(m_library);
    }
}

std::string Driver::textOf(CUresult result) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (m_api.getErrorName(result, &name) != CUDA_SUCCESS || name == nullptr ||
        m_api.getErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) {
        return fmt::format("error {}", static_cast<int>(result));
    }
    return fmt::format("{} ({})", name, text);
}

void Driver::check(CUresult result, std::string_view operation) const {
    if (result == CUDA_SUCCESS) {
        return;
    }
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        throw OutOfMemoryError(fmt::format("CUDA could not {}", operation),
                               "Lower the batch size or the image size.");
    }
    throw BackendError(
        fmt::format("CUDA could not {}: {}. If it happens again, start Halfstep anew, or train on the CPU.",
                    operation, textOf(result)));
}

} // namespace halfstep::backend::cuda
