#include "engine/analysis/number_shares.h"
#include "tests/ui/fake_numerics.h"
#include "ui/charts/exponent_drawing.h"
#include "ui/format/format.h"
#include "ui/models/format_table_model.h"
#include "ui/models/numerics_text.h"
#include "ui/models/roundings_model.h"
#include "ui/models/table_text.h"
#include "ui/models/tensor_table_model.h"
#include <QSignalSpy>
#include <gtest/gtest.h>

using namespace halfstep;
using namespace halfstep::ui;
using halfstep::tests::fakeNumerics;
using halfstep::tests::fakeTensor;
using values::TensorRole;

namespace {

constexpr double kScale = 32768; // 2^15

std::shared_ptr<const values::NumericsRecord> recordOf(std::int64_t step) {
    return std::make_shared<values::NumericsRecord>(fakeNumerics(step));
}

TEST(TensorTable, StandsInTheOrderOfTheStepAndIsFilteredByKind) {
    TensorTableModel model;
    model.setRecord(recordOf(1));
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(model.index(0, TensorTableModel::Tensor).data(), "kernel");
    model.setRole(TensorRole::Gradient);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, TensorTableModel::Tensor).data(), "logits gradient");
    EXPECT_EQ(model.mostZeros(), 1);
    model.setRole(TensorRole::Weight);
    EXPECT_EQ(model.rowOf(recordOf(1)->tensors[0]), 0);
    EXPECT_EQ(model.rowOf(recordOf(1)->tensors[3]), -1) << "the filter hides it";
}

TEST(TensorTable, IsCopiedInFullWithNamesThatDoNotRepeat) {
    TensorTableModel model;
    model.setRecord(recordOf(1));
    model.setRole(TensorRole::Weight);
    EXPECT_EQ(wholeTableText(model),
              "layer\ttensor\tpass\tstored\tfloat16 zero\tfloat16 subnormal\tfloat16 non-finite\tbfloat16 zero\t"
              "bfloat16 subnormal\tbfloat16 non-finite\n"
              "conv2d\tkernel\tforward\tfloat32\t0\t0.3\t0\t0\t0\t0\n");
}

