#include "engine/optim/optimizer.h"

namespace halfstep::optim {

backend::UpdateCounts Optimizer::apply() {
    ++m_iterations;
    return update(m_iterations);
}

} // namespace halfstep::optim
