// The writer of lowered code, whose purpose is described in code.hpp. Functions are rewritten into a separate
// vector. A block that is split keeps its label for the first part, so that branches to it stay correct, and
// phis are updated to name the block in which each predecessor now ends.
#include "spirv/lower/code.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/composites.hpp"

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

Code::Code(Module& module) : Declarations(module), vulkanModel_(isVulkanModel(module)) {}

Id Code::builtIn(spv::BuiltIn builtIn, NamedId type) {
  for (const auto& [known, value] : w_.builtIns) {
    if (known == builtIn) return value;
  }
  const Id variable = builtInVariable(builtIn, type), value = m_.newId();
  remember(value, type);
  w_.prologue.push_back(m_.make(spv::Op::OpLoad, type, value, {variable}));
  w_.builtIns.push_back({builtIn, value});
  return value;
}

// --- Instructions ------------------------------------------------------------------------------------------
void Code::append(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) w_.known.forgetFrom(0);
  write(i);
}

void Code::write(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) w_.current = i.result;
  if (i.result && i.type) remember(i.result, i.type);
  w_.out.push_back(i);
}

Id Code::op(spv::Op op, NamedId type, Operands operands) {
  const bool shared = KnownResults::mayBeShared(op);
  const uint32_t hash = shared ? KnownResults::hashOf(op, type, operands) : 0;
  if (shared) {
    if (const Id known = w_.known.find(m_, hash, op, type, operands)) return known;
  }
  const Id id = m_.newId();
  const Instruction i = m_.make(op, type, id, operands);
  write(i);
  if (shared) w_.known.add(i, hash);
  return id;
}

void Code::opAs(spv::Op op, NamedId type, NamedId result, Operands operands) {
  append(m_.make(op, type, result, operands));
}

Code::PhiPlace Code::phiLike(const Instruction& of, NamedId type) {
  operands_.clear();
  for (const auto [value, parent] : op::Phi(m_, of).incoming()) {
    operands_.push_back(kNoId);
    operands_.push_back(parent);
  }
  const Id id = m_.newId();
  const Instruction phi = m_.make(spv::Op::OpPhi, type, id, Operands(operands_));
  if (w_.phis.empty() || w_.phis.back() != w_.out.size()) w_.phis.push_back(w_.out.size());
  append(phi);
  return {id, phi.at};
}

void Code::setPhiValue(const PhiPlace& phi, uint32_t n, NamedId value) {
  m_.words[phi.at + 3 + 2 * n] = Id(value).index();
}

Id Code::fold(spv::Op op, NamedId a, NamedId b) {
  const std::optional<uint32_t> x = constantValue(a), y = constantValue(b);
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
  const Id type = typeU32();
  return this->op(op, type, {a, b});
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
      const Id type = ofBool ? typeBool() : typeU32();
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
  operands_.assign(1, composite);
  operands_.insert(operands_.end(), indices.begin(), indices.end());
  return op(spv::Op::OpCompositeExtract, type, Operands(operands_));
}

Pointer Code::access(spv::StorageClass storage, NamedId part, NamedId base,
                     std::initializer_list<Word> indices) {
  const Id pointer = typePointer(storage, part);
  operands_.assign(1, base);
  operands_.insert(operands_.end(), indices.begin(), indices.end());
  return Pointer(*this, op(spv::Op::OpAccessChain, pointer, Operands(operands_)), part, storage);
}

Pointer Code::localVariable(NamedId type) {
  const Id pointer = typePointer(spv::StorageClass::Function, type);
  const Id id = m_.newId();
  remember(id, pointer);
  w_.locals.push_back(m_.make(spv::Op::OpVariable, pointer, id, {spv::StorageClass::Function}));
  return Pointer(*this, id, type, spv::StorageClass::Function);
}

// In the Vulkan memory model, accesses are ordered with those of other invocations only if they are not
// private (SPIR-V 3.26, NonPrivatePointer). The barrier makes them available and visible.
Id Code::loadShared(NamedId type, NamedId pointer) {
  if (!vulkanModel_) return load(type, pointer);
  return op(spv::Op::OpLoad, type, {pointer, spv::MemoryAccessMask::NonPrivatePointer});
}

void Code::storeShared(NamedId pointer, NamedId value) {
  if (!vulkanModel_) return store(pointer, value);
  effect(spv::Op::OpStore, {pointer, value, spv::MemoryAccessMask::NonPrivatePointer});
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
  capability(enums::CapabilitySplitBarrierEXT);
  extension("SPV_EXT_split_barrier");
}

