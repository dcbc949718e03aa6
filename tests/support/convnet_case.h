#pragma once
#include "engine/train/single_step.h"
#include "tests/support/array.h"
#include "tests/support/random_numbers.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace halfstep::support {

/// Arrays by Keras' name.
using Arrays = std::map<std::string, Array>;

/// Weights and a batch for the article's convnet, from a seed; tests/golden/make_golden.py draws the same.
struct ConvnetCase {
    Arrays weights;
    Array images; ///< [N, size, size, 3]
    std::vector<std::int64_t> labels;
};
Arrays drawConvnetWeights(RandomNumbers& numbers);
ConvnetCase drawConvnetCase(std::uint64_t seed, std::int64_t batch, std::int64_t size);

/// The same with every pre-activation far from ReLU's kink, at any size: pictures are bright and dark in turn, and of
/// each kernel the signs are set (positive where input channel and filter are both even or both odd), so that even
/// filters answer to bright pictures and odd ones to dark pictures, by far. Of each kind two shades take turns: with
/// one, batch normalization would cancel the gradients before it.
ConvnetCase drawClearCase(std::uint64_t seed, std::int64_t batch, std::int64_t size);

/// Keras' names of all variables in the order in which the case draws them, each with its shape.
struct Variable {
    std::string name;
    Shape shape;
    bool trainable = true;
};
std::vector<Variable> convnetVariables();

/// The case as the engine takes it.
train::SingleStepInput stepInput(const ConvnetCase& drawn, precision::Policy policy);

/// What the engine gave back, by Keras' name without "gradient/" or "updated/".
Arrays arraysOf(const std::vector<train::NamedArray>& list, const std::string& prefix);

} // namespace halfstep::support
