// Barriers: GLSL 4.60, 8.16 and 8.17, GL_KHR_memory_scope_semantics, GL_EXT_split_barrier,
// GL_KHR_shader_subgroup_basic.
#include "emit/builtins/call.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

constexpr auto kBarrierOrder = uint32_t(spv::MemorySemanticsMask::AcquireRelease);
constexpr auto kArrivalOrder = uint32_t(spv::MemorySemanticsMask::Release);
constexpr auto kWaitOrder = uint32_t(spv::MemorySemanticsMask::Acquire);
constexpr auto kUniform = uint32_t(spv::MemorySemanticsMask::UniformMemory);      // buffers
constexpr auto kWorkgroup = uint32_t(spv::MemorySemanticsMask::WorkgroupMemory);  // shared variables
constexpr auto kImage = uint32_t(spv::MemorySemanticsMask::ImageMemory);
constexpr uint32_t kAllMemory = kUniform | kWorkgroup | kImage;

void controlBarrier(Emitter& e, NamedId execution, NamedId memory, NamedId semantics) {
  e.make<op::ControlBarrier>({.execution = execution, .memory = memory, .semantics = semantics});
}

// One of the two parts of a barrier.
void splitBarrier(const BuiltinCall& c, spv::Op opcode, uint32_t order) {
  Emitter& e = c.e;
  e.declareFor(opcode);
  if (c.count() == 0) {
    const Id workgroup = e.constants.scope(spv::Scope::Workgroup);
    e.make<op::ControlBarrierArriveEXT>(
        opcode, {.execution = workgroup, .memory = workgroup, .semantics = e.u32(order | kWorkgroup)});
    return;
  }
  const Id execution = scopeOperand(e, c.args[0]);
  const Id memory = scopeOperand(e, c.args[1]);
  const Id semantics = semanticsOperand(e, c.args[2], c.args[3]);
  e.make<op::ControlBarrierArriveEXT>(opcode,
                                      {.execution = execution, .memory = memory, .semantics = semantics});
}

// In a tessellation control shader a barrier also orders accesses of a patch's invocations to its outputs.
// Without the Vulkan memory model, the instruction has this meaning by itself (SPIR-V, OpControlBarrier).
void patchBarrier(Emitter& e) {
  const Id workgroup = e.constants.scope(spv::Scope::Workgroup);
  const uint32_t outputs = static_cast<uint32_t>(spv::MemorySemanticsMask::OutputMemory) | kBarrierOrder;
  if (e.module.vulkanMemory) {
    const Id semantics = e.u32(outputs);
    controlBarrier(e, workgroup, workgroup, semantics);
  } else {
    const Id invocation = e.constants.scope(spv::Scope::Invocation), semantics = e.u32(0);
    controlBarrier(e, workgroup, invocation, semantics);
  }
}

}  // namespace

Id emitBarrierBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  const auto memory = [&](spv::Scope scope, uint32_t kinds) {
    const Id s = e.constants.scope(scope);
    e.make<op::MemoryBarrier>({.memory = s, .semantics = e.u32(kBarrierOrder | kinds)});
  };
  const auto control = [&](spv::Scope scope, uint32_t kinds) {
    const Id s = e.constants.scope(scope), semantics = e.u32(kBarrierOrder | kinds);
    controlBarrier(e, s, s, semantics);
  };
  // GL_KHR_memory_scope_semantics: the functions without operands have queue family scope; without the Vulkan
  // memory model that is Device scope.
  const spv::Scope wide = e.module.vulkanMemory ? spv::Scope::QueueFamily : spv::Scope::Device;
  switch (c.o) {
    case BuiltinOp::Barrier:
      if (e.program.stage == Stage::TessControl)
        patchBarrier(e);
      else
        control(spv::Scope::Workgroup, kWorkgroup);
      break;
    case BuiltinOp::MemoryBarrier: memory(wide, kAllMemory); break;
    case BuiltinOp::MemoryBarrierBuffer: memory(wide, kUniform); break;
    case BuiltinOp::MemoryBarrierShared: memory(wide, kWorkgroup); break;
    case BuiltinOp::MemoryBarrierImage: memory(wide, kImage); break;
    case BuiltinOp::GroupMemoryBarrier: memory(spv::Scope::Workgroup, kAllMemory); break;
    case BuiltinOp::SubgroupBarrier: control(spv::Scope::Subgroup, kAllMemory); break;
    case BuiltinOp::SubgroupMemoryBarrier: memory(spv::Scope::Subgroup, kAllMemory); break;
    case BuiltinOp::SubgroupMemoryBarrierBuffer: memory(spv::Scope::Subgroup, kUniform); break;
    case BuiltinOp::SubgroupMemoryBarrierShared: memory(spv::Scope::Subgroup, kWorkgroup); break;
    case BuiltinOp::SubgroupMemoryBarrierImage: memory(spv::Scope::Subgroup, kImage); break;
    case BuiltinOp::BarrierArrive:
    case BuiltinOp::ControlBarrierArrive:
      splitBarrier(c, spirv::enums::OpControlBarrierArriveEXT, kArrivalOrder);
      break;
    case BuiltinOp::BarrierWait:
    case BuiltinOp::ControlBarrierWait:
      splitBarrier(c, spirv::enums::OpControlBarrierWaitEXT, kWaitOrder);
      break;
    case BuiltinOp::ControlBarrier: {
      const Id execution = scopeOperand(e, c.args[0]);
      const Id scope = scopeOperand(e, c.args[1]);
      const Id semantics = semanticsOperand(e, c.args[2], c.args[3]);
      controlBarrier(e, execution, scope, semantics);
      break;
    }
    case BuiltinOp::MemoryBarrierScope: {
      const Id scope = scopeOperand(e, c.args[0]);
      e.make<op::MemoryBarrier>({.memory = scope, .semantics = semanticsOperand(e, c.args[1], c.args[2])});
      break;
    }
    default: return c.unsupported();
  }
  return {};
}

}  // namespace coopc::emit