// `ofModel`: bits that the Vulkan memory model requires in addition.
void Code::barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
                   spv::MemorySemanticsMask ofModel) {
  const auto semantics = order | spv::MemorySemanticsMask::WorkgroupMemory |
                         (vulkanModel_ ? ofModel : spv::MemorySemanticsMask::MaskNone);
  const Id execution = u32(uint32_t(scope)), bits = u32(uint32_t(semantics));
  effect(op, {execution, execution, bits});
}

// --- Control flow ------------------------------------------------------------------------------------------
void Code::block(NamedId label) { write(m_.make(spv::Op::OpLabel, kNoId, label, {})); }

Code::Loop Code::openLoop(NamedId count, Unroll unroll, const std::vector<Id>& carried) {
  Loop l;
  l.unroll = unroll;
  l.header = label();
  l.continues = label();
  l.merge = label();
  l.known = w_.known.size();
  const Id before = w_.current;
  effect(spv::Op::OpBranch, {l.header});
  block(l.header);
  // The phis' values for the next iteration are only known when the loop is closed.
  const Id u32Type = typeU32(), zero = u32(0);
  l.phisAt = w_.out.size();
  l.index = op(spv::Op::OpPhi, u32Type, {zero, before, kNoId, l.continues});
  l.phis.push_back(l.index);
  for (const Id value : carried) {
    const Id type = typeOf(value);
    l.phis.push_back(op(spv::Op::OpPhi, type, {value, before, kNoId, l.continues}));
  }
  l.carried.assign(l.phis.begin() + 1, l.phis.end());
  const Id test = label(), body = label();
  effect(spv::Op::OpLoopMerge,
         {l.merge, l.continues,
          unroll == Unroll::Yes ? spv::LoopControlMask::Unroll : spv::LoopControlMask::DontUnroll});
  effect(spv::Op::OpBranch, {test});
  block(test);
  const Id inside = less(l.index, count);
  effect(spv::Op::OpBranchConditional, {inside, body, l.merge});
  block(body);
  return l;
}

std::vector<Id> Code::closeLoop(Loop l) {
  effect(spv::Op::OpBranch, {l.continues});
  block(l.continues);
  const Id one = u32(1), u32Type = typeU32();
  const Id next = op(spv::Op::OpIAdd, u32Type, {l.index, one});
  w_.known.forgetFrom(l.known);
  effect(spv::Op::OpBranch, {l.header});
  block(l.merge);
  for (size_t k = 0; k < l.phis.size(); ++k) {
    const Id value = k == 0 ? next : l.carried[k - 1];
    m_.words[w_.out[l.phisAt + k].at + 5] = value.index();
  }
  return {l.phis.begin() + 1, l.phis.end()};
}

// --- Functions ---------------------------------------------------------------------------------------------
Id Code::openFunction(NamedId result, const std::vector<Id>& parameterTypes, std::vector<Id>& parameters) {
  const Id function = m_.newId();
  w_.result = result;
  // Its type is only known once all parameters are: see closeFunction().
  append(m_.make(spv::Op::OpFunction, result, function, {0u, kNoId}));
  for (const Id type : parameterTypes) parameters.push_back(parameter(type));
  const Id entry = label();
  block(entry);
  return function;
}

Id Code::parameter(NamedId type) {
  const Id id = m_.newId();
  remember(id, type);
  w_.parameters.push_back(m_.make(spv::Op::OpFunctionParameter, type, id, {}));
  return id;
}

void Code::closeFunction() {
  std::vector<Word> types;
  for (const Instruction& i : w_.parameters) types.push_back(i.type);
  const Id functionType = typeFunction(w_.result, Operands(types));
  m_.words[w_.out.front().at + 4] = functionType.index();
  w_.out.insert(w_.out.begin() + 1, w_.parameters.begin(), w_.parameters.end());
  append(m_.make(spv::Op::OpFunctionEnd, {}));
  endFunction();
  added_.insert(added_.end(), w_.out.begin(), w_.out.end());
}

