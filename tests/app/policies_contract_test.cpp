#include "tests/app/workplace.h"

namespace halfstep::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;

class PoliciesContract : public Workplace {};

TEST_F(PoliciesContract, TheTableOfRoundingsIsPrintedForEveryPolicy) {
    const std::string text = run({"devices", "--policies"}).out;
    EXPECT_THAT(text, AllOf(HasSubstr("mixed_float16"), HasSubstr("bfloat16"), HasSubstr("convolution output"),
                            HasSubstr("once, after sum + bias and ReLU"), HasSubstr("What goes wrong under float16"),
                            HasSubstr("epsilon 1e-07 becomes 1.19e-07")));
}

TEST_F(PoliciesContract, TheTableAsJsonSaysWhatIsStoredAndWhereItIsRounded) {
    const auto policies = jsonOf({"devices", "--policies", "--json"})["policies"];
    ASSERT_EQ(policies.size(), 5U);
    EXPECT_EQ(policies[0]["policy"], "float32");
    EXPECT_EQ(policies[1]["policy"], "mixed_float16");
    EXPECT_EQ(policies[1]["compute_dtype"], "float16");
    EXPECT_EQ(policies[1]["variable_dtype"], "float32");
    EXPECT_EQ(policies[1]["dynamic_loss_scaling"], true);
    EXPECT_EQ(policies[3]["variable_dtype"], "float16");
    EXPECT_EQ(policies[0]["warnings"].size(), 0U);
    EXPECT_GE(policies[3]["warnings"].size(), 4U);
    for (const auto& policy : policies) {
        ASSERT_EQ(policy["tensors"].size(), 16U);
        for (const auto& tensor : policy["tensors"]) {
            EXPECT_EQ(tensor["computed"], "float32");
            EXPECT_EQ(tensor["rounded"].get<bool>(), tensor["where"] != "not rounded") << tensor["tensor"];
        }
    }
}

TEST_F(PoliciesContract, APurePolicySaysWhatGoesWrongBeforeTheRunAndCountsIt) {
    const Ended ended = run(smallRun({"--policy", "bfloat16", "--steps", "3", "--csv", file("steps.csv")}));
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("Warning: Weights are kept in 16 bits (bfloat16)"),
                                 HasSubstr("Adam's second moment never decays")));
    const auto lines = linesOf("steps.csv");
    ASSERT_EQ(lines.size(), 4U);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const double lost = std::stod(lines[i].substr(lines[i].rfind(',') + 1));
        EXPECT_GT(lost, 0) << lines[i];
        EXPECT_LT(lost, 1) << lines[i];
    }
    EXPECT_THAT(ended.out, HasSubstr("Rounding took away "));
    EXPECT_THAT(run({"runs", "show", "1"}).out, HasSubstr("updates lost"));
}

TEST_F(PoliciesContract, WhereSixteenBitsAreOnlyStoredItIsSaidBeforeTheFirstStep) {
    const std::string mixed = run(smallRun({"--policy", "mixed_float16", "--steps", "1"})).err;
    EXPECT_THAT(mixed, AllOf(HasSubstr("stored in float16, but CPU"), HasSubstr("computes in float32")));
    EXPECT_LT(mixed.find("computes in float32"), mixed.find("Epoch 1/"));
    EXPECT_THAT(run(smallRun({"--steps", "1"})).err, testing::Not(HasSubstr("computes in")));
}

TEST_F(PoliciesContract, AFixedLossScaleThatOverflowsIsWhatTheAdviceIsAbout) {
    const Ended ended = run(
        smallRun({"--policy", "mixed_float16", "--loss-scaling", "fixed", "--loss-scale", "1e30", "--steps", "60"}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err,
                AllOf(HasSubstr("Diverged at step 50"), HasSubstr("Lower the loss scale, or let it be dynamic.")));
}

TEST_F(PoliciesContract, ASkippedStepNamesTheFirstTensorThatIsNotFinite) {
    const Ended ended = run(smallRun(
        {"--policy", "mixed_float16", "--loss-scale", "1099511627776", "--steps", "2", "--csv", file("steps.csv")}));
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.err, HasSubstr("Step 1 was skipped: the first non-finite tensor is the loss logits gradient "
                                     "(backward); the loss scale goes from 1.09951e+12 to 5.49756e+11."));
    EXPECT_THAT(linesOf("steps.csv").at(1), HasSubstr(",1099511627776,1,loss logits gradient (backward),"));
}

TEST_F(PoliciesContract, TheNumbersOfEveryNthStepAreKeptAndExported) {
    ASSERT_EQ(run(smallRun({"--policy", "mixed_float16", "--steps", "5", "--numerics-every", "2"})).exitCode, 0);
    ASSERT_EQ(
        run({"runs", "export", "1", "--numerics-csv", file("n.csv"), "--numerics-json", file("n.json")}).exitCode, 0);
    const auto lines = linesOf("n.csv");
    EXPECT_EQ(lines.size(), 1 + 3 * 51U); // header; steps 1, 3, 5 of 51 tensors
    EXPECT_THAT(lines.at(1), HasSubstr("1,1,32768,conv2d,kernel,forward,weight,float32,2400,"));
    const auto records = nlohmann::json::parse(contentOf("n.json"))["records"];
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[1]["step"], 3);
    EXPECT_EQ(records[2]["tensors"].size(), 51U);

    ASSERT_EQ(run(smallRun({"--steps", "2", "--numerics-every", "0"})).exitCode, 0);
    ASSERT_EQ(run({"runs", "export", "2", "--numerics-csv", file("none.csv")}).exitCode, 0);
    EXPECT_EQ(linesOf("none.csv").size(), 1U);
}

} // namespace
} // namespace halfstep::app
