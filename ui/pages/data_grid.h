#pragma once
#include "ui/widgets/theme.h"
#include <QListView>

namespace halfstep::ui {

/// Thumbnails in rows that fill the width. Arrow keys move, Enter or a double click opens.
class DataGrid : public QListView {
    Q_OBJECT

public:
    /// Side of a thumbnail in logical pixels.
    static constexpr int kThumbnail = 14 * kGrid;

    explicit DataGrid(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

signals:
    void opened(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class Delegate;
    void fitColumns();

    Delegate* m_delegate;
};

} // namespace halfstep::ui
