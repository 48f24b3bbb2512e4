// The instructions that convert numbers from one type to another, and others that work on each component.
#pragma once

#include "spirv/module.hpp"

namespace coopc::spirv {

/// Whether an instruction converts each component of a scalar, vector or cooperative matrix to the nearest
/// number of another type (SPIR-V, 3.42.11 "Conversion Instructions"): OpConvertFToU, OpConvertFToS,
/// OpConvertSToF, OpConvertUToF, OpUConvert, OpSConvert and OpFConvert. Pointers, quantization and saturating
/// conversions of kernels are not among them.
constexpr bool convertsNumbers(spv::Op op) {
  return isBetween(op, spv::Op::OpConvertFToU, spv::Op::OpFConvert);
}
static_assert(int(spv::Op::OpFConvert) - int(spv::Op::OpConvertFToU) == 6,
              "the seven have consecutive numbers");

/// Whether an instruction converts each component, by value or by its bits: what SPV_KHR_cooperative_matrix
/// allows for matrices.
constexpr bool convertsComponents(spv::Op op) { return convertsNumbers(op) || op == spv::Op::OpBitcast; }

/// The arithmetic of each component that SPV_KHR_cooperative_matrix and SPV_NV_cooperative_vector allow:
/// OpSNegate, OpFNegate, and OpIAdd to OpFDiv of two operands.
constexpr bool computesComponents(spv::Op op) { return isBetween(op, spv::Op::OpSNegate, spv::Op::OpFDiv); }
static_assert(int(spv::Op::OpFDiv) - int(spv::Op::OpSNegate) == 10, "the eleven have consecutive numbers");

}  // namespace coopc::spirv
