#include "engine/backend/cpu/direct_convolution.h"
#include "engine/backend/cpu/one_dnn.h"
#include <algorithm>
#include <vector>

namespace halfstep::backend::cpu {
namespace {

using dnnl::memory;
using tensor::DType;
using tensor::Tensor;

/// A float32 operand of one pass: the layout that our tensors have, the one that oneDNN wants, and the ways between.
struct Operand {
    memory::desc plain, blocked;
    dnnl::reorder toBlocked, toPlain;
    bool same = true;

    Operand() = default;
    Operand(const dnnl::engine& engine, const memory::desc& ours, const memory::desc& theirs)
        : plain(ours),
          blocked(theirs),
          same(ours == theirs) {
        if (!same) {
            toBlocked = dnnl::reorder(dnnl::reorder::primitive_desc(engine, plain, engine, blocked));
            toPlain = dnnl::reorder(dnnl::reorder::primitive_desc(engine, blocked, engine, plain));
        }
    }
    std::size_t plainCount() const { return plain.get_size() / sizeof(float); }
    std::size_t blockedCount() const { return blocked.get_size() / sizeof(float); }
};

struct Pass {
    dnnl::primitive primitive;
    memory::desc scratchpad;
    Operand x, w, y;
    bool built = false;
};

using Worker = ConvolutionScratch::Worker;

} // namespace

std::int64_t imagesAtATime(std::int64_t batch, std::int64_t outputsPerImage) {
    constexpr std::int64_t kEnoughOutputs = 1024;
    const std::int64_t most = std::min((kEnoughOutputs + outputsPerImage - 1) / outputsPerImage, batch / 8);
    std::int64_t images = std::max<std::int64_t>(most, 1);
    while (batch % images != 0) {
        --images;
    }
    return images;
}

struct DirectConvolution::Primitives {
    ConvolutionGeometry g;
    ThreadPool& pool;
    const Kernels& kernels;
    const MemoryLedger& ledger;
    ConvolutionScratch& scratch;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine}; ///< on the CPU a stream holds nothing that threads could disturb
    memory::dims strides, padBefore, padAfter;
    memory::desc xAny, wAny, yAny, bias, xPlain, wPlain, yPlain;
    dnnl::primitive_attr attributes;
    Pass forward, backwardWeights, backwardData;

    Primitives(const ConvolutionGeometry& geometry, const ConvolutionTools& tools)
        : g(geometry),
          pool(tools.pool),
          kernels(tools.kernels),
          ledger(tools.memory),
          scratch(tools.scratch) {
        using tag = memory::format_tag;
        const memory::dims x{g.images, g.channels, g.height, g.width};
        const memory::dims w{g.filters, g.channels, g.kernelHeight, g.kernelWidth};
        const memory::dims y{g.images, g.filters, g.outputHeight(), g.outputWidth()};
        const auto described = [](const memory::dims& dims, tag layout) {
            return memory::desc(dims, memory::data_type::f32, layout);
        };
        xAny = described(x, tag::any);
        wAny = described(w, tag::any);
        yAny = described(y, tag::any);
        bias = described({g.filters}, tag::x);
        xPlain = described(x, tag::nhwc);
        wPlain = described(w, tag::hwio);
        yPlain = described(y, tag::nhwc);

        const std::int64_t padHeight = g.paddingHeight(), padWidth = g.paddingWidth();
        strides = {g.stride, g.stride};
        padBefore = {padHeight / 2, padWidth / 2};
        padAfter = {padHeight - padHeight / 2, padWidth - padWidth / 2};
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    }

    dnnl::convolution_forward::primitive_desc forwardDescription() const {
        const dnnl::convolution_forward::desc d(dnnl::prop_kind::forward_training,
                                                dnnl::algorithm::convolution_direct, xAny, wAny, bias, yAny, strides,
                                                padBefore, padAfter);
        return {d, attributes, engine};
    }

    void buildForward() {
        requireRoomForCode();
        const auto pd = forwardDescription();
        forward = {dnnl::convolution_forward(pd),   pd.scratchpad_desc(),
                   {engine, xPlain, pd.src_desc()}, {engine, wPlain, pd.weights_desc()},
                   {engine, yPlain, pd.dst_desc()}, true};
    }

