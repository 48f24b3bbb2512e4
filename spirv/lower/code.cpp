// The writer of lowered code, whose purpose is described in code.hpp. Functions are rewritten into a separate
// vector. A block that is split keeps its label for the first part, so that branches to it stay correct, and
// phis are updated to name the block in which each predecessor now ends.
#include "spirv/lower/code.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/composites.hpp"

namespace coopc::spirv::lower {

namespace {

// The words of a literal string.
std::vector<Word> stringWords(std::string_view text) {
  std::vector<Word> words(text.size() / 4 + 1);
  for (size_t n = 0; n < text.size(); ++n)
    words[n / 4] = Word(uint32_t(words[n / 4]) | uint32_t(uint8_t(text[n])) << (n % 4 * 8));
  return words;
}

bool isVulkanModel(const Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto model = as<op::MemoryModel>(m, i)) return model.memoryModel() == spv::MemoryModel::Vulkan;
  }
  return false;
}

}  // namespace

Code::Code(Module& module) : m_(module), pool_(module), vulkanModel_(isVulkanModel(module)) {
  firstMade_ = module.bound;
  const auto add = [&](Id target, uint32_t n) {
    if (isGlobal(target)) return;
    decorations_.push_back({target, n});
    const op::Decorate decorate(module, module.instructions[n]);
    if (decorate.decoration() == spv::Decoration::NonUniform) nonUniform_.insert(target);
  };
  std::map<Id, std::vector<uint32_t>> ofGroups;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (const auto decorate = as<op::Decorate>(module, i)) {
      const Id target = decorate.target();
      if (decorate.decoration() == spv::Decoration::ArrayStride)
        strides_.try_emplace(target, decorate.parameters().front());
      if (module.opOf(target) == spv::Op::OpDecorationGroup)
        ofGroups[target].push_back(n);
      else
        add(target, n);
    } else if (const auto group = as<op::GroupDecorate>(module, i)) {
      for (const Id target : group.targets())
        for (const uint32_t decoration : ofGroups[group.decorationGroup()]) add(target, decoration);
    }
  }
  std::ranges::sort(decorations_);
}

// --- Types and constants ----------------------------------------------------------------------------------------------
// A module's array type may be decorated with a stride, which variables outside of buffers must not have.
void Code::findArrays() {
  std::vector<bool> decorated(firstMade_);
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    if (const auto decorate = as<op::Decorate>(m_, i)) {
      if (decorate.target().index() < decorated.size()) decorated[decorate.target().index()] = true;
    } else if (i.op() == spv::Op::OpTypeArray && !decorated[i.result.index()]) {
      addArray(i);
    }
  }
}

void Code::addArray(const Instruction& i) {
  const op::TypeArray array(m_, i);
  arrays_.try_emplace(std::pair(array.elementType(), array.length()), i.result);
}

Id Code::typeArray(NamedId element, uint32_t count) {
  const Id length = u32(count);
  if (!arraysFound_) {
    arraysFound_ = true;
    findArrays();
    for (const Instruction& i : globals_) {
      if (i.op() == spv::Op::OpTypeArray) addArray(i);
    }
  }
  const auto known = arrays_.find(std::pair(Id(element), length));
  return known != arrays_.end() ? known->second : declare(spv::Op::OpTypeArray, kNoId, {element, length});
}

Id Code::typeFunction(NamedId result, Operands parameters) {
  std::vector<uint32_t> words{Id(result).index()};
  for (const Word word : parameters) words.push_back(uint32_t(word));
  if (functionTypes_.empty()) {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpTypeFunction) continue;
      functionTypes_.try_emplace(std::vector<uint32_t>(m_.at(i) + 2, m_.at(i) + i.length), i.result);
    }
  }
  const auto known = functionTypes_.find(words);
  if (known != functionTypes_.end()) return known->second;
  std::vector<Word> operands{result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  const Id id = declare(spv::Op::OpTypeFunction, kNoId, Operands(operands));
  functionTypes_.emplace(std::move(words), id);
  return id;
}

