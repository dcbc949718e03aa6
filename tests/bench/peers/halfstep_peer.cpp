// Our training step as one of the peers that `run` times in turn: it answers every line "step" on its input with the
// milliseconds of one step, its processor time, and its loss. With --write it makes the batch and the weights that
// all peers start from.
#include "engine/precision/policy.h"
#include "engine/store/safetensors.h"
#include "engine/tensor/error.h"
#include "engine/train/named_arrays.h"
#include "tests/bench/engine/made_steps.h"
#include "tests/bench/engine/process_time.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <string>

namespace {

using namespace halfstep;

/// weights.safetensors under Keras' names and batch.safetensors: images [N, H, W, 3], whole numbers from 0 to 255 in
/// float32 (the format's reader here knows no bytes), and labels [N].
void writeStart(bench::Steps& steps, std::int64_t imageSize, const std::filesystem::path& folder) {
    std::vector<store::SafetensorsArray> weights;
    for (const train::NamedArray& array : train::download(steps.device(), train::variablesOf(steps.network()))) {
        store::SafetensorsArray written{array.name, {}, array.values};
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(array.shape.rank()); ++axis) {
            written.shape.push_back(array.shape[axis]);
        }
        weights.push_back(std::move(written));
    }
    store::writeSafetensors(folder / "weights.safetensors", weights);

    const auto batch = static_cast<std::int64_t>(steps.labels().size());
    const std::vector<store::SafetensorsArray> arrays{
        {"images",
         {batch, imageSize, imageSize, 3},
         std::vector<float>(steps.images().begin(), steps.images().end())},
        {"labels", {batch}, steps.labels()}};
    store::writeSafetensors(folder / "batch.safetensors", arrays);
}

void answer(bench::Steps& steps) {
    std::cout << "ready " << steps.text() << std::endl; // flushed: the other side waits for the line
    for (std::string line; std::getline(std::cin, line) && line == "step";) {
        const double processBefore = bench::processMilliseconds();
        const double milliseconds = steps.run();
        std::cout << fmt::format("{:.4f} {:.4f} {:.9g}", milliseconds, bench::processMilliseconds() - processBefore,
                                 steps.outcome().loss)
                  << std::endl;
    }
}

} // namespace

int main(int argc, char** argv) {
    std::string policy = "float32", convolution = "auto", folder;
    int imageSize = 256, batch = 32, threads = 0;
    CLI::App app("One training step a line");
    app.add_option("--policy", policy, "as the policies of the program");
    app.add_option("--image-size", imageSize, "pixels");
    app.add_option("--batch", batch, "images a step");
    app.add_option("--threads", threads, "threads that compute (0: all cores)");
    app.add_option("--convolution", convolution, "auto, fft or direct");
    app.add_option("--write", folder, "write weights.safetensors and batch.safetensors there, and end");
    CLI11_PARSE(app, argc, argv);
    try {
        const auto known = precision::policyNamed(policy);
        if (!known) {
            throw ConfigError("policy", fmt::format("There is no policy '{}'.", policy));
        }
        bench::Steps steps(*known, imageSize, batch, threads, convolution);
        if (folder.empty()) {
            answer(steps);
        } else {
            writeStart(steps, imageSize, folder);
        }
    } catch (const std::exception& error) {
        std::cout << "failed " << error.what() << std::endl;
        return 1;
    }
}
