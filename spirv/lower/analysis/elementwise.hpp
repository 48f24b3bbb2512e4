// Instructions that take matrices component by component.
#pragma once

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Whether an instruction takes matrices component by component (SPV_KHR_cooperative_matrix, 3.42.11 and
/// 3.42.13), so that parts of its result are made one by one.
bool isElementwise(spv::Op op);

}  // namespace coopc::spirv::lower