TEST(TensorTable, ANewRecordOfTheSameTensorsKeepsTheRows) {
    TensorTableModel model;
    model.setRecord(recordOf(1));
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    auto next = std::make_shared<values::NumericsRecord>(fakeNumerics(11));
    next->tensors[1].histogram.zeros = 75;
    next->tensors[1].histogram.at(0) = 25;
    model.setRecord(next);
    EXPECT_EQ(reset.size(), 0);
    EXPECT_EQ(changed.size(), 1);
    EXPECT_EQ(model.index(1, TensorTableModel::Float16Zero).data(), "75");
    model.setRecord(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(FormatTable, SaysOfEveryFormatWhatTheEngineSays) {
    const values::TensorNumerics gradient = fakeNumerics(1).tensors[3];
    FormatTableModel model;
    EXPECT_EQ(model.index(0, FormatTableModel::Zero).data(), absent());
    for (const int scale : {0, -15, 9}) {
        model.setTensor(&gradient, scale);
        for (int row = 0; row < model.rowCount(); ++row) {
            const analysis::NumberShares shares =
                analysis::sharesIn(gradient, precision::kJudgedFormats[static_cast<std::size_t>(row)], scale);
            const auto copied = [&](int column) { return model.index(row, column).data(kCopyRole).toDouble(); };
            EXPECT_DOUBLE_EQ(copied(FormatTableModel::Zero), shares.zero) << row << ' ' << scale;
            EXPECT_DOUBLE_EQ(copied(FormatTableModel::Subnormal), shares.subnormal);
            EXPECT_DOUBLE_EQ(copied(FormatTableModel::Normal), shares.normal);
            EXPECT_DOUBLE_EQ(copied(FormatTableModel::NonFinite), shares.nonFinite);
        }
    }
}

TEST(NumericsSentence, ComparesTheLossScaleWithNone) {
    const values::TensorNumerics gradient = fakeNumerics(1).tensors[3];
    const auto say = [&](int exponent) {
        return numericsSentence(gradient, kScale, precision::kFloat16, exponent).replace(QChar(0x202F), ' ');
    };
    EXPECT_EQ(say(15), QStringLiteral("At loss scale 2¹⁵, none of this gradient becomes 0 in float16; without loss "
                                      "scaling, 40 % would. 10 % is 0 already."));
    EXPECT_EQ(say(0),
              QStringLiteral("Without loss scaling, 40 % of this gradient becomes 0 in float16; at loss scale "
                             "2¹⁵, none does. 10 % is 0 already."));
    EXPECT_EQ(say(26), QStringLiteral("At loss scale 2²⁶, none of this gradient becomes 0 in float16 and 20 % "
                                      "overflows; without loss scaling, 40 % would become 0. 10 % is 0 already."));
}

TEST(NumericsSentence, SaysWhatAFormatMakesOfWeightsAndActivations) {
    const values::NumericsRecord record = fakeNumerics(1);
    const auto say = [&](std::size_t tensor) {
        return numericsSentence(record.tensors[tensor], kScale, precision::kFloat16, 15).replace(QChar(0x202F), ' ');
    };
    EXPECT_EQ(say(0), "In float16, of this weight 30 % is subnormal, with fewer digits.");
    EXPECT_EQ(say(1), "In float16, every number of this activation keeps all digits of the format: none is too small "
                      "or too large. 50 % is 0 already.");
}

TEST(ExponentAxis, HoldsTheTensorAtEveryLossScale) {
    const values::TensorNumerics gradient = fakeNumerics(1).tensors[3];
    const auto [from, to] = exponentAxis(gradient, kScale);
    EXPECT_LT(from, -12 - 15);
    EXPECT_GT(to, 5 + 1 + largestScaleExponent(kScale) - 15);
    EXPECT_EQ(largestScaleExponent(0x1p40), 40);
    EXPECT_EQ(scaleExponentOf(1000), 10);
    // A tensor of zeros only: float16's limits.
    const auto [low, high] = exponentAxis(fakeTensor("a", "b", TensorRole::Weight, {}, 5), 1);
    EXPECT_LT(low, -25);
    EXPECT_GT(high, 16);
}

TEST(ExponentBars, TheirRangesCountAsTheSharesDo) {
    const values::TensorNumerics tensor =
        fakeTensor("a", "b", TensorRole::Gradient,
                   {{-140, 1}, {-127, 2}, {-26, 3}, {-25, 4}, {-15, 5}, {-14, 6}, {8, 7}, {9, 8}, {15, 9}, {16, 10}});
    for (const precision::NumberFormat& format : precision::kJudgedFormats) {
        for (const int shift : {-20, 0, 7}) {
            const ExponentBars bars{.histogram = tensor.histogram, .elements = tensor.elements, .shift = shift};
            std::array<double, kNumberRanges.size()> sums{};
            for (int exponent = -200; exponent <= 200; ++exponent) {
                sums[static_cast<std::size_t>(numberRangeOf(exponent, format))] += bars.share(exponent);
            }
            const analysis::NumberShares shares = analysis::sharesIn(tensor, format, shift);
            EXPECT_NEAR(sums[0], shares.underflow, 1e-12) << format.name << ' ' << shift;
            EXPECT_NEAR(sums[1], shares.subnormal, 1e-12);
            EXPECT_NEAR(sums[2], shares.normal, 1e-12);
            EXPECT_NEAR(sums[3], shares.overflow, 1e-12);
        }
    }
}

TEST(Roundings, EveryCellIsTheEnginesOwn) {
    const RoundingsModel model;
    ASSERT_EQ(model.rowCount(), static_cast<int>(precision::kStepTensors.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        for (std::size_t i = 0; i < precision::kPolicies.size(); ++i) {
            const precision::Rounding rounding = roundingOf(precision::traitsOf(precision::kPolicies[i]),
                                                            precision::kStepTensors[static_cast<std::size_t>(row)]);
            const QModelIndex cell = model.index(row, RoundingsModel::kFirstPolicy + static_cast<int>(i));
            EXPECT_EQ(cell.data().toString().toStdString(), nameOf(rounding.stored));
            EXPECT_EQ(cell.data(RoundingsModel::kRoundedRole).toBool(), rounding.rounded);
            const std::string toolTip = cell.data(Qt::ToolTipRole).toString().toStdString();
            EXPECT_NE(toolTip.find(rounding.where), std::string::npos) << toolTip;
            if (rounding.rounded) {
                EXPECT_EQ(model.index(row, RoundingsModel::kWhere).data().toString().toStdString(), rounding.where);
            }
        }
    }
}

TEST(Roundings, TheChosenPolicyStandsOut) {
    RoundingsModel model;
    model.setPolicy(precision::Policy::MixedFloat16);
    for (int column = 0; column < model.columnCount(); ++column) {
        const QVariant font = model.headerData(column, Qt::Horizontal, Qt::FontRole);
        EXPECT_EQ(font.isValid(), RoundingsModel::policyAt(column) == precision::Policy::MixedFloat16) << column;
    }
}

TEST(Roundings, AreCopiedWithWhereTheyAreRounded) {
    const RoundingsModel model;
    const QStringList lines = wholeTableText(model).split('\n');
    EXPECT_EQ(lines[0], "Tensor of a step\tfloat32\tmixed_float16\tmixed_bfloat16\tfloat16\tbfloat16\t"
                        "Where it is rounded");
    EXPECT_EQ(lines[1], "variable (weight)\tfloat32\tfloat32\tfloat32\tfloat16 (rounded)\tbfloat16 (rounded)\t"
                        "after the optimizer's update");
}

} // namespace
