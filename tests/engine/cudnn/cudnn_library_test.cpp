#include "engine/backend/cuda/cudnn/cudnn_descriptor.h"
#include "tests/engine/cudnn/described_cards.h"
#include <gmock/gmock.h>

namespace halfstep::backend::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CudnnLibrary, SaysWhatIsMissingAndHowToGetIt) {
    EXPECT_THAT([] { CudnnLibrary::open({"libno_such_library.so.9"}); },
                ThrowsMessage<BackendError>(AllOf(HasSubstr("not installed"), HasSubstr("libno_such_library.so.9"),
                                                  HasSubstr("libcudnn9-cuda-13"), HasSubstr("nvidia-cudnn-cu13"))));
}

TEST(CudnnLibrary, SaysThatALibraryIsNotCudnn) {
    EXPECT_THAT([] { CudnnLibrary::open({"libc.so.6"}); },
                ThrowsMessage<BackendError>(HasSubstr("it has no cudnnGetVersion")));
}

TEST(CudnnLibrary, TakesTheFirstNameThatOpens) {
    HALFSTEP_NEEDS_CUDNN();
    std::vector<std::string> names = CudnnLibrary::usualNames();
    names.insert(names.begin(), "libno_such_library.so.9");
    EXPECT_EQ(CudnnLibrary::open(names)->version(), support::installedCudnn()->version());
}

TEST(CudnnLibrary, SaysThatAVersionIsTooOld) {
    HALFSTEP_NEEDS_CUDNN();
    EXPECT_NO_THROW(support::installedCudnn()->require(kOldestCudnn, "Halfstep"));
    EXPECT_THAT([] { support::installedCudnn()->require(990100, "a test"); },
                ThrowsMessage<BackendError>(HasSubstr("too old: a test needs 99.1.0 or later")));
}

TEST(Descriptor, NamesWhatCudnnRefuses) {
    HALFSTEP_NEEDS_CUDNN();
    Descriptor tensor(support::installedCudnn(), CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    EXPECT_THAT(
        [&] { tensor.finalize("a tensor"); },
        ThrowsMessage<BackendError>(AllOf(HasSubstr("could not prepare a tensor"), HasSubstr("CUDNN_STATUS"))));
}

} // namespace
} // namespace halfstep::backend::cuda
