#include "tests/support/temporary_folder.h"
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace halfstep::support {

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "halfstep-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "Making a folder " + name + " for a test");
    }
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored; // a folder left behind in /tmp must not turn a passed test into a crash
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace halfstep::support
