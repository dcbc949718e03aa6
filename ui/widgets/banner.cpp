#include "ui/widgets/banner.h"
#include "ui/widgets/theme.h"
#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace halfstep::ui {

namespace {

struct KindLook {
    const char* name;
    const char* mark; ///< a sign too, so that colour is not the only message
};

KindLook lookOf(Banner::Kind kind) {
    switch (kind) {
    case Banner::Kind::Success:
        return {"success", "✓"};
    case Banner::Kind::Warning:
        return {"warning", "!"};
    case Banner::Kind::Error:
        return {"error", "✕"};
    case Banner::Kind::Information:
        break;
    }
    return {"information", "i"};
}

void restyle(QWidget* widget, const char* name, const QString& value) {
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      m_mark(new QLabel),
      m_text(new QLabel),
      m_action(new QPushButton),
      m_close(new QToolButton) {
    setObjectName(QStringLiteral("banner"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // sentences may hold file names
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setText(QStringLiteral("✕"));
    m_close->setAccessibleName(tr("Put this message away"));
    m_close->setToolTip(tr("Put this message away"));
    connect(m_close, &QToolButton::clicked, this, &Banner::dismiss);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionRequested);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_mark);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    hide();
}

void Banner::showMessage(Kind kind, const QString& sentence, const QString& actionText) {
    const KindLook look = lookOf(kind);
    restyle(this, "kind", QLatin1String(look.name));
    restyle(m_mark, "role", kind == Kind::Error ? QStringLiteral("danger") : QLatin1String(look.name));
    m_mark->setText(QString::fromUtf8(look.mark));
    m_text->setText(sentence);
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
    setAccessibleName(sentence);
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void Banner::dismiss() {
    m_text->clear();
    hide();
}

QString Banner::message() const {
    return m_text->text();
}

} // namespace halfstep::ui
