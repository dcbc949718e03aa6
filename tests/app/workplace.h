#pragma once
#include "tests/app/program.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace halfstep::app {

/// A place of its own for one test: pictures, cache, history and the files that the program writes.
class Workplace : public testing::Test {
protected:
    std::filesystem::path operator/(const std::string& name) const { return m_folder.path() / name; }
    std::string file(const std::string& name) const { return m_folder.path() / name; }

    /// A set of 24 small pictures to train on and 8 to validate on, in two classes: "photographs" in the folder.
    std::string pictures() const;
    /// Arguments of a run on them that takes about a second: 3 steps an epoch, 32 x 32 pixels.
    std::vector<std::string> smallRun(const std::vector<std::string>& more = {}) const;

    /// Arguments of a sweep on them of two timed steps a round and two rounds.
    std::vector<std::string> smallSweep(const std::vector<std::string>& more = {},
                                        const std::string& batches = "9,16") const;

    Program::Options options() const;
    Ended run(const std::vector<std::string>& arguments) const;
    /// Runs and expects success; standard output as JSON.
    nlohmann::ordered_json jsonOf(const std::vector<std::string>& arguments) const;
    /// Runs and expects that it ends with this code and sentence, and prints no result.
    void refuses(const std::vector<std::string>& arguments, int exitCode, const std::string& sentence) const;
    /// The lines of a file without their ends.
    std::vector<std::string> linesOf(const std::string& name) const;
    std::string contentOf(const std::string& name) const;

private:
    support::TemporaryFolder m_folder;
};

} // namespace halfstep::app