    void buildBackwardWeights() {
        requireRoomForCode();
        const dnnl::convolution_backward_weights::desc d(dnnl::algorithm::convolution_direct, xAny, wAny, yAny,
                                                         strides, padBefore, padAfter);
        const dnnl::convolution_backward_weights::primitive_desc pd(d, attributes, engine, forwardDescription());
        backwardWeights = {dnnl::convolution_backward_weights(pd), pd.scratchpad_desc(),
                           {engine, xPlain, pd.src_desc()},        {engine, wPlain, pd.diff_weights_desc()},
                           {engine, yPlain, pd.diff_dst_desc()},   true};
    }

    void buildBackwardData() {
        requireRoomForCode();
        const dnnl::convolution_backward_data::desc d(dnnl::algorithm::convolution_direct, xAny, wAny, yAny, strides,
                                                      padBefore, padAfter);
        const dnnl::convolution_backward_data::primitive_desc pd(d, attributes, engine, forwardDescription());
        backwardData = {dnnl::convolution_backward_data(pd),  pd.scratchpad_desc(),
                        {engine, xPlain, pd.diff_src_desc()}, {engine, wPlain, pd.weights_desc()},
                        {engine, yPlain, pd.diff_dst_desc()}, true};
    }

    memory at(const memory::desc& description, const float* data) const {
        return {description, engine, const_cast<float*>(data)};
    }

    void execute(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) const {
        primitive.execute(stream, arguments);
    }

