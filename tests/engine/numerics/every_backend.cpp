#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"

namespace halfstep::support {

EveryBackend::EveryBackend() {
    for (const int threads : threadsUnderTest()) {
        m_teams.push_back(makeTestBackend(threads));
    }
}

std::vector<Array> EveryBackend::onEveryTeam(const Verb& verb) const {
    std::vector<Array> first = verb(*m_teams.front());
    for (std::size_t team = 1; team < m_teams.size(); ++team) {
        const std::vector<Array> other = verb(*m_teams[team]);
        for (std::size_t output = 0; output < first.size(); ++output) {
            EXPECT_TRUE(sameBits(other[output], first[output]))
                << "output " << output << " differs between the first team and number " << team + 1 << ", of "
                << m_teams[team]->threads() << " threads";
        }
    }
    return first;
}

Array EveryBackend::drawn(const Shape& shape, double low, double high, std::uint64_t seed) const {
    return rounded(dtype(), RandomNumbers(seed).array(shape, low, high));
}

std::string dtypeName(const testing::TestParamInfo<DType>& info) {
    return std::string(nameOf(info.param));
}

} // namespace halfstep::support
