#pragma once
#include "engine/precision/policy.h"
#include <QString>
#include <cstdint>
#include <optional>

/// Numbers, sizes and times as the window says them: English, a point in every locale, units included, "–" where
/// there is nothing to say and "nan", "inf" where a number is not finite. Files are written with values::numberText.
namespace halfstep::ui {

/// "–", the sign for a value that is not there.
QString absent();

/// Fixed decimals: fixed(0.41234, 3) is "0.412".
QString fixed(double value, int decimals);
/// Three significant digits without an exponent where it reads well: "251", "25.1", "2.51", "0.0251", "2.5e-06".
QString significant(double value);
/// "9 469", grouped by narrow spaces.
QString count(std::int64_t value);
/// percent(0.8612) is "86.1 %".
QString percent(double share, int decimals = 1);
/// significant() with its unit: "251 ms".
QString milliseconds(double value);
/// Powers of 1000, as shops and task managers count: "480 MB", "0.9 GB", "23 GB".
QString bytes(std::uint64_t value);
/// A share of a whole, small ones in finer steps: "0 %", "<0.01 %", "0.03 %", "0.3 %", "4.1 %", "41 %", "100 %".
QString sharePercent(double share);
/// The same without the unit, for columns that name it.
QString shareNumber(double share);
/// The same in at most three characters, for a narrow column of percents: "0", "<.1", "0.3", "4.1", "41", ">99".
QString shortPercent(double share);
/// "2¹⁵", "2⁻¹⁴"
QString powerOfTwo(int exponent);
/// A loss scale as a power of two where it is one: "2¹⁵", else significant().
QString lossScale(double value);

/// As people say it: "less than a second", "about 8 s", "about 25 min", "about 2 h 10 min".
QString aboutDuration(double seconds);
/// The same without "about", for a table or the status bar: "8 s", "16 min", "2 h 10 min".
QString duration(double seconds);
/// An ISO 8601 UTC time in local time: "1 Dec 2026, 12:00"; the text itself if it cannot be read.
QString localTime(const QString& isoUtc);

/// A number typed by a person: spaces around it, and comma or point as the decimal sign ("0,001" is 0.001).
/// Nothing if it is no finite number.
std::optional<double> readDecimal(const QString& text);

/// An amount of memory typed by a person: values::bytesIn(), with a comma or a point. Nothing if it is none, or 0.
std::optional<std::uint64_t> readBytes(const QString& text);

/// "mixed_float16"
QString policyName(precision::Policy policy);

} // namespace halfstep::ui
