// The suites of every back end, on the CPU.
#include "tests/engine/numerics/every_backend.h"
#include <cstdlib>

namespace halfstep::support {

std::string isaUnderTest() {
    const char* name = std::getenv("HALFSTEP_TEST_ISA");
    return name == nullptr ? "auto" : name;
}

std::shared_ptr<backend::Backend> makeTestBackend(int threads, const std::string& convolution) {
    return backend::makeBackend(
        {.device = "cpu", .threads = threads, .isa = isaUnderTest(), .convolution = convolution});
}

std::vector<int> threadsUnderTest() {
    return {1, 2, 3, 5};
}

} // namespace halfstep::support
