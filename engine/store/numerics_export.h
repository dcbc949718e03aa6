#pragma once
#include "engine/store/run_store.h"
#include <ostream>

namespace halfstep::store {

/// One row a tensor and recorded step: run, step, loss_scale, layer, tensor, pass, role, dtype, elements, zeros,
/// infinities, nans, largest; then for each of float16, bfloat16, tf32, float8_e4m3 and float8_e5m2 the shares
/// <format>_zero, _subnormal and _non_finite that the elements have or would have in it; then exponents, as
/// "exponent:count" divided by spaces.
void writeNumericsCsv(std::ostream& out, const RunStore& store, std::int64_t run);

/// {"run", "records": [...]} with the records as values::toJson makes them.
void writeNumericsJson(std::ostream& out, const RunStore& store, std::int64_t run);

} // namespace halfstep::store
