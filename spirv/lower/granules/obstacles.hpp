// Questions about the plan and single instructions. The granules pass asks them while it rewrites, and
// obstacleToGranules() (passes.hpp) before, to find out whether the pass can lower the module.
#pragma once

#include <string>

#include "spirv/lower/granules/plan.hpp"

namespace coopc::spirv::lower {

/// Whether an instruction makes a matrix of one or more matrices.
bool combinesMatrices(spv::Op op);

/// Whether the matrices that an instruction combines have the sizes, uses and scope that its rules require,
/// as they do in a valid module.
bool fitsOperands(const Module& module, const GranulePlan& plan, const Instruction& i);

/// Reasons of refusals: lowering does not support the instruction, or it fails fitsOperands().
std::string describeUnsupported(const Instruction& i);
std::string describeMismatch(const Instruction& i);

/// The instruction that converts components: a change of the use changes at most the signedness of integers
/// (SPV_EXT_cooperative_matrix_maintenance1, OpCooperativeMatrixConvertUseEXT).
spv::Op componentOpOf(const Instruction& i);

/// Whether granule (i, j) of a conversion's source becomes granule (i, j), or (j, i), of the result, in the
/// same subgroup.
bool staysInSubgroup(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed);

}  // namespace coopc::spirv::lower
