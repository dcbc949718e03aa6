#pragma once
#include <cstddef>
#include <memory>

namespace halfstep::bench {

/// Convolutions as oneDNN runs them at its best: whole batch, its own threads, its own layouts, no reorder counted.
class OneDnnConvolutions {
public:
    /// With stride 2, on square images of an even size.
    struct Layer {
        int batch, size, channels, filters, kernel;
        bool dataGradient;
    };

    /// The eight of one training step of the article's convnet: forward and weight gradient of three layers, data
    /// gradient of two.
    OneDnnConvolutions(int imageSize, int batchSize, int threads);
    /// Those of one layer: forward, weight gradient, data gradient.
    OneDnnConvolutions(const Layer& layer, int threads);
    ~OneDnnConvolutions();
    /// Runs all once; returns the wall time in milliseconds, without the rests after each.
    double run();
    /// Runs one of them.
    double run(std::size_t call);

private:
    struct Primitives;
    std::unique_ptr<Primitives> m_primitives;
};

} // namespace halfstep::bench
