// The writer of lowered code, whose purpose is described in code.hpp: operations and structured control flow.
#include "spirv/lower/code.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

bool isVulkanModel(const Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto model = as<op::MemoryModel>(m, i)) return model.memoryModel() == spv::MemoryModel::Vulkan;
  }
  return false;
}

}  // namespace

Code::Code(Module& module)
    : preamble(module),
      annotations(module),
      globals(module, annotations),
      m_(module),
      writer_(module, globals),
      vulkanModel_(isVulkanModel(module)) {}

// --- Instructions ------------------------------------------------------------------------------------------
Id Code::op(spv::Op op, NamedId type, Operands operands) {
  const bool shared = KnownResults::mayBeShared(op);
  const uint32_t hash = shared ? KnownResults::hashOf(op, type, operands) : 0;
  if (shared) {
    if (const Id known = writer_.known().find(m_, hash, op, type, operands)) return known;
  }
  const Id id = m_.newId();
  const Instruction i = m_.make(op, type, id, operands);
  writer_.write(i);
  if (shared) writer_.known().add(i, hash);
  return id;
}

void Code::opAs(spv::Op op, NamedId type, NamedId result, Operands operands) {
  append(m_.make(op, type, result, operands));
}

Id Code::fold(spv::Op op, NamedId a, NamedId b) {
  const std::optional<uint32_t> x = globals.constantValue(a), y = globals.constantValue(b);
  if (x && y) {
    switch (op) {
      case spv::Op::OpIAdd: return u32(*x + *y);
      case spv::Op::OpISub: return u32(*x - *y);
      case spv::Op::OpIMul: return u32(*x * *y);
      case spv::Op::OpUDiv:
        if (*y != 0) return u32(*x / *y);
        break;
      case spv::Op::OpUMod:
        if (*y != 0) return u32(*x % *y);
        break;
      default: break;
    }
  }
  // An unknown operand equals no number.
  const bool neutral = op == spv::Op::OpIAdd || op == spv::Op::OpISub   ? y == 0u
                       : op == spv::Op::OpIMul || op == spv::Op::OpUDiv ? y == 1u
                                                                        : false;
  if (neutral) return a;
  if ((op == spv::Op::OpIAdd && x == 0u) || (op == spv::Op::OpIMul && x == 1u)) return b;
  if (op == spv::Op::OpIMul && (x == 0u || y == 0u)) return u32(0);
  if (op == spv::Op::OpUMod && y == 1u) return u32(0);
  const Id type = globals.typeU32();
  return make<op::Binary>(op, type, {a, b});
}

Id Code::operation(spv::Op op, bool ofBool, Operands operands) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod: {
      const Id a = operands[0].id(), b = operands[1].id();
      return fold(op, a, b);
    }
    default: {
      const Id type = ofBool ? globals.typeBool() : globals.typeU32();
      return this->op(op, type, operands);
    }
  }
}

namespace value {

void Leaf::makeConstants(Code& code) {
  if (isNumber_) id_ = code.u32(number_);
}

Id writeOperation(Code& code, spv::Op op, bool ofBool, Operands operands) {
  return code.operation(op, ofBool, operands);
}

}  // namespace value

Id Pointer::load() const {
  return storage_ == spv::StorageClass::Workgroup ? code_->loadShared(pointee_, id_)
                                                  : code_->load(pointee_, id_);
}

void Pointer::store(Id value) const {
  if (storage_ == spv::StorageClass::Workgroup)
    code_->storeShared(id_, value);
  else
    code_->store(id_, value);
}

Id Code::extract(NamedId type, NamedId composite, std::initializer_list<uint32_t> indices) {
  return make<op::CompositeExtract>(type, {.composite = composite, .indexes = indices});
}

Pointer Code::access(spv::StorageClass storage, NamedId part, NamedId base,
                     std::initializer_list<Id> indices) {
  const Id pointer = globals.typePointer(storage, part);
  return Pointer(*this, make<op::AccessChain>(pointer, {.base = base, .indexes = indices}), part, storage);
}

Pointer Code::localVariable(NamedId type) {
  const Id pointer = globals.typePointer(spv::StorageClass::Function, type);
  return Pointer(*this, writer_.localVariable(pointer), type, spv::StorageClass::Function);
}

// In the Vulkan memory model, accesses are ordered with those of other invocations only if they are not
// private (SPIR-V 3.26, NonPrivatePointer). The barrier makes them available and visible.
Id Code::loadShared(NamedId type, NamedId pointer) {
  if (!vulkanModel_) return load(type, pointer);
  return make<op::Load>(type,
                        {.pointer = pointer, .memoryOperands = {spv::MemoryAccessMask::NonPrivatePointer}});
}

void Code::storeShared(NamedId pointer, NamedId value) {
  if (!vulkanModel_) return store(pointer, value);
  make<op::Store>(
      {.pointer = pointer, .object = value, .memoryOperands = {spv::MemoryAccessMask::NonPrivatePointer}});
}

void Code::barrier(spv::Scope scope) {
  barrier(spv::Op::OpControlBarrier, scope, spv::MemorySemanticsMask::AcquireRelease,
          spv::MemorySemanticsMask::MakeAvailable | spv::MemorySemanticsMask::MakeVisible);
}

void Code::arrive(spv::Scope scope) {
  declareSplitBarriers();
  barrier(enums::OpControlBarrierArriveEXT, scope, spv::MemorySemanticsMask::Release,
          spv::MemorySemanticsMask::MakeAvailable);
}

