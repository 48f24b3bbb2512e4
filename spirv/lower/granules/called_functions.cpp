// Finds what the functions of a module do, in one walk over them and one along the calls.
#include "spirv/lower/granules/called_functions.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

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

// Whether an instruction may have a side effect outside its function.
bool hasEffect(const Module& m, const Instruction& i) {
  switch (i.op()) {
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory: {
      const Id target =
          i.op() == spv::Op::OpStore ? op::Store(m, i).pointer() : op::CopyMemory(m, i).target();
      const auto pointer = as<op::TypePointer>(m, m.typeOf(target));
      return !pointer || pointer.storageClass() != spv::StorageClass::Function;
    }
    case spv::Op::OpImageWrite:
    case spv::Op::OpControlBarrier:
    case spv::Op::OpMemoryBarrier:
    case enums::OpControlBarrierArriveEXT:
    case enums::OpControlBarrierWaitEXT:
    case spv::Op::OpCopyMemorySized:
    case spv::Op::OpCooperativeMatrixStoreKHR:
    case spv::Op::OpCooperativeMatrixStoreNV:
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
    case spv::Op::OpCooperativeVectorStoreNV: return true;
    case spv::Op::OpExtInst: {
      // Modf and Frexp write through a pointer. Except in hand-written assembly it points to a local
      // variable.
      const Instruction* set = m.def(op::ExtInst(m, i).set());
      return set == nullptr || set->op() != spv::Op::OpExtInstImport;
    }
    default: return isBetween(i.op(), spv::Op::OpAtomicLoad, spv::Op::OpAtomicXor);
  }
}

}  // namespace

std::vector<uint32_t> countUses(const Module& module) {
  std::vector<uint32_t> uses(module.bound);
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    module.forEachUse(module.instructions[n], [&](Id id) {
      if (id.index() < uses.size()) ++uses[id.index()];
    });
  }
  return uses;
}

CalledFunctions::CalledFunctions(const Module& module, const std::vector<uint32_t>& uses) {
  byId_.assign(module.bound, kNone);
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

}  // namespace coopc::spirv::lower
