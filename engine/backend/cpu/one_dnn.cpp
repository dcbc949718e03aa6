#include "engine/backend/cpu/one_dnn.h"
#include "engine/tensor/error.h"
#include <fmt/format.h>
#include <omp.h>

namespace halfstep::backend::cpu {

OneDnnThread::OneDnnThread() : m_before(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneDnnThread::~OneDnnThread() {
    omp_set_num_threads(m_before);
}

void holdOneDnnTo(std::string_view instructionSet) {
    dnnl::cpu_isa wanted = dnnl::cpu_isa::all;
    if (instructionSet == "avx2") {
        wanted = dnnl::cpu_isa::avx2;
    } else if (instructionSet == "sse4") {
        wanted = dnnl::cpu_isa::sse41;
    }
    // After its first use oneDNN refuses to change; that is no trouble if it is what we want already.
    if (dnnl_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(wanted)) == dnnl_success || wanted == dnnl::cpu_isa::all) {
        return;
    }
    if (dnnl::get_effective_cpu_isa() != wanted) {
        throw ConfigError("isa",
                          fmt::format("The convolutions of this process run on another instruction set already, "
                                      "so a run on {} needs a fresh start of the program.",
                                      instructionSet));
    }
}

std::string oneDnnVersionText() {
    const dnnl_version_t* version = dnnl_version();
    return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

} // namespace halfstep::backend::cpu
