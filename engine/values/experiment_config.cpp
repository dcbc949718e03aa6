#include "engine/values/experiment_config.h"
#include "engine/values/number_text.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace halfstep::values {
namespace {

/// Names travel in files and on command lines: lower-case letters, digits and underscores.
bool isPlainName(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// "cuda:0", "cuda:12"
bool isCudaDevice(std::string_view text) {
    constexpr std::string_view kPrefix = "cuda:";
    const std::string_view number = text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : std::string_view{};
    return !number.empty() && number.size() <= 3 &&
           std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

class Problems {
public:
    void add(std::string field, std::string sentence) { m_list.push_back({std::move(field), std::move(sentence)}); }

    void range(const char* field, const char* words, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value < least || value > most) {
            add(field, fmt::format("The {} is {}; it must lie between {} and {}.", words, value, least, most));
        }
    }

    std::vector<FieldProblem> take() { return std::move(m_list); }

private:
    std::vector<FieldProblem> m_list;
};

} // namespace

std::vector<FieldProblem> problemsOf(const ExperimentConfig& config) {
    Problems problems;
    if (config.data.empty()) {
        problems.add("data", "No data are chosen; give \"sample\", a folder with train/ and val/, or a .tgz of one.");
    }
    problems.range("batch_size", "batch size", config.batchSize, 1, 4096);
    if (config.device != "auto" && config.device != "cpu" && !isCudaDevice(config.device)) {
        problems.add("device",
                     fmt::format("The device \"{}\" is not known; choose auto, cpu or cuda:0.", config.device));
    }
    problems.range("epochs", "number of epochs", config.epochs, 1, 10000);
    if (config.steps && *config.steps < 1) {
        problems.add("steps", fmt::format("The number of steps is {}; it must be at least 1.", *config.steps));
    }
    problems.range("image_size", "image size", config.imageSize, 16, 1024);
    problems.range("threads", "number of threads", config.threads, 0, 512);
    if (!isPlainName(config.isa)) {
        problems.add("isa", fmt::format("The instruction set \"{}\" is not known; choose auto or one that `halfstep "
                                        "devices` lists.",
                                        config.isa));
    }
    if (config.convolution != "auto" && config.convolution != "fft" && config.convolution != "direct") {
        problems.add("convolution",
                     fmt::format("The convolution method \"{}\" is not known; choose auto, fft or direct.",
                                 config.convolution));
    }
    if (!std::isfinite(config.learningRate) || config.learningRate <= 0) {
        problems.add("learning_rate", fmt::format("The learning rate is {}; it must be a finite number above 0, such "
                                                  "as 0.001.",
                                                  numberText(config.learningRate)));
    }
    if (config.memoryLimitBytes && *config.memoryLimitBytes == 0) {
        problems.add("memory_limit_bytes", "The memory limit is 0 bytes; give one above 0, such as 4GiB, or none.");
    }
    return problems.take();
}

} // namespace halfstep::values
