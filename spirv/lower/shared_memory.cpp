// Accesses to workgroup memory that other invocations see, and barriers.
#include "spirv/lower/shared_memory.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"

namespace coopc::spirv::lower {

namespace {

bool declaresVulkanModel(const Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto model = as<op::MemoryModel>(m, i)) return model.memoryModel() == spv::MemoryModel::Vulkan;
  }
  return false;
}

}  // namespace

SharedMemory::SharedMemory(Code& code, const Module& module)
    : code_(code), isVulkanModel_(declaresVulkanModel(module)) {}

// In the Vulkan memory model, accesses are ordered with accesses of other invocations only if they are not
// private (SPIR-V 3.26, NonPrivatePointer). The barrier makes them available and visible.
Id SharedMemory::load(NamedId type, NamedId pointer) {
  if (!isVulkanModel_) return code_.load(type, pointer);
  return code_.make<op::Load>(
      type, {.pointer = pointer, .memoryOperands = {spv::MemoryAccessMask::NonPrivatePointer}});
}

void SharedMemory::store(NamedId pointer, NamedId value) {
  if (!isVulkanModel_) return code_.store(pointer, value);
  code_.make<op::Store>(
      {.pointer = pointer, .object = value, .memoryOperands = {spv::MemoryAccessMask::NonPrivatePointer}});
}

void SharedMemory::barrier(spv::Scope scope) {
  barrier(spv::Op::OpControlBarrier, scope, spv::MemorySemanticsMask::AcquireRelease,
          spv::MemorySemanticsMask::MakeAvailable | spv::MemorySemanticsMask::MakeVisible);
}

void SharedMemory::arrive(spv::Scope scope) {
  declareSplitBarriers();
  barrier(enums::OpControlBarrierArriveEXT, scope, spv::MemorySemanticsMask::Release,
          spv::MemorySemanticsMask::MakeAvailable);
}

void SharedMemory::wait(spv::Scope scope) {
  declareSplitBarriers();
  barrier(enums::OpControlBarrierWaitEXT, scope, spv::MemorySemanticsMask::Acquire,
          spv::MemorySemanticsMask::MakeVisible);
}

void SharedMemory::declareSplitBarriers() {
  code_.preamble.capability(enums::CapabilitySplitBarrierEXT);
  code_.preamble.extension("SPV_EXT_split_barrier");
}

// `ofModel`: bits that the Vulkan memory model requires in addition.
void SharedMemory::barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
                           spv::MemorySemanticsMask ofModel) {
  const auto semantics = order | spv::MemorySemanticsMask::WorkgroupMemory |
                         (isVulkanModel_ ? ofModel : spv::MemorySemanticsMask::MaskNone);
  const Id execution = code_.u32(uint32_t(scope)), bits = code_.u32(uint32_t(semantics));
  const op::ControlBarrier::Fields fields{.execution = execution, .memory = execution, .semantics = bits};
  code_.writer.append(code_.module().make(op, fields.words()));
}

}  // namespace coopc::spirv::lower
