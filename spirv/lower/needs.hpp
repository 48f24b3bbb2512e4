// Compares a module with a target: before lowering, which features must be rewritten; afterwards, what is
// still missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv/lower/reasons.hpp"
#include "spirv/lower/target.hpp"

namespace coopc::spirv::lower {

/// The parts of cooperative matrices that a module uses and a target lacks, in ascending order: for lowering,
/// a target that lacks one also lacks those before it.
enum class MissingMatrices : uint8_t {
  Nothing,
  Shapes,          ///< sizes, scopes or operations of matrices, on a target that has matrices
  Float8Operands,  ///< matrices of 8-bit floats, and nothing that counts as Components
  Components,      ///< matrices in general, or with component types that the target's matrices lack
};

/// Features that a module uses and a target lacks, grouped by the pass that rewrites them.
struct MissingFeatures {
  bool tensorAddressing = false;  ///< also block loads
  bool decodeVectors = false;     ///< of tensor loads, whose other features the target has
  MissingMatrices matrices = MissingMatrices::Nothing;
  /// Operations of the NV extension that the target has by VK_EXT_cooperative_matrix_maintenance1, or vice
  /// versa.
  bool maintenance = false;
  bool bfloat16 = false;                       ///< the type, with or without matrices of it
  bool float8 = false;                         ///< the type, with or without matrices of it
  bool vectors = false;                        ///< cooperative vectors
  bool tensors = false;                        ///< of SPV_ARM_tensors
  bool splitBarriers = false;                  ///< barriers in two parts
  std::vector<spv::Capability> mixedProducts;  ///< arithmetic of small floats (isMixedProduct())
  bool memoryModel = false;                    ///< the Vulkan memory model
  bool version = false;                        ///< the module's version of SPIR-V

  void lack(MissingMatrices more) { matrices = std::max(matrices, more); }
  bool any() const {
    return tensorAddressing || decodeVectors || matrices != MissingMatrices::Nothing || maintenance ||
           bfloat16 || float8 || vectors || tensors || splitBarriers || !mixedProducts.empty() ||
           memoryModel || version;
  }
};

/// Sizes that depend on specialization constants are computed from their defaults.
MissingFeatures missingFeatures(const Module& module, const Target& target);

/// One line for each thing that the module declares or uses and the target lacks: "feature shaderFloat64
/// (capability Float64) is missing". Empty if the target can run the module.
std::vector<std::string> listMissing(const Module& module, const Target& target);

/// Whether a dimension of the workgroup is 0 by constants that no pipeline can change, for example because of
/// frozen values. Such a module would be invalid, because a workgroup has at least one invocation in each
/// dimension.
bool emptyWorkgroup(const Module& module);

/// The first fault of a module's functions, variables and entry points, or an empty text. Validators do not
/// check functions that only per-element operations, reductions and tensor loads call. The module's structure
/// must be correct (structureFault).
Reason callFault(const Module& module);

/// The number of invocations in a workgroup, with the defaults of specialization constants, for the first
/// entry point for which it is known; 0 if there is none.
uint64_t workgroupInvocations(const Module& module);

/// The size of the variables in workgroup memory, assuming that drivers align each of them to at most 16
/// bytes.
uint64_t workgroupBytes(const Module& module);

}  // namespace coopc::spirv::lower
