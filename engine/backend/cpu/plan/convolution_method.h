#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace halfstep::backend::cpu {

/// A way to do the three passes of a convolution.
struct ConvolutionMethod {
    enum class Kind { Narrow, Fft, OneDnn };
    Kind kind = Kind::OneDnn;
    int tile = 0; ///< of Fft: one of kFftTiles

    /// "narrow", "fft35" or "onednn"
    std::string name() const;
    static std::optional<ConvolutionMethod> named(std::string_view name);
    bool operator==(const ConvolutionMethod&) const = default;
};

} // namespace halfstep::backend::cpu
