#include "ui/models/format_table_model.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/models/numerics_text.h"
#include "ui/models/table_text.h"

namespace halfstep::ui {

namespace {

constexpr std::array kTitles{"Format", "zero", "subnormal", "normal", "non-finite"};
constexpr std::array kToolTips{"Number formats, whether the run stores them or not",
                               "Share of the elements that are 0, or would be",
                               "Share below the smallest normal number: fewer digits", "Share with all digits",
                               "Share that is infinite or NaN, or too large"};

double shareOf(const analysis::NumberShares& shares, int column) {
    switch (column) {
    case FormatTableModel::Zero:
        return shares.zero;
    case FormatTableModel::Subnormal:
        return shares.subnormal;
    case FormatTableModel::Normal:
        return shares.normal;
    default:
        return shares.nonFinite;
    }
}

} // namespace

void FormatTableModel::setTensor(const values::TensorNumerics* tensor, int scaleExponent) {
    m_shares.reset();
    if (tensor != nullptr) {
        m_shares.emplace();
        for (std::size_t i = 0; i < precision::kJudgedFormats.size(); ++i) {
            (*m_shares)[i] = analysis::sharesIn(*tensor, precision::kJudgedFormats[i], scaleExponent);
        }
    }
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int FormatTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(precision::kJudgedFormats.size());
}

int FormatTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FormatTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | (index.column() == Format ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole && role != kCopyRole) {
        return {};
    }
    if (index.column() == Format) {
        return formatName(precision::kJudgedFormats[row]);
    }
    if (!m_shares) {
        return role == Qt::DisplayRole ? QVariant(absent()) : QVariant(QString());
    }
    const double share = shareOf((*m_shares)[row], index.column());
    return role == Qt::DisplayRole ? shareNumber(share) : QString::fromStdString(values::numberText(share));
}

QVariant FormatTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const auto column = static_cast<std::size_t>(section);
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromUtf8(kTitles[column]);
    case Qt::ToolTipRole:
        return QString::fromUtf8(kToolTips[column]);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (section == Format ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

} // namespace halfstep::ui
