// What of a module a target lacks: what lowering must rewrite, and what is left at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/lower/target.hpp"

namespace coopc::spirv::lower {

/// Features that a module uses and a target lacks, by what rewrites them.
struct Needs {
  bool tensorAddressing = false;  ///< or block loads or decode vectors
  bool matrices = false;        ///< cooperative matrices at all, or of components that the target has none of
  bool float8Operands = false;  ///< `matrices` only because of those of 8-bit floats
  bool granules = false;        ///< sizes, scopes or operations of matrices, while the target has some
  /// Operations of NV's extension that the target has by VK_EXT_cooperative_matrix_maintenance1, or the other way around.
  bool maintenance = false;
  bool bfloat16 = false;     ///< as a type, whether there are matrices of it or not
  bool float8 = false;       ///< likewise
  bool memoryModel = false;  ///< Vulkan's
  bool version = false;      ///< of SPIR-V

  bool any() const {
    return tensorAddressing || matrices || granules || maintenance || bfloat16 || float8 || memoryModel ||
           version;
  }
};

/// Sizes that depend on specialization constants count by their defaults.
Needs needsOf(const Module& module, const Target& target);

/// One line for each thing that the module declares or has and the target lacks: "feature shaderFloat64 (capability Float64) is
/// missing". Empty: the target takes it.
std::vector<std::string> missing(const Module& module, const Target& target);

/// Whether a dimension of the workgroup is 0 by constants that no pipeline can change, as values that were given may make it.
/// Such a module would be invalid: Vulkan's workgroups have at least one invocation in each dimension.
bool emptyWorkgroup(const Module& module);

/// What is wrong with a module's functions, variables and entry points, in one line, or "": validators do not look into functions that
/// only per-element operations, reductions and tensor loads call. The module's structure is right (structureFault).
std::string callFault(const Module& module);

/// Invocations of a workgroup, by the first entry point; 0 where that is not known.
uint64_t workgroupInvocations(const Module& module);

/// Bytes of the variables in workgroup memory, without what a driver adds for alignment beyond 16 bytes a variable.
uint64_t workgroupBytes(const Module& module);

}  // namespace coopc::spirv::lower
