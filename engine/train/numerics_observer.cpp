#include "engine/train/numerics_observer.h"
#include <utility>

namespace halfstep::train {

void NumericsObserver::saw(const nn::ObservedTensor& observed) {
    m_record.tensors.push_back({.layer = std::string(observed.layer),
                                .tensor = std::string(observed.name),
                                .pass = observed.pass,
                                .role = observed.role,
                                .dtype = observed.tensor.dtype,
                                .elements = observed.tensor.count(),
                                .histogram = m_device.exponents(observed.tensor)});
}

values::NumericsRecord NumericsObserver::take(std::int64_t step, double lossScale) {
    values::NumericsRecord record = std::exchange(m_record, {});
    record.step = step;
    record.lossScale = lossScale;
    return record;
}

} // namespace halfstep::train
