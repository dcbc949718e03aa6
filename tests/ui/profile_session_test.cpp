#include "tests/ui/fake_profile.h"
#include "ui/bridge/profile_session.h"
#include <QTest>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeProfile;

namespace {

constexpr int kPatience = 20'000;

/// What a session has said, in order.
struct Heard {
    explicit Heard(ProfileSession& session) {
        QObject::connect(&session, &ProfileSession::progress, [this] {
            ++progress;
            progressAfterEnding += endings() > 0 ? 1 : 0;
        });
        QObject::connect(&session, &ProfileSession::finished, [this](const ProfileSession::Profiles& what) {
            ++finished;
            profiles = what;
        });
        QObject::connect(&session, &ProfileSession::failed, [this](const RunFailure& what) {
            ++failed;
            failure = what;
        });
    }
    int endings() const { return finished + failed; }
    bool waitForEnding(int wanted = 1) const {
        return QTest::qWaitFor([&] { return endings() == wanted; }, kPatience);
    }

    int progress = 0, finished = 0, failed = 0, progressAfterEnding = 0;
    ProfileSession::Profiles profiles;
    RunFailure failure;
};

std::vector<values::ExperimentConfig> two() {
    std::vector<values::ExperimentConfig> configs(2);
    configs[0].policy = precision::Policy::MixedFloat16;
    return configs;
}

TEST(ProfileSession, AProfileOfEachConfigurationArrivesAndThenNothing) {
    ProfileSession session({}, nullptr, fakeProfile());
    Heard heard(session);
    ASSERT_TRUE(session.start(two()));
    EXPECT_TRUE(session.active());
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_FALSE(session.active());
    ASSERT_EQ(heard.profiles.size(), 2U);
    EXPECT_EQ(heard.profiles[0].config.policy, precision::Policy::MixedFloat16);
    EXPECT_EQ(heard.progress, 1);
    QTest::qWait(50);
    EXPECT_EQ(heard.endings(), 1);
    EXPECT_EQ(heard.progressAfterEnding, 0);
}

TEST(ProfileSession, OnlyOneGoesOnAtATimeAndAStopEndsIt) {
    ProfileSession session({}, nullptr, fakeProfile({.endless = true}));
    Heard heard(session);
    ASSERT_TRUE(session.start(two()));
    EXPECT_FALSE(session.start(two()));
    session.requestStop();
    ASSERT_TRUE(heard.waitForEnding());
    EXPECT_EQ(heard.failed, 1);
    EXPECT_TRUE(heard.failure.cancelled);
    EXPECT_TRUE(session.start(two()));
    session.requestStop();
    EXPECT_TRUE(heard.waitForEnding(2));
}

TEST(ProfileSession, EveryErrorIsOneFailureWithItsSentence) {
    const std::pair<std::exception_ptr, QString> cases[]{
        {std::make_exception_ptr(ConfigError("batch_size", "Too large.")), "Too large."},
        {std::make_exception_ptr(OutOfMemoryError("Too much.")), "Too much."},
        {std::make_exception_ptr(std::bad_alloc()), "The memory of this machine is used up"},
        {std::make_exception_ptr(std::runtime_error("odd")), "odd"}};
    for (const auto& [thrown, sentence] : cases) {
        ProfileSession session({}, nullptr, fakeProfile({.thrown = thrown}));
        Heard heard(session);
        session.start(two());
        ASSERT_TRUE(heard.waitForEnding());
        EXPECT_EQ(heard.finished, 0);
        EXPECT_TRUE(heard.failure.sentence.startsWith(sentence)) << heard.failure.sentence.toStdString();
        EXPECT_FALSE(heard.failure.cancelled);
    }
}

TEST(ProfileSession, ItsEndEndsTheProfile) {
    ProfileSession session({}, nullptr, fakeProfile({.endless = true}));
    session.start(two());
} // and the test ends

} // namespace
