#pragma once
#include "tests/support/cuda/emulated_device.h"
#include <string>
#include <string_view>
#include <vector>

namespace halfstep::test::cuda {

/// A kernel that was linked in; nothing if none has this name. Its entry belongs to the program.
const Launch* kernelNamed(std::string_view name);
std::vector<std::string> kernelNames();

/// Runs every block of a grid, one after the other, the threads of a block in turn from barrier to barrier. Throws
/// std::logic_error where some threads wait at a barrier that others never reach, and where the launch is one that no
/// card takes (over 1,024 threads a block).
void run(const Launch& kernel, const Dim3& grid, const Dim3& block, void** arguments);

} // namespace halfstep::test::cuda
