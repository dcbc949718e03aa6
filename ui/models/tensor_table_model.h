#pragma once
#include "engine/values/numerics.h"
#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

namespace halfstep::ui {

/// The tensors of one recorded step, in the order in which the step made them, with the shares of zeros, subnormal
/// numbers and numbers that are not finite which they have or would have in float16 and in bfloat16.
class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Layer,
        Tensor,
        Pass,
        Stored,
        Float16Zero,
        Float16Subnormal,
        Float16NonFinite,
        BFloat16Zero,
        BFloat16Subnormal,
        BFloat16NonFinite,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null for none. Rows keep their places if the record has the same tensors as the one before.
    void setRecord(std::shared_ptr<const values::NumericsRecord> record);
    /// Only tensors of this kind; nothing: all.
    void setRole(std::optional<values::TensorRole> role);

    const values::TensorNumerics& tensorAt(int row) const {
        return m_record->tensors[m_rows[static_cast<std::size_t>(row)]];
    }
    /// The row of a tensor by its layer and name, in its pass; -1 if none shows.
    int rowOf(const values::TensorNumerics& tensor) const;
    /// The row with the largest share of zeros in float16, 0 if none has any; -1 without rows.
    int mostZeros() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<std::size_t> rowsOf() const;
    void rebuild();

    std::shared_ptr<const values::NumericsRecord> m_record;
    std::optional<values::TensorRole> m_role;
    std::vector<std::size_t> m_rows; ///< indices of the record's tensors
};

} // namespace halfstep::ui
