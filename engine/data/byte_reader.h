#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace halfstep::data {

/// Reads numbers of either byte order from bytes that nobody has checked; past the end every number is 0.
class ByteReader {
public:
    ByteReader(std::span<const std::uint8_t> bytes, bool bigEndian) : m_bytes(bytes), m_bigEndian(bigEndian) {}

    std::uint32_t u8(std::size_t at) const { return at < m_bytes.size() ? m_bytes[at] : 0U; }
    std::uint32_t u16(std::size_t at) const {
        return m_bigEndian ? u8(at) << 8U | u8(at + 1) : u8(at + 1) << 8U | u8(at);
    }
    std::uint32_t u32(std::size_t at) const {
        return m_bigEndian ? u16(at) << 16U | u16(at + 2) : u16(at + 2) << 16U | u16(at);
    }
    std::size_t size() const { return m_bytes.size(); }

private:
    std::span<const std::uint8_t> m_bytes;
    bool m_bigEndian;
};

} // namespace halfstep::data
