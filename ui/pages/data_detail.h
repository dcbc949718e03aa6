#pragma once
#include "engine/data/dataset.h"
#include "ui/models/photograph_loader.h"
#include "ui/widgets/theme.h"
#include <QWidget>
#include <array>
#include <memory>

class QLabel;
class QPushButton;

namespace halfstep::ui {

class Card;
class DataChannelTable;
class DataPictureView;
class ElidedLabel;
class SegmentedSwitch;

/// One photograph: the original beside the exact tensor that the network sees, its channels, what 16-bit storage
/// makes of it, and the facts of its file. Escape goes back, left and right go on.
class DataDetail : public QWidget {
    Q_OBJECT

public:
    explicit DataDetail(QWidget* parent = nullptr);

    /// `place` of `count` in the list that is shown, from 0.
    void showPhotograph(const std::shared_ptr<const data::Dataset>& dataset, data::Split split, qint64 photograph,
                        int place, int count);
    void setTheme(const Theme& theme);

signals:
    void backWanted();
    /// -1 or 1.
    void stepWanted(int by);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum Fact { FileName, Folder, PixelSize, Format, Bytes, ClassName, Wnid, Label, SplitName, SetName, FactCount };

    Card* makeOriginalCard();
    Card* makeTensorCard();
    Card* makeFactsCard();
    Card* makeChannelsCard();
    Card* makeStorageCard();
    void fillFacts(const data::Dataset& dataset, data::Split split, qint64 photograph);
    void takeTensor(const std::shared_ptr<const PhotographTensor>& tensor);
    void showTensorPicture();
    void readPixel(std::optional<QPoint> pixel);

    PhotographLoader m_loader;
    std::shared_ptr<const PhotographTensor> m_tensor;

    QPushButton* m_previous;
    QPushButton* m_next;
    ElidedLabel* m_title;
    QLabel* m_place;
    DataPictureView* m_original;
    QWidget* m_originalRoom = nullptr;
    Card* m_tensorCard = nullptr;
    SegmentedSwitch* m_view;
    DataPictureView* m_picture;
    QLabel* m_reading;
    std::array<ElidedLabel*, FactCount> m_facts{};
    DataChannelTable* m_channels;
    std::array<std::array<QLabel*, 2>, 2> m_storage{}; ///< float16, bfloat16; largest, rms
};

} // namespace halfstep::ui
