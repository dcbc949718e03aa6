#pragma once
#include "engine/tensor/exponent_histogram.h"
#include "engine/tensor/tensor.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace halfstep::backend {

using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

/// What the loss head found in one batch.
struct LossResult {
    double lossSum = 0;       ///< cross-entropy, summed over the batch, natural logarithm
    std::int64_t correct = 0; ///< samples whose largest logit is the label's (the first of equals counts)
};

struct AdamOptions {
    double learningRate = 0.001;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-7;
};

/// What an update did to the elements of a variable.
struct UpdateCounts {
    std::int64_t wanted = 0; ///< elements whose update, in float32, is not 0
    std::int64_t lost = 0;   ///< of those, the ones whose stored value stayed as it was
    UpdateCounts& operator+=(const UpdateCounts& other) {
        wanted += other.wanted;
        lost += other.lost;
        return *this;
    }
    bool operator==(const UpdateCounts&) const = default;
};

/// How zeros surround an image: so that a convolution of stride s has ceil(size / s) outputs along an axis (of the
/// total padding max((P-1)s + R - H, 0) the smaller half comes before), or not at all: floor((H - R) / s) + 1
/// outputs.
enum class Padding { Same, Valid };

struct ConvolutionOptions {
    int stride = 1; ///< along both axes
    Padding padding = Padding::Same;
    auto operator<=>(const ConvolutionOptions&) const = default;
};

/// Float32 operations of the passes over a batch.
struct ConvolutionFlops {
    double forward = 0, backwardWeights = 0, backwardData = 0;
};

/// How the passes of a convolution are done, in words: "FFT, tiles of 35x35".
struct ConvolutionAlgorithms {
    std::string forward, backwardWeights, backwardData;
    /// What the algorithms do themselves; an instruction that could have been a multiply-add counts as two. Empty
    /// where they do what the sums say.
    std::optional<ConvolutionFlops> flops{};
};

/// What a forward pass leaves to spare the backward passes of the same batch work, as cuDNN's reserve space does. A
/// caller makes one for each of its convolutions and hands it to the three verbs in the order forward, weights, data;
/// the tensors must be unchanged in between. What lies in it, if anything, is the back end's affair.
struct ReserveSpace {
    std::shared_ptr<void> content;
};

/// A device as a list of verbs. Layers check shapes, backends trust them.
///
/// Below, h is the dtype of the output tensor: every sum is float32, and the result is rounded to h once, at the
/// store. Activations are [N, H, W, C], kernels [R, S, C, K]. Convolutions are cross-correlations. Results do not
/// depend on the number of threads, to the bit.
class Backend {
public:
    virtual ~Backend() = default;

    /// "CPU AVX2, 2 threads"
    virtual std::string text() const = 0;
    /// "avx2"; what the kernels run on.
    virtual std::string isa() const = 0;
    virtual int threads() const = 0;
    /// What the products of tensors that are stored in a dtype are really computed in here; their sums are float32.
    virtual DType computedIn(DType stored) const = 0;

    /// Memory for a tensor, zeroed. Throws OutOfMemoryError with wanted and free bytes.
    virtual Tensor allocate(DType dtype, const Shape& shape) = 0;
    /// Most bytes that tensors and scratch of this backend have held at once.
    virtual std::uint64_t peakBytes() const = 0;
    /// Bytes that they hold now.
    virtual std::uint64_t heldBytes() const = 0;
    /// Bytes that can still be had: below the memory limit, if there is one, and of the machine.
    virtual std::uint64_t freeBytes() const = 0;

    /// A back end that takes the same memory for the same verbs as one like this that has nothing yet, but only
    /// counts it, computes nothing, and has no limit: what steps will need is found by making them on it. Its tensors
    /// hold nothing, host memory is neither read nor written, and gradients are finite.
    virtual std::shared_ptr<Backend> rehearsal() const = 0;

    /// Host to device and back; `values` has count() float32 values, converted from or to the tensor's dtype.
    virtual void upload(std::span<const float> values, const Tensor& to) = 0;
    virtual void download(const Tensor& from, std::span<float> values) = 0;

    /// y = round_h(x), any dtype to any.
    virtual void cast(const Tensor& x, const Tensor& y) = 0;
    /// y = round_h(images / 255), uint8 [N, H, W, 3] on the host.
    virtual void normalizeImages(std::span<const std::uint8_t> images, const Tensor& y) = 0;

    /// y = round_h(relu(conv(x, w) + b)); x, w, b in h. Fills `reserve` unless it is null.
    virtual void conv2dBiasRelu(const Tensor& x, const Tensor& w, const Tensor& b, const ConvolutionOptions& options,
                                const Tensor& y, ReserveSpace* reserve = nullptr) = 0;
    /// How a convolution of x and w of a dtype is done here. The first time that takes as long as a few steps if the
    /// fastest way has to be found by trial.
    virtual ConvolutionAlgorithms convolutionAlgorithms(const Shape& x, const Shape& w,
                                                        const ConvolutionOptions& options, DType dtype) = 0;
    /// Gradient through ReLU (where y > 0), in place of dy, and of the bias: db = round_h(sum of dy over N, P, Q).
    virtual void biasReluBackward(const Tensor& y, const Tensor& dy, const Tensor& db) = 0;
    /// dw = round_h(sum over N, P, Q of x dy), dy as biasReluBackward left it.
    virtual void conv2dBackwardWeights(const Tensor& x, const Tensor& dy, const ConvolutionOptions& options,
                                       const Tensor& dw, ReserveSpace* reserve = nullptr) = 0;
    /// dx = round_h(sum over R, S, K of w dy).
    virtual void conv2dBackwardData(const Tensor& w, const Tensor& dy, const ConvolutionOptions& options,
                                    const Tensor& dx, ReserveSpace* reserve = nullptr) = 0;

