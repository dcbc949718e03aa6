#pragma once
#include <vector>

namespace halfstep::backend::cpu {

/// What the verbs that go by channels keep of each channel while they run. It lives with the back end, so that no
/// step after the first allocates.
struct ChannelScratch {
    std::vector<float> pivot, inverseDeviation, scale, meanGradient, slope, stored;
    std::vector<double> sums, centredSums;
};

} // namespace halfstep::backend::cpu
