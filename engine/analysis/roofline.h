#pragma once
#include "engine/values/profile.h"
#include <string_view>

namespace halfstep::analysis {

/// What keeps an operation from being faster, by the roofline model (Williams, Waterman and Patterson, "Roofline: an
/// insightful visual performance model for multicore architectures", CACM 52, 2009).
enum class Bound {
    Arithmetic, ///< its operations would take longer at the ceiling than its bytes
    Memory,     ///< its bytes would take longer
    Neither,    ///< it takes more than kFarFromRoof times what the longer of the two would: calls, threads that wait,
                ///< few elements, scattered access
    Unknown     ///< nothing is counted of it: waiting, the rest of the step
};
/// "arithmetic", "memory", "neither", "unknown"
std::string_view nameOf(Bound bound);

inline constexpr double kFarFromRoof = 5;

/// Where a part lies under the machine's ceilings.
struct RooflinePoint {
    double intensity = 0;              ///< operations it does a byte that it moves at least, FLOP/byte
    double gflops = 0;                 ///< 10^9 operations/s that it reached: its own ones
    double directGflops = 0;           ///< as if it summed directly: what a table of multiply-adds makes of its time
    double gbps = 0;                   ///< 10^9 bytes/s, of the least bytes
    double arithmeticMilliseconds = 0; ///< its operations at the ceiling
    double memoryMilliseconds = 0;     ///< its bytes at the ceiling
    double shareOfRoof = 0; ///< the longer of these over its time; above 1 where caches hold what memory would bring
    Bound bound = Bound::Unknown;
};

/// `part` is one of a profile with these ceilings. Rates are 0 where the part took no time.
RooflinePoint rooflineOf(const values::ProfilePart& part, const values::Ceilings& ceilings);

/// 10^9 operations/s that are possible at an intensity in FLOP/byte: min(peak, intensity x bandwidth).
double roofAt(double intensity, const values::Ceilings& ceilings);

/// The intensity from which on arithmetic is the limit: peak / bandwidth, FLOP/byte.
double ridgeOf(const values::Ceilings& ceilings);

} // namespace halfstep::analysis
