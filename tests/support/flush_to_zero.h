#pragma once

namespace halfstep::support {

/// Switches this thread to flush subnormal results to zero and to read subnormal operands as zero, as programs do for
/// speed, until the end of its life.
class FlushToZero {
public:
    FlushToZero();
    ~FlushToZero();
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;

    /// False where the processor's switches are not known here; then the class does nothing.
    static bool isKnown();
    /// Whether this thread does either at the moment.
    static bool isOn();

private:
    unsigned m_before = 0;
};

} // namespace halfstep::support
