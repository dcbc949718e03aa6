#include "app/report_charts.h"
#include "app/gui.h"
#include "ui/report/report_charts.h"
#include <QApplication>
#include <array>
#include <clocale>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace halfstep::app {
namespace {

/// Qt remarks that the offscreen platform lacks windows, which is why it was chosen.
void tellTrouble(QtMsgType type, const QMessageLogContext& /*place*/, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::cerr << "halfstep: " << text.toStdString() << std::endl;
    }
}

/// What Qt needs to draw: an application, with a command line that outlives it.
class Drawing {
public:
    Drawing() {
        qInstallMessageHandler(&tellTrouble);
        setenv("QT_QPA_PLATFORM", "offscreen", 1);
        m_application = std::make_unique<QApplication>(m_count, m_arguments.data());
        std::setlocale(LC_ALL, "C"); // which Qt has set to the person's
        pinLooks();
    }

private:
    std::string m_name = "halfstep";
    std::array<char*, 2> m_arguments{m_name.data(), nullptr};
    int m_count = 1;
    std::unique_ptr<QApplication> m_application;
};

} // namespace

report::ChartDrawers reportCharts() {
    const auto qt = std::make_shared<std::unique_ptr<Drawing>>();
    const auto started = [qt](const auto& draw) {
        return [qt, draw](const auto&... of) {
            if (!*qt) {
                *qt = std::make_unique<Drawing>();
            }
            return draw(of...);
        };
    };
    const report::ChartDrawers drawers = ui::reportCharts();
    return {.ofSweep = started(drawers.ofSweep), .ofRun = started(drawers.ofRun), .ofRuns = started(drawers.ofRuns)};
}

} // namespace halfstep::app
