#include "ui/widgets/compact_header.h"
#include "ui/widgets/theme.h"
#include <QPainter>
#include <QTableView>

namespace halfstep::ui {

namespace {

constexpr int kFontSize = 12;
constexpr int kInset = 4; ///< as the style sheet gives compact cells

} // namespace

CompactHeader::CompactHeader(std::vector<Group> groups, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent),
      m_groups(std::move(groups)) {
    setSectionsMovable(false); // a group stays together
    setHighlightSections(false);
    setMinimumSectionSize(4 * kGrid);
}

int CompactHeader::lineHeight() const {
    return fontMetrics().height() + kGrid / 2;
}

QSize CompactHeader::sizeHint() const {
    return {QHeaderView::sizeHint().width(), (m_groups.empty() ? 1 : 2) * lineHeight() + kGrid / 2};
}

void CompactHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const auto role = [&](int which) { return model()->headerData(section, Qt::Horizontal, which); };
    QFont font = this->font();
    font.setBold(role(Qt::FontRole).value<QFont>().bold());
    painter->setFont(font);
    painter->setPen(palette().color(QPalette::PlaceholderText));
    const auto alignment = static_cast<Qt::Alignment>(role(Qt::TextAlignmentRole).toInt()) & Qt::AlignHorizontal_Mask;
    painter->drawText(rect.adjusted(kInset, rect.height() - lineHeight(), -kInset, 0), alignment | Qt::AlignVCenter,
                      role(Qt::DisplayRole).toString());
    painter->setPen(palette().color(QPalette::Mid));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
}

void CompactHeader::paintEvent(QPaintEvent* event) {
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    for (const Group& group : m_groups) {
        const int left = sectionViewportPosition(group.first) + kInset;
        const int right = sectionViewportPosition(group.last) + sectionSize(group.last) - kInset;
        const QRect room(left, kGrid / 4, right - left, lineHeight());
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(room.bottomLeft(), room.bottomRight());
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(room, Qt::AlignCenter, group.title);
    }
}

void setUpCompactTable(QTableView& table, CompactHeader* header, int rowHeight) {
    QFont font = table.font();
    font.setPixelSize(kFontSize);
    header->setFont(font);
    table.setHorizontalHeader(header);
    table.setFont(font);
    table.setProperty("compact", true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
}

} // namespace halfstep::ui
