#pragma once
#include "engine/store/safetensors.h"
#include "engine/train/named_arrays.h"
#include <filesystem>
#include <string_view>
#include <vector>

namespace halfstep::train {

/// A file's array of float32 as a value; `file` is for the sentence. Throws DataError if it holds whole numbers or
/// has more than 4 dimensions.
NamedArray floatsOf(store::SafetensorsArray array, const std::filesystem::path& file);

/// The arrays of a safetensors file under the names that Keras gives them: "conv2d/kernel", and in older saved models
/// "conv2d/kernel:0". Throws DataError with the file's name and `advice`, a sentence, if it is cut off, damaged or
/// holds something else.
std::vector<NamedArray> readWeights(const std::filesystem::path& file,
                                    std::string_view advice = "Choose an intact file.");

/// How sentences speak of weights from `file`.
ArrayUse useOfWeights(const std::filesystem::path& file);

/// Float32, whole or untouched. Throws StoreError with the operating system's reason.
void writeArrays(const std::filesystem::path& file, std::vector<NamedArray> arrays);

/// The same for weights that others will read: if one is not finite it throws StoreError and writes nothing.
void writeWeights(const std::filesystem::path& file, std::vector<NamedArray> weights);

} // namespace halfstep::train
