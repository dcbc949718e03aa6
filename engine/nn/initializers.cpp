#include "engine/nn/initializers.h"
#include <cmath>

namespace halfstep::nn {

std::vector<float> glorotUniform(const tensor::Shape& shape, tensor::Random& random) {
    const int rank = shape.rank();
    std::int64_t field = 1;
    for (int dimension = 0; dimension < rank - 2; ++dimension) {
        field *= shape[dimension];
    }
    const double fans = static_cast<double>(field * (shape[rank - 2] + shape[rank - 1]));
    const double limit = std::sqrt(6.0 / fans);
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (float& value : values) {
        value = static_cast<float>(random.between(-limit, limit));
    }
    return values;
}

} // namespace halfstep::nn
