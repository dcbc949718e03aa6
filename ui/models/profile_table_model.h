#pragma once
#include "engine/values/profile.h"
#include <QAbstractTableModel>
#include <optional>

namespace halfstep::ui {

/// The parts of a profiled step in its order, with rates and bounds; beside another policy's times if there is one.
class ProfileTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Layer, Operation, Time, Baseline, Gained, Share, Flops, Bytes, Roof, BoundBy, DoneBy, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setProfiles(std::optional<values::StepProfile> profile, std::optional<values::StepProfile> baseline);
    /// False: the columns Baseline and Gained hold nothing.
    bool hasBaseline() const { return m_baseline.has_value(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// Milliseconds of the same part in the baseline, if it has one.
    std::optional<double> baselineOf(const values::ProfilePart& part) const;
    QString text(const values::ProfilePart& part, int column) const;
    /// The number of a cell, in the unit of the copied header; nothing for text and what is not counted.
    std::optional<double> number(const values::ProfilePart& part, int column) const;

    std::optional<values::StepProfile> m_profile, m_baseline;
};

} // namespace halfstep::ui