    void reorder(const dnnl::reorder& way, const memory& from, const memory& to) const {
        execute(way, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    }

    static std::size_t scratchpadCount(const Pass& pass) {
        return (pass.scratchpad.get_size() + sizeof(float) - 1) / sizeof(float);
    }
    memory scratchpadOf(const Pass& pass, Worker& worker) {
        return at(pass.scratchpad, worker.scratchpad.floats(ledger, scratchpadCount(pass)));
    }

    /// Takes all scratch memory of a pass, also for threads that may find nothing to do: so which thread takes which
    /// task changes no memory count. `dtype` is that of the tensors, `result` one of the pass's operands.
    void takeMemory(const Pass& pass, DType dtype, const Operand& result) {
        const bool converts = dtype != DType::Float32;
        const auto blocked = [&](const Operand& operand) {
            return converts || !operand.same || &operand == &result ? operand.blockedCount() : 0;
        };
        for (Worker& worker : scratch.workers) {
            worker.plain.floats(ledger, converts ? std::max(pass.x.plainCount(), pass.y.plainCount()) : 0);
            worker.blockedX.floats(ledger, blocked(pass.x));
            worker.blockedY.floats(ledger, blocked(pass.y));
            worker.scratchpad.floats(ledger, scratchpadCount(pass));
        }
        scratch.plainWeights.floats(ledger, converts ? pass.w.plainCount() : 0);
        if (&result != &pass.w) {
            scratch.blockedWeights.floats(ledger, pass.w.same ? 0 : pass.w.blockedCount());
        }
    }

    /// The same for the sums of a weight gradient.
    float* takeChains(std::size_t count, std::int64_t chains, std::int64_t parts) {
        for (Worker& worker : scratch.workers) {
            worker.weights.floats(ledger, parts > chains ? count : 0);
        }
        return scratch.chains.floats(ledger, count * static_cast<std::size_t>(chains));
    }

    bool leavesWorkOut() const { return pool.work() == ThreadPool::Work::LeftOut; }

    /// Part `n` of a batch as float32 in oneDNN's layout.
    memory load(const Tensor& batch, std::int64_t n, const Operand& operand, Worker& worker, Scratch& blocked) {
        const std::size_t count = operand.plainCount();
        const float* plain = nullptr;
        if (batch.dtype == DType::Float32) {
            plain = batch.f32() + static_cast<std::size_t>(n) * count;
        } else {
            Scratch& target = operand.same ? blocked : worker.plain;
            float* converted = target.floats(ledger, count);
            kernels.of(batch.dtype).toFloat(batch.u16() + static_cast<std::size_t>(n) * count, count, converted);
            plain = converted;
        }
        if (operand.same) {
            return at(operand.blocked, plain);
        }
        const memory result = at(operand.blocked, blocked.floats(ledger, operand.blockedCount()));
        reorder(operand.toBlocked, at(operand.plain, plain), result);
        return result;
    }

    /// Float32 memory in our layout for part `n` of the result: the batch's own where it is float32.
    float* plainTarget(const Tensor& batch, std::int64_t n, std::size_t count, Worker& worker) {
        return batch.dtype == DType::Float32 ? batch.f32() + static_cast<std::size_t>(n) * count
                                             : worker.plain.floats(ledger, count);
    }

    void* partOf(const Tensor& batch, std::int64_t n, std::size_t count) const {
        return batch.data.get() + static_cast<std::size_t>(n) * count * tensor::bytesOf(batch.dtype);
    }

    memory loadWeights(const Tensor& w, const Operand& operand) {
        const std::size_t count = operand.plainCount();
        const float* plain = w.f32();
        if (w.dtype != DType::Float32) {
            float* converted = scratch.plainWeights.floats(ledger, count);
            kernels.of(w.dtype).toFloat(w.data.get(), count, converted);
            plain = converted;
        }
        if (operand.same) {
            return at(operand.plain, plain);
        }
        const memory result = at(operand.blocked, scratch.blockedWeights.floats(ledger, operand.blockedCount()));
        reorder(operand.toBlocked, at(operand.plain, plain), result);
        return result;
    }

    /// The result of a pass in our layout and float32.
    float* storePlain(const Tensor& batch, std::int64_t n, const Operand& operand, Worker& worker,
                      const memory& blocked) {
        float* plain = plainTarget(batch, n, operand.plainCount(), worker);
        if (operand.same) {
            std::copy_n(static_cast<const float*>(blocked.get_data_handle()), operand.plainCount(), plain);
        } else {
            reorder(operand.toPlain, blocked, at(operand.plain, plain));
        }
        return plain;
    }
};

DirectConvolution::DirectConvolution(const ConvolutionGeometry& geometry, const ConvolutionTools& tools) try {
    if (!tools.isa.empty()) {
        holdOneDnnTo(tools.isa);
    }
    const OneDnnThread oneThread;
    m_primitives = std::make_unique<Primitives>(geometry, tools);
} catch (const dnnl::error& error) {
    throwRefusal(error);
}

DirectConvolution::~DirectConvolution() = default;

ConvolutionAlgorithms DirectConvolution::algorithms(DType, std::int64_t) const {
    const std::string text = "direct, oneDNN " + oneDnnVersionText();
    return {text, text, text};
}

void DirectConvolution::forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& y,
                                ReserveSpace*) try {
    const OneDnnThread oneThread;
    Primitives& p = *m_primitives;
    if (!p.forward.built) {
        p.buildForward();
    }
    const Pass& pass = p.forward;
    p.takeMemory(pass, x.dtype, pass.y);
    float* biasValues = p.scratch.bias.floats(p.ledger, static_cast<std::size_t>(p.g.filters));
    if (p.leavesWorkOut()) {
        return;
    }
    const memory weights = p.loadWeights(w, pass.w);
    p.kernels.of(b.dtype).toFloat(b.data.get(), static_cast<std::size_t>(p.g.filters), biasValues);

    p.pool.run(x.shape[0] / p.g.images, [&](std::int64_t n, int index) {
        Worker& worker = p.scratch.workers[static_cast<std::size_t>(index)];
        const memory input = p.load(x, n, pass.x, worker, worker.blockedX);
        const memory output = p.at(pass.y.blocked, worker.blockedY.floats(p.ledger, pass.y.blockedCount()));
        p.execute(pass.primitive, {{DNNL_ARG_SRC, input},
                                   {DNNL_ARG_WEIGHTS, weights},
                                   {DNNL_ARG_BIAS, p.at(p.bias, biasValues)},
                                   {DNNL_ARG_DST, output},
                                   {DNNL_ARG_SCRATCHPAD, p.scratchpadOf(pass, worker)}});
        const std::size_t count = pass.y.plainCount();
        const float* plain = p.storePlain(y, n, pass.y, worker, output);
        p.kernels.of(y.dtype).fromFloatRelu(plain, count, p.partOf(y, n, count));
    });
} catch (const dnnl::error& error) {
    throwRefusal(error);
}

