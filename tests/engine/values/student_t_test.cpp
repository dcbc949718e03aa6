#include "engine/analysis/student_t.h"
#include <array>
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {

// scipy 1.17.1: special.betainc(a, b, x), stats.t.ppf(p, df).
struct Beta {
    double a, b, x, value;
};
constexpr std::array kBeta{
    Beta{0.5, 0.5, 0.3, 0.36901011956554536}, Beta{2, 3, 0.4, 0.5247999999999999},
    Beta{10, 0.5, 0.99, 0.6579281751567845},  Beta{100, 50, 0.7, 0.8054481662277535},
    Beta{0.001, 4, 0.01, 0.9972015849796672}, Beta{500000, 0.5, 0.999998, 0.15729910327878688}};

struct Quantile {
    double probability, freedom, value;
};
constexpr std::array kQuantiles{Quantile{0.975, 1, 12.706204736174694},   Quantile{0.975, 2, 4.302652729749462},
                                Quantile{0.975, 2.5, 3.5746548420036817}, Quantile{0.975, 3.7, 2.8675207071911895},
                                Quantile{0.975, 10, 2.228138851986274},   Quantile{0.975, 30.5, 2.04086944518632},
                                Quantile{0.975, 1e3, 1.9623390808264083}, Quantile{0.975, 1e6, 1.959966356814107},
                                Quantile{0.95, 4, 2.1318467863266495},    Quantile{0.6, 3, 0.2766706623326898},
                                Quantile{0.025, 5, -2.5705818356363155},  Quantile{0.999, 1.5, 52.18443000899263},
                                Quantile{0.9999, 200, 3.789120788747759}};

TEST(StudentT, TheIncompleteBetaFunctionIsScipys) {
    for (const Beta& golden : kBeta) {
        // Differences of lgamma lose digits where a and b are large.
        const double tolerance = golden.a > 1e4 ? 1e-8 : 1e-13;
        EXPECT_NEAR(incompleteBeta(golden.a, golden.b, golden.x) / golden.value, 1, tolerance) << golden.a;
    }
    EXPECT_EQ(incompleteBeta(2, 3, 0), 0);
    EXPECT_EQ(incompleteBeta(2, 3, 1), 1);
}

TEST(StudentT, QuantilesAreScipys) {
    for (const Quantile& golden : kQuantiles) {
        const double tolerance = golden.freedom > 1e4 ? 1e-8 : 1e-12;
        EXPECT_NEAR(studentQuantile(golden.probability, golden.freedom) / golden.value, 1, tolerance)
            << golden.probability << " with " << golden.freedom;
    }
    EXPECT_NEAR(studentQuantile(0.5, 7), 0, 1e-15);
}

} // namespace
} // namespace halfstep::analysis