const Instruction* Code::global(Id id) const {
  if (const Instruction* i = pool_.def(id)) return i;
  const size_t n = id.index() - size_t(firstMade_);
  return id.index() < firstMade_ || n >= globalAt_.size() || globalAt_[n] == 0 ? nullptr
                                                                               : &globals_[globalAt_[n] - 1];
}

void Code::addGlobal(const Instruction& i) {
  globals_.push_back(i);
  const size_t n = i.result.index() - size_t(firstMade_);
  if (n >= globalAt_.size()) globalAt_.resize(n + n / 2 + 64);
  globalAt_[n] = uint32_t(globals_.size());
  if (arraysFound_ && i.op() == spv::Op::OpTypeArray) addArray(i);
}

UInt Code::u32(uint32_t value) {
  constexpr uint32_t kSmall = 256;
  if (small_.empty()) small_.resize(kSmall);
  if (value < kSmall && small_[value]) return UInt(*this, small_[value]);
  const Id type = typeU32();
  const Id constant = pool_.scalar(type, value);
  if (value < kSmall) small_[value] = constant;
  return UInt(*this, constant);
}

void Code::remember(Id id, Id type) {
  if (id.index() < firstMade_) return;
  const size_t n = id.index() - firstMade_;
  if (n >= typeOfMade_.size()) typeOfMade_.resize(n + n / 2 + 64);
  typeOfMade_[n] = type;
}

Id Code::typeOf(Id id) const {
  if (id.index() >= firstMade_ && id.index() - firstMade_ < typeOfMade_.size()) {
    if (const Id type = typeOfMade_[id.index() - firstMade_]) return type;
  }
  const Instruction* i = global(id);
  return i == nullptr ? Id() : i->type;
}

// --- Module scope -----------------------------------------------------------------------------------------------------
Id Code::declare(spv::Op op, NamedId type, Operands operands) {
  const Id id = m_.newId();
  addGlobal(m_.make(op, type, id, operands));
  return id;
}

bool Code::isGlobal(Id id) const {
  if (id.index() < m_.definitions.size() && m_.definitions[id.index()] != kNone)
    return m_.definitions[id.index()] < m_.functionsAt;
  return global(id) != nullptr;
}

void Code::capability(spv::Capability capability) {
  // The same ones are asked for again and again.
  if (std::find(declared_.begin(), declared_.end(), capability) != declared_.end()) return;
  declared_.push_back(capability);
  const auto same = [&](const Instruction& i) {
    const auto declaration = as<op::Capability>(m_, i);
    return declaration && declaration.capability() == capability;
  };
  if (std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt, same) ||
      std::any_of(capabilities_.begin(), capabilities_.end(), same))
    return;
  capabilities_.push_back(m_.make(spv::Op::OpCapability, {capability}));
}

void Code::extension(std::string_view name) {
  // The same ones are asked for again and again.
  if (std::find(declaredExtensions_.begin(), declaredExtensions_.end(), name) != declaredExtensions_.end())
    return;
  declaredExtensions_.emplace_back(name);
  const std::vector<Word> words = stringWords(name);
  const auto same = [&](const Instruction& i) {
    return i.op() == spv::Op::OpExtension && i.length == words.size() + 1 &&
           std::memcmp(m_.at(i) + 1, words.data(), words.size() * sizeof(Word)) == 0;
  };
  if (std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt, same) ||
      std::any_of(extensions_.begin(), extensions_.end(), same))
    return;
  extensions_.push_back(m_.make(spv::Op::OpExtension, Operands(words)));
}

void Code::decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands) {
  std::vector<Word> words{target, decoration};
  words.insert(words.end(), operands.begin(), operands.end());
  annotations_.push_back(m_.make(spv::Op::OpDecorate, Operands(words)));
}

void Code::setNonUniform(Id pointer) {
  if (nonUniform_.insert(pointer).second)
    valueDecorations_.push_back(m_.make(spv::Op::OpDecorate, {pointer, spv::Decoration::NonUniform}));
}

