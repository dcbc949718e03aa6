#include "ui/pages/data_detail.h"
#include "ui/format/format.h"
#include "ui/pages/data_channel_table.h"
#include "ui/pages/data_picture_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_switch.h"
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <filesystem>

namespace halfstep::ui {
namespace {

constexpr std::array kStorages{tensor::DType::Float16, tensor::DType::BFloat16};

QLabel* roleLabel(const QString& text, const char* role) {
    auto* label = new QLabel(text);
    label->setProperty("role", role);
    return label;
}

QString storageName(tensor::DType dtype) {
    const std::string_view name = tensor::nameOf(dtype);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QImage imageOf(const std::vector<std::uint8_t>& pixels, int side) {
    return QImage(pixels.data(), side, side, static_cast<qsizetype>(side) * 3, QImage::Format_RGB888)
        .convertToFormat(QImage::Format_RGB32); // a copy of its own
}

} // namespace

DataDetail::DataDetail(QWidget* parent)
    : QWidget(parent),
      m_previous(new QPushButton(tr("‹  Previous"))),
      m_next(new QPushButton(tr("Next  ›"))),
      m_title(new ElidedLabel),
      m_place(roleLabel({}, "caption")),
      m_original(new DataPictureView(DataPictureView::Scaling::Smooth)),
      m_view(new SegmentedSwitch({tr("Picture"), tr("float16"), tr("bfloat16")})),
      m_picture(new DataPictureView(DataPictureView::Scaling::Crisp)),
      m_reading(roleLabel({}, "caption")),
      m_channels(new DataChannelTable) {
    m_title->setProperty("role", "heading");
    setObjectName(QStringLiteral("dataDetail"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Photograph in detail"));

    auto* back = new QPushButton(tr("‹  All photographs"));
    back->setObjectName(QStringLiteral("dataBack"));
    back->setToolTip(tr("Back to the photographs (Esc)"));
    m_previous->setToolTip(tr("Previous photograph (left arrow)"));
    m_next->setToolTip(tr("Next photograph (right arrow)"));
    m_previous->setAccessibleName(tr("Previous photograph"));
    m_next->setAccessibleName(tr("Next photograph"));
    connect(back, &QPushButton::clicked, this, &DataDetail::backWanted);
    connect(m_previous, &QPushButton::clicked, this, [this] { emit stepWanted(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { emit stepWanted(1); });

    auto* head = new QHBoxLayout;
    head->setSpacing(kGrid);
    head->addWidget(back);
    head->addSpacing(kGrid);
    head->addWidget(m_title, 1);
    head->addWidget(m_place);
    head->addSpacing(kGrid);
    head->addWidget(m_previous);
    head->addWidget(m_next);

    auto* grid = new QGridLayout;
    grid->setSpacing(2 * kGrid);
    grid->addWidget(makeOriginalCard(), 0, 0);
    grid->addWidget(makeTensorCard(), 0, 1);
    grid->addWidget(makeFactsCard(), 0, 2);
    grid->addWidget(makeChannelsCard(), 1, 0, 1, 2);
    grid->addWidget(makeStorageCard(), 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(0, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(head);
    layout->addLayout(grid, 1);

    connect(m_view, &SegmentedSwitch::chosen, this, &DataDetail::showTensorPicture);
    connect(m_picture, &DataPictureView::pixelPointed, this, &DataDetail::readPixel);
    connect(&m_loader, &PhotographLoader::tensorReady, this, &DataDetail::takeTensor);
    connect(&m_loader, &PhotographLoader::originalReady, m_original, &DataPictureView::setImage);
    connect(&m_loader, &PhotographLoader::originalFailed, this, [this](const QString& message) {
        m_original->setMessage(tr("The original cannot be shown: %1").arg(message));
    });
}

Card* DataDetail::makeOriginalCard() {
    auto* card = new Card(tr("Original"));
    m_original->setAccessibleName(tr("The original photograph"));
    card->content()->addWidget(m_original, 1);
    m_originalRoom = new QWidget;
    card->content()->addWidget(m_originalRoom);
    return card;
}

Card* DataDetail::makeTensorCard() {
    m_tensorCard = new Card(tr("Tensor"));
    m_picture->setObjectName(QStringLiteral("dataTensor"));
    m_picture->setAccessibleName(tr("The tensor that the network sees; arrow keys read its pixels"));
    m_view->setAccessibleName(tr("Picture, or the difference that 16-bit storage makes"));
    m_view->setSegmentToolTip(0, tr("What the network sees"));
    for (std::size_t i = 0; i < kStorages.size(); ++i) {
        m_view->setSegmentToolTip(static_cast<int>(i) + 1,
                                  tr("The difference that storage in %1 makes, amplified %2 times around grey")
                                      .arg(storageName(kStorages[i]), count(differenceGain(kStorages[i]))));
    }
    m_tensorCard->content()->addWidget(m_picture, 1);
    m_reading->setMinimumHeight(2 * m_reading->fontMetrics().lineSpacing());
    m_reading->setWordWrap(true);
    m_reading->setObjectName(QStringLiteral("dataReading"));
    m_tensorCard->content()->addWidget(m_reading);
    m_tensorCard->content()->addWidget(m_view, 0, Qt::AlignLeft);
    // As much room as under the tensor, so that both pictures stand at the same height.
    m_originalRoom->setFixedHeight(m_reading->minimumHeight() + m_tensorCard->content()->spacing() +
                                   m_view->sizeHint().height());
    return m_tensorCard;
}

Card* DataDetail::makeFactsCard() {
    auto* card = new Card(tr("File"));
    card->setFixedWidth(34 * kGrid);
    constexpr std::array<const char*, FactCount> names{"Name",  "Folder", "Size",  "Format", "Bytes",
                                                       "Class", "Wnid",   "Label", "Split",  "Set"};
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(2 * kGrid);
    form->setVerticalSpacing(kGrid);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto* value = new ElidedLabel;
        value->setAccessibleName(QString::fromLatin1(names[i]));
        form->addRow(roleLabel(QString::fromLatin1(names[i]), "caption"), value);
        m_facts[i] = value;
    }
    card->content()->addLayout(form);
    card->content()->addStretch();
    return card;
}

Card* DataDetail::makeChannelsCard() {
    auto* card = new Card(tr("Channels of the tensor"));
    card->content()->addWidget(m_channels);
    return card;
}

Card* DataDetail::makeStorageCard() {
    auto* card = new Card(tr("Difference by storage"));
    card->setToolTip(tr("uint8 / 255 in float32 against the same rounded to 16 bit, over all values of this "
                        "tensor"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    grid->addWidget(roleLabel(tr("Largest"), "caption"), 0, 1, Qt::AlignRight);
    grid->addWidget(roleLabel(tr("RMS"), "caption"), 0, 2, Qt::AlignRight);
    for (std::size_t i = 0; i < kStorages.size(); ++i) {
        const int line = static_cast<int>(i) + 1;
        grid->addWidget(new QLabel(storageName(kStorages[i])), line, 0, Qt::AlignVCenter);
        for (int figure = 0; figure < 2; ++figure) {
            auto* value = new QLabel(absent());
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            value->setAccessibleName(
                tr("%1 difference of %2").arg(figure == 0 ? tr("Largest") : tr("RMS"), storageName(kStorages[i])));
            m_storage[i][static_cast<std::size_t>(figure)] = value;
            grid->addWidget(value, line, figure + 1, Qt::AlignRight | Qt::AlignVCenter);
        }
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    card->content()->addLayout(grid);
    card->content()->addStretch();
    return card;
}

void DataDetail::showPhotograph(const std::shared_ptr<const data::Dataset>& dataset, data::Split split,
                                qint64 photograph, int place, int count) {
    m_tensor = nullptr;
    m_original->setImage({});
    m_original->setMessage(tr("Reading the original…"));
    m_picture->setImage({});
    m_channels->clear();
    m_reading->clear();
    fillFacts(*dataset, split, photograph);
    m_place->setText(tr("%1 of %2").arg(ui::count(place + 1), ui::count(count)));
    m_previous->setEnabled(place > 0);
    m_next->setEnabled(place + 1 < count);
    m_loader.load(dataset, split, photograph);
}

void DataDetail::fillFacts(const data::Dataset& dataset, data::Split split, qint64 photograph) {
    const data::DatasetInfo& info = dataset.info();
    const data::Photograph& facts = dataset.photographs(split)[static_cast<std::size_t>(photograph)];
    const data::ClassInfo& classInfo = info.classes[static_cast<std::size_t>(facts.label)];
    const std::filesystem::path path(facts.path);
    const auto text = [](const std::string& value) {
        return value.empty() ? absent() : QString::fromStdString(value);
    };
    m_title->setFullText(QStringLiteral("%1 · %2").arg(text(classInfo.name), text(path.filename().string())));
    m_facts[FileName]->setFullText(text(path.filename().string()));
    m_facts[Folder]->setFullText(text(path.parent_path().string()));
    m_facts[PixelSize]->setFullText(tr("%1 × %2 pixels").arg(facts.width).arg(facts.height));
    m_facts[Format]->setFullText(text(facts.format));
    m_facts[Bytes]->setFullText(facts.fileBytes > 0 ? count(facts.fileBytes)
                                                    : absent()); // a drawn picture has no file
    m_facts[ClassName]->setFullText(text(classInfo.name));
    m_facts[Wnid]->setFullText(text(classInfo.wnid));
    m_facts[Label]->setFullText(QString::number(facts.label));
    m_facts[SplitName]->setFullText(split == data::Split::Train ? tr("train") : tr("validation"));
    m_facts[SetName]->setFullText(text(info.displayName));
    m_tensorCard->setTitle(tr("Tensor, %1 × %1 × 3").arg(info.imageSize));
}

void DataDetail::takeTensor(const std::shared_ptr<const PhotographTensor>& tensor) {
    m_tensor = tensor;
    m_channels->setChannels(tensor->channels);
    const std::array differences{tensor->float16, tensor->bfloat16};
    for (std::size_t i = 0; i < differences.size(); ++i) {
        m_storage[i][0]->setText(QString::number(differences[i].largest, 'e', 2));
        m_storage[i][1]->setText(QString::number(differences[i].rms, 'e', 2));
    }
    showTensorPicture();
}

void DataDetail::showTensorPicture() {
    if (!m_tensor) {
        return;
    }
    const int view = m_view->current();
    if (view == 0) {
        m_picture->setImage(imageOf(m_tensor->pixels, m_tensor->imageSize));
    } else {
        const tensor::DType dtype = kStorages[static_cast<std::size_t>(view) - 1];
        m_picture->setImage(
            imageOf(amplifiedDifference(m_tensor->pixels, dtype, differenceGain(dtype)), m_tensor->imageSize));
    }
    readPixel(m_picture->pointedPixel());
}

void DataDetail::readPixel(std::optional<QPoint> pixel) {
    const int view = m_view->current();
    if (!m_tensor || !pixel) {
        m_reading->setText(view == 0
                               ? tr("Point at a pixel to read its values.")
                               : tr("Stored minus exact, × %1; grey means equal.")
                                     .arg(count(differenceGain(kStorages[static_cast<std::size_t>(view) - 1]))));
        return;
    }
    const std::size_t first = (static_cast<std::size_t>(pixel->y()) * static_cast<std::size_t>(m_tensor->imageSize) +
                               static_cast<std::size_t>(pixel->x())) *
                              3;
    QStringList values;
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const std::uint8_t value = m_tensor->pixels[first + channel];
        const double exact = storedValue(value, tensor::DType::Float32);
        const QChar name = QLatin1Char("RGB"[channel]);
        if (view == 0) {
            values << QStringLiteral("%1 %2 = %3").arg(name).arg(value, 3).arg(fixed(exact, 4));
        } else {
            const double difference = storedValue(value, kStorages[static_cast<std::size_t>(view) - 1]) - exact;
            values << QStringLiteral("%1 %2").arg(name, difference == 0 ? QStringLiteral("0")
                                                                        : QString::number(difference, 'e', 1));
        }
    }
    m_reading->setText(tr("x %1, y %2\n%3").arg(pixel->x()).arg(pixel->y()).arg(values.join(QStringLiteral("   "))));
}

void DataDetail::setTheme(const Theme& theme) {
    m_original->setTheme(theme);
    m_picture->setTheme(theme);
    m_channels->setTheme(theme);
}

void DataDetail::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        emit backWanted();
        return;
    case Qt::Key_Left:
        emit stepWanted(-1);
        return;
    case Qt::Key_Right:
        emit stepWanted(1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace halfstep::ui
