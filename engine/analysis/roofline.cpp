#include "engine/analysis/roofline.h"
#include <algorithm>

namespace halfstep::analysis {
namespace {

double ratio(double over, double under) {
    return under > 0 ? over / under : 0;
}

} // namespace

std::string_view nameOf(Bound bound) {
    switch (bound) {
    case Bound::Arithmetic:
        return "arithmetic";
    case Bound::Memory:
        return "memory";
    case Bound::Neither:
        return "neither";
    case Bound::Unknown:
        break;
    }
    return "unknown";
}

RooflinePoint rooflineOf(const values::ProfilePart& part, const values::Ceilings& ceilings) {
    constexpr double kPerMillisecond = 1e-6; // operations a millisecond to 10^9 a second
    const double ms = part.milliseconds.median;
    RooflinePoint point;
    point.intensity = ratio(part.flops, part.bytes);
    point.gflops = ratio(part.flops, ms) * kPerMillisecond;
    point.directGflops = ratio(part.directFlops, ms) * kPerMillisecond;
    point.gbps = ratio(part.bytes, ms) * kPerMillisecond;
    point.arithmeticMilliseconds = ratio(part.flops, ceilings.gflops) * kPerMillisecond;
    point.memoryMilliseconds = ratio(part.bytes, ceilings.memoryGbps()) * kPerMillisecond;
    const double least = std::max(point.arithmeticMilliseconds, point.memoryMilliseconds);
    point.shareOfRoof = ratio(least, ms);
    if (least <= 0) {
        point.bound = Bound::Unknown;
    } else if (ms > kFarFromRoof * least) {
        point.bound = Bound::Neither;
    } else {
        point.bound = point.memoryMilliseconds > point.arithmeticMilliseconds ? Bound::Memory : Bound::Arithmetic;
    }
    return point;
}

double roofAt(double intensity, const values::Ceilings& ceilings) {
    return std::min(ceilings.gflops, intensity * ceilings.memoryGbps());
}

double ridgeOf(const values::Ceilings& ceilings) {
    return ratio(ceilings.gflops, ceilings.memoryGbps());
}

} // namespace halfstep::analysis