// Moves local variables and the prologue to the head of the entry block, and updates the predecessors that
// phis name.
void Code::endFunction() {
  std::sort(w_.ends.begin(), w_.ends.end());
  for (const size_t n : w_.phis) {
    const Instruction i = w_.out[n];
    for (uint32_t k = 4; k < i.length; k += 2) {
      const std::pair<Id, Id> from{Id(m_.words[i.at + k]), Id()};
      const auto end = std::lower_bound(w_.ends.begin(), w_.ends.end(), from);
      if (end != w_.ends.end() && end->first == from.first) m_.words[i.at + k] = end->second.index();
    }
  }
  if (!w_.locals.empty() || !w_.prologue.empty()) {
    size_t at = w_.functionAt;
    while (at < w_.out.size() && w_.out[at].op() != spv::Op::OpLabel) ++at;
    w_.out.insert(w_.out.begin() + ptrdiff_t(at) + 1, w_.locals.begin(), w_.locals.end());
    for (++at; at < w_.out.size(); ++at) {
      const spv::Op op = w_.out[at].op();
      if (op != spv::Op::OpVariable && op != spv::Op::OpLine && op != spv::Op::OpNoLine) break;
    }
    w_.out.insert(w_.out.begin() + ptrdiff_t(at), w_.prologue.begin(), w_.prologue.end());
  }
  w_.locals.clear();
  w_.prologue.clear();
  w_.builtIns.clear();
  w_.ends.clear();
  w_.phis.clear();
}

void Code::begin() {
  end_ = uint32_t(m_.instructions.size());
  w_.out.reserve(w_.out.size() + (end_ - m_.functionsAt));
}

// A loop header is the target of the back edge, so code that is inserted into it must not split it. If a
// header has more than phis, its OpLoopMerge moves up to them, and the rest becomes the loop's first block.
void Code::isolateHeader(uint32_t merge) {
  const Instruction terminator = m_.instructions[merge + 1];
  const op::LoopMerge loop(m_, m_.instructions[merge]);
  const Id mergeBlock = loop.mergeBlock();
  Id continues = loop.continueTarget();
  const auto leads = [&](Id label) { return label == mergeBlock || label == continues; };
  const auto branch = as<op::BranchConditional>(m_, terminator);
  const bool leaves = terminator.op() == spv::Op::OpBranch ||
                      (branch && (leads(branch.trueLabel()) || leads(branch.falseLabel())));
  if (!leaves) return;  // the remainder would be a selection without a merge instruction
  const Id header = w_.current, rest = label();
  if (continues == header) continues = rest;
  std::vector<Word> words{mergeBlock, continues, loop.loopControl()};
  for (const uint32_t parameter : loop.parameters()) words.push_back(parameter);
  append(m_.make(spv::Op::OpLoopMerge, Operands(words)));
  effect(spv::Op::OpBranch, {rest});
  block(rest);
  mergeWritten_ = merge;
}

bool Code::enter(uint32_t n) {
  const Instruction& i = m_.instructions[n];
  switch (i.op()) {
    case spv::Op::OpFunction: w_.functionAt = w_.out.size(); return true;
    case spv::Op::OpLabel:
      w_.original = i.result;
      w_.atHead = true;
      return true;
    case spv::Op::OpPhi: w_.phis.push_back(w_.out.size()); return true;
    case spv::Op::OpLine:
    case spv::Op::OpNoLine: return true;
    case spv::Op::OpLoopMerge:
      if (n == mergeWritten_) return false;
      // Inserted code has split the block between the header's label and this instruction.
      if (w_.current != w_.original) fault_ = true;
      return true;
    default: break;
  }
  // The first instruction of a block other than its label and phis. If the block is a loop header, what
  // follows may have to be split off.
  if (w_.atHead) {
    w_.atHead = false;
    uint32_t k = n;
    while (k < end_ && !isTerminator(m_.instructions[k].op()) &&
           m_.instructions[k].op() != spv::Op::OpLoopMerge)
      ++k;
    if (k < end_ && m_.instructions[k].op() == spv::Op::OpLoopMerge && w_.current == w_.original)
      isolateHeader(k);
  }
  return true;
}

void Code::leave(const Instruction& i) {
  if (i.op() == spv::Op::OpFunctionEnd) {
    endFunction();
    return;
  }
  if (isTerminator(i.op()) && w_.current != w_.original) w_.ends.push_back({w_.original, w_.current});
}

void Code::close() {
  std::vector<Instruction> all(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt);
  all.insert(all.end(), w_.out.begin(), w_.out.end());
  m_.instructions.swap(all);
  w_ = {};
}

void Code::finish() { insertAll(added_); }

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
  const Id base = code.typeOf(view.base());
  const bool element = indexesElements(chain.op());
  const auto pointer = as<op::TypePointer>(m, code.global(base));
  const IdRange all = view.indexes(), indexes = all.from(element ? 1 : 0);
  if (all.size() < (element ? 1u : 0u) || !pointer) return {};
  if (indexes.empty()) return element ? base : Id();
  Id type = pointer.type();
  for (uint32_t k = 0; k + 1 < indexes.size(); ++k) {
    type = partType(m, code.global(type), code.constantValue(indexes[k]));
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
