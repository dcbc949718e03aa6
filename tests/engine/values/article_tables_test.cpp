#include "engine/analysis/article_tables.h"
#include <gmock/gmock.h>

namespace halfstep::analysis {
namespace {
using precision::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ArticleMachine& machine(const std::string& name) {
    for (const ArticleMachine& machine : articleMachines()) {
        if (machine.name == name) {
            return machine;
        }
    }
    throw std::out_of_range(name);
}

TEST(ArticleTables, HaveTheMachinesOfTheArticle) {
    std::vector<std::string> names;
    for (const ArticleMachine& machine : articleMachines()) {
        names.push_back(machine.name);
    }
    EXPECT_THAT(names, ElementsAre("V100", "Titan XP", "Quadro M2200", "CPU"));
    EXPECT_THAT(machine("V100").batchSizes(), ElementsAre(32, 64, 128, 256, 512));
}

TEST(ArticleTables, SayWhatWasPrinted) {
    const std::optional<double> oom;
    struct Row {
        int batch;
        std::optional<double> v100[2], titan[2], quadro[2]; // mixed_float16, float32
    };
    const Row rows[]{{32, {28, 30}, {44, 38}, {186, 197}},
                     {64, {52, 56}, {70, 70}, {352, 375}},
                     {128, {97, 106}, {142, 136}, {687, 746}},
                     {256, {188, 206}, {270, 270}, {1000, oom}},
                     {512, {377, 415}, {518, 539}, {oom, oom}}};
    for (const Row& row : rows) {
        for (const auto& [name, times] :
             {std::pair("V100", row.v100), std::pair("Titan XP", row.titan), std::pair("Quadro M2200", row.quadro)}) {
            EXPECT_EQ(machine(name).at(Policy::MixedFloat16, row.batch).at(0).milliseconds, times[0]) << name;
            EXPECT_EQ(machine(name).at(Policy::Float32, row.batch).at(0).milliseconds, times[1]) << name;
        }
    }
    EXPECT_THAT(machine("V100").at(Policy::MixedBFloat16, 32), IsEmpty());
    EXPECT_THAT(machine("V100").at(Policy::Float32, 16), IsEmpty());
}

TEST(ArticleTables, ASpeedUpIsFloat32OverMixed) {
    EXPECT_DOUBLE_EQ(*machine("V100").speedUp(32), 30.0 / 28);
    EXPECT_DOUBLE_EQ(*machine("Titan XP").speedUp(32), 38.0 / 44);
    EXPECT_FALSE(machine("V100").speedUp(16));
}

TEST(ArticleTables, WhereTheCardRanOutOfMemoryThereIsNoTime) {
    const ArticleCell oom = machine("Quadro M2200").at(Policy::Float32, 256).at(0);
    EXPECT_FALSE(oom.milliseconds);
    EXPECT_FALSE(machine("Quadro M2200").speedUp(256));
    EXPECT_FALSE(machine("Quadro M2200").at(Policy::MixedFloat16, 512).at(0).milliseconds);
}

TEST(ArticleTables, SuspectFiguresSayWhy) {
    const ArticleCell rounded = machine("Quadro M2200").at(Policy::MixedFloat16, 256).at(0);
    EXPECT_EQ(rounded.milliseconds, 1000.0);
    EXPECT_THAT(rounded.doubt, HasSubstr("1000 to 1499 ms"));
    const auto cpu = machine("CPU").at(Policy::Float32, 32);
    ASSERT_EQ(cpu.size(), 2U);
    EXPECT_EQ(cpu[0].milliseconds, 321'000.0);
    EXPECT_EQ(cpu[1].milliseconds, 304'000.0);
    EXPECT_EQ(cpu[1].build, "built for AVX2 and FMA");
    EXPECT_THAT(cpu[0].doubt, HasSubstr("does not fit the hardware"));
    EXPECT_FALSE(machine("CPU").speedUp(32));
    EXPECT_THAT(machine("V100").at(Policy::Float32, 32).at(0).doubt, IsEmpty());
}

} // namespace
} // namespace halfstep::analysis