void Code::copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration)) {
  auto at = std::ranges::lower_bound(decorations_, std::pair(original, uint32_t{0}));
  for (; at != decorations_.end() && at->first == original; ++at) {
    const op::Decorate decorate(m_, m_.instructions[at->second]);
    const spv::Decoration decoration = decorate.decoration();
    if (wanted != nullptr && !wanted(decoration)) continue;
    std::vector<Word> words{copy, decoration};
    for (const uint32_t parameter : decorate.parameters()) words.push_back(parameter);
    valueDecorations_.push_back(m_.make(spv::Op::OpDecorate, Operands(words)));
    if (decoration == spv::Decoration::NonUniform) nonUniform_.insert(copy);
  }
}

void Code::decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                          std::initializer_list<Word> operands) {
  std::vector<Word> words{target, member, decoration};
  words.insert(words.end(), operands.begin(), operands.end());
  annotations_.push_back(m_.make(spv::Op::OpMemberDecorate, Operands(words)));
}

void Code::name(Id target, std::string_view text) {
  std::vector<Word> words{target};
  const std::vector<Word> string = stringWords(text);
  words.insert(words.end(), string.begin(), string.end());
  names_.push_back(m_.make(spv::Op::OpName, Operands(words)));
}

Id Code::variable(spv::StorageClass storage, NamedId pointee) {
  const Id pointer = typePointer(storage, pointee);
  const Id id = m_.newId();
  addGlobal(m_.make(spv::Op::OpVariable, pointer, id, {storage}));
  remember(id, pointer);
  interface_.push_back(id);
  return id;
}

Id Code::builtIn(spv::BuiltIn builtIn, NamedId type) {
  for (const auto& [known, value] : w_.builtIns) {
    if (known == builtIn) return value;
  }
  Id variable;
  for (const auto& [known, id] : builtInVariables_) {
    if (known == builtIn) variable = id;
  }
  for (uint32_t n = 0; n < m_.functionsAt && !variable; ++n) {
    const auto decorate = as<op::Decorate>(m_, m_.instructions[n]);
    if (!decorate || decorate.decoration() != spv::Decoration::BuiltIn ||
        spv::BuiltIn(decorate.parameters().front()) != builtIn)
      continue;
    const Instruction* v = m_.def(decorate.target());
    if (v == nullptr || v->op() != spv::Op::OpVariable) continue;
    if (as<op::TypePointer>(m_, v->type).type() == type) variable = v->result;
  }
  if (!variable) {
    variable = this->variable(spv::StorageClass::Input, type);
    decorate(variable, spv::Decoration::BuiltIn, {builtIn});
  }
  builtInVariables_.push_back({builtIn, variable});
  const Id value = m_.newId();
  remember(value, type);
  w_.prologue.push_back(m_.make(spv::Op::OpLoad, type, value, {variable}));
  w_.builtIns.push_back({builtIn, value});
  return value;
}

// --- Instructions -----------------------------------------------------------------------------------------------------
void Code::append(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) forgetFrom(0);
  write(i);
}

void Code::write(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) w_.current = i.result;
  if (i.result && i.type) remember(i.result, i.type);
  w_.out.push_back(i);
}

// --- Results that are there already -----------------------------------------------------------------------------------
namespace {

// Pure operations that are exact, so that no decoration of one use can be wrong for another.
bool mayBeShared(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpULessThan:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpBitcast:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpAccessChain: return true;
    default: return false;
  }
}

}  // namespace

uint32_t Code::hashOf(spv::Op op, NamedId type, Operands operands) const {
  uint32_t hash = hashWord(uint32_t(op), Id(type).index());
  for (const Word word : operands) hash = hashWord(hash, word);
  return hash;
}

Id Code::knownResult(uint32_t hash, spv::Op op, NamedId type, Operands operands) const {
  if (w_.knownSlots.empty()) return {};
  for (uint32_t n = w_.knownSlots[hash % w_.knownSlots.size()]; n != 0; n = w_.known[n - 1].before) {
    const Known& k = w_.known[n - 1];
    const Instruction& i = k.instruction;
    if (k.hash != hash || i.op() != op || i.type != Id(type) || i.length != 3 + operands.size()) continue;
    if (std::equal(operands.begin(), operands.end(), m_.words.data() + i.at + 3)) return i.result;
  }
  return {};
}

