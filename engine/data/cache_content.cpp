#include "engine/data/cache_content.h"
#include "engine/tensor/error.h"
#include <cstring>
#include <type_traits>

namespace halfstep::data {
namespace {

/// Appends values; names are raw bytes, so that no encoding can spoil them (JSON would need UTF-8).
class Packer {
public:
    static constexpr bool reading = false;

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void value(const Number& number) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&number);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof number);
    }
    void value(const std::string& text) {
        value(static_cast<std::uint64_t>(text.size()));
        m_bytes.insert(m_bytes.end(), text.begin(), text.end());
    }
    std::vector<std::uint8_t> take() { return std::move(m_bytes); }

private:
    std::vector<std::uint8_t> m_bytes;
};

class Unpacker {
public:
    static constexpr bool reading = true;

    explicit Unpacker(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void value(Number& number) { std::memcpy(&number, take(sizeof number).data(), sizeof number); }
    void value(std::string& text) {
        std::uint64_t size = 0;
        value(size);
        const auto bytes = take(size);
        text.assign(bytes.begin(), bytes.end());
    }
    bool atEnd() const { return m_bytes.empty(); }

private:
    std::span<const std::uint8_t> take(std::uint64_t count) {
        if (count > m_bytes.size()) {
            throw DataError("The image cache is damaged.");
        }
        const auto taken = m_bytes.first(count);
        m_bytes = m_bytes.subspan(count);
        return taken;
    }
    std::span<const std::uint8_t> m_bytes;
};

// One description of the order serves both directions: `Value` is const when packing.

template <class Pack, class Value>
void pass(Pack& pack, Value& value) {
    pack.value(value);
}

template <class Pack, class Array>
void passAll(Pack& pack, Array& array) {
    for (auto& element : array) {
        pass(pack, element);
    }
}

template <class Pack, class Vector>
void passVector(Pack& pack, Vector& vector, auto passElement) {
    auto size = static_cast<std::uint64_t>(vector.size());
    pack.value(size);
    if constexpr (Pack::reading) {
        vector.clear();
        for (std::uint64_t i = 0; i < size; ++i) { // not resize(size): a damaged size would take all memory
            passElement(vector.emplace_back());
        }
    } else {
        for (auto& element : vector) {
            passElement(element);
        }
    }
}

template <class Pack, class Info>
void passInfo(Pack& pack, Info& info) {
    pass(pack, info.source);
    pass(pack, info.displayName);
    pass(pack, info.drawn);
    passVector(pack, info.classes, [&](auto& c) {
        pass(pack, c.name);
        pass(pack, c.wnid);
        pass(pack, c.train);
        pass(pack, c.validation);
    });
    pass(pack, info.found);
    pass(pack, info.used);
    passVector(pack, info.skipped, [&](auto& s) {
        pass(pack, s.path);
        pass(pack, s.reason);
    });
    passVector(pack, info.warnings, [&](auto& w) { pass(pack, w); });
    pass(pack, info.fingerprint);
    pass(pack, info.imageSize);
    passAll(pack, info.mean);
    passAll(pack, info.deviation);
    passAll(pack, info.smallest);
    passAll(pack, info.largest);
}

template <class Pack, class Content>
void passContent(Pack& pack, Content& content) {
    passInfo(pack, content.info);
    for (auto& split : content.pictures) {
        passVector(pack, split, [&](auto& picture) {
            pass(pack, picture.photograph.path);
            pass(pack, picture.photograph.label);
            pass(pack, picture.photograph.width);
            pass(pack, picture.photograph.height);
            pass(pack, picture.photograph.fileBytes);
            pass(pack, picture.photograph.format);
            pass(pack, picture.sourcePath);
            pass(pack, picture.slot);
        });
    }
}

} // namespace

std::vector<std::uint8_t> packContent(const CacheContent& content) {
    Packer packer;
    passContent(packer, content);
    return packer.take();
}

CacheContent unpackContent(std::span<const std::uint8_t> bytes) {
    CacheContent content;
    Unpacker unpacker(bytes);
    passContent(unpacker, content);
    if (!unpacker.atEnd()) {
        throw DataError("The image cache is damaged.");
    }
    return content;
}

} // namespace halfstep::data
