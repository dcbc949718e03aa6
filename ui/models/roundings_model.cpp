#include "ui/models/roundings_model.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include "ui/widgets/policy_mark.h"
#include <QFont>
#include <QPixmap>

namespace halfstep::ui {

using precision::Policy;
using precision::Rounding;

namespace {

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Rounding roundingAt(Policy policy, int row) {
    return roundingOf(precision::traitsOf(policy), precision::kStepTensors[static_cast<std::size_t>(row)]);
}

/// The same for every policy that rounds here.
QString whereOf(int row) {
    for (const Policy policy : precision::kPolicies) {
        if (const Rounding rounding = roundingAt(policy, row); rounding.rounded) {
            return textOf(rounding.where);
        }
    }
    return QStringLiteral("float32 under every policy");
}

QString toolTipOf(Policy policy, int row) {
    const Rounding rounding = roundingAt(policy, row);
    return QStringLiteral("%1: stored in %2, computed in %3; %4")
        .arg(policyName(policy), textOf(nameOf(rounding.stored)), textOf(nameOf(rounding.computed)),
             rounding.rounded ? QStringLiteral("rounded ") + textOf(rounding.where) : textOf(rounding.where));
}

} // namespace

RoundingsModel::RoundingsModel(QObject* parent) : QAbstractTableModel(parent) {
    for (const Policy policy : precision::kPolicies) {
        m_icons[static_cast<std::size_t>(policy)] = policyIcon(policy);
    }
    QPixmap nothing(16, 16);
    nothing.fill(Qt::transparent);
    m_noIcon = QIcon(nothing);
}

void RoundingsModel::setPolicy(Policy policy) {
    m_policy = policy;
    emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

std::optional<Policy> RoundingsModel::policyAt(int column) {
    return column >= kFirstPolicy && column < kWhere
               ? std::optional(precision::kPolicies[static_cast<std::size_t>(column - kFirstPolicy)])
               : std::nullopt;
}

int RoundingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(precision::kStepTensors.size());
}

int RoundingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant RoundingsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const int row = index.row();
    const auto policy = policyAt(index.column());
    if (!policy) {
        switch (role) {
        case Qt::DisplayRole:
            return index.column() == kTensor ? textOf(roundingAt(Policy::Float32, row).name) : whereOf(row);
        case Qt::ToolTipRole:
        case kWhereRole:
            return whereOf(row);
        default:
            return {};
        }
    }
    const Rounding rounding = roundingAt(*policy, row);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(nameOf(rounding.stored));
    case kCopyRole:
        return textOf(nameOf(rounding.stored)) + (rounding.rounded ? QStringLiteral(" (rounded)") : QString());
    case Qt::DecorationRole:
        return rounding.rounded ? m_icons[static_cast<std::size_t>(*policy)] : m_noIcon;
    case Qt::ToolTipRole:
        return toolTipOf(*policy, row);
    case kRoundedRole:
        return rounding.rounded;
    default:
        return {};
    }
}

QVariant RoundingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) {
        return {};
    }
    const auto policy = policyAt(section);
    switch (role) {
    case Qt::DisplayRole:
        return policy               ? policyName(*policy)
               : section == kTensor ? QStringLiteral("Tensor of a step")
                                    : QStringLiteral("Where it is rounded");
    case Qt::ToolTipRole:
        return policy ? textOf(precision::traitsOf(*policy).summary) : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(policy == m_policy);
        return policy == m_policy ? QVariant(font) : QVariant();
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    default:
        return {};
    }
}

} // namespace halfstep::ui
