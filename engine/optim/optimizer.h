#pragma once
#include "engine/backend/backend.h"
#include "engine/nn/variable.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace halfstep::optim {

/// A tensor that an optimizer keeps beside a variable, for checkpoints.
struct NamedState {
    std::string name; ///< "adam_m/conv2d/kernel"
    tensor::Tensor tensor;
};

/// Moves the trainable variables of a network by their unscaled gradients. One iteration count, which only applied
/// steps raise.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    backend::UpdateCounts apply();
    std::int64_t iterations() const { return m_iterations; }

    /// All state but the iteration count; the tensors are the optimizer's own.
    virtual std::vector<NamedState> state() const = 0;
    /// Goes on from an earlier run, whose state has been put into the tensors of `state()`.
    void restoreIterations(std::int64_t iterations) { m_iterations = iterations; }

private:
    virtual backend::UpdateCounts update(std::int64_t iteration) = 0;
    std::int64_t m_iterations = 0;
};

/// Keras' Adam. The moments, and epsilon with them, are held in the dtype of the variables.
std::unique_ptr<Optimizer> makeAdam(std::shared_ptr<backend::Backend> device,
                                    const std::deque<nn::Variable>& variables, const backend::AdamOptions& options);

/// Plain gradient descent: w -= learningRate g.
std::unique_ptr<Optimizer> makeSgd(std::shared_ptr<backend::Backend> device,
                                   const std::deque<nn::Variable>& variables, double learningRate);

} // namespace halfstep::optim
