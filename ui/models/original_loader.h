#pragma once
#include "engine/data/dataset.h"
#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <stop_token>

namespace halfstep::ui {

/// Decodes the original of one photograph off the GUI thread. The latest request wins; nothing is heard of an older
/// one any more.
class OriginalLoader : public QObject {
    Q_OBJECT

public:
    explicit OriginalLoader(QObject* parent = nullptr);
    ~OriginalLoader() override;

    void load(std::shared_ptr<const data::Dataset> dataset, data::Split split, qint64 photograph);
    void cancel();

signals:
    void loaded(const QImage& original);
    void failed(const QString& message);

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
    quint64 m_newest = 0;
};

} // namespace halfstep::ui
