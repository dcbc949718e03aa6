#include "tests/support/flush_to_zero.h"

#if defined(__SSE2__)
#include <immintrin.h>

namespace halfstep::support {
namespace {
constexpr unsigned kFlushResults = 0x8000;  // FTZ of MXCSR
constexpr unsigned kFlushOperands = 0x0040; // DAZ
} // namespace

FlushToZero::FlushToZero() : m_before(_mm_getcsr()) {
    _mm_setcsr(m_before | kFlushResults | kFlushOperands);
}

FlushToZero::~FlushToZero() {
    _mm_setcsr(m_before);
}

bool FlushToZero::isKnown() {
    return true;
}

bool FlushToZero::isOn() {
    return (_mm_getcsr() & (kFlushResults | kFlushOperands)) != 0;
}

} // namespace halfstep::support

#else

namespace halfstep::support {

FlushToZero::FlushToZero() = default;
FlushToZero::~FlushToZero() = default;

bool FlushToZero::isKnown() {
    return false;
}

bool FlushToZero::isOn() {
    return false;
}

} // namespace halfstep::support

#endif
