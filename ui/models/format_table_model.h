#pragma once
#include "engine/analysis/number_shares.h"
#include "engine/precision/number_format.h"
#include <QAbstractTableModel>
#include <array>
#include <optional>

namespace halfstep::ui {

/// What each of the judged formats makes of one tensor: shares of its elements.
class FormatTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Format, Zero, Subnormal, Normal, NonFinite, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// As if every element were multiplied by 2^scaleExponent first. Null for no tensor: the cells are empty.
    void setTensor(const values::TensorNumerics* tensor, int scaleExponent = 0);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::optional<std::array<analysis::NumberShares, precision::kJudgedFormats.size()>> m_shares;
};

} // namespace halfstep::ui
