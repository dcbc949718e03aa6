#pragma once
#include "engine/measure/profile.h"
#include "ui/bridge/training_session.h"
#include <QObject>
#include <QString>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace halfstep::ui {

/// The one door between the window and the engine's profiling.
///
/// start() profiles on a thread of its own. For each start() exactly one of finished() and failed() follows on the
/// GUI thread, also after requestStop(), and no progress() after it. The destructor stops it and waits for its
/// current step; nothing is emitted then.
class ProfileSession : public QObject {
    Q_OBJECT

public:
    using Profiles = std::vector<values::StepProfile>;
    /// measure::profileSteps, or a test's own.
    using ProfileFunction = std::function<Profiles(
        const std::vector<values::ExperimentConfig>& configs, const train::Places& places,
        const measure::ProfileOptions& options, const measure::ProfileProgress& progress, std::stop_token stop)>;

    explicit ProfileSession(train::Places places, QObject* parent = nullptr,
                            ProfileFunction profile = measure::profileSteps);
    ~ProfileSession() override;

    /// False, and nothing happens, if one is going on.
    bool start(const std::vector<values::ExperimentConfig>& configs, const measure::ProfileOptions& options = {});
    /// It ends after its current step.
    void requestStop();
    bool active() const { return m_active; }

signals:
    void progress(const halfstep::values::DataProgress& progress);
    /// A profile for each configuration, in their order.
    void finished(const std::vector<halfstep::values::StepProfile>& profiles);
    void failed(const halfstep::ui::RunFailure& failure);

private:
    void end();

    train::Places m_places;
    ProfileFunction m_profile;
    bool m_active = false;
    std::jthread m_thread; ///< last: it uses everything above
};

} // namespace halfstep::ui
