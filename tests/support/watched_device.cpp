#include "tests/support/watched_device.h"

namespace halfstep::support {
namespace {
using namespace backend;

class WatchedDevice final : public Backend {
public:
    WatchedDevice(std::shared_ptr<Backend> device, std::function<void(std::string_view)> before)
        : m_device(std::move(device)),
          m_before(std::move(before)) {}

    std::string text() const override { return m_device->text(); }
    std::string isa() const override { return m_device->isa(); }
    int threads() const override { return m_device->threads(); }
    DType computedIn(DType stored) const override { return m_device->computedIn(stored); }
    std::uint64_t peakBytes() const override { return m_device->peakBytes(); }
    std::uint64_t heldBytes() const override { return m_device->heldBytes(); }
    std::uint64_t freeBytes() const override { return m_device->freeBytes(); }
    std::shared_ptr<Backend> rehearsal() const override { return m_device->rehearsal(); }

    void upload(std::span<const float> values, const Tensor& to) override {
        m_before("upload");
        m_device->upload(values, to);
    }
    void download(const Tensor& from, std::span<float> values) override {
        m_before("download");
        m_device->download(from, values);
    }
    void cast(const Tensor& x, const Tensor& y) override {
        m_before("cast");
        m_device->cast(x, y);
    }
    void normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) override {
        m_before("normalizeImages");
        m_device->normalizeImages(images, y);
    }
    void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                        const Tensor& y, ReserveSpace* reserve) override {
        m_before("conv2dBiasRelu");
        m_device->conv2dBiasRelu(x, w, b, options, y, reserve);
    }
    ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w, const ConvolutionOptions& options,
                                                DType dtype) override {
        m_before("convolutionAlgorithms");
        return m_device->convolutionAlgorithms(x, w, options, dtype);
    }
    void biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) override {
        m_before("biasReluBackward");
        m_device->biasReluBackward(y, dy, db);
    }
    void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dw,
                               ReserveSpace* reserve) override {
        m_before("conv2dBackwardWeights");
        m_device->conv2dBackwardWeights(x, dy, options, dw, reserve);
    }
    void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options, const Tensor& dx,
                            ReserveSpace* reserve) override {
        m_before("conv2dBackwardData");
        m_device->conv2dBackwardData(w, dy, options, dx, reserve);
    }
    void batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon, const Tensor& mean,
                        const Tensor& variance, const Tensor& y) override {
        m_before("batchNormTrain");
        m_device->batchNormTrain(x, gamma, beta, epsilon, mean, variance, y);
    }
    void batchNormInference(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                            const Tensor& mean, const Tensor& variance, const Tensor& y) override {
        m_before("batchNormInference");
        m_device->batchNormInference(x, gamma, beta, epsilon, mean, variance, y);
    }
    void batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon, const Tensor& mean,
                           const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                           const Tensor& dbeta) override {
        m_before("batchNormBackward");
        m_device->batchNormBackward(x, dy, gamma, epsilon, mean, variance, dx, dgamma, dbeta);
    }
    void batchNormReluBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                               const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                               const Tensor& dbeta, const Tensor& db) override {
        m_before("batchNormReluBackward");
        m_device->batchNormReluBackward(x, dy, gamma, epsilon, mean, variance, dx, dgamma, dbeta, db);
    }
    void movingAverage(const Tensor& batch, float momentum, const Tensor& moving) override {
        m_before("movingAverage");
        m_device->movingAverage(batch, momentum, moving);
    }
    void globalAveragePool(const Tensor& x, const Tensor& y) override {
        m_before("globalAveragePool");
        m_device->globalAveragePool(x, y);
    }
    void globalAveragePoolBackward(const Tensor& dy, const Tensor& dx) override {
        m_before("globalAveragePoolBackward");
        m_device->globalAveragePoolBackward(dy, dx);
    }
    void dense(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y) override {
        m_before("dense");
        m_device->dense(x, w, b, y);
    }
    void denseBackward(const Tensor& x, const Tensor& w, const Tensor& dy, const Tensor& dx, const Tensor& dw,
                       const Tensor& db) override {
        m_before("denseBackward");
        m_device->denseBackward(x, w, dy, dx, dw, db);
    }
    LossResult softmaxCrossEntropy(const Tensor& logits, std::span<const std::int64_t> labels, float lossScale,
                                   const Tensor* dlogits, std::span<float> probabilities) override {
        m_before("softmaxCrossEntropy");
        return m_device->softmaxCrossEntropy(logits, labels, lossScale, dlogits, probabilities);
    }
    bool unscale(const Tensor& gradient, float lossScale, const Tensor& to) override {
        m_before("unscale");
        return m_device->unscale(gradient, lossScale, to);
    }
    UpdateCounts adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration, const Tensor& m,
                      const Tensor& v, const Tensor& w) override {
        m_before("adam");
        return m_device->adam(gradient, options, iteration, m, v, w);
    }
    UpdateCounts sgd(const Tensor& gradient, double learningRate, const Tensor& w) override {
        m_before("sgd");
        return m_device->sgd(gradient, learningRate, w);
    }
    tensor::ExponentHistogram exponents(const Tensor& x) override {
        m_before("exponents");
        return m_device->exponents(x);
    }
    Tensor allocate(DType dtype, const Shape& shape) override {
        m_before("allocate");
        return m_device->allocate(dtype, shape);
    }

private:
    std::shared_ptr<Backend> m_device;
    std::function<void(std::string_view)> m_before;
};

} // namespace

std::shared_ptr<Backend> watchedDevice(std::shared_ptr<Backend> device,
                                       std::function<void(std::string_view verb)> before) {
    return std::make_shared<WatchedDevice>(std::move(device), std::move(before));
}

} // namespace halfstep::support
