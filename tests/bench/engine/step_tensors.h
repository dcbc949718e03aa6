#pragma once
#include "engine/analysis/operation_counts.h"
#include "engine/backend/backend.h"
#include "tests/bench/engine/convolution_calls.h"
#include <functional>
#include <memory>
#include <vector>

namespace halfstep::bench {

/// The tensors of a training step in one storage dtype, with float32 variables, drawn so that every operation can be
/// run again and again: no value grows, vanishes or becomes subnormal.
class StepTensors {
public:
    StepTensors(std::shared_ptr<backend::Backend> device, const analysis::StepShape& step, tensor::DType dtype);

    /// What runs this operation of analysis::stepOperations. Throws std::invalid_argument if none does. It must not
    /// outlive this.
    std::function<void()> runner(const analysis::StepOperation& operation);

private:
    struct Layer {
        ConvolutionTensors convolution;
        tensor::Tensor db, gamma, beta, mean, variance, dgamma, dbeta;
        tensor::Tensor activation; ///< what is normalized; not the convolution's y, which may hold anything
        tensor::Tensor normalized;
        tensor::Tensor gradient; ///< of `normalized`, and in place of `activation` and of the convolution's
    };
    struct Variable {
        tensor::Tensor value, copy, gradient, unscaled, m, v;
    };

    tensor::Tensor drawn(tensor::DType dtype, const tensor::Shape& shape, double low, double high);
    void addVariable(const tensor::Shape& shape, bool hasCopy);
    std::function<void()> layerRunner(const analysis::StepOperation& operation);
    std::function<void()> variablesRunner(const std::string& operation);

    std::shared_ptr<backend::Backend> m_device;
    tensor::DType m_dtype;
    std::vector<std::uint8_t> m_bytes;
    std::vector<std::int64_t> m_labels;
    std::vector<Layer> m_layers;
    std::vector<Variable> m_variables;
    tensor::Tensor m_pooled, m_pooledGradient, m_last, m_logits, m_logitsGradient, m_w, m_b, m_dw, m_db;
};

} // namespace halfstep::bench
