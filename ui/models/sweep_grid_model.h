#pragma once
#include "ui/models/sweep_cell_look.h"
#include <QAbstractTableModel>
#include <QIcon>
#include <QSortFilterProxyModel>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::ui {

/// The cells of a sweep as a grid: a row for each batch size (on each device and instruction set, where there are
/// several), a column for each policy. One machine of the article can be laid over it: then its batch sizes and
/// policies have rows and columns, too.
class SweepGridModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kLookRole = Qt::UserRole + 1; ///< CellLook; invalid in columns without cells
    static constexpr int kCellRole = Qt::UserRole + 2; ///< int, index of the cell in the sweep; -1: there is none
    static constexpr int kSortRole = Qt::UserRole + 3; ///< invalid where there is nothing to sort by

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no sweep. The newest state of the sweep that shows keeps rows, columns and selection.
    void setSweep(const MeasuredSweepPtr& sweep);
    const MeasuredSweepPtr& sweep() const { return m_sweep; }
    /// The machine outlives the model; null: none.
    void setArticle(const analysis::ArticleMachine* machine);
    /// The step of the cell that is being measured.
    void setStep(const std::optional<values::SweepStep>& step);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Columns before those of the policies: the batch size, and device and instruction set where there are several.
    int leadingColumns() const { return static_cast<int>(m_leading.size()); }

private:
    enum class Leading { Batch, Device, Isa };
    struct Row {
        std::size_t device = 0, isa = 0; ///< in the sweep's lists
        int batchSize = 0;
        bool operator==(const Row&) const = default;
        auto operator<=>(const Row&) const = default;
    };
    void layOut();
    std::optional<std::size_t> cellAt(const Row& row, precision::Policy policy) const;
    QVariant leadingData(const Row& row, Leading column, int role) const;
    CellLook lookAt(const Row& row, precision::Policy policy) const;

    MeasuredSweepPtr m_sweep;
    const analysis::ArticleMachine* m_article = nullptr;
    std::optional<values::SweepStep> m_step;
    std::vector<Leading> m_leading;
    std::vector<precision::Policy> m_policies;
    std::vector<Row> m_rows;
};

/// Sorted by the batch size or by the ms per step of a policy; cells without a time last, whichever way it sorts.
class SweepSortModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace halfstep::ui
