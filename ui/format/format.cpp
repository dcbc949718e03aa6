#include "ui/format/format.h"
#include "engine/values/byte_text.h"
#include <QDateTime>
#include <QLocale>
#include <QStringList>
#include <array>
#include <cmath>

namespace halfstep::ui {

namespace {

constexpr QChar kNarrowSpace(0x202F);

/// QString::number always writes a point, whatever the locale.
QString number(double value, char format, int digits) {
    if (std::isnan(value)) {
        return QStringLiteral("nan");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    }
    return QString::number(value, format, digits);
}

QString superscript(int value) {
    static constexpr std::array<char16_t, 10> digits{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = value < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(value))) {
        text += QChar(digits[static_cast<std::size_t>(digit.digitValue())]);
    }
    return text;
}

} // namespace

QString absent() {
    return QStringLiteral("–");
}

QString fixed(double value, int decimals) {
    return number(value, 'f', decimals);
}

QString significant(double value) {
    const double size = std::abs(value);
    if (!std::isfinite(value) || size == 0) {
        return number(value, 'f', 0);
    }
    if (size >= 1e7 || size < 1e-3) {
        return number(value, 'e', 1);
    }
    const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(size))));
    return number(value, 'f', decimals);
}

QString count(std::int64_t value) {
    QString digits = QString::number(std::abs(value));
    for (qsizetype position = digits.size() - 3; position > 0; position -= 3) {
        digits.insert(position, kNarrowSpace);
    }
    return value < 0 ? QStringLiteral("-") + digits : digits;
}

QString percent(double share, int decimals) {
    return number(share * 100, 'f', decimals) + kNarrowSpace + QLatin1Char('%');
}

QString shareNumber(double share) {
    const double value = share * 100;
    if (value <= 0 || value >= 100 || std::isnan(value)) {
        return number(value, 'f', 0);
    }
    if (value < 0.01) {
        return QStringLiteral("<0.01");
    }
    if (value > 99.9) {
        return QStringLiteral(">99.9");
    }
    return number(value, 'f', value < 0.0995 ? 2 : value < 9.95 || value > 99 ? 1 : 0);
}

QString sharePercent(double share) {
    return shareNumber(share) + kNarrowSpace + QLatin1Char('%');
}

QString shortPercent(double share) {
    const double value = share * 100;
    if (value <= 0 || value >= 100 || std::isnan(value)) {
        return number(value, 'f', 0);
    }
    if (value < 0.05) {
        return QStringLiteral("<.1");
    }
    return value > 99.4 ? QStringLiteral(">99") : number(value, 'f', value < 9.95 ? 1 : 0);
}

QString powerOfTwo(int exponent) {
    return QLatin1Char('2') + superscript(exponent);
}

QString milliseconds(double value) {
    return significant(value) + QStringLiteral(" ms");
}

QString bytes(std::uint64_t value) {
    static constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    double scaled = static_cast<double>(value);
    std::size_t unit = 0;
    while (scaled >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000;
        ++unit;
    }
    const int decimals = unit > 0 && scaled < 9.95 ? 1 : 0;
    return QStringLiteral("%1 %2").arg(number(scaled, 'f', decimals), QLatin1String(units[unit]));
}

QString lossScale(double value) {
    int exponent = 0;
    if (std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5) {
        return powerOfTwo(exponent - 1);
    }
    return significant(value);
}

QString duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        return absent();
    }
    if (seconds < 1) {
        return QStringLiteral("less than a second");
    }
    if (seconds < 59.5) {
        return QStringLiteral("%1 s").arg(std::llround(seconds));
    }
    const auto minutes = std::llround(seconds / 60);
    if (minutes < 60) {
        return QStringLiteral("%1 min").arg(minutes);
    }
    // Beyond two hours nobody plans by the minute.
    const auto rounded = minutes < 120 ? minutes : (minutes + 5) / 10 * 10;
    if (rounded < 48 * 60) {
        return rounded % 60 == 0 ? QStringLiteral("%1 h").arg(rounded / 60)
                                 : QStringLiteral("%1 h %2 min").arg(rounded / 60).arg(rounded % 60);
    }
    return QStringLiteral("%1 days").arg(std::llround(seconds / 86400));
}

QString aboutDuration(double seconds) {
    return std::isfinite(seconds) && seconds >= 1 ? QStringLiteral("about ") + duration(seconds) : duration(seconds);
}

QString localTime(const QString& isoUtc) {
    const QDateTime time = QDateTime::fromString(isoUtc, Qt::ISODate);
    return time.isValid() ? QLocale::c().toString(time.toLocalTime(), QStringLiteral("d MMM yyyy, HH:mm")) : isoUtc;
}

std::optional<double> readDecimal(const QString& text) {
    QString plain = text.trimmed();
    if (plain.count(QLatin1Char(',')) == 1 && !plain.contains(QLatin1Char('.'))) {
        plain.replace(QLatin1Char(','), QLatin1Char('.'));
    }
    if (plain.contains(QLatin1Char(','))) {
        return std::nullopt; // groups of thousands: refuse rather than guess
    }
    bool understood = false;
    const double value = plain.toDouble(&understood); // QString reads by the C locale
    return understood && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> readBytes(const QString& text) {
    return values::bytesIn(text.trimmed().replace(QLatin1Char(','), QLatin1Char('.')).toStdString());
}

QString policyName(precision::Policy policy) {
    const std::string_view name = precision::traitsOf(policy).name;
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace halfstep::ui
