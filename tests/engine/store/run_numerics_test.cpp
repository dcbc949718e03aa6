#include "engine/store/numerics_export.h"
#include "engine/store/run_store.h"
#include "engine/store/sqlite.h"
#include "engine/tensor/error.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace halfstep::store {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::ThrowsMessage;
using values::NumericsRecord;
using values::TensorNumerics;

/// 10 elements: 1 zero, 2 of about 1, 3 of about 2^-20, 3 of about 2^-30, 1 infinite.
TensorNumerics someGradient() {
    TensorNumerics tensor{.layer = "conv2d",
                          .tensor = "kernel gradient",
                          .pass = values::Pass::Backward,
                          .role = values::TensorRole::Gradient,
                          .dtype = tensor::DType::Float32,
                          .elements = 10};
    tensor.histogram.zeros = 1;
    tensor.histogram.infinities = 1;
    tensor.histogram.largest = 1.5;
    tensor.histogram.at(0) = 2;
    tensor.histogram.at(-20) = 3;
    tensor.histogram.at(-30) = 3;
    return tensor;
}

class RunNumerics : public testing::Test {
protected:
    support::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "runs.sqlite";
};

TEST_F(RunNumerics, ComeBackAsTheyWereKept) {
    RunStore store(file);
    const std::int64_t run = store.begin({}, {}, "drawn sample");
    const NumericsRecord first{.step = 1, .lossScale = 32768, .tensors = {someGradient()}};
    const NumericsRecord second{.step = 11, .lossScale = 1, .tensors = {someGradient(), TensorNumerics{}}};
    store.record(run, first);
    store.record(run, second);
    EXPECT_THAT(store.numericsSteps(run), ElementsAre(1, 11));
    EXPECT_EQ(store.numerics(run, 1), first);
    EXPECT_EQ(store.numerics(run, 11), second);
    EXPECT_FALSE(store.numerics(run, 2).has_value());
    store.finish(run, {});
    EXPECT_TRUE(store.remove(run));
    EXPECT_THAT(store.numericsSteps(run), IsEmpty());
}

TEST_F(RunNumerics, ADamagedRecordIsASentence) {
    RunStore store(file);
    const std::int64_t run = store.begin({}, {}, "drawn sample");
    store.record(run, NumericsRecord{.step = 1, .tensors = {someGradient()}});
    Connection(file).execute("UPDATE numerics SET record = '{\"step\": 1}'");
    EXPECT_THAT([&] { store.numerics(run, 1); }, ThrowsMessage<StoreError>(HasSubstr("cannot be read")));
}

TEST_F(RunNumerics, AreExportedAsOneRowATensor) {
    RunStore store(file);
    const std::int64_t run = store.begin({}, {}, "drawn sample");
    store.record(run, NumericsRecord{.step = 1, .lossScale = 1, .tensors = {someGradient()}});
    std::ostringstream csv;
    writeNumericsCsv(csv, store, run);
    const std::string text = csv.str();
    EXPECT_THAT(text, StartsWith("run,step,loss_scale,layer,tensor,pass,role,dtype,elements,zeros,infinities,nans,"
                                 "largest,float16_zero,float16_subnormal,float16_non_finite,bfloat16_zero,"));
    // float16: 2^-30 becomes 0, 2^-20 is subnormal; bfloat16 holds all.
    EXPECT_THAT(text, HasSubstr("\n1,1,1,conv2d,kernel gradient,backward,gradient,float32,10,1,1,0,1.5,"
                                "0.4,0.3,0.1,0.1,0,0.1,"));
    EXPECT_THAT(text, HasSubstr(",-30:3 -20:3 0:2\n"));

    std::ostringstream json;
    writeNumericsJson(json, store, run);
    const auto document = nlohmann::json::parse(json.str());
    EXPECT_EQ(document["run"], run);
    ASSERT_THAT(document["records"], SizeIs(1));
    EXPECT_EQ(document["records"][0]["tensors"][0]["first_exponent"], -30);
    EXPECT_EQ(document["records"][0]["tensors"][0]["counts"].size(), 31U);
}

TEST_F(RunNumerics, AHistoryOfVersion1IsBroughtUp) {
    {
        RunStore store(file);
        store.begin({}, {}, "drawn sample");
        Connection connection(file);
        connection.execute("DROP TABLE numerics; ALTER TABLE steps DROP COLUMN first_non_finite;"
                           "ALTER TABLE steps DROP COLUMN lost_updates;"
                           "INSERT INTO steps VALUES(1, 1, 1, 32, 2.5, 0.1, 10.0, 0.1, NULL, 0);"
                           "DROP TABLE sweeps; DROP TABLE sweep_cells; DROP TABLE sweep_rounds;"
                           "PRAGMA user_version=1");
    }
    RunStore store(file);
    ASSERT_THAT(store.steps(1), SizeIs(1));
    EXPECT_EQ(store.steps(1)[0].loss, 2.5);
    EXPECT_EQ(store.steps(1)[0].firstNonFinite, "");
    EXPECT_FALSE(store.steps(1)[0].lostUpdates.has_value());
    store.record(1, NumericsRecord{.step = 2});
    EXPECT_THAT(store.numericsSteps(1), ElementsAre(2));
}

TEST_F(RunNumerics, AReopenedRunLosesWhatCameAfterTheCheckpoint) {
    RunStore store(file);
    const std::int64_t run = store.begin({}, {}, "drawn sample");
    for (std::int64_t step = 1; step <= 6; ++step) {
        store.record(run, values::StepRecord{.step = step, .epoch = step <= 3 ? 1 : 2, .batchSize = 32});
        store.record(run, NumericsRecord{.step = step});
    }
    store.record(run, values::EpochRecord{.epoch = 1});
    store.record(run, values::EpochRecord{.epoch = 2});
    EXPECT_THAT([&] { store.reopen(run, 4, 1); }, ThrowsMessage<StoreError>(HasSubstr("still running")));
    store.finish(run, {.status = values::RunStatus::Stopped, .steps = 6, .message = "Stopped on request."});
    store.reopen(run, 4, 1);
    EXPECT_THAT(store.steps(run), SizeIs(4));
    EXPECT_THAT(store.numericsSteps(run), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(store.epochs(run), SizeIs(1));
    const auto reopened = store.run(run);
    ASSERT_TRUE(reopened);
    EXPECT_EQ(reopened->status, values::RunStatus::Running);
    EXPECT_EQ(reopened->endedAt, "");
    EXPECT_EQ(reopened->message, "");
    EXPECT_THAT([&] { store.reopen(99, 0, 0); }, ThrowsMessage<StoreError>(HasSubstr("no run 99")));
}

} // namespace
} // namespace halfstep::store
