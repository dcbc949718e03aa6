#include "tests/engine/train/made_dataset.h"
#include "engine/tensor/random.h"
#include <fmt/format.h>

namespace halfstep::tests {
namespace {

class MadeDataset final : public data::Dataset {
public:
    MadeDataset(int train, int validation, int imageSize) {
        m_info.classes = {{"left", "", (train + 1) / 2, (validation + 1) / 2},
                          {"right", "", train / 2, validation / 2}};
        m_info.imageSize = imageSize;
        m_info.found = m_info.used = train + validation;
        fill(m_splits[0], train);
        fill(m_splits[1], validation);
    }
    const data::DatasetInfo& info() const override { return m_info; }
    const std::vector<data::Photograph>& photographs(data::Split split) const override {
        return m_splits[static_cast<std::size_t>(split)].photographs;
    }
    std::span<const std::uint8_t> pixels(data::Split split, std::int64_t index) const override {
        const std::size_t bytes = static_cast<std::size_t>(m_info.imageSize * m_info.imageSize * 3);
        return {m_splits[static_cast<std::size_t>(split)].pixels.data() + static_cast<std::size_t>(index) * bytes,
                bytes};
    }
    std::vector<std::uint8_t> original(data::Split, std::int64_t) const override { return {}; }

private:
    struct Pictures {
        std::vector<data::Photograph> photographs;
        std::vector<std::uint8_t> pixels;
    };
    void fill(Pictures& pictures, int count) {
        for (int i = 0; i < count; ++i) {
            data::Photograph& photograph = pictures.photographs.emplace_back();
            photograph.path = fmt::format("{}.png", i);
            photograph.label = i % 2;
            for (int y = 0; y < m_info.imageSize; ++y) {
                for (int x = 0; x < m_info.imageSize; ++x) {
                    const bool bright = (x < m_info.imageSize / 2) == (photograph.label == 0);
                    for (int channel = 0; channel < 3; ++channel) {
                        pictures.pixels.push_back(
                            static_cast<std::uint8_t>((bright ? 150 : 40) + m_random.below(60)));
                    }
                }
            }
        }
    }
    data::DatasetInfo m_info;
    std::array<Pictures, 2> m_splits;
    tensor::Random m_random{7};
};

} // namespace

std::shared_ptr<const data::Dataset> madeDataset(int train, int validation, int imageSize) {
    return std::make_shared<MadeDataset>(train, validation, imageSize);
}

} // namespace halfstep::tests
