// What a person is told where the driver, or the card, is not as it should be.
#include "engine/backend/cuda/driver/context.h"
#include <cstdlib>
#include <gmock/gmock.h>

namespace halfstep::backend::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The stand-in driver reads it at every call.
class Setting {
public:
    Setting(const char* name, const char* value) : m_name(name) { setenv(name, value, 1); }
    ~Setting() { unsetenv(m_name); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

private:
    const char* m_name;
};

std::string refusalOf(const std::string& library = HALFSTEP_STAND_IN_DRIVER) {
    try {
        Driver::open(library);
    } catch (const BackendError& error) {
        return error.what();
    }
    return "";
}

TEST(Driver, WithoutOneTheSentenceSaysHowToGetIt) {
    EXPECT_THAT(refusalOf("libhalfstep_no_such_driver.so"),
                AllOf(HasSubstr("no NVIDIA driver is installed"), HasSubstr("nvidia-driver")));
}

TEST(Driver, OneThatIsTooOldSaysWhatItKnows) {
    const Setting version("HALFSTEP_STAND_IN_VERSION", "11080");
    EXPECT_THAT(refusalOf(), AllOf(HasSubstr("too old"), HasSubstr("CUDA 11.8"), HasSubstr("12.0 or later")));
}

TEST(Driver, WithoutACardTheSentenceSaysWhereToLook) {
    {
        const Setting init("HALFSTEP_STAND_IN_INIT", "100"); // CUDA_ERROR_NO_DEVICE
        EXPECT_THAT(refusalOf(), AllOf(HasSubstr("no card"), HasSubstr("CUDA_VISIBLE_DEVICES")));
    }
    const Setting cards("HALFSTEP_STAND_IN_CARDS", "0");
    EXPECT_THAT(refusalOf(), AllOf(HasSubstr("no card"), HasSubstr("CUDA_VISIBLE_DEVICES")));
}

TEST(Driver, TheToolkitsOwnStubIsNoDriver) {
    const Setting init("HALFSTEP_STAND_IN_INIT", "34"); // CUDA_ERROR_STUB_LIBRARY
    const Setting version("HALFSTEP_STAND_IN_VERSION", "0");
    EXPECT_THAT(refusalOf(), AllOf(HasSubstr("does not start"), HasSubstr("CUDA_ERROR_STUB_LIBRARY")));
}

TEST(Context, KnowsItsCardAndRefusesOthers) {
    const auto driver = Driver::open(HALFSTEP_STAND_IN_DRIVER);
    const auto card = Context::open(driver, 0);
    EXPECT_EQ(card->name(), "Stand-in card");
    EXPECT_EQ(card->computeCapability(), 90);
    EXPECT_EQ(card->totalBytes(), 1ULL << 30);
    for (const int ordinal : {-1, 1}) {
        EXPECT_THROW(Context::open(driver, ordinal), BackendError) << ordinal;
    }
}

TEST(Context, ACardThatVanishesIsASentenceAndIsLeftInPeace) {
    const auto card = Context::open(Driver::open(HALFSTEP_STAND_IN_DRIVER), 0);
    const auto memory = card->allocate(64, "a test");
    const Setting gone("HALFSTEP_STAND_IN_FAILURE", "700"); // CUDA_ERROR_ILLEGAL_ADDRESS
    try {
        card->synchronize();
        FAIL() << "the card is gone";
    } catch (const OutOfMemoryError&) {
        FAIL() << "that is no lack of memory";
    } catch (const BackendError& error) {
        EXPECT_THAT(error.what(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    }
} // the memory is given back to a card that is not there

} // namespace
} // namespace halfstep::backend::cuda
