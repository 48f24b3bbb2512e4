// Rewrites loads and stores of SPV_KHR_cooperative_matrix as loads and stores of tensors.
#pragma once

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::tensor {

/// Whether OpCooperativeMatrixLoadKHR or StoreKHR can be written as a tensor load or store of the same
/// memory: by rows or by columns, by a pointer to numbers or vectors that hold whole components and have no
/// gaps between them.
bool fitsTensor(const Code& c, const Instruction& i, const MatrixType& matrix);

/// Writes it as such if it fits. Returns false, and writes nothing, if it does not.
bool writeAsTensor(Code& c, const Instruction& i, const MatrixType& matrix);

}  // namespace coopc::spirv::lower::tensor
