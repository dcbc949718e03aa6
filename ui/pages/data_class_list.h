#pragma once
#include "engine/data/dataset.h"
#include "ui/models/class_model.h"
#include "ui/widgets/theme.h"
#include <QListView>
#include <optional>

namespace halfstep::ui {

/// The classes of a set as bars of their counts. The current one is the filter.
class DataClassList : public QListView {
    Q_OBJECT

public:
    explicit DataClassList(QWidget* parent = nullptr);

    void setSource(const data::DatasetInfo& info, data::Split split);
    void setTheme(const Theme& theme);
    std::optional<int> label() const;

signals:
    /// Nothing: all classes.
    void labelChosen(std::optional<int> label);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Delegate;
    ClassModel m_model;
    Delegate* m_delegate;
};

} // namespace halfstep::ui
