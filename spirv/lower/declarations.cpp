// Finds or makes types, constants and variables; those that are made are put in place at the end.
#include "spirv/lower/declarations.hpp"

#include <algorithm>

#include "base/spirv_version.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

Declarations::Declarations(Module& module, Annotations& annotations)
    : m_(module), annotations_(annotations), pool_(module), firstMade_(module.bound) {}

// --- Types and constants -----------------------------------------------------------------------------------
// A module's array type may be decorated with a stride, which variables outside of buffers must not have.
void Declarations::findArrays() {
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

void Declarations::addArray(const Instruction& i) {
  const op::TypeArray array(m_, i);
  arrays_.try_emplace(std::pair(array.elementType(), array.length()), i.result);
}

Id Declarations::typeArray(NamedId element, uint32_t count) {
  const Id length = constantU32(count);
  if (!arraysFound_) {
    arraysFound_ = true;
    findArrays();
    for (const Instruction& i : globals_) {
      if (i.op() == spv::Op::OpTypeArray) addArray(i);
    }
  }
  const auto known = arrays_.find(std::pair(Id(element), length));
  return known != arrays_.end() ? known->second
                                : declare<op::TypeArray>({.elementType = element, .length = length});
}

Id Declarations::typeFunction(NamedId result, Operands parameters) {
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
  const Id id = declare<op::TypeFunction>({.returnType = result, .parameterTypes = parameters});
  functionTypes_.emplace(std::move(words), id);
  return id;
}

const Instruction* Declarations::definition(Id id) const {
  if (const Instruction* i = pool_.def(id)) return i;
  const size_t n = id.index() - size_t(firstMade_);
  return id.index() < firstMade_ || n >= globalAt_.size() || globalAt_[n] == 0 ? nullptr
                                                                               : &globals_[globalAt_[n] - 1];
}

void Declarations::addGlobal(const Instruction& i) {
  globals_.push_back(i);
  const size_t n = i.result.index() - size_t(firstMade_);
  if (n >= globalAt_.size()) globalAt_.resize(n + n / 2 + 64);
  globalAt_[n] = uint32_t(globals_.size());
  if (arraysFound_ && i.op() == spv::Op::OpTypeArray) addArray(i);
}

Id Declarations::constantU32(uint32_t value) {
  constexpr uint32_t kSmall = 256;
  if (small_.empty()) small_.resize(kSmall);
  if (value < kSmall && small_[value]) return small_[value];
  const Id type = typeU32();
  const Id constant = pool_.scalar(type, value);
  if (value < kSmall) small_[value] = constant;
  return constant;
}

void Declarations::remember(Id id, Id type) {
  if (id.index() < firstMade_) return;
  const size_t n = id.index() - firstMade_;
  if (n >= typeOfMade_.size()) typeOfMade_.resize(n + n / 2 + 64);
  typeOfMade_[n] = type;
}

Id Declarations::typeOf(Id id) const {
  if (id.index() >= firstMade_ && id.index() - firstMade_ < typeOfMade_.size()) {
    if (const Id type = typeOfMade_[id.index() - firstMade_]) return type;
  }
  const Instruction* i = definition(id);
  return i == nullptr ? Id() : i->type;
}

// --- Module scope ------------------------------------------------------------------------------------------
Id Declarations::declare(spv::Op op, NamedId type, Operands operands) {
  const Id id = m_.newId();
  addGlobal(m_.make(op, type, id, operands));
  return id;
}

bool Declarations::has(Id id) const {
  if (id.index() < m_.definitions.size() && m_.definitions[id.index()] != kNone)
    return m_.definitions[id.index()] < m_.functionsAt;
  return definition(id) != nullptr;
}

Id Declarations::variable(spv::StorageClass storage, NamedId pointee) {
  const Id pointer = typePointer(storage, pointee);
  const Id id = m_.newId();
  addGlobal(m_.make<op::Variable>(pointer, id, {.storageClass = storage}));
  remember(id, pointer);
  interface_.push_back(id);
  return id;
}

Id Declarations::builtInVariable(spv::BuiltIn builtIn, NamedId type) {
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
    annotations_.decorate(variable, spv::Decoration::BuiltIn, {builtIn});
  }
  builtInVariables_.push_back({builtIn, variable});
  return variable;
}

std::optional<uint32_t> Declarations::constantValue(Id id) const {
  const Instruction* i = definition(id);
  const auto constant = as<op::Constant>(m_, i);
  if (!constant || as<op::TypeInt>(m_, definition(i->type)).width() != 32) return std::nullopt;
  return constant.value();
}

// From version 1.4 on, an entry point lists all global variables that it uses; before, only variables of
// Input and Output (SPIR-V, OpEntryPoint).
void Declarations::addToInterfaces() {
  std::vector<Id> listed;
  for (const Id id : interface_) {
    const Instruction* v = definition(id);
    if (v == nullptr) continue;
    const auto storage = op::Variable(m_, *v).storageClass();
    if (m_.version >= kSpirv14 || storage == spv::StorageClass::Input || storage == spv::StorageClass::Output)
      listed.push_back(id);
  }
  if (listed.empty()) return;
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const auto entry = as<op::EntryPoint>(m_, m_.instructions[n]);
    if (!entry) continue;
    std::vector<Id> interface(entry.interface().begin(), entry.interface().end());
    interface.insert(interface.end(), listed.begin(), listed.end());
    m_.instructions[n] = m_.make<op::EntryPoint>({.executionModel = entry.executionModel(),
                                                  .entryPoint = entry.entryPoint(),
                                                  .name = entry.name(),
                                                  .interface = interface});
  }
}

void Declarations::insert() {
  addToInterfaces();
  m_.instructions.insert(m_.instructions.begin() + ptrdiff_t(m_.functionsAt), globals_.begin(),
                         globals_.end());
  m_.functionsAt += uint32_t(globals_.size());
}

void Declarations::insertConstants() {
  pool_.flushAndCompact();
  orderGlobals(m_);
}

// --- The order of globals ----------------------------------------------------------------------------------
void orderGlobals(Module& module) {
  // The beginning of the types. Everything before them stays in place.
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
