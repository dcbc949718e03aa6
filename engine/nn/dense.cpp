#include "engine/nn/dense.h"

namespace halfstep::nn {
using precision::StepTensor;
using tensor::Tensor;

Dense::Dense(const LayerContext& context, const std::string& name, std::int64_t inputs, std::int64_t units)
    : m_device(context.device),
      m_kernel(context.addTrainable(name + "/kernel", {inputs, units}, StepTensor::WeightCopy)),
      m_bias(context.addTrainable(name + "/bias", {units}, StepTensor::WeightCopy)),
      m_output(context.allocate(StepTensor::Logits, {context.batchCapacity, units})) {}

const Tensor& Dense::forward(const Tensor& x) {
    tensor::requireShape("Dense", x, {x.shape[0], m_kernel.value.shape[0]});
    m_x = x;
    m_y = tensor::firstOf(m_output, x.shape[0]);
    m_device.dense(m_x, m_kernel.compute, m_bias.compute, m_y);
    return m_y;
}

void Dense::backward(const Tensor& dy, const Tensor& dx) {
    tensor::requireShape("Dense backward", dy, m_y.shape);
    tensor::requireShape("Dense backward", dx, m_x.shape);
    m_device.denseBackward(m_x, m_kernel.compute, dy, dx, m_kernel.gradient, m_bias.gradient);
}

} // namespace halfstep::nn
