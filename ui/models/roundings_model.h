#pragma once
#include "engine/precision/roundings.h"
#include <QAbstractTableModel>
#include <QIcon>
#include <array>
#include <optional>

namespace halfstep::ui {

/// The table of roundings: a row for each kind of tensor of a step, in the order of the step, a column for each
/// policy with the dtype that it stores the tensor in, and where it is rounded. A policy's mark stands where it
/// rounds.
class RoundingsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kTensor = 0;
    static constexpr int kFirstPolicy = 1;
    static constexpr int kWhere = kFirstPolicy + static_cast<int>(precision::kPolicies.size());
    static constexpr int kColumns = kWhere + 1;
    /// Of the first column: where the tensor is rounded, in words.
    static constexpr int kWhereRole = Qt::UserRole;
    /// bool: whether the policy of this column rounds here.
    static constexpr int kRoundedRole = Qt::UserRole + 1;

    explicit RoundingsModel(QObject* parent = nullptr);

    /// The policy whose column stands out.
    void setPolicy(precision::Policy policy);
    precision::Policy policy() const { return m_policy; }
    static std::optional<precision::Policy> policyAt(int column);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    precision::Policy m_policy = precision::Policy::Float32;
    std::array<QIcon, precision::kPolicies.size()> m_icons;
    QIcon m_noIcon; ///< keeps the room, so that the names stand below each other
};

} // namespace halfstep::ui
