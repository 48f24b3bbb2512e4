// Workgroup memory in lowered code: loads and stores that other invocations see after a barrier, and the
// barriers. In the Vulkan memory model such accesses are not private, and barriers make them available and
// visible.
#pragma once

#include "spirv/id.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code;

class SharedMemory {
 public:
  /// The module is the code's, which may still be under construction.
  SharedMemory(Code& code, const Module& module);

  bool isVulkanModel() const { return isVulkanModel_; }

  /// A part of a variable of storage class Workgroup (also Pointer::load() and store()).
  Id load(NamedId type, NamedId pointer);
  void store(NamedId pointer, NamedId value);

  /// Control and memory barrier (acquire and release) for workgroup memory among the invocations of a scope.
  void barrier(spv::Scope scope);
  /// The same in two parts (SPV_EXT_split_barrier). No other barrier of the scope may come between them.
  void arrive(spv::Scope scope);
  void wait(spv::Scope scope);

 private:
  void declareSplitBarriers();
  void barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
               spv::MemorySemanticsMask ofModel);

  Code& code_;
  bool isVulkanModel_ = false;
};

}  // namespace coopc::spirv::lower
