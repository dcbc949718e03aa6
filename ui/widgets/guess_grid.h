#pragma once
#include <QColor>
#include <QImage>
#include <QString>
#include <QWidget>
#include <vector>

namespace halfstep::ui {

/// One validation photograph with what the network says of it.
struct GuessTile {
    QImage image;
    QString truth;
    QString guess;
    double probability = 0; ///< of the guess, 0 to 1
    bool right = false;
};

/// Photographs in a row or grid, each with a tick and its class, or a cross and the class the network took it for.
class GuessGrid : public QWidget {
    Q_OBJECT

public:
    explicit GuessGrid(QWidget* parent = nullptr);
    void setTiles(std::vector<GuessTile> tiles);
    const std::vector<GuessTile>& tiles() const { return m_tiles; }
    void setColours(const QColor& right, const QColor& wrong);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< tooltip: truth, guess, how sure

private:
    QRect tileRect(std::size_t index) const;

    std::vector<GuessTile> m_tiles;
    QColor m_right;
    QColor m_wrong;
};

} // namespace halfstep::ui
