#include "ui/bridge/profile_session.h"
#include "ui/bridge/run_failure.h"
#include <chrono>
#include <utility>
#include <variant>

namespace halfstep::ui {

namespace {

using Clock = std::chrono::steady_clock;
using Ending = std::variant<ProfileSession::Profiles, RunFailure>;

constexpr std::chrono::milliseconds kBetweenReports{100};

/// Lets through what begins, and of the rest ten reports a second.
class Reports {
public:
    bool isDue(const values::DataProgress& progress) {
        const Clock::time_point now = Clock::now();
        if (progress.activity == m_activity && now - m_last < kBetweenReports) {
            return false;
        }
        m_activity = progress.activity;
        m_last = now;
        return true;
    }

private:
    std::string m_activity;
    Clock::time_point m_last;
};

/// Every way it can end, as a value.
Ending endingOf(const std::function<ProfileSession::Profiles()>& profile) {
    try {
        return profile();
    } catch (...) {
        return failureOfCurrentException(ProfileSession::tr("The profile was stopped."));
    }
}

} // namespace

ProfileSession::ProfileSession(train::Places places, QObject* parent, ProfileFunction profile)
    : QObject(parent),
      m_places(std::move(places)),
      m_profile(std::move(profile)) {}

ProfileSession::~ProfileSession() {
    m_thread = {}; // stops and joins; what it has posted goes with this object
}

bool ProfileSession::start(const std::vector<values::ExperimentConfig>& configs,
                           const measure::ProfileOptions& options) {
    if (m_active) {
        return false;
    }
    m_active = true;
    m_thread = std::jthread([this, configs, options](const std::stop_token& stop) {
        Reports reports;
        const auto report = [&](const values::DataProgress& told) {
            if (reports.isDue(told)) {
                QMetaObject::invokeMethod(
                    this, [this, told] { emit progress(told); }, Qt::QueuedConnection);
            }
        };
        const Ending ending = endingOf([&] { return m_profile(configs, m_places, options, report, stop); });
        const auto deliver = [this, ending] {
            end();
            if (const auto* profiles = std::get_if<Profiles>(&ending)) {
                emit finished(*profiles);
            } else {
                emit failed(std::get<RunFailure>(ending));
            }
        };
        QMetaObject::invokeMethod(this, deliver, Qt::QueuedConnection);
    });
    return true;
}

void ProfileSession::requestStop() {
    m_thread.request_stop();
}

void ProfileSession::end() {
    m_thread.join(); // it has posted its ending: at most a few instructions away
    m_active = false;
}

} // namespace halfstep::ui
