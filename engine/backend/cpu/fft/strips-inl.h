// Real matrix products of some rows with one group of 16 columns or several, the inner loops of the FFT's products.
// Included once for each instruction set, like lanes-inl.h.
#if defined(HALFSTEP_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSTEP_STRIPS_INL_H_
#undef HALFSTEP_STRIPS_INL_H_
#else
#define HALFSTEP_STRIPS_INL_H_
#endif

#include "engine/backend/cpu/fft/lines-inl.h"
#include <array>
#include <hwy/cache_control.h>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace halfstep::backend::cpu {
namespace HWY_NAMESPACE {

/// Rows of a result that fit into the registers, with the vectors of a group each.
#if HWY_ARCH_ARM
inline constexpr int kRows = 6;
#else
inline constexpr int kRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;
#endif

/// Groups of 16 columns that share the factors of their rows: two where the registers hold both, since then every
/// factor that is loaded serves two products.
inline constexpr int kGroupsTogether = HWY_ARCH_X86 && kLanes == 16 ? 2 : 1;

/// result[row][16] = initial[row][16] + sum over i of a(row, i) b[i][16], for one group of columns or several; i runs
/// over `outer` times `inner`. Strides are in floats, the group's lead to the next group of columns.
struct Strip {
    const float* a;
    std::size_t rowStride, innerStride, outerStride, inner, outer;
    const float* b;
    std::size_t bStride, bGroupStride;
    const float* initial; ///< rows dense; null for zero
    std::size_t initialGroupStride;
    float* result;
    std::size_t resultStride, resultGroupStride;
    const float* imaginary = nullptr; ///< for Sink::HalfLines: rows dense, groups as in `initial`
    std::uint16_t* halfLines = nullptr;
};

/// Where a result goes: into memory that is read again soon; past the caches; or, as the real part beside
/// `imaginary`, past the caches to the float16 line halfLines + row * resultStride.
enum class Sink { Keep, Stream, HalfLines };

/// Where vector v of a row of groups begins.
HWY_INLINE constexpr std::size_t placeOf(int v, std::size_t groupStride) {
    return static_cast<std::size_t>(v / kVectors) * groupStride + static_cast<std::size_t>(v % kVectors) * kLanes;
}

template <int kCount, int kGroups, Sink kSink>
void multiplyRows(const Strip& s) {
    constexpr int kWidth = kGroups * kVectors;
    const F d;
    VF sums[kCount][kWidth];
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kWidth; ++v) {
            sums[row][v] = s.initial == nullptr ? hn::Zero(d)
                                                : hn::Load(d, s.initial + static_cast<std::size_t>(row) * kFftGroup +
                                                                  placeOf(v, s.initialGroupStride));
        }
    }
    const float* b = s.b;
    const std::size_t rowStride = s.rowStride, innerStride = s.innerStride, bStride = s.bStride;
    const std::size_t bGroupStride = s.bGroupStride;
    for (std::size_t outer = 0; outer < s.outer; ++outer) {
        const float* a = s.a + outer * s.outerStride;
        for (std::size_t inner = 0; inner < s.inner; ++inner) {
            VF factors[kWidth];
            HALFSTEP_UNROLL
            for (int v = 0; v < kWidth; ++v) {
                factors[v] = hn::Load(d, b + placeOf(v, bGroupStride));
            }
            HALFSTEP_UNROLL
            for (int row = 0; row < kCount; ++row) {
                const VF value = hn::Set(d, a[static_cast<std::size_t>(row) * rowStride]);
                HALFSTEP_UNROLL
                for (int v = 0; v < kWidth; ++v) {
                    sums[row][v] = hn::MulAdd(value, factors[v], sums[row][v]);
                }
            }
            a += innerStride;
            b += bStride;
        }
    }
    HALFSTEP_UNROLL
    for (int row = 0; row < kCount; ++row) {
        HALFSTEP_UNROLL
        for (int v = 0; v < kWidth; ++v) {
            const std::size_t place =
                static_cast<std::size_t>(row) * s.resultStride + placeOf(v, s.resultGroupStride);
            if constexpr (kSink == Sink::Stream) {
                hn::Stream(sums[row][v], d, s.result + place);
            } else if constexpr (kSink == Sink::Keep) {
                hn::Store(sums[row][v], d, s.result + place);
            } else {
#if HALFSTEP_HALF_LINES
                const float* imaginary =
                    s.imaginary + static_cast<std::size_t>(row) * kFftGroup + placeOf(v, s.initialGroupStride);
                HalfLines::stream(sums[row][v], s.halfLines + place);
                HalfLines::stream(hn::Load(d, imaginary), s.halfLines + place + kFftGroup);
#endif
            }
        }
    }
}

