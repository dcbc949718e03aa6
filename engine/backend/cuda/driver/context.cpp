#include "engine/backend/cuda/driver/context.h"
#include <array>
#include <fmt/format.h>

namespace halfstep::backend::cuda {

std::shared_ptr<const Context> Context::open(std::shared_ptr<const Driver> driver, int ordinal) {
    return std::shared_ptr<const Context>(new Context(std::move(driver), ordinal));
}

Context::Context(std::shared_ptr<const Driver> driver, int ordinal) : m_driver(std::move(driver)) {
    if (ordinal < 0 || ordinal >= m_driver->deviceCount()) {
        throw BackendError(fmt::format("there is no card cuda:{}; the driver finds {} (cuda:0 to cuda:{}).", ordinal,
                                       m_driver->deviceCount(), m_driver->deviceCount() - 1));
    }
    check(api().deviceGet(&m_device, ordinal), "open the card");
    std::array<char, 256> text{};
    check(api().deviceGetName(text.data(), static_cast<int>(text.size()), m_device), "read the card's name");
    m_name = text.data();
    check(api().deviceGetPciBusId(text.data(), static_cast<int>(text.size()), m_device), "read the card's place");
    m_pciBusId = text.data();
    const auto attribute = [&](CUdevice_attribute which) {
        int value = 0;
        check(api().deviceGetAttribute(&value, which, m_device), "read the card's properties");
        return value;
    };
    m_capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                   attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    m_multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    std::size_t bytes = 0;
    check(api().deviceTotalMem(&bytes, m_device), "read the card's memory");
    m_totalBytes = bytes;
    check(api().primaryContextRetain(&m_context, m_device), "start work on the card");
    try {
        use();
        check(api().streamCreate(&m_stream, CU_STREAM_NON_BLOCKING), "make a stream");
    } catch (...) {
        api().primaryContextRelease(m_device);
        throw;
    }
}

Context::~Context() {
    if (api().contextSetCurrent(m_context) == CUDA_SUCCESS) {
        api().streamDestroy(m_stream);
    }
    api().primaryContextRelease(m_device);
}

void Context::use() const {
    check(api().contextSetCurrent(m_context), "use the card in this thread");
}

std::uint64_t Context::freeBytes() const {
    use();
    std::size_t free = 0, total = 0;
    check(api().memGetInfo(&free, &total), "ask for the card's free memory");
    return free;
}

std::shared_ptr<std::byte> Context::allocate(std::size_t bytes, std::string_view purpose) const {
    use();
    CUdeviceptr memory = 0;
    const CUresult result = api().memAlloc(&memory, bytes == 0 ? 1 : bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        std::size_t free = 0, total = 0;
        const bool known = api().memGetInfo(&free, &total) == CUDA_SUCCESS;
        throw OutOfMemoryError(fmt::format("{} wanted {} bytes on {}{}", purpose, bytes, m_name,
                                           known ? fmt::format(", {} of {} are free", free, total) : std::string()),
                               "Lower the batch size or the image size, or close what else uses the card.");
    }
    check(result, fmt::format("give memory for {}", purpose));
    // The deleter may run on any thread, and after the card has failed: then the memory is gone anyway.
    const auto release = [self = shared_from_this()](std::byte* pointer) {
        if (self->api().contextSetCurrent(self->m_context) == CUDA_SUCCESS) {
            self->api().memFree(devicePointer(pointer));
        }
    };
    return {reinterpret_cast<std::byte*>(memory), release};
}

void Context::synchronize() const {
    use();
    check(api().streamSynchronize(m_stream), "finish the work on the card");
}

} // namespace halfstep::backend::cuda
