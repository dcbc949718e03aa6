#pragma once
#include <memory>

namespace halfstep::bench {

/// The eight convolutions of one training step of the article's convnet (forward and weight gradient of three layers,
/// data gradient of two) as oneDNN runs them at its best: whole batch, its own threads, its own layouts, no reorder
/// counted.
class OneDnnConvolutions {
public:
    OneDnnConvolutions(int imageSize, int batchSize, int threads);
    ~OneDnnConvolutions();
    /// Runs all eight once; returns the wall time in milliseconds.
    double run();

private:
    struct Primitives;
    std::unique_ptr<Primitives> m_primitives;
};

} // namespace halfstep::bench
