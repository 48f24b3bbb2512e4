// The sizes of workgroups that a module declares.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// A declaration of a workgroup's size, in invocations along x, y and z.
struct WorkgroupSize {
  Id entryPoint;          ///< whose size it is; none: that of all entry points
  const Instruction* at;  ///< the execution mode, or the constant decorated with WorkgroupSize
  std::array<ConstantValue, 3> n;

  /// The product of the dimensions, specialization constants' defaults included; 0 if a dimension is 0 or
  /// unknown. Dimensions that no device allows (above 65535) count as unknown, so that the product fits.
  uint64_t invocations() const;
};

/// The declarations that are in effect, in the module's order. If a constant is decorated with the built-in
/// WorkgroupSize it is the only one, as it takes precedence over the execution modes LocalSize and
/// LocalSizeId of all entry points (SPIR-V, 3.21). The module need not be valid: declarations with a wrong
/// number of words are left out.
std::vector<WorkgroupSize> workgroupSizes(const Module& module, const ConstantEvaluator& constants);

}  // namespace coopc::spirv
