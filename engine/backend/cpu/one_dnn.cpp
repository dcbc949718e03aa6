#include "engine/backend/cpu/one_dnn.h"
#include "engine/tensor/error.h"
#include <fmt/format.h>
#include <omp.h>
#include <sys/mman.h>

namespace halfstep::backend::cpu {

OneDnnThread::OneDnnThread() : m_before(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneDnnThread::~OneDnnThread() {
    omp_set_num_threads(m_before);
}

bool oneDnnCanBeHeldTo(std::string_view instructionSet) {
    using dnnl::cpu_isa;
    const cpu_isa wanted = instructionSet == "avx2"   ? cpu_isa::avx2
                           : instructionSet == "sse4" ? cpu_isa::sse41
                                                      : cpu_isa::all;
    if (dnnl_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(wanted)) == dnnl_success) {
        return true;
    }
    // After its first use oneDNN refuses to change; that is no trouble if it is what we want already.
    const cpu_isa held = dnnl::get_effective_cpu_isa();
    return wanted == cpu_isa::all ? held != cpu_isa::avx2 && held != cpu_isa::sse41 : held == wanted;
}

void holdOneDnnTo(std::string_view instructionSet) {
    if (!oneDnnCanBeHeldTo(instructionSet)) {
        throw ConfigError("isa", fmt::format("A direct convolution by oneDNN runs on another instruction set in this "
                                             "process already, so one on {} needs a fresh start of the program.",
                                             instructionSet));
    }
}

void requireRoomForCode() {
    constexpr std::size_t kRoom = std::size_t{16} << 20; // its code buffers are of 256 KiB, some ten a primitive
    void* room = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        throw OutOfMemoryError("the code that oneDNN generates for a direct convolution wants memory that the system "
                               "does not give",
                               "End other programs, or raise the limit of this process (`ulimit -v`).");
    }
    munmap(room, kRoom);
}

void throwRefusal(const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) {
        throw OutOfMemoryError(
            fmt::format("oneDNN's direct convolution wants memory that the system does not give ({})", error.message),
            "Lower the batch size or the image size.");
    }
    throw BackendError(fmt::format("oneDNN refuses a direct convolution: {}. Choose --convolution fft, or another "
                                   "image size.",
                                   error.message));
}

std::string oneDnnVersionText() {
    const dnnl_version_t* version = dnnl_version();
    return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

} // namespace halfstep::backend::cpu
