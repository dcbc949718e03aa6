#pragma once
#include "engine/backend/backend.h"
#include "tests/support/array.h"
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace halfstep::support {

/// HALFSTEP_TEST_ISA, or "auto".
std::string isaUnderTest();

/// A back end of the kind under test: of the CPU, on the instruction set under test, or of a card.
std::shared_ptr<backend::Backend> makeTestBackend(int threads, const std::string& convolution = "direct");

/// Of the teams that must give equal bits.
std::vector<int> threadsUnderTest();

/// For INSTANTIATE_TEST_SUITE_P of the suites that derive from EveryBackend.
inline auto everyDType() {
    return testing::Values(DType::Float32, DType::Float16, DType::BFloat16);
}
std::string dtypeName(const testing::TestParamInfo<DType>& info);

/// A verb of Backend in one storage dtype, on the teams of threadsUnderTest().
class EveryBackend : public testing::TestWithParam<tensor::DType> {
protected:
    using Verb = std::function<std::vector<Array>(backend::Backend&)>;

    EveryBackend();
    DType dtype() const { return GetParam(); }
    backend::Backend& device() const { return *m_teams.front(); }

    /// Runs `verb` on every team, expects equal bits from all, and gives the outputs of the first.
    std::vector<Array> onEveryTeam(const Verb& verb) const;

    /// Rounded to the dtype of the test, so that the upload changes nothing.
    Array drawn(const Shape& shape, double low, double high, std::uint64_t seed) const;

private:
    std::vector<std::shared_ptr<backend::Backend>> m_teams;
};

} // namespace halfstep::support
