#include "engine/analysis/student_t.h"
#include <cmath>
#include <initializer_list>

namespace halfstep::analysis {
namespace {

constexpr int kMostTerms = 20'000; ///< grows with the root of a and b
constexpr double kExact = 1e-16;
constexpr double kTiny = 1e-300; ///< in the place of a zero in a denominator

double notZero(double value) {
    return std::abs(value) < kTiny ? kTiny : value;
}

/// 1 / (1 + d1 / (1 + d2 / (1 + ...))), which converges fast for x < (a + 1) / (a + b + 2).
double continuedFraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / notZero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= kMostTerms; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (const double term : {even, odd}) {
            d = 1 / notZero(1 + term * d);
            c = notZero(1 + term / c);
            fraction *= c * d;
        }
        if (std::abs(c * d - 1) < kExact) {
            break;
        }
    }
    return fraction;
}

/// P(T <= t) for t >= 0, less 1/2: without the cancellation that the whole would bring.
double upperHalf(double t, double degreesOfFreedom) {
    const double square = t * t;
    return square < degreesOfFreedom
               ? incompleteBeta(0.5, degreesOfFreedom / 2, square / (degreesOfFreedom + square)) / 2
               : 0.5 - incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + square)) / 2;
}

} // namespace

double incompleteBeta(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    if (x > (a + 1) / (a + b + 2)) {
        return 1 - incompleteBeta(b, a, 1 - x);
    }
    const double logarithm =
        a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
    return std::exp(logarithm) * continuedFraction(a, b, x) / a;
}

double studentQuantile(double probability, double degreesOfFreedom) {
    if (probability < 0.5) {
        return -studentQuantile(1 - probability, degreesOfFreedom);
    }
    const double wanted = probability - 0.5;
    double low = 0, high = 1;
    while (upperHalf(high, degreesOfFreedom) < wanted && high < 1e300) {
        low = high;
        high *= 2;
    }
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            return middle;
        }
        (upperHalf(middle, degreesOfFreedom) < wanted ? low : high) = middle;
    }
}

} // namespace halfstep::analysis
