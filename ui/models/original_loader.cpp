#include "ui/models/original_loader.h"
#include "engine/data/decode.h"
#include "engine/tensor/error.h"
#include <QMetaObject>
#include <utility>

namespace halfstep::ui {
namespace {

QImage decodeOriginal(const data::Dataset& dataset, data::Split split, qint64 photograph, std::stop_token stop) {
    const data::RgbImage decoded = data::decodeImage(dataset.original(split, photograph), std::move(stop));
    const QImage borrowed(decoded.pixels.data(), decoded.width, decoded.height,
                          static_cast<qsizetype>(decoded.width) * 3, QImage::Format_RGB888);
    return borrowed.convertToFormat(QImage::Format_RGB32); // a copy: the decoder's pixels end here
}

} // namespace

OriginalLoader::OriginalLoader(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1); // one after the other: an archive is read from its start each time
}

OriginalLoader::~OriginalLoader() {
    cancel();
    m_pool.waitForDone();
}

void OriginalLoader::cancel() {
    m_stop.request_stop();
    m_pool.clear();
    ++m_newest;
}

void OriginalLoader::load(std::shared_ptr<const data::Dataset> dataset, data::Split split, qint64 photograph) {
    cancel();
    m_stop = std::stop_source{};
    m_pool.start(
        [this, dataset = std::move(dataset), split, photograph, number = m_newest, stop = m_stop.get_token()] {
            QImage image;
            QString message;
            try {
                if (stop.stop_requested()) {
                    return;
                }
                image = decodeOriginal(*dataset, split, photograph, stop);
            } catch (const std::exception& error) {
                message = QString::fromUtf8(error.what());
            }
            QMetaObject::invokeMethod(
                this,
                [this, number, image, message] {
                    if (number != m_newest) {
                        return;
                    }
                    if (image.isNull()) {
                        emit failed(message);
                    } else {
                        emit loaded(image);
                    }
                },
                Qt::QueuedConnection);
        });
}

} // namespace halfstep::ui
