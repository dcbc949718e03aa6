#pragma once
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace halfstep::ui {

/// What the Data page shows while it has no set: a sentence, and the ways to get one.
class DataSourcePanel : public QWidget {
    Q_OBJECT

public:
    explicit DataSourcePanel(QWidget* parent = nullptr);

    /// With `retryText`, also a button that tries the same source again.
    void setTexts(const QString& title, const QString& sentence, const QString& retryText = {});
    QString sentence() const;

signals:
    void sampleChosen();
    void chooseFolder();
    void chooseArchive();
    void retryWanted();

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_retry;
};

} // namespace halfstep::ui
