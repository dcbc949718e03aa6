#pragma once
#include "engine/backend/cpu/plan/convolution_method.h"
#include <filesystem>
#include <map>
#include <string>

namespace halfstep::backend::cpu {

/// Methods that were measured, by machine and convolution, in a text file: a line each, machine, convolution and
/// method between tabs. It is a cache: a file that cannot be read or written costs a new measurement and nothing
/// else.
class MethodMemory {
public:
    /// Remembers nothing beyond its own life if `file` is empty. `machine` is what makes times comparable: the CPU's
    /// name and the instruction set.
    MethodMemory(std::filesystem::path file, std::string machine);

    /// Whether there is a place to keep measurements.
    bool lasts() const { return !m_file.empty(); }
    std::optional<ConvolutionMethod> find(const std::string& convolution) const;
    void remember(const std::string& convolution, const ConvolutionMethod& method);

private:
    std::filesystem::path m_file;
    std::string m_machine;
    std::map<std::string, ConvolutionMethod> m_methods;
};

} // namespace halfstep::backend::cpu