template <int kGroups, Sink kSink, int... kIndex>
constexpr auto rowFunctions(std::integer_sequence<int, kIndex...>) {
    return std::array<void (*)(const Strip&), kRows>{&multiplyRows<kIndex + 1, kGroups, kSink>...};
}
template <int kGroups, Sink kSink>
inline constexpr auto kRowFunctions = rowFunctions<kGroups, kSink>(std::make_integer_sequence<int, kRows>());

/// Asks for the next bin's operand, a few cache lines at each block of rows, so that its way from memory hides behind
/// the products of this one.
class Ahead {
public:
    /// `rows` of `length` bytes, `stride` apart, spread over `blocks` blocks. Nothing if `from` is null.
    Ahead(const void* from, std::size_t rows, std::size_t length, std::size_t stride, std::size_t blocks)
        : m_row(static_cast<const std::byte*>(from)),
          m_rows(from == nullptr ? 0 : rows),
          m_length(length),
          m_stride(stride),
          m_lines((rows * (length / kCacheLine) + blocks - 1) / blocks) {}

    HWY_INLINE void advance() {
        for (std::size_t line = 0; line < m_lines && m_rows > 0; ++line) {
            hwy::Prefetch(m_row + m_at);
            m_at += kCacheLine;
            if (m_at >= m_length) {
                m_at = 0;
                m_row += m_stride;
                --m_rows;
            }
        }
    }

private:
    static constexpr std::size_t kCacheLine = 64;
    const std::byte* m_row;
    std::size_t m_rows, m_length, m_stride, m_lines, m_at = 0;
};

inline std::size_t blocksOf(std::size_t rows) {
    return (rows + kRows - 1) / kRows;
}

/// All `count` rows of a strip, in blocks of nearly the same size: a block of one row would run at a sixth of the
/// speed.
template <int kGroups, Sink kSink>
void multiplyStrip(Strip strip, std::size_t count, Ahead& ahead) {
    const std::size_t blocks = blocksOf(count);
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t rows = count * (block + 1) / blocks - count * block / blocks;
        kRowFunctions<kGroups, kSink>[rows - 1](strip);
        strip.a += rows * strip.rowStride;
        strip.initial = strip.initial == nullptr ? nullptr : strip.initial + rows * kFftGroup;
        if constexpr (kSink == Sink::HalfLines) {
            strip.imaginary += rows * kFftGroup;
            strip.halfLines += rows * strip.resultStride;
        } else {
            strip.result += rows * strip.resultStride;
        }
        ahead.advance();
    }
}

inline std::size_t stripsOf(std::size_t groups) {
    return (groups + kGroupsTogether - 1) / kGroupsTogether;
}

/// Calls visit(first group, number of groups as a constant) for strips that together hold `groups` groups of columns.
template <class Visit>
void forStrips(std::size_t groups, const Visit& visit) {
    std::size_t group = 0;
    for (; group + kGroupsTogether <= groups; group += kGroupsTogether) {
        visit(group, std::integral_constant<int, kGroupsTogether>());
    }
    if constexpr (kGroupsTogether > 1) {
        for (; group < groups; ++group) {
            visit(group, std::integral_constant<int, 1>());
        }
    }
}

} // namespace HWY_NAMESPACE
} // namespace halfstep::backend::cpu
HWY_AFTER_NAMESPACE();
#endif
