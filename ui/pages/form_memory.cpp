#include "ui/pages/form_memory.h"
#include "ui/format/format.h"
#include "ui/widgets/theme.h"
#include <QCoreApplication>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

namespace halfstep::ui {

namespace {

QString say(const char* text) {
    return QCoreApplication::translate("FormMemory", text);
}

} // namespace

QString memoryParts(const MemoryForecast& forecast, const std::optional<values::SetCounts>& counts, int side) {
    if (!forecast.trouble.isEmpty()) {
        return forecast.trouble;
    }
    QStringList lines;
    if (forecast.predicted) {
        const values::PredictedMemory& memory = *forecast.predicted;
        lines << say("Predicted, the most at once: %1").arg(bytes(memory.peak));
        const std::pair<const char*, std::uint64_t> parts[]{{"variables", memory.variables},
                                                            {"optimizer", memory.optimizer},
                                                            {"activations", memory.activations},
                                                            {"gradients", memory.gradients},
                                                            {"reserve, from forward to backward", memory.reserve},
                                                            {"workspace of the convolutions", memory.workspace}};
        for (const auto& [name, amount] : parts) {
            lines << QStringLiteral("  %1: %2").arg(say(name), bytes(amount));
        }
    } else {
        lines << say("More bytes than can be counted.");
    }
    if (counts) {
        lines << say("Beside it, the decoded photographs: %1 in a file that is mapped (%2 × %3 × %3 × 3 bytes); the "
                     "system gives their memory up when it is needed.")
                     .arg(bytes(counts->cacheBytes(side)), count(counts->train + counts->validation))
                     .arg(side);
    }
    return lines.join(QLatin1Char('\n'));
}

FormMemory::FormMemory(QWidget* parent) : QWidget(parent), m_line(new QLabel), m_warning(new QLabel) {
    m_line->setProperty("role", "caption");
    m_line->setTextFormat(Qt::PlainText);
    m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a long text does not widen the form
    m_warning->setProperty("role", "warning");
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setWordWrap(true);
    m_warning->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_line);
    layout->addWidget(m_warning);
    setAccessibleName(tr("Memory"));
    refresh();
}

void FormMemory::show(const MemoryForecast& forecast, const std::optional<values::SetCounts>& counts, int side) {
    m_forecast = forecast;
    m_known = true;
    setToolTip(memoryParts(forecast, counts, side));
    refresh();
}

void FormMemory::clear() {
    m_known = false;
    setToolTip({});
    refresh();
}

void FormMemory::setHeldByARun(bool held) {
    m_held = held;
    refresh();
}

QString FormMemory::text() const {
    return m_line->text();
}

QString FormMemory::warning() const {
    return m_warning->text();
}

void FormMemory::refresh() {
    const bool said = m_known && m_forecast.trouble.isEmpty();
    const QString wanted = m_forecast.predicted ? QStringLiteral("~") + bytes(m_forecast.predicted->peak)
                                                : tr("more than can be counted");
    m_line->setText(said ? tr("%1, %2 free").arg(wanted, bytes(m_forecast.freeBytes)) : absent());
    QString warning;
    if (said && !m_held && !m_forecast.fits()) {
        const qint64 fitting = m_forecast.largestBatch.value_or(0);
        warning = fitting > 0 ? tr("Does not fit: Start will be refused. A batch of %1 fits.").arg(fitting)
                              : tr("Does not fit: Start will be refused. Not even one image fits; choose smaller "
                                   "images, or raise the memory limit.");
    }
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
    setAccessibleDescription(warning.isEmpty() ? m_line->text() : m_line->text() + QLatin1String(". ") + warning);
}

} // namespace halfstep::ui
