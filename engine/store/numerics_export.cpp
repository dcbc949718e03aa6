#include "engine/store/numerics_export.h"
#include "engine/analysis/number_shares.h"
#include "engine/values/json.h"
#include "engine/values/number_text.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace halfstep::store {
namespace {
using tensor::ExponentHistogram;
using values::numberText;

std::string exponentsText(const ExponentHistogram& histogram) {
    std::string text;
    for (int e = ExponentHistogram::kLowest; e <= ExponentHistogram::kHighest; ++e) {
        if (histogram.at(e) != 0) {
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", e, histogram.at(e));
        }
    }
    return text;
}

std::string sharesText(const values::TensorNumerics& tensor) {
    std::string text;
    for (const precision::NumberFormat& format : precision::kJudgedFormats) {
        const analysis::NumberShares shares = analysis::sharesIn(tensor, format);
        text += fmt::format("{},{},{},", numberText(shares.zero), numberText(shares.subnormal),
                            numberText(shares.nonFinite));
    }
    return text;
}

} // namespace

void writeNumericsCsv(std::ostream& out, const RunStore& store, std::int64_t run) {
    out << "run,step,loss_scale,layer,tensor,pass,role,dtype,elements,zeros,infinities,nans,largest,";
    for (const precision::NumberFormat& format : precision::kJudgedFormats) {
        out << fmt::format("{0}_zero,{0}_subnormal,{0}_non_finite,", format.name);
    }
    out << "exponents\n";
    for (const std::int64_t step : store.numericsSteps(run)) {
        const auto record = store.numerics(run, step);
        for (const values::TensorNumerics& tensor :
             record ? record->tensors : std::vector<values::TensorNumerics>{}) {
            out << fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}\n", run, step, numberText(record->lossScale),
                tensor.layer, tensor.tensor, nameOf(tensor.pass), nameOf(tensor.role), tensor::nameOf(tensor.dtype),
                tensor.elements, tensor.histogram.zeros, tensor.histogram.infinities, tensor.histogram.nans,
                numberText(tensor.histogram.largest), sharesText(tensor), exponentsText(tensor.histogram));
        }
    }
}

void writeNumericsJson(std::ostream& out, const RunStore& store, std::int64_t run) {
    nlohmann::ordered_json records = nlohmann::ordered_json::array();
    for (const std::int64_t step : store.numericsSteps(run)) {
        if (const auto record = store.numerics(run, step)) {
            records.push_back(values::toJson(*record));
        }
    }
    out << values::jsonText({{"run", run}, {"records", std::move(records)}}) << '\n';
}

} // namespace halfstep::store
