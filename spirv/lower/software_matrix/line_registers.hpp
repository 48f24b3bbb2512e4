// The registers that a module's values take where its matrices are multiplied.
#pragma once

#include <cstdint>

#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::spirv::lower {

/// The most 32-bit registers that values take in an invocation, in blocks with a multiply-add, if matrices
/// are distributed as planned. Functions whose control flow is not understood count as nothing.
uint32_t registersAtProducts(const Module& module, const SoftwarePlan& plan, uint32_t subgroupSize);

}  // namespace coopc::spirv::lower
