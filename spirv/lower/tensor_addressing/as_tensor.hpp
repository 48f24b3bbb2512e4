// Rewrites loads and stores of SPV_KHR_cooperative_matrix as loads and stores of tensors.
#pragma once

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::tensor {

/// Writes OpCooperativeMatrixLoadKHR or StoreKHR as a tensor load or store of the same memory. Returns false,
/// and writes nothing, if the order is neither by rows nor by columns, if the pointer's numbers or vectors do
/// not hold whole components, or if there are gaps between them.
bool writeAsTensor(Code& c, const Instruction& i, const MatrixType& matrix);

}  // namespace coopc::spirv::lower::tensor
