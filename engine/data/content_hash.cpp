#include "engine/data/content_hash.h"
#include <fmt/format.h>
#include <new>
#include <xxhash.h>

namespace halfstep::data {
namespace {

std::string hexadecimal(const XXH128_hash_t& hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

struct ContentHash::State {
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> hash{XXH3_createState()};
};

ContentHash::ContentHash() : m_state(std::make_unique<State>()) {
    if (m_state->hash == nullptr) {
        throw std::bad_alloc();
    }
    XXH3_128bits_reset(m_state->hash.get());
}

ContentHash::~ContentHash() = default;

void ContentHash::add(std::span<const std::uint8_t> bytes) {
    XXH3_128bits_update(m_state->hash.get(), bytes.data(), bytes.size());
}

void ContentHash::add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    add(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void ContentHash::add(std::int64_t number) {
    std::uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i) {
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> 8 * i & 0xffU);
    }
    add(std::span<const std::uint8_t>(bytes));
}

std::string ContentHash::text() const {
    return hexadecimal(XXH3_128bits_digest(m_state->hash.get()));
}

std::string hashText(std::span<const std::uint8_t> bytes) {
    return hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

std::uint64_t hashNumber(std::span<const std::uint8_t> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

} // namespace halfstep::data
