#pragma once

namespace halfstep::analysis {

/// The regularized incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1], by its continued fraction
/// (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated as Lentz proposed. Relative error below 1e-12
/// for a, b up to 1000, below 1e-8 up to 1e6.
double incompleteBeta(double a, double b, double x);

/// Student's t: the value that a sample lies below with `probability` (0 to 1, both excluded), for any number of
/// degrees of freedom above 0, whole or not. By bisection of the distribution function, which is
/// 1 - I_{df / (df + t^2)}(df / 2, 1 / 2) / 2 for t >= 0 (Abramowitz and Stegun, 26.7.1).
double studentQuantile(double probability, double degreesOfFreedom);

} // namespace halfstep::analysis
