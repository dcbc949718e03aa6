#include "ui/pages/numerics_roundings.h"
#include "ui/models/table_text.h"
#include "ui/widgets/compact_header.h"
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace halfstep::ui {

namespace {

constexpr int kPolicyWidth = 116;
constexpr int kRowHeight = 36;
constexpr int kSmallFont = 11, kHeaderFont = 12;
constexpr int kInset = 4; ///< as the header has it

} // namespace

/// Name and, smaller, where it is rounded in the first column; the chosen policy's column on a shade.
class NumericsRoundings::Delegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme& theme) { m_theme = theme; }
    void setPolicy(precision::Policy policy) { m_policy = policy; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto policy = RoundingsModel::policyAt(index.column());
        if (policy == m_policy) {
            painter->fillRect(option.rect, m_theme.shade);
        }
        painter->setPen(m_theme.gridLine);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        if (policy) {
            paintDType(*painter, option, index);
        } else {
            paintTensor(*painter, option, index);
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(m_theme.accent);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
    }

private:
    void paintTensor(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
        const QRect room = option.rect.adjusted(kInset, 3, -kInset, -3);
        const QRect upper(room.left(), room.top(), room.width(), room.height() / 2);
        const QRect lower(room.left(), upper.bottom() + 1, room.width(), room.height() - upper.height());
        const auto draw = [&](const QRect& place, const QString& text) {
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
        };
        QFont font = option.font;
        painter.setFont(font);
        painter.setPen(m_theme.text);
        draw(upper, index.data().toString());
        font.setPixelSize(kSmallFont);
        painter.setFont(font);
        painter.setPen(m_theme.mutedText);
        draw(lower, index.data(RoundingsModel::kWhereRole).toString());
    }

    void paintDType(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
        constexpr int mark = 16;
        const bool rounded = index.data(RoundingsModel::kRoundedRole).toBool();
        QRect room = option.rect.adjusted(kInset, 0, -kInset, 0);
        if (rounded) {
            index.data(Qt::DecorationRole)
                .value<QIcon>()
                .paint(&painter, QRect(room.left(), room.center().y() - mark / 2 + 1, mark, mark));
        }
        room.adjust(mark + kGrid / 2, 0, 0, 0);
        painter.setFont(option.font);
        painter.setPen(rounded ? m_theme.text : m_theme.mutedText);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    }

    Theme m_theme = themeFor(ThemeKind::Light);
    precision::Policy m_policy = precision::Policy::Float32;
};

NumericsRoundings::NumericsRoundings(QWidget* parent)
    : QWidget(parent),
      m_table(new QTableView),
      m_delegate(new Delegate(this)) {
    QFont headerFont = font();
    headerFont.setPixelSize(kHeaderFont);
    m_table->setHorizontalHeader(new CompactHeader);
    m_table->horizontalHeader()->setFont(headerFont);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setObjectName(QStringLiteral("roundingsTable"));
    m_table->setAccessibleName(tr("Where each policy rounds"));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(RoundingsModel::kTensor, QHeaderView::Stretch);
    for (int column = RoundingsModel::kFirstPolicy; column < RoundingsModel::kWhere; ++column) {
        m_table->setColumnWidth(column, kPolicyWidth);
    }
    m_table->setColumnHidden(RoundingsModel::kWhere, true); // stands under the tensor's name
    auto* action = new QAction(tr("Copy"), m_table);
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    const auto copyAll = [this] { QGuiApplication::clipboard()->setText(copied()); };
    connect(action, &QAction::triggered, this, copyAll);
    m_table->addAction(action);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* caption =
        new QLabel(tr("What a step's tensors are stored in. All sums are made in float32; a policy's mark stands "
                      "where it rounds the result."));
    caption->setProperty("role", "caption");
    caption->setWordWrap(true);
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("Copy the table, tab-separated (Ctrl+C in the table)"));
    connect(copy, &QPushButton::clicked, this, copyAll);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(2 * kGrid);
    tools->addWidget(caption, 1);
    tools->addWidget(copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addLayout(tools);
    layout->addWidget(m_table, 1);
}

QString NumericsRoundings::copied() const {
    return wholeTableText(m_model);
}

void NumericsRoundings::setPolicy(precision::Policy policy) {
    m_delegate->setPolicy(policy);
    m_model.setPolicy(policy);
}

void NumericsRoundings::setTheme(const Theme& theme) {
    m_delegate->setTheme(theme);
    m_table->viewport()->update();
}

} // namespace halfstep::ui
