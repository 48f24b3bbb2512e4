// Finds what the functions of a module do, in one walk over them and one along the calls.
#include "spirv/lower/analysis/called_functions.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {

namespace {

// A rough number of machine instructions for one instruction. No device has one that divides integers.
uint32_t sizeOf(const Module& m, const Instruction& i) {
  switch (i.op()) {
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod: {
      return as<op::Constant>(m, op::Binary(m, i).operand2()) ? 3 : 16;
    }
    default: return 1;
  }
}

// Whether an instruction with a result also writes memory.
bool isAtomic(spv::Op op) {
  switch (op) {
    case spv::Op::OpAtomicFlagTestAndSet:
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT: return true;
    default: return isBetween(op, spv::Op::OpAtomicLoad, spv::Op::OpAtomicXor);
  }
}

// Whether an instruction without a result only directs what is executed, or says something about the text.
bool isQuiet(spv::Op op) {
  switch (op) {
    case spv::Op::OpNop:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpFunctionEnd:
    case spv::Op::OpLoopMerge:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable: return true;
    default: return false;
  }
}

}  // namespace

DebugInstructions::DebugInstructions(const Module& module) {
  constexpr std::string_view kDebug = "NonSemantic.Shader.DebugInfo";
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpExtInstImport || i.length < 2 + (kDebug.size() + 1 + 3) / 4) continue;
    const char* name = reinterpret_cast<const char*>(module.at(i) + 2);
    if (std::memcmp(name, kDebug.data(), kDebug.size()) == 0) sets_.push_back(i.result);
  }
}

bool DebugInstructions::has(const Module& module, const Instruction& i) const {
  return (i.op() == spv::Op::OpExtInst || i.op() == spv::Op::OpExtInstWithForwardRefsKHR) &&
         std::ranges::find(sets_, op::AnyExtInst(module, i).set()) != sets_.end();
}

// Finds the sets without effects: GLSL.std.450 and debug information, but not messages
// (NonSemantic.DebugPrintf). Modf and Frexp of GLSL.std.450 write through a pointer, but except in
// hand-written assembly it points to a local variable.
void CalledFunctions::findQuietSets(const Module& module) {
  quietSets_ = DebugInstructions(module).sets();
  quietSets_.push_back(glslImport(module));
}

// Whether an instruction may have a side effect outside its function. One without a result is there for its
// effect, unless it is known to have none.
bool CalledFunctions::hasEffect(const Module& m, const Instruction& i) const {
  switch (i.op()) {
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory: {
      const Id target =
          i.op() == spv::Op::OpStore ? op::Store(m, i).pointer() : op::CopyMemory(m, i).target();
      const auto pointer = as<op::TypePointer>(m, m.typeOf(target));
      return !pointer || pointer.storageClass() != spv::StorageClass::Function;
    }
    case spv::Op::OpExtInst:
    case spv::Op::OpExtInstWithForwardRefsKHR:
      return std::ranges::find(quietSets_, op::AnyExtInst(m, i).set()) == quietSets_.end();
    default: return i.result ? isAtomic(i.op()) : !isQuiet(i.op());
  }
}

std::vector<uint32_t> countUses(const Module& module, DebugUses debug) {
  std::vector<uint32_t> uses(module.bound);
  const DebugInstructions describing(module);
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    const Instruction& i = module.instructions[n];
    if (debug == DebugUses::No && describing.has(module, i)) continue;
    module.forEachUse(i, [&](Id id) {
      if (id.index() < uses.size()) ++uses[id.index()];
    });
  }
  return uses;
}

CalledFunctions::CalledFunctions(const Module& module, const std::vector<uint32_t>& uses) {
  byId_.assign(module.bound, kNone);
  findQuietSets(module);
  std::vector<Extent> extents;
  uint32_t parameters = 0;
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpFunction) {
      byId_[i.result.index()] = uint32_t(all_.size());
      all_.push_back({.readsRow = false,
                      .readsColumn = false,
                      .readsElement = false,
                      .calls = false,
                      .hasEffects = false});
      extents.push_back({n, n});
      parameters = 0;
    }
    if (all_.empty()) continue;
    extents.back().end = n;
    CalledFunction& f = all_.back();
    f.hasEffects = f.hasEffects || hasEffect(module, i);
    f.calls = f.calls || i.op() == spv::Op::OpFunctionCall;
    f.size += sizeOf(module, i);
    if (i.op() != spv::Op::OpFunctionParameter) continue;
    ++parameters;
    if (parameters == 1) f.readsRow = uses[i.result.index()] != 0;
    if (parameters == 2) f.readsColumn = uses[i.result.index()] != 0;
    if (parameters == 3) f.readsElement = uses[i.result.index()] != 0;
  }
  addEffectsOfCalls(module, extents);
}

// A caller has the effects of the functions that it calls. A function that is not in the module counts as one
// with effects.
void CalledFunctions::addEffectsOfCalls(const Module& module, const std::vector<Extent>& extents) {
  std::vector<std::vector<uint32_t>> callers(extents.size());
  for (uint32_t k = 0; k < extents.size(); ++k) {
    for (uint32_t n = extents[k].begin; n <= extents[k].end; ++n) {
      const Instruction& i = module.instructions[n];
      const auto call = as<op::FunctionCall>(module, i);
      const auto perElement = as<op::CooperativeMatrixPerElementOpNV>(module, i);
      if (!call && !perElement) continue;
      const Id callee = call ? call.function() : perElement.func();
      if (callee.index() >= byId_.size() || byId_[callee.index()] == kNone)
        all_[k].hasEffects = true;
      else
        callers[byId_[callee.index()]].push_back(k);
    }
  }
  std::vector<uint32_t> open;
  for (uint32_t k = 0; k < all_.size(); ++k) {
    if (all_[k].hasEffects) open.push_back(k);
  }
  while (!open.empty()) {
    const uint32_t callee = open.back();
    open.pop_back();
    for (const uint32_t caller : callers[callee]) {
      if (all_[caller].hasEffects) continue;
      all_[caller].hasEffects = true;
      open.push_back(caller);
    }
  }
}

const CalledFunction& CalledFunctions::operator[](Id id) const {
  static constexpr CalledFunction kUnknown;
  return id.index() >= byId_.size() || byId_[id.index()] == kNone ? kUnknown : all_[byId_[id.index()]];
}

bool CalledFunctions::mayWrite(const Module& module, const Instruction& i) const {
  if (const auto call = as<op::FunctionCall>(module, i)) return (*this)[call.function()].hasEffects;
  if (const auto call = as<op::CooperativeMatrixPerElementOpNV>(module, i))
    return (*this)[call.func()].hasEffects;
  return hasEffect(module, i);
}

bool isMovableLoad(const Module& module, const Instruction& i, const CalledFunctions& functions) {
  const auto call = as<op::CooperativeMatrixPerElementOpNV>(module, i);
  if (!call) return false;
  const CalledFunction& f = functions[call.func()];
  if (f.readsElement || f.hasEffects) return false;
  const IdRange operands = call.operands();
  return std::none_of(operands.begin(), operands.end(), [&](Id operand) {
    return module.opOf(module.typeOf(operand)) == spv::Op::OpTypeCooperativeMatrixKHR;
  });
}

}  // namespace coopc::spirv::lower
