// Collects what is made, in a list for each section of a module (SPIR-V 2.4).
#include "spirv/lower/declarations.hpp"

#include <algorithm>
#include <cstring>

#include "spirv/instructions.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv::lower {

namespace {

std::vector<Word> literalWords(std::string_view text) {
  std::vector<uint32_t> packed(literalTextWords(text));
  packLiteralText(packed.data(), text);
  return {packed.begin(), packed.end()};
}

}  // namespace

Declarations::Declarations(Module& module) : m_(module), pool_(module) {
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
  return known != arrays_.end() ? known->second : declare(spv::Op::OpTypeArray, kNoId, {element, length});
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
  std::vector<Word> operands{result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  const Id id = declare(spv::Op::OpTypeFunction, kNoId, Operands(operands));
  functionTypes_.emplace(std::move(words), id);
  return id;
}

const Instruction* Declarations::global(Id id) const {
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
  const Instruction* i = global(id);
  return i == nullptr ? Id() : i->type;
}

// --- Module scope ------------------------------------------------------------------------------------------
Id Declarations::declare(spv::Op op, NamedId type, Operands operands) {
  const Id id = m_.newId();
  addGlobal(m_.make(op, type, id, operands));
  return id;
}

bool Declarations::isGlobal(Id id) const {
  if (id.index() < m_.definitions.size() && m_.definitions[id.index()] != kNone)
    return m_.definitions[id.index()] < m_.functionsAt;
  return global(id) != nullptr;
}

void Declarations::capability(spv::Capability capability) {
  // Callers ask for the same few capabilities again and again.
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

Id Declarations::glslFunctions() {
  constexpr std::string_view kName = "GLSL.std.450";
  for (uint32_t n = 0; n < m_.functionsAt && !glsl_; ++n) {
    const auto import = as<op::ExtInstImport>(m_, m_.instructions[n]);
    if (import && import.name() == kName) glsl_ = m_.instructions[n].result;
  }
  if (!glsl_) {
    const std::vector<Word> words = literalWords(kName);
    glsl_ = m_.newId();
    imports_.push_back(m_.make(spv::Op::OpExtInstImport, kNoId, glsl_, Operands(words)));
  }
  return glsl_;
}

void Declarations::extension(std::string_view name) {
  // Callers ask for the same few capabilities again and again.
  if (std::find(declaredExtensions_.begin(), declaredExtensions_.end(), name) != declaredExtensions_.end())
    return;
  declaredExtensions_.emplace_back(name);
  const std::vector<Word> words = literalWords(name);
  const auto same = [&](const Instruction& i) {
    return i.op() == spv::Op::OpExtension && i.length == words.size() + 1 &&
           std::memcmp(m_.at(i) + 1, words.data(), words.size() * sizeof(Word)) == 0;
  };
  if (std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt, same) ||
      std::any_of(extensions_.begin(), extensions_.end(), same))
    return;
  extensions_.push_back(m_.make(spv::Op::OpExtension, Operands(words)));
}

void Declarations::decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands) {
  std::vector<Word> words{target, decoration};
  words.insert(words.end(), operands.begin(), operands.end());
  annotations_.push_back(m_.make(spv::Op::OpDecorate, Operands(words)));
}

void Declarations::setNonUniform(Id pointer) {
  if (nonUniform_.insert(pointer).second)
    valueDecorations_.push_back(m_.make(spv::Op::OpDecorate, {pointer, spv::Decoration::NonUniform}));
}

void Declarations::copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration)) {
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

void Declarations::decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                                  std::initializer_list<Word> operands) {
  std::vector<Word> words{target, member, decoration};
  words.insert(words.end(), operands.begin(), operands.end());
  annotations_.push_back(m_.make(spv::Op::OpMemberDecorate, Operands(words)));
}

void Declarations::name(Id target, std::string_view text) {
  std::vector<Word> words{target};
  const std::vector<Word> string = literalWords(text);
  words.insert(words.end(), string.begin(), string.end());
  names_.push_back(m_.make(spv::Op::OpName, Operands(words)));
}

Id Declarations::variable(spv::StorageClass storage, NamedId pointee) {
  const Id pointer = typePointer(storage, pointee);
  const Id id = m_.newId();
  addGlobal(m_.make(spv::Op::OpVariable, pointer, id, {storage}));
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
    decorate(variable, spv::Decoration::BuiltIn, {builtIn});
  }
  builtInVariables_.push_back({builtIn, variable});
  return variable;
}

std::optional<uint32_t> Declarations::constantValue(Id id) const {
  const Instruction* i = global(id);
  const auto constant = as<op::Constant>(m_, i);
  if (!constant || as<op::TypeInt>(m_, global(i->type)).width() != 32) return std::nullopt;
  return constant.value();
}

// From version 1.4 on, an entry point lists all global variables that it uses; before, only those of Input
// and Output (SPIR-V, OpEntryPoint).
void Declarations::addToInterfaces(const std::vector<Id>& variables) {
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

void Declarations::insertAll(const std::vector<Instruction>& functions) {
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
      {1, &capabilities_}, {2, &extensions_}, {3, &imports_}, {8, &names_}, {10, &annotations_}};
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
  m_.instructions.insert(m_.instructions.end(), functions.begin(), functions.end());
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
