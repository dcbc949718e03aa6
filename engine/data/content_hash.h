#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace halfstep::data {

/// 128 bits of xxHash 3: quick, well mixed; against chance, not against an attacker.
class ContentHash {
public:
    ContentHash();
    ~ContentHash();
    ContentHash(const ContentHash&) = delete;
    ContentHash& operator=(const ContentHash&) = delete;

    void add(std::span<const std::uint8_t> bytes);
    /// With its length, so that "ab" + "c" differs from "a" + "bc".
    void add(std::string_view text);
    void add(std::int64_t number);
    /// 32 hexadecimal digits.
    std::string text() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// 32 hexadecimal digits for one block of bytes.
std::string hashText(std::span<const std::uint8_t> bytes);
/// 64 bits, for checking that a block came back as it was written.
std::uint64_t hashNumber(std::span<const std::uint8_t> bytes);

} // namespace halfstep::data
