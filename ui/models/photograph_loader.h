#pragma once
#include "engine/data/dataset.h"
#include "ui/models/tensor_facts.h"
#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <array>
#include <memory>
#include <stop_token>
#include <vector>

namespace halfstep::ui {

/// One picture as the network gets it, with what can be said of it.
struct PhotographTensor {
    int imageSize = 0;
    std::vector<std::uint8_t> pixels; ///< [imageSize, imageSize, 3]
    std::array<ChannelFacts, 3> channels;
    StorageDifference float16;
    StorageDifference bfloat16;
};

/// Reads one photograph off the GUI thread: first its tensor (tensorReady), then its original (originalReady or
/// originalFailed). The latest request wins; nothing is heard of an older one any more.
class PhotographLoader : public QObject {
    Q_OBJECT

public:
    explicit PhotographLoader(QObject* parent = nullptr);
    ~PhotographLoader() override;

    void load(std::shared_ptr<const data::Dataset> dataset, data::Split split, qint64 photograph);
    void cancel();

signals:
    void tensorReady(const std::shared_ptr<const halfstep::ui::PhotographTensor>& tensor);
    void originalReady(const QImage& original);
    void originalFailed(const QString& message);

private:
    /// Runs `report` on the GUI thread unless a newer request has come.
    template <typename Report>
    void tell(quint64 number, Report report);

    QThreadPool m_pool;
    std::stop_source m_stop;
    quint64 m_newest = 0;
};

} // namespace halfstep::ui
