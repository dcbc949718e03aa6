#include "ui/models/profile_table_model.h"
#include "engine/analysis/roofline.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include "ui/models/table_text.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace halfstep::ui {

namespace {

constexpr std::array kTitles{"Layer",   "Pass", "ms",      "",         "gained", "share",
                             "GFLOP/s", "GB/s", "of roof", "bound by", "done by"};
/// Of a copied table.
constexpr std::array kNames{"layer",  "operation", "median_ms",     "baseline_ms", "gained_ms", "share",
                            "gflops", "gbps",      "share_of_roof", "bound",       "algorithm"};
constexpr std::array kToolTips{
    "The layer as Keras calls it; “variables” is what is done to all weights",
    "Forward, gradient of the weights, gradient of the data, …",
    "Milliseconds, the median of the steps that were timed",
    "Milliseconds of the other policy",
    "Milliseconds that this policy takes less",
    "Share of the sum of all parts",
    "10⁹ operations a second that the algorithm does itself",
    "10⁹ bytes a second, of the least that its tensors take; spectra are not counted",
    "Share of the speed that the machine's ceilings leave for such work; above 100 % caches helped",
    "Which ceiling would be reached first; neither: it takes more than five times what that asks for",
    "The algorithm, or what is done in one pass"};

bool isText(int column) {
    return column == ProfileTableModel::Layer || column == ProfileTableModel::Operation ||
           column == ProfileTableModel::BoundBy || column == ProfileTableModel::DoneBy;
}

QString spaced(const std::string& name) {
    return QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

} // namespace

void ProfileTableModel::setProfiles(std::optional<values::StepProfile> profile,
                                    std::optional<values::StepProfile> baseline) {
    beginResetModel();
    m_profile = std::move(profile);
    m_baseline = std::move(baseline);
    endResetModel();
}

int ProfileTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_profile ? 0 : static_cast<int>(m_profile->parts.size());
}

int ProfileTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

std::optional<double> ProfileTableModel::baselineOf(const values::ProfilePart& part) const {
    if (m_baseline) {
        for (const values::ProfilePart& other : m_baseline->parts) {
            if (other.layer == part.layer && other.operation == part.operation) {
                return other.milliseconds.median;
            }
        }
    }
    return std::nullopt;
}

std::optional<double> ProfileTableModel::number(const values::ProfilePart& part, int column) const {
    const analysis::RooflinePoint point = analysis::rooflineOf(part, m_profile->ceilings);
    const auto counted = [](double value) { return value > 0 ? std::optional(value) : std::nullopt; };
    switch (column) {
    case Time:
        return part.milliseconds.median;
    case Baseline:
        return baselineOf(part);
    case Gained:
        return m_baseline ? std::optional(baselineOf(part).value_or(0) - part.milliseconds.median) : std::nullopt;
    case Share:
        return part.share;
    case Flops:
        return counted(point.gflops);
    case Bytes:
        return counted(point.gbps);
    case Roof:
        return counted(point.shareOfRoof);
    default:
        return std::nullopt;
    }
}

QString ProfileTableModel::text(const values::ProfilePart& part, int column) const {
    const analysis::Bound bound = analysis::rooflineOf(part, m_profile->ceilings).bound;
    switch (column) {
    case Layer:
        return QString::fromStdString(part.layer);
    case Operation:
        return spaced(part.operation);
    case BoundBy:
        return bound == analysis::Bound::Unknown ? absent() : spaced(std::string(analysis::nameOf(bound)));
    case DoneBy:
        return QString::fromStdString(part.algorithm);
    default:
        break;
    }
    const std::optional<double> value = number(part, column);
    if (!value) {
        return absent();
    }
    switch (column) {
    case Share:
    case Roof:
        return percent(*value, column == Share ? 1 : 0);
    case Gained:
        return std::abs(*value) < 0.005 ? fixed(0, 2) // no sign on what rounds to nothing
                                        : (*value > 0 ? QStringLiteral("+") : QString()) + fixed(*value, 2);
    case Time:
    case Baseline:
        return fixed(*value, 2);
    default:
        return significant(*value);
    }
}

QVariant ProfileTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const values::ProfilePart& part = m_profile->parts[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(part, column);
    case Qt::ToolTipRole:
        if (column == Time) {
            return tr("half of the steps: %1 to %2 ms")
                .arg(significant(part.milliseconds.q25), significant(part.milliseconds.q75));
        }
        return isText(column) ? text(part, column) : QVariant();
    case kCopyRole:
        if (column == Operation) {
            return QString::fromStdString(part.operation);
        }
        if (!isText(column)) {
            const std::optional<double> value = number(part, column);
            return value ? QString::fromStdString(values::numberText(*value)) : QString();
        }
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const auto column = static_cast<std::size_t>(section);
    switch (role) {
    case Qt::DisplayRole:
        return section == Baseline && m_baseline ? policyName(m_baseline->config.policy)
                                                 : QString::fromUtf8(kTitles[column]);
    case Qt::ToolTipRole:
        return QString::fromUtf8(kToolTips[column]);
    case kCopyRole:
        return QString::fromUtf8(kNames[column]);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

} // namespace halfstep::ui
