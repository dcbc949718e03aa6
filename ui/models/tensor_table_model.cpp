#include "ui/models/tensor_table_model.h"
#include "engine/analysis/number_shares.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include <algorithm>
#include <array>
#include <utility>

namespace halfstep::ui {

using values::TensorNumerics;

namespace {

struct ColumnLook {
    const char* title;
    const char* copiedTitle;
    const char* toolTip;
};

constexpr std::array<ColumnLook, TensorTableModel::ColumnCount> kLooks{{
    {"Layer", "layer", "Under Keras' names"},
    {"Tensor", "tensor", "What the layer made; gradients carry the loss scale"},
    {"Pass", "pass", "→ forward, ← backward"},
    {"Stored", "stored", "The dtype that the run stored it in"},
    {"zero", "float16 zero", "Share of its elements that are 0, or would be in float16"},
    {"sub.", "float16 subnormal",
     "Share of its elements that are below float16's smallest normal number, 2^-14: they have fewer digits"},
    {"inf", "float16 non-finite",
     "Share of its elements that are infinite or NaN, or would be in float16 (above 65504)"},
    {"zero", "bfloat16 zero", "Share of its elements that are 0, or would be in bfloat16"},
    {"sub.", "bfloat16 subnormal",
     "Share of its elements that are below bfloat16's smallest normal number, 2^-126: they have fewer digits"},
    {"inf", "bfloat16 non-finite", "Share of its elements that are infinite or NaN, or would be in bfloat16"},
}};

bool isShare(int column) {
    return column >= TensorTableModel::Float16Zero;
}

double shareOf(const TensorNumerics& tensor, int column) {
    const bool float16 = column < TensorTableModel::BFloat16Zero;
    const analysis::NumberShares shares =
        analysis::sharesIn(tensor, float16 ? precision::kFloat16 : precision::kBFloat16);
    switch (column) {
    case TensorTableModel::Float16Zero:
    case TensorTableModel::BFloat16Zero:
        return shares.zero;
    case TensorTableModel::Float16Subnormal:
    case TensorTableModel::BFloat16Subnormal:
        return shares.subnormal;
    default:
        return shares.nonFinite;
    }
}

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shownText(const TensorNumerics& tensor, int column) {
    switch (column) {
    case TensorTableModel::Layer:
        return QString::fromStdString(tensor.layer);
    case TensorTableModel::Tensor:
        return QString::fromStdString(tensor.tensor);
    case TensorTableModel::Pass:
        return tensor.pass == values::Pass::Forward ? QStringLiteral("→") : QStringLiteral("←");
    case TensorTableModel::Stored:
        return textOf(nameOf(tensor.dtype));
    default:
        return shortPercent(shareOf(tensor, column));
    }
}

QString copiedText(const TensorNumerics& tensor, int column) {
    if (column == TensorTableModel::Pass) {
        return textOf(nameOf(tensor.pass));
    }
    return isShare(column) ? QString::fromStdString(values::numberText(shareOf(tensor, column)))
                           : shownText(tensor, column);
}

QString toolTipOf(const TensorNumerics& tensor, int column) {
    if (isShare(column)) {
        return QStringLiteral("%1: %2").arg(QLatin1String(kLooks[static_cast<std::size_t>(column)].copiedTitle),
                                            sharePercent(shareOf(tensor, column)));
    }
    return column == TensorTableModel::Pass ? textOf(nameOf(tensor.pass))
                                            : QStringLiteral("%1 %2, %3 elements")
                                                  .arg(QString::fromStdString(tensor.layer),
                                                       QString::fromStdString(tensor.tensor), count(tensor.elements));
}

bool sameTensor(const TensorNumerics& a, const TensorNumerics& b) {
    return a.layer == b.layer && a.tensor == b.tensor && a.pass == b.pass && a.role == b.role;
}

} // namespace

void TensorTableModel::setRecord(std::shared_ptr<const values::NumericsRecord> record) {
    const auto before = std::exchange(m_record, std::move(record));
    const bool same = before && m_record && std::ranges::equal(before->tensors, m_record->tensors, sameTensor);
    if (!same) {
        rebuild();
    } else if (!m_rows.empty()) { // selection and scroll position stay
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

void TensorTableModel::setRole(std::optional<values::TensorRole> role) {
    m_role = role;
    rebuild();
}

void TensorTableModel::rebuild() {
    beginResetModel();
    m_rows = rowsOf();
    endResetModel();
}

std::vector<std::size_t> TensorTableModel::rowsOf() const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; m_record && i < m_record->tensors.size(); ++i) {
        if (!m_role || m_record->tensors[i].role == *m_role) {
            rows.push_back(i);
        }
    }
    return rows;
}

int TensorTableModel::rowOf(const TensorNumerics& tensor) const {
    const auto found =
        std::ranges::find_if(m_rows, [&](std::size_t i) { return sameTensor(m_record->tensors[i], tensor); });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int TensorTableModel::mostZeros() const {
    int most = rowCount() > 0 ? 0 : -1;
    for (int row = 1; row < rowCount(); ++row) {
        if (shareOf(tensorAt(row), Float16Zero) > shareOf(tensorAt(most), Float16Zero)) {
            most = row;
        }
    }
    return most;
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TensorNumerics& tensor = tensorAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shownText(tensor, index.column());
    case kCopyRole:
        return copiedText(tensor, index.column());
    case Qt::ToolTipRole:
        return toolTipOf(tensor, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isShare(index.column())  ? Qt::AlignRight
                                                       : index.column() == Pass ? Qt::AlignHCenter
                                                                                : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const ColumnLook& look = kLooks[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromUtf8(look.title);
    case kCopyRole:
        return QString::fromUtf8(look.copiedTitle);
    case Qt::ToolTipRole:
        return QString::fromUtf8(look.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignBottom | (isShare(section) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

} // namespace halfstep::ui
