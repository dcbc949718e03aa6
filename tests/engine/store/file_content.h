#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace halfstep::store {

inline std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeContent(const std::filesystem::path& file, const std::string& content) {
    std::filesystem::remove(file); // rewriting in place waits for the disk on some file systems
    std::ofstream(file, std::ios::binary) << content;
}

inline std::size_t entriesOf(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace halfstep::store