    /// Batch statistics in float32 over N, H, W: mean [C] and biased variance [C] (two passes, never negative), then
    /// y = round_h(gamma (x - mean) / sqrt(variance + epsilon) + beta); gamma, beta, mean, variance float32.
    /// Where y is [N, C], globalAveragePool follows in the same pass, with the same bits.
    virtual void batchNormTrain(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                                const Tensor& mean, const Tensor& variance, const Tensor& y) = 0;
    /// The same with given statistics.
    virtual void batchNormInference(const Tensor& x, const Tensor& gamma, const Tensor& beta, float epsilon,
                                    const Tensor& mean, const Tensor& variance, const Tensor& y) = 0;
    /// With xhat = (x - mean) / sqrt(variance + epsilon) and M = N H W:
    /// dbeta = sum dy, dgamma = sum dy xhat, dx = round_h(gamma / sqrt(variance + epsilon) (dy - dbeta / M - xhat
    /// dgamma / M)). dgamma and dbeta are rounded to their own dtype; dx may be dy. Where dy is [N, C], it first goes
    /// through globalAveragePoolBackward, with the same bits.
    virtual void batchNormBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                   const Tensor& mean, const Tensor& variance, const Tensor& dx, const Tensor& dgamma,
                                   const Tensor& dbeta) = 0;
    /// batchNormBackward, then biasReluBackward(x, dx, db), in one pass and with the same bits: for an x that is the
    /// output of a convolution with bias and ReLU.
    virtual void batchNormReluBackward(const Tensor& x, const Tensor& dy, const Tensor& gamma, float epsilon,
                                       const Tensor& mean, const Tensor& variance, const Tensor& dx,
                                       const Tensor& dgamma, const Tensor& dbeta, const Tensor& db) = 0;
    /// moving = round_h(moving momentum + batch (1 - momentum)); batch is float32.
    virtual void movingAverage(const Tensor& batch, float momentum, const Tensor& moving) = 0;

    /// y [N, C] = round_h(mean over H, W of x [N, H, W, C]).
    virtual void globalAveragePool(const Tensor& x, const Tensor& y) = 0;
    /// dx = round_h(dy / (H W)).
    virtual void globalAveragePoolBackward(const Tensor& dy, const Tensor& dx) = 0;

    /// y [N, K] = round_h(x [N, C] w [C, K] + b [K]).
    virtual void dense(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y) = 0;
    /// dx = round_h(dy w^T), dw = round_h(x^T dy), db = round_h(sum dy over N).
    virtual void denseBackward(const Tensor& x, const Tensor& w, const Tensor& dy, const Tensor& dx, const Tensor& dw,
                               const Tensor& db) = 0;

    /// Softmax cross-entropy of logits [N, K] in float32, finite for all finite logits. With dlogits:
    /// dlogits = round_h((softmax - onehot) / N * lossScale). With probabilities: softmax [N, K] on the host.
    virtual LossResult softmaxCrossEntropy(const Tensor& logits, std::span<const std::int64_t> labels,
                                           float lossScale, const Tensor* dlogits,
                                           std::span<float> probabilities) = 0;

    /// to = round_h(float32(gradient) / lossScale); true if every element of `gradient` is finite. They may be one
    /// tensor.
    virtual bool unscale(const Tensor& gradient, float lossScale, const Tensor& to) = 0;
    /// Keras' Adam, step `iteration` (from 1), computed in float32 from and to tensors of one dtype h:
    /// m += (g - m)(1 - beta1), v += (g^2 - v)(1 - beta2), w -= alpha m / (sqrt(v) + epsilon), alpha = learningRate
    /// sqrt(1 - beta2^t) / (1 - beta1^t); m, v and w are rounded to h at their stores. Where m is 0 nothing moves,
    /// also if v and epsilon are 0.
    virtual UpdateCounts adam(const Tensor& gradient, const AdamOptions& options, std::int64_t iteration,
                              const Tensor& m, const Tensor& v, const Tensor& w) = 0;
    /// w = round_h(w - learningRate g), both of dtype h.
    virtual UpdateCounts sgd(const Tensor& gradient, double learningRate, const Tensor& w) = 0;

    /// Counts the elements of a tensor by binary exponent.
    virtual tensor::ExponentHistogram exponents(const Tensor& x) = 0;
};

struct BackendOptions {
    std::string device = "auto"; ///< "auto", "cpu", "cuda:0"
    int threads = 0;             ///< 0: all cores
    std::string isa = "auto";
    std::optional<std::uint64_t> memoryLimitBytes = std::nullopt;
    std::string convolution = "auto"; ///< "auto": what is faster here; "fft" where it fits; "direct"
    std::filesystem::path
        measurements{}; ///< file that remembers which algorithm was faster here; empty: do not measure
};

/// Throws ConfigError if the device or instruction set is unknown, BackendError with the reason if it cannot be used.
std::shared_ptr<Backend> makeBackend(const BackendOptions& options);

} // namespace halfstep::backend
