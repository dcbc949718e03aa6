#pragma once
#include "engine/data/dataset.h"
#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QThread>
#include <array>
#include <atomic>
#include <mutex>
#include <semaphore>
#include <string>
#include <vector>

namespace halfstep::ui {

/// A set of any size without files. It counts how often pixels are read, notes reads on the GUI thread, and can hold
/// the readers back.
class FakeDataset : public data::Dataset {
public:
    static constexpr int kSide = 16;

    explicit FakeDataset(int train = 40, int validation = 20) : m_guiThread(QThread::currentThread()) {
        m_info.source = "fake";
        m_info.displayName = "fake set";
        m_info.imageSize = kSide;
        m_info.classes = {{"tench", "n01440764", (train + 1) / 2, (validation + 1) / 2},
                          {"church", "n03028079", train / 2, validation / 2}};
        m_info.skipped = {{"train/n01440764/a.JPEG", "the file is empty"}, {"val/b\t.png", "no picture"}};
        m_train = make("train", train);
        m_validation = make("val", validation);
        for (std::size_t i = 0; i < m_pixels.size(); ++i) {
            m_pixels[i] = static_cast<std::uint8_t>(i % 256);
        }
    }

    const data::DatasetInfo& info() const override { return m_info; }
    data::DatasetInfo& info() { return m_info; }
    const std::vector<data::Photograph>& photographs(data::Split split) const override {
        return split == data::Split::Train ? m_train : m_validation;
    }
    std::span<const std::uint8_t> pixels(data::Split, std::int64_t index) const override {
        if (m_held) {
            m_gate.acquire();
        }
        const std::lock_guard lock(m_mutex);
        m_reads.push_back(index);
        m_readByGui = m_readByGui || QThread::currentThread() == m_guiThread;
        return m_pixels;
    }
    std::vector<std::uint8_t> original(data::Split, std::int64_t) const override {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(&buffer, "PNG");
        return {bytes.begin(), bytes.end()};
    }

    /// From now on each read of pixels waits for a letThrough().
    void hold() { m_held = true; }
    void letThrough(int reads) {
        m_held = false;
        m_gate.release(reads);
    }
    std::vector<std::int64_t> reads() const {
        const std::lock_guard lock(m_mutex);
        return m_reads;
    }
    bool readByGui() const {
        const std::lock_guard lock(m_mutex);
        return m_readByGui;
    }

private:
    static std::vector<data::Photograph> make(const std::string& folder, int count) {
        std::vector<data::Photograph> photographs;
        for (int i = 0; i < count; ++i) {
            photographs.push_back({.path = folder + "/photo_" + std::to_string(i) + ".JPEG",
                                   .label = i % 2,
                                   .width = 40,
                                   .height = 30,
                                   .fileBytes = 1000 + i,
                                   .format = "JPEG"});
        }
        return photographs;
    }

    data::DatasetInfo m_info;
    std::vector<data::Photograph> m_train, m_validation;
    std::array<std::uint8_t, kSide * kSide * 3> m_pixels{};
    QThread* m_guiThread;
    std::atomic<bool> m_held = false;
    mutable std::counting_semaphore<> m_gate{0};
    mutable std::mutex m_mutex;
    mutable std::vector<std::int64_t> m_reads;
    mutable bool m_readByGui = false;
};

} // namespace halfstep::ui
