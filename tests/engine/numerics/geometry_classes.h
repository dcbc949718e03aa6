#pragma once
#include "tests/engine/numerics/tested_geometry.h"
#include <vector>

namespace halfstep::support {

/// One convolution of the class tests: what is computed, in which storage type, and how many threads a second back
/// end has, which must agree with one thread to the bit.
struct GeometryCase {
    Geometry geometry;
    DType dtype;
    int threads;
};

/// Every pair of classes at least once: kernels of 1 to 11 rows and columns, strides 1 and 2, images from one pixel
/// up, of one row or column, odd and even, 1 to 130 channels and filters, batches of 1 to 65, both paddings, storage
/// types, numbers of threads. What is large along one dimension is small along others, so that the oracle stays fast.
/// A class that no case can have with another (kernels that do not fit inside) is left out of that pair only.
std::vector<GeometryCase> everyPairOfClasses();

} // namespace halfstep::support
