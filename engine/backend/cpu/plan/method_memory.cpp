#include "engine/backend/cpu/plan/method_memory.h"
#include <fstream>

namespace halfstep::backend::cpu {

MethodMemory::MethodMemory(std::filesystem::path file, std::string machine)
    : m_file(std::move(file)),
      m_machine(std::move(machine)) {
    std::ifstream lines(m_file);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find('\t');
        const std::size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
        if (second == std::string::npos || line.compare(0, first, m_machine) != 0) {
            continue;
        }
        if (const auto method = ConvolutionMethod::named(std::string_view(line).substr(second + 1))) {
            m_methods[line.substr(first + 1, second - first - 1)] = *method;
        }
    }
}

std::optional<ConvolutionMethod> MethodMemory::find(const std::string& convolution) const {
    const auto found = m_methods.find(convolution);
    return found == m_methods.end() ? std::nullopt : std::optional(found->second);
}

void MethodMemory::remember(const std::string& convolution, const ConvolutionMethod& method) {
    m_methods[convolution] = method;
    if (!lasts()) {
        return;
    }
    std::error_code ignored;
    std::filesystem::create_directories(m_file.parent_path(), ignored);
    std::ofstream lines(m_file, std::ios::app);
    // In one write at the file's end: a line of another process is not cut in two.
    lines << m_machine + '\t' + convolution + '\t' + method.name() + '\n' << std::flush;
}

} // namespace halfstep::backend::cpu
