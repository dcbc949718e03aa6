#include "app/cli/command_line.h"
#ifdef HALFSTEP_UI
#include "app/gui.h"
#include "app/report_charts.h"
#else
#include <iostream>
#endif

/// With a command: the command line. Without one: the window.
int main(int argc, char** argv) {
    using namespace halfstep::app;
    if (!wantsWindow(argc, argv)) {
#ifdef HALFSTEP_UI
        return runCommandLine(argc, argv, reportCharts());
#else
        return runCommandLine(argc, argv);
#endif
    }
#ifdef HALFSTEP_UI
    return runWindow(passPlacesToWindow(argc, argv), argv);
#else
    std::cerr << "halfstep: This build has no window; `halfstep --help` lists the commands." << std::endl;
    return 1;
#endif
}
