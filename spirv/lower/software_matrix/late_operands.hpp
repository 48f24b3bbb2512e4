// Operands that are loaded where they are staged: they never become arrays.
#pragma once

#include <unordered_set>

#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::spirv::lower {

/// The operands, by value, that a function loads for a single multiply-add, which stages them in workgroup
/// memory, if nothing between the load and the multiply-add may write memory or waits, and the matrices that
/// are live there take more than half of the registers. The components of such an operand are loaded one by
/// one as they are staged, so that they need no registers.
std::unordered_set<Id> findLateOperands(const Module& module, const SoftwarePlan& plan, uint64_t registers);

}  // namespace coopc::spirv::lower