void DirectConvolution::backwardWeights(const Tensor& x, const Tensor& dy, const Tensor& dw, ReserveSpace*) try {
    const OneDnnThread oneThread;
    Primitives& p = *m_primitives;
    if (!p.backwardWeights.built) {
        p.buildBackwardWeights();
    }
    const Pass& pass = p.backwardWeights;
    const std::int64_t parts = x.shape[0] / p.g.images;
    const std::int64_t chainCount = std::min<std::int64_t>(parts, kMaximumChains);
    const std::size_t blockedCount = pass.w.blockedCount();
    p.takeMemory(pass, x.dtype, pass.w);
    float* sums = p.takeChains(blockedCount, chainCount, parts);
    if (p.leavesWorkOut()) {
        return;
    }

    p.pool.run(chainCount, [&](std::int64_t chain, int index) {
        Worker& worker = p.scratch.workers[static_cast<std::size_t>(index)];
        float* sum = sums + static_cast<std::size_t>(chain) * blockedCount;
        const std::int64_t first = parts * chain / chainCount;
        const std::int64_t last = parts * (chain + 1) / chainCount;
        for (std::int64_t n = first; n < last; ++n) {
            const memory input = p.load(x, n, pass.x, worker, worker.blockedX);
            const memory gradient = p.load(dy, n, pass.y, worker, worker.blockedY);
            float* target = n == first ? sum : worker.weights.floats(p.ledger, blockedCount);
            p.execute(pass.primitive, {{DNNL_ARG_SRC, input},
                                       {DNNL_ARG_DIFF_DST, gradient},
                                       {DNNL_ARG_DIFF_WEIGHTS, p.at(pass.w.blocked, target)},
                                       {DNNL_ARG_SCRATCHPAD, p.scratchpadOf(pass, worker)}});
            if (target != sum) {
                p.kernels.f32.add(target, blockedCount, sum);
            }
        }
    });

    constexpr std::size_t kBlock = 16384;
    p.pool.run(static_cast<std::int64_t>((blockedCount + kBlock - 1) / kBlock), [&](std::int64_t block, int) {
        const std::size_t begin = static_cast<std::size_t>(block) * kBlock;
        const std::size_t count = std::min(kBlock, blockedCount - begin);
        for (std::int64_t chain = 1; chain < chainCount; ++chain) {
            p.kernels.f32.add(sums + static_cast<std::size_t>(chain) * blockedCount + begin, count, sums + begin);
        }
    });

    const std::size_t count = pass.w.plainCount();
    const float* plain = sums;
    if (!pass.w.same) {
        float* ours = dw.dtype == DType::Float32 ? dw.f32() : p.scratch.plainWeights.floats(p.ledger, count);
        p.reorder(pass.w.toPlain, p.at(pass.w.blocked, sums), p.at(pass.w.plain, ours));
        plain = ours;
    }
    if (plain != reinterpret_cast<const float*>(dw.data.get())) {
        p.kernels.of(dw.dtype).fromFloat(plain, count, dw.data.get());
    }
} catch (const dnnl::error& error) {
    throwRefusal(error);
}

void DirectConvolution::backwardData(const Tensor& w, const Tensor& dy, const Tensor& dx, ReserveSpace*) try {
    const OneDnnThread oneThread;
    Primitives& p = *m_primitives;
    if (!p.backwardData.built) {
        p.buildBackwardData();
    }
    const Pass& pass = p.backwardData;
    p.takeMemory(pass, dy.dtype, pass.x);
    if (p.leavesWorkOut()) {
        return;
    }
    const memory weights = p.loadWeights(w, pass.w);

    p.pool.run(dy.shape[0] / p.g.images, [&](std::int64_t n, int index) {
        Worker& worker = p.scratch.workers[static_cast<std::size_t>(index)];
        const memory gradient = p.load(dy, n, pass.y, worker, worker.blockedY);
        const memory result = p.at(pass.x.blocked, worker.blockedX.floats(p.ledger, pass.x.blockedCount()));
        p.execute(pass.primitive, {{DNNL_ARG_DIFF_DST, gradient},
                                   {DNNL_ARG_WEIGHTS, weights},
                                   {DNNL_ARG_DIFF_SRC, result},
                                   {DNNL_ARG_SCRATCHPAD, p.scratchpadOf(pass, worker)}});
        const std::size_t count = pass.x.plainCount();
        const float* plain = p.storePlain(dx, n, pass.x, worker, result);
        if (dx.dtype != DType::Float32) {
            p.kernels.of(dx.dtype).fromFloat(plain, count, p.partOf(dx, n, count));
        }
    });
} catch (const dnnl::error& error) {
    throwRefusal(error);
}

} // namespace halfstep::backend::cpu
