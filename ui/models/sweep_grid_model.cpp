#include "ui/models/sweep_grid_model.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include "ui/widgets/policy_mark.h"
#include <algorithm>

namespace halfstep::ui {

using precision::Policy;

void SweepGridModel::setSweep(const MeasuredSweepPtr& sweep) {
    const bool same = m_sweep && sweep && m_sweep->sweep.id == sweep->sweep.id &&
                      std::ranges::equal(m_sweep->sweep.cells, sweep->sweep.cells, {}, &values::SweepCell::key,
                                         &values::SweepCell::key);
    if (same) {
        m_sweep = sweep;
        if (!m_rows.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_sweep = sweep;
    m_step.reset();
    layOut();
    endResetModel();
}

void SweepGridModel::setArticle(const analysis::ArticleMachine* machine) {
    beginResetModel();
    m_article = machine;
    layOut();
    endResetModel();
}

void SweepGridModel::setStep(const std::optional<values::SweepStep>& step) {
    m_step = step;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, leadingColumns()), index(rowCount() - 1, columnCount() - 1));
    }
}

void SweepGridModel::layOut() {
    m_leading.clear();
    m_policies.clear();
    m_rows.clear();
    if (!m_sweep) {
        return;
    }
    const values::SweepConfig& config = m_sweep->sweep.config;
    m_leading.push_back(Leading::Batch);
    if (config.devices.size() > 1) {
        m_leading.push_back(Leading::Device);
    }
    if (config.isas.size() > 1) {
        m_leading.push_back(Leading::Isa);
    }
    m_policies = config.policies;
    for (std::size_t device = 0; device < config.devices.size(); ++device) {
        for (std::size_t isa = 0; isa < config.isas.size(); ++isa) {
            for (const int batchSize : config.batchSizes) {
                m_rows.push_back({device, isa, batchSize});
            }
        }
    }
    if (m_article != nullptr) {
        for (const Policy policy : {Policy::Float32, Policy::MixedFloat16}) {
            if (std::ranges::find(m_policies, policy) == m_policies.end()) {
                m_policies.push_back(policy);
            }
        }
        for (const int batchSize : m_article->batchSizes()) {
            if (std::ranges::find(config.batchSizes, batchSize) == config.batchSizes.end()) {
                m_rows.push_back({0, 0, batchSize});
            }
        }
    }
    std::ranges::sort(m_rows);
}

int SweepGridModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SweepGridModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_leading.size() + m_policies.size());
}

std::optional<std::size_t> SweepGridModel::cellAt(const Row& row, Policy policy) const {
    const values::SweepConfig& config = m_sweep->sweep.config;
    const values::CellKey key{policy, row.batchSize, config.devices.at(row.device), config.isas.at(row.isa)};
    const auto found = std::ranges::find(m_sweep->sweep.cells, key, &values::SweepCell::key);
    return found == m_sweep->sweep.cells.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_sweep->sweep.cells.begin()));
}

CellLook SweepGridModel::lookAt(const Row& row, Policy policy) const {
    const auto cell = cellAt(row, policy);
    CellLook look = cell ? cellLook(*m_sweep, *cell, m_step) : CellLook{};
    if (m_article != nullptr) {
        addArticle(look, *m_article, policy, row.batchSize);
    }
    return look;
}

QVariant SweepGridModel::leadingData(const Row& row, Leading column, int role) const {
    const values::SweepConfig& config = m_sweep->sweep.config;
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    }
    switch (column) {
    case Leading::Batch:
        return role == Qt::DisplayRole || role == kCopyRole || role == kSortRole ? QVariant(row.batchSize)
                                                                                 : QVariant();
    case Leading::Device:
        return role == Qt::DisplayRole || role == kSortRole
                   ? QVariant(QString::fromStdString(config.devices.at(row.device)))
                   : QVariant();
    case Leading::Isa:
        return role == Qt::DisplayRole || role == kSortRole
                   ? QVariant(QString::fromStdString(config.isas.at(row.isa)))
                   : QVariant();
    }
    return {};
}

QVariant SweepGridModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    if (column < m_leading.size()) {
        return role == kCellRole ? QVariant(-1) : leadingData(row, m_leading[column], role);
    }
    const Policy policy = m_policies[column - m_leading.size()];
    if (role == kCellRole) {
        const auto cell = cellAt(row, policy);
        return cell ? static_cast<int>(*cell) : -1;
    }
    const CellLook look = lookAt(row, policy);
    switch (role) {
    case kLookRole:
        return QVariant::fromValue(look);
    case kSortRole:
        return look.sort ? QVariant(*look.sort) : QVariant();
    case kCopyRole:
        return look.copy;
    case Qt::ToolTipRole:
        return look.toolTip;
    case Qt::DisplayRole: // the delegate draws the look; this is what a screen reader says
    case Qt::AccessibleTextRole: {
        QStringList parts{look.large, look.small, look.word, look.article};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    default:
        return {};
    }
}

QVariant SweepGridModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const auto column = static_cast<std::size_t>(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    }
    if (column < m_leading.size()) {
        if (role != Qt::DisplayRole) {
            return {};
        }
        switch (m_leading[column]) {
        case Leading::Batch:
            return tr("Batch");
        case Leading::Device:
            return tr("Device");
        case Leading::Isa:
            return tr("Instruction set");
        }
    }
    const Policy policy = m_policies[column - m_leading.size()];
    switch (role) {
    case Qt::DisplayRole:
        return policyName(policy);
    case kCopyRole:
        return tr("%1, ms / step").arg(policyName(policy));
    case Qt::DecorationRole:
        return policyIcon(policy);
    case Qt::ToolTipRole:
        return tr("Sort by the ms per step of %1; right-click to hide or show columns").arg(policyName(policy));
    default:
        return {};
    }
}

bool SweepSortModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(SweepGridModel::kSortRole);
    const QVariant b = right.data(SweepGridModel::kSortRole);
    if (a.isValid() != b.isValid()) {
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    }
    if (a.typeId() == QMetaType::QString) {
        return a.toString() < b.toString();
    }
    return a.toDouble() < b.toDouble();
}

} // namespace halfstep::ui
