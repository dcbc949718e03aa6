#include "ui/models/sweep_cell_look.h"
#include "engine/values/number_text.h"
#include "ui/format/format.h"
#include <QCoreApplication>
#include <QStringList>
#include <cmath>

namespace halfstep::ui {
namespace {

using analysis::CellFigures;
using values::CellStatus;
using values::SweepCell;

const QString kDot = QStringLiteral(" · ");
const QString kDoubt = QStringLiteral(" (*)");

QString say(const char* text) {
    return QCoreApplication::translate("SweepCell", text);
}

QString bytesOr(const std::optional<std::uint64_t>& size, const QString& otherwise) {
    return size ? bytes(*size) : otherwise;
}

/// "1.42x faster than float32 (1.39 to 1.45)"
QString speedUpLine(const analysis::SpeedUp& speedUp) {
    const QString word = QString::fromStdString(speedUp.word);
    return speedUp.word == "baseline"
               ? say("the baseline of the others")
               : say("%1 against the baseline (%2 to %3)")
                     .arg(word, fixed(speedUp.interval.low, 2), fixed(speedUp.interval.high, 2));
}

Tone toneOf(const analysis::SpeedUp& speedUp) {
    return speedUp.word == "baseline" || (speedUp.interval.low <= 1 && speedUp.interval.high >= 1)
               ? Tone::Muted
               : (speedUp.interval.low > 1 ? Tone::Good : Tone::Bad);
}

void lookMeasured(CellLook& look, const SweepCell& cell, const CellFigures& figures) {
    look.large = milliseconds(*figures.median);
    look.small = say("%1 to %2 · %3 images/s")
                     .arg(significant(figures.interval->low), significant(figures.interval->high),
                          significant(*figures.imagesPerSecond));
    if (figures.speedUp) {
        look.word = QString::fromStdString(figures.speedUp->word);
        look.tone = toneOf(*figures.speedUp);
    } else {
        look.word = say("no baseline to compare with");
    }
    look.copy = QString::fromStdString(values::numberText(*figures.median));
    look.sort = *figures.median;
    QStringList lines;
    lines << say("%1 a step (95 %: %2 to %3), %4 timed steps in %5 rounds")
                 .arg(milliseconds(*figures.median), significant(figures.interval->low),
                      significant(figures.interval->high), count(figures.timedSteps))
                 .arg(cell.rounds.size())
          << say("%1 images/s, and %2 of waiting for data before a step")
                 .arg(significant(*figures.imagesPerSecond), milliseconds(figures.medianWait.value_or(0)))
          << say("%1 warm-up steps left out").arg(count(figures.warmupSteps))
          << say("memory: %1 predicted, %2 measured at most")
                 .arg(bytesOr(figures.predictedBytes, absent()), bytesOr(figures.peakBytes, absent()));
    if (figures.speedUp) {
        lines << speedUpLine(*figures.speedUp);
    }
    look.toolTip = lines.join(QLatin1Char('\n'));
}

void lookOutOfMemory(CellLook& look, const SweepCell& cell, const CellFigures& figures) {
    look.large = QStringLiteral("OOM");
    look.copy = look.large;
    look.small = say("wants %1, %2 free")
                     .arg(bytesOr(figures.predictedBytes, say("more")), bytesOr(cell.freeBytes, say("less")));
    if (cell.largestBatch) {
        look.word = *cell.largestBatch > 0 ? say("batch %1 fits").arg(*cell.largestBatch) : say("no batch fits");
    }
    look.tone = Tone::Warning;
}

QString articleTime(const analysis::ArticleCell& cell) {
    if (!cell.milliseconds) {
        return QStringLiteral("OOM");
    }
    return *cell.milliseconds < 10'000 ? milliseconds(*cell.milliseconds)
                                       : fixed(*cell.milliseconds / 1000, 0) + " s";
}

} // namespace

CellLook cellLook(const MeasuredSweep& measured, std::size_t index, const std::optional<values::SweepStep>& step) {
    const SweepCell& cell = measured.sweep.cells.at(index);
    const CellFigures& figures = measured.figures.at(index);
    CellLook look;
    look.status = figures.status;
    if (figures.median) {
        lookMeasured(look, cell, figures);
    } else {
        switch (figures.status) {
        case CellStatus::Oom:
            lookOutOfMemory(look, cell, figures);
            break;
        case CellStatus::Unsupported:
            look.large = say("not supported");
            look.small = QString::fromStdString(figures.note);
            break;
        case CellStatus::Failed:
            look.large = say("failed");
            look.small = QString::fromStdString(figures.note);
            look.tone = Tone::Bad;
            break;
        default:
            look.large = absent();
            look.small = figures.predictedBytes ? say("predicted: %1").arg(bytes(*figures.predictedBytes))
                                                : say("not measured yet");
        }
    }
    if (step && step->cell == index) {
        look.measuring = true;
        look.word = step->warmup ? say("round %1, warming up").arg(step->round)
                                 : say("round %1, step %2 of %3").arg(step->round).arg(step->step).arg(step->steps);
        look.tone = Tone::Muted;
    }
    QStringList lines{say("%1, batch %2").arg(policyName(cell.key.policy)).arg(cell.key.batchSize)};
    if (!cell.deviceText.empty()) {
        lines.front() += kDot + QString::fromStdString(cell.deviceText);
    }
    for (const QString& line : {look.toolTip, QString::fromStdString(figures.note)}) {
        if (!line.isEmpty()) {
            lines << line;
        }
    }
    look.toolTip = lines.join(QLatin1Char('\n'));
    return look;
}

void addArticle(CellLook& look, const analysis::ArticleMachine& machine, precision::Policy policy, int batchSize) {
    const std::vector<analysis::ArticleCell> found = machine.at(policy, batchSize);
    if (found.empty()) {
        return;
    }
    QStringList times, lines;
    for (const analysis::ArticleCell& cell : found) {
        const QString time = articleTime(cell) + (cell.doubt.empty() ? QString() : kDoubt);
        times << time;
        QString line = say("the article, %1: %2").arg(QString::fromStdString(machine.about), time);
        if (!cell.build.empty()) {
            line += QStringLiteral(", ") + QString::fromStdString(cell.build);
        }
        lines << line;
    }
    for (const analysis::ArticleCell& cell : found) {
        const QString sentence = QStringLiteral("(*) ") + QString::fromStdString(cell.doubt);
        if (!cell.doubt.empty() && !lines.contains(sentence)) { // once for all builds
            lines << sentence;
        }
    }
    look.article = QString::fromStdString(machine.name) + QStringLiteral(": ") + times.join(QStringLiteral(", "));
    const auto speedUp = machine.speedUp(batchSize);
    if (speedUp && policy == precision::Policy::MixedFloat16) {
        look.article += *speedUp == 1  ? say(", the same")
                        : *speedUp > 1 ? say(", %1x faster").arg(fixed(*speedUp, 2))
                                       : say(", %1x, slower").arg(fixed(*speedUp, 2));
    }
    look.toolTip += (look.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) + lines.join(QLatin1Char('\n'));
}

QStringList articleDoubts(const analysis::ArticleMachine& machine) {
    QStringList sentences;
    for (const analysis::ArticleCell& cell : machine.cells) {
        const QString sentence = QStringLiteral("(*) ") + QString::fromStdString(cell.doubt);
        if (!cell.doubt.empty() && !sentences.contains(sentence)) {
            sentences << sentence;
        }
    }
    return sentences;
}

} // namespace halfstep::ui
