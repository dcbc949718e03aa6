#include "engine/backend/cuda/cudnn/cudnn_library.h"
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace halfstep::backend::cuda {
namespace {

constexpr std::string_view kAdvice =
    "Debian has no package of it: install libcudnn9-cuda-13 (or -12, as your driver's CUDA) from NVIDIA's "
    "repository, or "
    "nvidia-cudnn-cu13 (or -cu12) with pip and set CUDNN_PATH to its folder nvidia/cudnn; or train on the CPU.";

std::string textOf(int version) {
    return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

/// Returns the name of the first function that is not there.
std::string find(CudnnApi& api, void* library) {
    std::string missing;
    const auto find = [&]<typename Function>(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(dlsym(library, name));
        if (function == nullptr && missing.empty()) {
            missing = name;
        }
    };
    find(api.getVersion, "cudnnGetVersion");
    find(api.getErrorString, "cudnnGetErrorString");
    find(api.getLastErrorString, "cudnnGetLastErrorString");
    find(api.create, "cudnnCreate");
    find(api.destroy, "cudnnDestroy");
    find(api.setStream, "cudnnSetStream");
    find(api.createDescriptor, "cudnnBackendCreateDescriptor");
    find(api.destroyDescriptor, "cudnnBackendDestroyDescriptor");
    find(api.setAttribute, "cudnnBackendSetAttribute");
    find(api.getAttribute, "cudnnBackendGetAttribute");
    find(api.finalize, "cudnnBackendFinalize");
    find(api.execute, "cudnnBackendExecute");
    return missing;
}

void addWheels(const std::filesystem::path& pythonLibraries, std::vector<std::string>& names) {
    std::error_code error;
    for (const auto& folder : std::filesystem::directory_iterator(pythonLibraries, error)) {
        if (!folder.path().filename().string().starts_with("python3")) {
            continue;
        }
        for (const char* packages : {"site-packages", "dist-packages"}) {
            const auto library = folder.path() / packages / "nvidia/cudnn/lib/libcudnn.so.9";
            if (std::filesystem::exists(library, error)) {
                names.push_back(library.string());
            }
        }
    }
}

} // namespace

std::vector<std::string> CudnnLibrary::usualNames() {
    std::vector<std::string> names{"libcudnn.so.9"};
    if (const char* path = std::getenv("CUDNN_PATH"); path != nullptr && *path != '\0') {
        names.push_back(fmt::format("{}/lib/libcudnn.so.9", path));
        names.push_back(fmt::format("{}/lib64/libcudnn.so.9", path));
    }
    names.emplace_back("/usr/local/cuda/lib64/libcudnn.so.9");
    if (const char* home = std::getenv("HOME"); home != nullptr) {
        addWheels(std::filesystem::path(home) / ".local/lib", names);
    }
    addWheels("/usr/local/lib", names);
    addWheels("/usr/lib", names);
    return names;
}

std::shared_ptr<const CudnnLibrary> CudnnLibrary::open(const std::vector<std::string>& names) {
    const std::shared_ptr<CudnnLibrary> library(new CudnnLibrary);
    std::string reason;
    for (const std::string& name : names) {
        library->m_library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library->m_library != nullptr) {
            break;
        }
        if (const char* text = dlerror(); reason.empty() && text != nullptr) {
            reason = text;
        }
    }
    if (library->m_library == nullptr) {
        throw BackendError(
            fmt::format("cuDNN 9, NVIDIA's library of convolutions, is not installed ({}). {}", reason, kAdvice));
    }
    const std::string missing = find(library->m_api, library->m_library);
    if (!missing.empty()) {
        throw BackendError(fmt::format("cuDNN is too old or damaged (it has no {}). {}", missing, kAdvice));
    }
    library->m_version = static_cast<int>(library->m_api.getVersion());
    library->require(kOldestCudnn, "Halfstep");
    return library;
}

CudnnLibrary::~CudnnLibrary() {
    if (m_library != nullptr) {
        dlclose(m_library);
    }
}

std::string CudnnLibrary::versionText() const {
    return textOf(m_version);
}

void CudnnLibrary::require(int oldest, std::string_view what) const {
    if (m_version < oldest) {
        throw BackendError(fmt::format("cuDNN {} is too old: {} needs {} or later. {}", versionText(), what,
                                       textOf(oldest), kAdvice));
    }
}

void CudnnLibrary::check(cudnnStatus_t status, std::string_view operation) const {
    if (status == CUDNN_STATUS_SUCCESS) {
        return;
    }
    if (status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
        status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) {
        throw OutOfMemoryError(fmt::format("cuDNN could not {}", operation),
                               "Lower the batch size or the image size.");
    }
    std::array<char, 1024> details{};
    m_api.getLastErrorString(details.data(), details.size());
    throw BackendError(fmt::format("cuDNN {} could not {}: {}{}{}.", versionText(), operation,
                                   m_api.getErrorString(status), details.front() == '\0' ? "" : ", ",
                                   details.data()));
}

} // namespace halfstep::backend::cuda
