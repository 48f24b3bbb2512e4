// Matrices all of whose columns are the same, as attention has them for the sum and the maximum of each row.
#pragma once

#include <vector>

#include "spirv/lower/analysis/called_functions.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// By id: whether the value is a matrix whose columns are known to be the same: a constant, rows that were
/// reduced, the results of a function that does not use the column, or a matrix that is computed from such
/// matrices.
std::vector<bool> findEqualColumns(const Module& module, const CalledFunctions& functions);

}  // namespace coopc::spirv::lower
