#include "ui/models/numerics_text.h"
#include "engine/analysis/number_shares.h"
#include "ui/format/format.h"
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace halfstep::ui {

using analysis::NumberShares;
using tensor::ExponentHistogram;
using values::TensorRole;

namespace {

constexpr int kKerasExponent = 15; ///< Keras starts at 2^15
constexpr int kUsualExponents = 24;

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The share, or "none" where there is nothing.
QString partOf(double share) {
    return share > 0 ? sharePercent(share) : QStringLiteral("none");
}

QString scaleText(double lossScale, int exponent) {
    return exponent == scaleExponentOf(lossScale) ? ui::lossScale(lossScale) : powerOfTwo(exponent);
}

/// What has been lost before the format comes into it.
QString alreadySentence(const values::TensorNumerics& tensor) {
    const double elements = static_cast<double>(std::max<std::int64_t>(tensor.elements, 1));
    const double zero = static_cast<double>(tensor.histogram.zeros) / elements;
    const double nonFinite = static_cast<double>(tensor.histogram.nonFinite()) / elements;
    QStringList parts;
    if (zero > 0) {
        parts << QStringLiteral("%1 is 0 already").arg(sharePercent(zero));
    }
    if (nonFinite > 0) {
        parts << QStringLiteral("%1 is not finite already").arg(sharePercent(nonFinite));
    }
    return parts.isEmpty() ? QString() : QLatin1Char(' ') + parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

QString gradientSentence(const values::TensorNumerics& tensor, double lossScale,
                         const precision::NumberFormat& format, int exponent) {
    const int carried = scaleExponentOf(lossScale);
    const NumberShares now = analysis::sharesIn(tensor, format, exponent - carried);
    const QString name = formatName(format);
    const QString overflow =
        now.overflow > 0 ? QStringLiteral(" and %1 overflows").arg(sharePercent(now.overflow)) : QString();
    if (exponent == 0) {
        const int other = carried > 0 ? carried : kKerasExponent;
        const NumberShares scaled = analysis::sharesIn(tensor, format, other - carried);
        return QStringLiteral("Without loss scaling, %1 of this gradient becomes 0 in %2%3; at loss scale %4, %5 %6.")
            .arg(partOf(now.underflow), name, overflow, scaleText(lossScale, other), partOf(scaled.underflow),
                 carried > 0 ? QStringLiteral("does") : QStringLiteral("would"));
    }
    const NumberShares unscaled = analysis::sharesIn(tensor, format, -carried);
    return QStringLiteral(
               "At loss scale %1, %2 of this gradient becomes 0 in %3%4; without loss scaling, %5 would%6.")
        .arg(scaleText(lossScale, exponent), partOf(now.underflow), name, overflow, partOf(unscaled.underflow),
             overflow.isEmpty() ? QString() : QStringLiteral(" become 0"));
}

QString otherSentence(const values::TensorNumerics& tensor, const precision::NumberFormat& format) {
    const NumberShares shares = analysis::sharesIn(tensor, format);
    const QString what = tensor.role == TensorRole::Weight ? QStringLiteral("weight") : QStringLiteral("activation");
    QStringList parts;
    if (shares.underflow > 0) {
        parts << QStringLiteral("%1 becomes 0").arg(sharePercent(shares.underflow));
    }
    if (shares.subnormal > 0) {
        parts << QStringLiteral("%1 is subnormal, with fewer digits").arg(sharePercent(shares.subnormal));
    }
    if (shares.overflow > 0) {
        parts << QStringLiteral("%1 overflows").arg(sharePercent(shares.overflow));
    }
    if (parts.isEmpty()) {
        return QStringLiteral(
                   "In %1, every number of this %2 keeps all digits of the format: none is too small or too "
                   "large.")
            .arg(formatName(format), what);
    }
    return QStringLiteral("In %1, of this %2 %3.").arg(formatName(format), what, parts.join(QStringLiteral("; ")));
}

} // namespace

QString tensorTitle(const values::TensorNumerics& tensor) {
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(tensor.layer), QString::fromStdString(tensor.tensor));
}

QString formatName(const precision::NumberFormat& format) {
    return textOf(format.name);
}

int scaleExponentOf(double lossScale) {
    return std::isfinite(lossScale) && lossScale > 0 ? static_cast<int>(std::lround(std::log2(lossScale))) : 0;
}

int largestScaleExponent(double lossScale) {
    return std::max(kUsualExponents, scaleExponentOf(lossScale));
}

QString numericsSentence(const values::TensorNumerics& tensor, double lossScale,
                         const precision::NumberFormat& format, int scaleExponent) {
    const QString sentence = tensor.role == TensorRole::Gradient
                                 ? gradientSentence(tensor, lossScale, format, scaleExponent)
                                 : otherSentence(tensor, format);
    return sentence + alreadySentence(tensor);
}

std::pair<int, int> exponentAxis(const values::TensorNumerics& tensor, double lossScale) {
    constexpr int room = 2;
    const precision::NumberFormat& usual = precision::kFloat16;
    int low = usual.subnormalExponent() - 1;
    int high = usual.highestExponent + 1;
    const auto& counts = tensor.histogram.counts;
    const auto filled = [](std::int64_t count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), filled);
    if (first != counts.end()) {
        const auto last = std::find_if(counts.rbegin(), counts.rend(), filled);
        const bool gradient = tensor.role == TensorRole::Gradient;
        const int carried = scaleExponentOf(lossScale);
        const int down = gradient ? carried : 0;
        const int up = gradient ? largestScaleExponent(lossScale) - carried : 0;
        low = std::min(low, ExponentHistogram::kLowest + static_cast<int>(first - counts.begin()) - down);
        high = std::max(high, ExponentHistogram::kLowest + static_cast<int>(counts.rend() - last) + up);
    }
    return {low - room, high + room};
}

} // namespace halfstep::ui
