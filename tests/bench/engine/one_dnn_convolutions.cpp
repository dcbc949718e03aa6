#include "tests/bench/engine/one_dnn_convolutions.h"
#include <chrono>
#include <cstring>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#include <thread>
#include <unordered_map>
#include <vector>

namespace halfstep::bench {

using dnnl::memory;

struct OneDnnConvolutions::Primitives {
    struct Call {
        dnnl::primitive primitive;
        std::unordered_map<int, memory> arguments;
    };
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    std::vector<Call> calls;
    int threads;

    explicit Primitives(int threadCount) : threads(threadCount) {}

    memory zeros(const memory::desc& description) const {
        memory result(description, engine);
        std::memset(result.get_data_handle(), 0, description.get_size());
        return result;
    }

    void addLayer(const Layer& layer) {
        const auto [batch, size, channels, filters, kernel, dataGradient] = layer;
        using tag = memory::format_tag;
        const auto f32 = memory::data_type::f32;
        const int outputs = size / 2;
        const int padding = kernel - 2; // "same" at stride 2 on an even size
        const memory::dims strides{2, 2}, before{padding / 2, padding / 2},
            after{padding - padding / 2, padding - padding / 2};
        const memory::desc x({batch, channels, size, size}, f32, tag::any),
            w({filters, channels, kernel, kernel}, f32, tag::any), b({filters}, f32, tag::x),
            y({batch, filters, outputs, outputs}, f32, tag::any);
        const auto direct = dnnl::algorithm::convolution_direct;

        const dnnl::convolution_forward::primitive_desc forward(
            {dnnl::prop_kind::forward_training, direct, x, w, b, y, strides, before, after}, engine);
        calls.push_back({dnnl::convolution_forward(forward),
                         {{DNNL_ARG_SRC, zeros(forward.src_desc())},
                          {DNNL_ARG_WEIGHTS, zeros(forward.weights_desc())},
                          {DNNL_ARG_BIAS, zeros(forward.bias_desc())},
                          {DNNL_ARG_DST, zeros(forward.dst_desc())}}});

        const dnnl::convolution_backward_weights::primitive_desc weights({direct, x, w, y, strides, before, after},
                                                                         engine, forward);
        calls.push_back({dnnl::convolution_backward_weights(weights),
                         {{DNNL_ARG_SRC, zeros(weights.src_desc())},
                          {DNNL_ARG_DIFF_DST, zeros(weights.diff_dst_desc())},
                          {DNNL_ARG_DIFF_WEIGHTS, zeros(weights.diff_weights_desc())}}});
        if (dataGradient) {
            const dnnl::convolution_backward_data::primitive_desc data({direct, x, w, y, strides, before, after},
                                                                       engine, forward);
            calls.push_back({dnnl::convolution_backward_data(data),
                             {{DNNL_ARG_DIFF_DST, zeros(data.diff_dst_desc())},
                              {DNNL_ARG_WEIGHTS, zeros(data.weights_desc())},
                              {DNNL_ARG_DIFF_SRC, zeros(data.diff_src_desc())}}});
        }
    }
};

OneDnnConvolutions::OneDnnConvolutions(int imageSize, int batchSize, int threads)
    : m_primitives(std::make_unique<Primitives>(threads)) {
    omp_set_num_threads(threads);
    m_primitives->addLayer({batchSize, imageSize, 3, 32, 5, false});
    m_primitives->addLayer({batchSize, imageSize / 2, 32, 64, 7, true});
    m_primitives->addLayer({batchSize, imageSize / 4, 64, 128, 11, true});
}

OneDnnConvolutions::OneDnnConvolutions(const Layer& layer, int threads)
    : m_primitives(std::make_unique<Primitives>(threads)) {
    omp_set_num_threads(threads);
    m_primitives->addLayer(layer);
}

OneDnnConvolutions::~OneDnnConvolutions() = default;

double OneDnnConvolutions::run() {
    double total = 0;
    for (std::size_t call = 0; call < m_primitives->calls.size(); ++call) {
        total += run(call);
    }
    return total;
}

double OneDnnConvolutions::run(std::size_t index) {
    omp_set_num_threads(m_primitives->threads);
    const Primitives::Call& call = m_primitives->calls[index];
    const auto start = std::chrono::steady_clock::now();
    call.primitive.execute(m_primitives->stream, call.arguments);
    m_primitives->stream.wait();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    // OpenMP's threads go on spinning for some milliseconds: whatever is timed next would lack their cores.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return milliseconds;
}

} // namespace halfstep::bench
