#include "engine/train/environment.h"
#include "engine/backend/backend.h"
#include "engine/backend/machine.h"
#include "engine/nn/convnet.h"
#include <fmt/format.h>
#include <fstream>
#include <opencv2/core/utility.hpp>
#include <sys/utsname.h>

namespace halfstep::train {
namespace {

/// PRETTY_NAME of /etc/os-release without its quotes: "Debian GNU/Linux 12 (bookworm)".
std::string distribution() {
    std::ifstream file("/etc/os-release");
    constexpr std::string_view kKey = "PRETTY_NAME=";
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(kKey)) {
            line.erase(0, kKey.size());
            std::erase(line, '"');
            return line;
        }
    }
    return {};
}

std::string operatingSystem() {
    utsname kernel{};
    uname(&kernel);
    const std::string name = distribution();
    return fmt::format("{}{}{} {}", name, name.empty() ? "" : ", ", kernel.sysname, kernel.release);
}

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang++ {}.{}.{}, {}", __clang_major__, __clang_minor__, __clang_patchlevel__,
                       HALFSTEP_BUILD_TYPE);
#else
    return fmt::format("g++ {}.{}.{}, {}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__, HALFSTEP_BUILD_TYPE);
#endif
}

} // namespace

values::Environment gatherEnvironment(const backend::Backend& device, const std::string& deviceId,
                                      const std::string& dataFingerprint) {
    return {.cpu = backend::cpuName(),
            .cores = backend::usableCores(),
            .threads = device.threads(),
            .isa = device.isa(),
            .device = deviceId,
            .operatingSystem = operatingSystem(),
            .compiler = compiler(),
            .halfstepVersion = HALFSTEP_VERSION,
            .oneDnnVersion = backend::oneDnnVersion(),
            .openCvVersion = cv::getVersionString(),
            .dataFingerprint = dataFingerprint};
}

std::string computingSentence(const std::string& deviceText, const std::string& stored, const std::string& computed) {
    return fmt::format(
        "Tensors are stored in {}, but {} computes in {}: that halves the bytes and not the time of the "
        "arithmetic, so a step may not be faster than in float32.",
        stored, deviceText, computed);
}

std::optional<std::string> remarkOnComputing(const backend::Backend& device, precision::Policy policy) {
    const tensor::DType stored = precision::traitsOf(policy).computeDType, computed = device.computedIn(stored);
    if (stored == computed) {
        return std::nullopt;
    }
    return computingSentence(device.text(), std::string(nameOf(stored)), std::string(nameOf(computed)));
}

std::vector<values::ConvolutionUse> convolutionsOf(backend::Backend& device, const values::ExperimentConfig& config) {
    const auto layers = nn::ConvNet::convolutionsOf({.policy = config.policy,
                                                     .height = config.imageSize,
                                                     .width = config.imageSize,
                                                     .batchCapacity = config.batchSize});
    const tensor::DType dtype = precision::traitsOf(config.policy).computeDType;
    std::vector<values::ConvolutionUse> uses;
    for (const nn::ConvolutionLayer& layer : layers) {
        const backend::ConvolutionAlgorithms algorithms = device.convolutionAlgorithms(
            layer.input, layer.kernel(), {.stride = layer.options.stride, .padding = layer.options.padding}, dtype);
        uses.push_back({layer.options.name, "forward", algorithms.forward});
        uses.push_back({layer.options.name, "backward weights", algorithms.backwardWeights});
        if (&layer != &layers.front()) { // images need no gradient
            uses.push_back({layer.options.name, "backward data", algorithms.backwardData});
        }
    }
    return uses;
}

} // namespace halfstep::train