void Code::know(const Instruction& i, uint32_t hash) {
  w_.known.push_back({i, hash, 0});
  const auto enter = [&](size_t n) {
    uint32_t& slot = w_.knownSlots[w_.known[n].hash % w_.knownSlots.size()];
    w_.known[n].before = std::exchange(slot, uint32_t(n + 1));
  };
  if (w_.known.size() <= w_.knownSlots.size()) return enter(w_.known.size() - 1);
  w_.knownSlots.assign(std::max<size_t>(64, 2 * w_.knownSlots.size()), 0);
  for (size_t n = 0; n < w_.known.size(); ++n) enter(n);
}

void Code::forgetFrom(size_t known) {
  while (w_.known.size() > known) {
    w_.knownSlots[w_.known.back().hash % w_.knownSlots.size()] = w_.known.back().before;
    w_.known.pop_back();
  }
}

Id Code::op(spv::Op op, NamedId type, Operands operands) {
  const bool shared = mayBeShared(op);
  const uint32_t hash = shared ? hashOf(op, type, operands) : 0;
  if (shared) {
    if (const Id known = knownResult(hash, op, type, operands)) return known;
  }
  const Id id = m_.newId();
  const Instruction i = m_.make(op, type, id, operands);
  write(i);
  if (shared) know(i, hash);
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

std::optional<uint32_t> Code::constantValue(Id id) const {
  const Instruction* i = global(id);
  const auto constant = as<op::Constant>(m_, i);
  if (!constant || as<op::TypeInt>(m_, global(i->type)).width() != 32) return std::nullopt;
  return constant.value();
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

// `ofModel`: what the Vulkan memory model asks for besides.
void Code::barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
                   spv::MemorySemanticsMask ofModel) {
  const auto semantics = order | spv::MemorySemanticsMask::WorkgroupMemory |
                         (vulkanModel_ ? ofModel : spv::MemorySemanticsMask::MaskNone);
  const Id execution = u32(uint32_t(scope)), bits = u32(uint32_t(semantics));
  effect(op, {execution, execution, bits});
}

// --- Control flow -----------------------------------------------------------------------------------------------------
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
  forgetFrom(l.known);
  effect(spv::Op::OpBranch, {l.header});
  block(l.merge);
  for (size_t k = 0; k < l.phis.size(); ++k) {
    const Id value = k == 0 ? next : l.carried[k - 1];
    m_.words[w_.out[l.phisAt + k].at + 5] = value.index();
  }
  return {l.phis.begin() + 1, l.phis.end()};
}

// --- Functions --------------------------------------------------------------------------------------------------------
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

// From version 1.4 on, an entry point lists all global variables that it uses; before, only those of Input
// and Output (SPIR-V, OpEntryPoint).
void Code::addToInterfaces(const std::vector<Id>& variables) {
  std::vector<Id> listed;
  for (const Id id : variables) {
    const Instruction* v = global(id);
    if (v == nullptr) continue;
    const auto storage = op::Variable(m_, *v).storageClass();
    if (m_.version >= 0x00010400 || storage == spv::StorageClass::Input ||
        storage == spv::StorageClass::Output)
      listed.push_back(id);
  }
  if (listed.empty()) return;
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction i = m_.instructions[n];
    if (i.op() != spv::Op::OpEntryPoint) continue;
    std::vector<Word> words;
    for (uint32_t k = 1; k < i.length; ++k) words.push_back(m_.word(i, k));
    words.insert(words.end(), listed.begin(), listed.end());
    m_.instructions[n] = m_.make(spv::Op::OpEntryPoint, Operands(words));
  }
}

