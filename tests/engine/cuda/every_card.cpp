// The suites of every back end, on a card: the stand-in driver's.
#include "engine/backend/cuda/cuda_backend.h"
#include "tests/engine/numerics/every_backend.h"
#include "tests/support/device_arrays.h"
#include "tests/support/random_numbers.h"

namespace halfstep::support {

std::string isaUnderTest() {
    return "auto";
}

std::shared_ptr<backend::Backend> makeTestBackend(int, const std::string&) {
    using namespace backend::cuda;
    const std::shared_ptr<const Context> card = Context::open(Driver::open(HALFSTEP_STAND_IN_DRIVER), 0);
    return std::make_shared<CudaBackend>(card, DeviceMemory(card, std::nullopt), nullptr);
}

EveryBackend::EveryBackend() {
    m_teams.push_back(makeTestBackend(1));
}

std::vector<Array> EveryBackend::onEveryTeam(const Verb& verb) const {
    std::vector<Array> first = verb(*m_teams.front());
    const std::vector<Array> again = verb(*m_teams.front());
    for (std::size_t output = 0; output < first.size(); ++output) {
        EXPECT_TRUE(sameBits(again[output], first[output]))
            << "output " << output << " differs when it is made again";
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