void Code::wait(spv::Scope scope) {
  declareSplitBarriers();
  barrier(enums::OpControlBarrierWaitEXT, scope, spv::MemorySemanticsMask::Acquire,
          spv::MemorySemanticsMask::MakeVisible);
}

void Code::declareSplitBarriers() {
  preamble.capability(enums::CapabilitySplitBarrierEXT);
  preamble.extension("SPV_EXT_split_barrier");
}

// `ofModel`: bits that the Vulkan memory model requires in addition.
void Code::barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
                   spv::MemorySemanticsMask ofModel) {
  const auto semantics = order | spv::MemorySemanticsMask::WorkgroupMemory |
                         (vulkanModel_ ? ofModel : spv::MemorySemanticsMask::MaskNone);
  const Id execution = u32(uint32_t(scope)), bits = u32(uint32_t(semantics));
  const op::ControlBarrier::Fields fields{.execution = execution, .memory = execution, .semantics = bits};
  append(m_.make(op, fields.words()));
}

// --- Control flow ------------------------------------------------------------------------------------------
Code::Loop Code::openLoop(NamedId count, Unroll unroll, const std::vector<Id>& carried) {
  Loop l;
  l.unroll = unroll;
  l.header = writer_.newLabel();
  l.continues = writer_.newLabel();
  l.merge = writer_.newLabel();
  l.known = writer_.known().size();
  const Id before = writer_.currentBlock();
  make<op::Branch>({l.header});
  writer_.block(l.header);
  // The phis' values for the next iteration are only known when the loop is closed.
  const Id u32Type = globals.typeU32(), zero = u32(0);
  l.phis.push_back(writer_.phi(u32Type, {.incoming = {{zero, before}, {kNoId, l.continues}}}));
  for (const Id value : carried) {
    const Id type = globals.typeOf(value);
    l.phis.push_back(writer_.phi(type, {.incoming = {{value, before}, {kNoId, l.continues}}}));
  }
  l.index = l.phis.front().result;
  for (size_t k = 1; k < l.phis.size(); ++k) l.carried.push_back(l.phis[k].result);
  const Id test = writer_.newLabel(), body = writer_.newLabel();
  make<op::LoopMerge>({.mergeBlock = l.merge,
                       .continueTarget = l.continues,
                       .loopControl = unroll == Unroll::Yes ? spv::LoopControlMask::Unroll
                                                            : spv::LoopControlMask::DontUnroll});
  make<op::Branch>({test});
  writer_.block(test);
  const Id inside = less(l.index, count);
  make<op::BranchConditional>({.condition = inside, .trueLabel = body, .falseLabel = l.merge});
  writer_.block(body);
  return l;
}

std::vector<Id> Code::closeLoop(Loop l) {
  make<op::Branch>({l.continues});
  writer_.block(l.continues);
  const Id one = u32(1), u32Type = globals.typeU32();
  const Id next = make<op::IAdd>(u32Type, {l.index, one});
  writer_.known().forgetFrom(l.known);
  make<op::Branch>({l.header});
  writer_.block(l.merge);
  std::vector<Id> after;
  for (size_t k = 0; k < l.phis.size(); ++k) {
    const Id value = k == 0 ? next : l.carried[k - 1];
    writer_.setPhiValue(l.phis[k], 1, value);
    if (k > 0) after.push_back(l.phis[k].result);
  }
  return after;
}

void Code::finish() {
  globals.insert();
  preamble.insert();
  annotations.insert();
  m_.instructions.insert(m_.instructions.end(), writer_.added().begin(), writer_.added().end());
  globals.insertConstants();
}

bool movesValues(spv::Op op) {
  switch (op) {
    case spv::Op::OpLoad:
    case spv::Op::OpStore:
    case spv::Op::OpPhi:
    case spv::Op::OpVariable:
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpReturnValue:
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpCopyMemory:
    case spv::Op::OpSelect:
    case spv::Op::OpUndef:
    case spv::Op::OpExtInst:
      return true;  // non-semantic; other sets accept neither matrices nor small
                    // floats
    default: return false;
  }
}

// --- Pointers and types ------------------------------------------------------------------------------------
const Instruction* withoutCopies(const Module& m, Id value) {
  // The number of copies is limited, because copies in a hostile module may form a cycle.
  const Instruction* i = m.def(value);
  for (uint32_t n = 0; n < 256 && i != nullptr && i->op() == spv::Op::OpCopyObject; ++n)
    i = m.def(op::CopyObject(m, *i).operand());
  return i;
}

Id indexedType(const Code& code, const Instruction& chain) {
  const Module& m = code.module();
  const op::AnyAccessChain view(m, chain);
  const Id base = code.globals.typeOf(view.base());
  const bool element = indexesElements(chain.op());
  const auto pointer = as<op::TypePointer>(m, code.globals.definition(base));
  const IdRange all = view.indexes(), indexes = all.from(element ? 1 : 0);
  if (all.size() < (element ? 1u : 0u) || !pointer) return {};
  if (indexes.empty()) return element ? base : Id();
  Id type = pointer.type();
  for (uint32_t k = 0; k + 1 < indexes.size(); ++k) {
    type = partType(m, code.globals.definition(type), code.globals.constantValue(indexes[k]));
    if (!type) return {};
  }
  return type;
}

const Instruction* numberType(const Module& m, Id type) {
  const Instruction* i = m.def(type);
  if (i != nullptr && i->op() == spv::Op::OpTypeVector) i = m.def(op::TypeVector(m, *i).componentType());
  if (i == nullptr || (i->op() != spv::Op::OpTypeInt && i->op() != spv::Op::OpTypeFloat)) return nullptr;
  return i;
}

}  // namespace coopc::spirv::lower