void Code::finish() {
  addToInterfaces(interface_);
  // Inserts each list after the last instruction of its section (SPIR-V 2.4).
  const auto rank = [](spv::Op op) {
    switch (op) {
      case spv::Op::OpNop: return 0;  // removed by a pass
      case spv::Op::OpCapability: return 1;
      case spv::Op::OpExtension: return 2;
      case spv::Op::OpExtInstImport: return 3;
      case spv::Op::OpMemoryModel: return 4;
      case spv::Op::OpEntryPoint: return 5;
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId: return 6;
      case spv::Op::OpString:
      case spv::Op::OpSource:
      case spv::Op::OpSourceExtension:
      case spv::Op::OpSourceContinued: return 7;
      case spv::Op::OpName:
      case spv::Op::OpMemberName: return 8;
      case spv::Op::OpModuleProcessed: return 9;
      case spv::Op::OpDecorate:
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpDecorateString:
      case spv::Op::OpMemberDecorateString:
      case spv::Op::OpGroupDecorate:
      case spv::Op::OpGroupMemberDecorate:
      case spv::Op::OpDecorationGroup: return 10;
      default: return 11;
    }
  };
  annotations_.insert(annotations_.end(), valueDecorations_.begin(), valueDecorations_.end());
  const std::pair<int, std::vector<Instruction>*> lists[] = {
      {1, &capabilities_}, {2, &extensions_}, {8, &names_}, {10, &annotations_}};
  for (const auto& [section, list] : lists) {
    if (list->empty()) continue;
    size_t at = 0;
    while (at < m_.functionsAt && rank(m_.instructions[at].op()) <= section) ++at;
    m_.instructions.insert(m_.instructions.begin() + ptrdiff_t(at), list->begin(), list->end());
    m_.functionsAt += uint32_t(list->size());
  }
  m_.instructions.insert(m_.instructions.begin() + ptrdiff_t(m_.functionsAt), globals_.begin(),
                         globals_.end());
  m_.functionsAt += uint32_t(globals_.size());
  m_.instructions.insert(m_.instructions.end(), added_.begin(), added_.end());
  pool_.flushAndCompact();
  lower::orderGlobals(m_);
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

// --- Pointers and types -----------------------------------------------------------------------------------------------
const Instruction* withoutCopies(const Module& m, Id value) {
  // The number of copies is limited because those of a hostile module may form a ring.
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

// --- The order of globals ---------------------------------------------------------------------------------------------
void orderGlobals(Module& module) {
  // Where the types begin. Everything before them stays in place.
  uint32_t first = 0;
  for (; first < module.functionsAt; ++first) {
    const Instruction& i = module.instructions[first];
    if (i.result && i.op() != spv::Op::OpExtInstImport && i.op() != spv::Op::OpString &&
        i.op() != spv::Op::OpDecorationGroup)
      break;
    if (i.op() == spv::Op::OpTypeForwardPointer) break;
  }
  std::vector<bool> announced(module.bound), written(module.instructions.size());
  std::vector<Instruction> ordered;
  ordered.reserve(module.functionsAt - first);
  std::vector<uint32_t> open;  // instructions that wait for their operands to be written
  for (uint32_t root = first; root < module.functionsAt; ++root) {
    open.push_back(root);
    while (!open.empty()) {
      const uint32_t n = open.back();
      const Instruction& i = module.instructions[n];
      if (written[n]) {
        open.pop_back();
        continue;
      }
      if (i.op() == spv::Op::OpTypeForwardPointer)
        announced[op::TypeForwardPointer(module, i).pointerType().index()] = true;
      uint32_t missing = kNone;
      if (i.op() != spv::Op::OpTypeForwardPointer) {
        const Module& view = module;
        view.forEachUse(i, [&](Id id) {
          if (missing != kNone || announced[id.index()]) return;
          const uint32_t at = module.definitions[id.index()];
          if (at != kNone && at >= first && at < module.functionsAt && at != n && !written[at]) missing = at;
        });
      }
      // A cycle without a forward pointer is invalid; this prevents an endless loop.
      if (missing != kNone && open.size() <= module.functionsAt) {
        open.push_back(missing);
        continue;
      }
      written[n] = true;
      ordered.push_back(i);
      open.pop_back();
    }
  }
  for (uint32_t n = 0; n < ordered.size(); ++n) {
    module.instructions[first + n] = ordered[n];
    if (const Id result = ordered[n].result) module.definitions[result.index()] = first + n;
  }
}

}  // namespace coopc::spirv::lower
