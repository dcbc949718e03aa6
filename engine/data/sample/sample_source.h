#pragma once
#include "engine/data/picture_source.h"
#include <atomic>

namespace halfstep::data {

/// So many that 5 epochs in batches of 32 are 705 steps: the moving averages of batch normalization, with momentum
/// 0.99, need them to forget where they began (0.99^705 is 0.0008), or validation is no better than chance.
inline constexpr int sampleTrainPerClass = 450;
inline constexpr int sampleValidationPerClass = 40;
inline constexpr int samplePictureSide = 160; ///< pixels

/// One picture of the built-in set: [160, 160, 3]. The same bits for the same arguments on every machine.
RgbImage drawSamplePicture(Split split, int label, int number);

/// The built-in set "sample": ten classes named after Imagenette's, drawn by the program.
class SampleSource : public PictureSource {
public:
    std::string key() const override;
    std::string displayName() const override { return "drawn sample"; }
    bool drawn() const override { return true; }
    std::int64_t expectedPictures() const override;
    std::optional<SourceFile> next(const std::stop_token& stop) override;
    SourceProgress progress(std::int64_t) const override { return {"Drawing the sample", expectedPictures()}; }
    SetLayout layout() const override;
    std::vector<std::uint8_t> original(const std::string& path) const override;

private:
    std::atomic<int> m_next{0};
};

} // namespace halfstep::data
