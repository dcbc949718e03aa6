#include "tests/support/device_arrays.h"
#include <algorithm>
#include <bit>

namespace halfstep::support {

tensor::Tensor onDevice(backend::Backend& device, DType dtype, const Array& array) {
    tensor::Tensor result = device.allocate(dtype, array.shape);
    device.upload(std::vector<float>(array.values.begin(), array.values.end()), result);
    return result;
}

Array fromDevice(backend::Backend& device, const tensor::Tensor& tensor) {
    std::vector<float> values(static_cast<std::size_t>(tensor.count()));
    device.download(tensor, values);
    return {tensor.shape, {values.begin(), values.end()}};
}

bool sameBits(const Array& a, const Array& b) {
    return a.shape == b.shape &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), [](double x, double y) {
               return std::bit_cast<std::uint32_t>(static_cast<float>(x)) ==
                      std::bit_cast<std::uint32_t>(static_cast<float>(y));
           });
}

} // namespace halfstep::support
