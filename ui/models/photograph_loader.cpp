#include "ui/models/photograph_loader.h"
#include "engine/data/decode.h"
#include "engine/tensor/error.h"
#include <QMetaObject>
#include <utility>

namespace halfstep::ui {
namespace {

std::shared_ptr<const PhotographTensor> readTensor(const data::Dataset& dataset, data::Split split,
                                                   qint64 photograph) {
    auto tensor = std::make_shared<PhotographTensor>();
    const auto pixels = dataset.pixels(split, photograph);
    tensor->imageSize = dataset.info().imageSize;
    tensor->pixels.assign(pixels.begin(), pixels.end());
    tensor->channels = channelFactsOf(tensor->pixels);
    tensor->float16 = storageDifferenceOf(tensor->pixels, tensor::DType::Float16);
    tensor->bfloat16 = storageDifferenceOf(tensor->pixels, tensor::DType::BFloat16);
    return tensor;
}

QImage decodeOriginal(const data::Dataset& dataset, data::Split split, qint64 photograph, std::stop_token stop) {
    const data::RgbImage decoded = data::decodeImage(dataset.original(split, photograph), std::move(stop));
    const QImage borrowed(decoded.pixels.data(), decoded.width, decoded.height,
                          static_cast<qsizetype>(decoded.width) * 3, QImage::Format_RGB888);
    return borrowed.convertToFormat(QImage::Format_RGB32); // a copy: the decoder's pixels end here
}

} // namespace

PhotographLoader::PhotographLoader(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1); // one after the other: an archive is read from its start each time
}

PhotographLoader::~PhotographLoader() {
    cancel();
    m_pool.waitForDone();
}

void PhotographLoader::cancel() {
    m_stop.request_stop();
    m_pool.clear();
    ++m_newest;
}

template <typename Report>
void PhotographLoader::tell(quint64 number, Report report) {
    QMetaObject::invokeMethod(
        this,
        [this, number, report = std::move(report)] {
            if (number == m_newest) {
                report();
            }
        },
        Qt::QueuedConnection);
}

void PhotographLoader::load(std::shared_ptr<const data::Dataset> dataset, data::Split split, qint64 photograph) {
    cancel();
    m_stop = std::stop_source{};
    m_pool.start(
        [this, dataset = std::move(dataset), split, photograph, number = m_newest, stop = m_stop.get_token()] {
            if (stop.stop_requested()) {
                return;
            }
            tell(number, [this, tensor = readTensor(*dataset, split, photograph)] { emit tensorReady(tensor); });
            try {
                const QImage original = decodeOriginal(*dataset, split, photograph, stop);
                tell(number, [this, original] { emit originalReady(original); });
            } catch (const Cancelled&) {
            } catch (const std::exception& error) {
                tell(number, [this, message = QString::fromUtf8(error.what())] { emit originalFailed(message); });
            }
        });
}

} // namespace halfstep::ui
