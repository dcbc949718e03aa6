#include "engine/measure/measured_ceilings.h"
#include "engine/backend/cpu/ceilings.h"
#include <algorithm>

namespace halfstep::measure {

values::Ceilings measuredCeilings(int threads, const std::string& isa) {
    const backend::cpu::MachineCeilings measured = backend::cpu::measureCeilings({.threads = threads, .isa = isa});
    return {.isa = measured.isa,
            .threads = measured.threads,
            .gflops = measured.fmaGflops,
            .readGbps = measured.readGbps,
            .copyGbps = measured.copyGbps,
            .triadGbps = measured.triadGbps};
}

values::Ceilings bestOf(const values::Ceilings& earlier, const values::Ceilings& later) {
    values::Ceilings best = later;
    best.gflops = std::max(earlier.gflops, later.gflops);
    best.readGbps = std::max(earlier.readGbps, later.readGbps);
    best.copyGbps = std::max(earlier.copyGbps, later.copyGbps);
    best.triadGbps = std::max(earlier.triadGbps, later.triadGbps);
    return best;
}

} // namespace halfstep::measure
