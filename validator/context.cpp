// One pass over the module collects declarations, decorations and functions. The rules' queries are answered
// from these.
#include "validator/context.hpp"

#include <algorithm>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "spirv/disassembler.hpp"
#include "spirv/grammar.hpp"
#include "spirv/tensors.hpp"

namespace coopc::validator {

using spirv::kNone;
using spv::Op;

namespace {

std::vector<spirv::SpecializationValue> valuesOf(const ValidateOptions& options) {
  std::vector<spirv::SpecializationValue> values;
  for (const Specialization& s : options.specializations) values.push_back({s.id, s.value});
  return values;
}

std::string number(uint64_t value) { return std::to_string(value); }

}  // namespace

Context::Context(const spirv::Module& module, const ValidateOptions& validateOptions, ValidateResult& result)
    : m(module), options(validateOptions), result_(result), evaluator_(module, valuesOf(validateOptions)) {
  suppress();
  collect();
  sortDecorations();
  addImplied();
  shader_ = declares(spv::Capability::Shader);
  // SPV_EXT_long_vector uses the same opcode as cooperative vectors, and its vectors may be in any storage
  // class.
  if (declares(spirv::enums::CapabilityLongVectorEXT)) {
    for (uint8_t& holds : holds_) holds &= uint8_t(~kHoldsCoopVec);
  }
  for (const uint8_t holds : holds_) held_ |= holds;
}

void Context::suppress() {
  suppressed_.resize(rules().size());
  for (size_t n = 0; n < rules().size(); ++n) {
    suppressed_[n] = !options.advice && rules()[n].level == RuleLevel::Advice;
    for (std::string_view id : options.suppress) {
      if (id == rules()[n].id) suppressed_[n] = true;
    }
  }
}

void Context::collect() {
  functionOf_.resize(m.bound, kNone);
  holds_.resize(m.bound);
  largest_.resize(m.bound);

  Function* current = nullptr;
  for (uint32_t n = 0; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    switch (i.op()) {
      case Op::OpCapability: capabilities_.push_back({word(i, 1), &i}); break;
      case Op::OpExtension: extensions_.push_back({string(i, 1), &i}); break;
      case Op::OpDecorate:
      case Op::OpDecorateId: decorations_.push_back(n); break;
      case Op::OpMemberDecorate:
        if (word(i, 3) == uint32_t(spv::Decoration::Offset)) memberOffsets_.push_back(n);
        break;
      case Op::OpFunction: {
        functionOf_[i.result] = uint32_t(functions_.size());
        current = &functions_.emplace_back();
        current->id = i.result;
        current->first = current->last = n;
        current->result = i.type;
        break;
      }
      case Op::OpFunctionParameter:
        if (current != nullptr) current->parameters.push_back(i.type);
        break;
      case Op::OpFunctionCall:
        if (current != nullptr) current->calls.emplace_back(word(i, 3), n);
        break;
      case Op::OpFunctionEnd:
        if (current != nullptr) current->last = n;
        current = nullptr;
        break;
      default: collectType(i); break;
    }
  }
}

void Context::collectType(const Instruction& i) {
  switch (i.op()) {
    case Op::OpTypeCooperativeMatrixKHR:
      holds_[i.result] = kHoldsMatrix;
      if ((holds_[m.idAt(i, 2)] & kHoldsSmallFloat) != 0) holds_[i.result] |= kHoldsSmallComponents;
      break;
    case Op::OpTypeTensorLayoutNV:
    case Op::OpTypeTensorViewNV: holds_[i.result] = kHoldsTensor; break;
    case spirv::enums::OpTypeTensorARM: holds_[i.result] = kHoldsArmTensor; break;
    case spirv::enums::OpTypeVectorIdEXT:
      holds_[i.result] = kHoldsCoopVec;
      if (const Op count = m.opOf(idAt(i, 3)); count == Op::OpSpecConstant || count == Op::OpSpecConstantOp)
        holds_[i.result] |= kHoldsSpecVector;
      if ((holds_[m.idAt(i, 2)] & kHoldsSmallFloat) != 0) holds_[i.result] |= kHoldsSmallComponents;
      break;
    case Op::OpTypeFloat:
      if (isBfloat16(i.result) || isFloat8(i.result)) holds_[i.result] = kHoldsSmallFloat;
      [[fallthrough]];
    case Op::OpTypeInt: largest_[i.result] = uint8_t(std::min(word(i, 2), 2040u) / 8); break;
    case Op::OpTypePointer: largest_[i.result] = 8; break;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
      holds_[i.result] = holds_[m.idAt(i, 2)];
      largest_[i.result] = largest_[m.idAt(i, 2)];
      break;
    case Op::OpTypeStruct:
      for (uint32_t k = 2; k < i.length; ++k) {
        holds_[i.result] |= holds_[m.idAt(i, k)];
        largest_[i.result] = std::max(largest_[i.result], largest_[m.idAt(i, k)]);
      }
      break;
    default: break;
  }
}

// Sorted by target, so that a query is a binary search.
void Context::sortDecorations() {
  std::stable_sort(decorations_.begin(), decorations_.end(), [&](uint32_t a, uint32_t b) {
    return word(m.instructions[a], 1) < word(m.instructions[b], 1);
  });
  std::stable_sort(memberOffsets_.begin(), memberOffsets_.end(), [&](uint32_t a, uint32_t b) {
    const Instruction &x = m.instructions[a], &y = m.instructions[b];
    return std::pair(word(x, 1), word(x, 2)) < std::pair(word(y, 1), word(y, 2));
  });
}

// Adds the capabilities that the declared ones imply, transitively.
void Context::addImplied() {
  std::vector<uint32_t> open;
  for (const Declared& d : capabilities_) open.push_back(d.capability);
  while (!open.empty()) {
    const uint32_t capability = open.back();
    open.pop_back();
    if (!implied_.insert(capability).second) continue;
    // The grammar does not have this capability yet.
    if (capability == uint32_t(spirv::enums::CapabilityBFloat16ArithmeticEXT))
      open.push_back(uint32_t(spirv::enums::CapabilityBFloat16TypeKHR));
    const spirv::EnumerantInfo* info = spirv::enumerantInfo(spirv::OperandKind::Capability, capability);
    if (info == nullptr) continue;
    for (uint16_t other : spirv::grammarCapabilities(info->capabilityList)) open.push_back(other);
  }
}

// --- Reporting ------------------------------------------------------------------------------------------------------

void Context::report(Rule rule, const Instruction* i, std::string message, const Defaults& byDefault,
                     std::vector<std::string> notes) {
  if (!wants(rule)) return;
  // Advice is given only if it does not depend on defaults.
  if (byDefault && description(rule).level == RuleLevel::Advice) return;
  if (result_.findings.size() >= options.maxFindings) {
    ++result_.dropped;
    return;
  }
  Finding f;
  f.rule = &description(rule);
  f.severity = f.rule->severity;
  if (byDefault && f.severity == FindingSeverity::Error) f.severity = FindingSeverity::Warning;
  if (options.warningsAsErrors && f.severity == FindingSeverity::Warning) f.severity = FindingSeverity::Error;
  f.message = std::move(message);
  if (byDefault) f.message += " (" + describe(byDefault) + ")";
  f.clause = f.rule->clause;
  f.instruction = i == nullptr ? kNoInstruction : indexOf(*i);
  f.word = i == nullptr ? 0 : i->at;
  f.notes = std::move(notes);
  result_.findings.push_back(std::move(f));
}

void Context::finish() {
  std::vector<Finding>& findings = result_.findings;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.instruction < b.instruction; });
  if (findings.empty()) return;
  std::vector<uint32_t> which;
  for (const Finding& f : findings) {
    if (f.instruction != kNoInstruction) which.push_back(f.instruction);
  }
  const std::vector<std::string> texts = spirv::disassembleInstructions(m, which);
  size_t n = 0;
  for (Finding& f : findings) {
    if (f.instruction == kNoInstruction) continue;
    f.disassembly = texts[n++];
    f.source = sourceOf(f.instruction);
  }
}

// The number of an instruction of NonSemantic.Shader.DebugInfo, or kNone.
uint32_t Context::debugNumber(const Instruction& i) const {
  if (i.op() != Op::OpExtInst && i.op() != Op::OpExtInstWithForwardRefsKHR) return kNone;
  const Instruction* set = m.def(idAt(i, 3));
  if (set == nullptr || set->op() != Op::OpExtInstImport) return kNone;
  constexpr std::string_view kPrefix = "NonSemantic.Shader.DebugInfo.";
  return string(*set, 2).substr(0, kPrefix.size()) == kPrefix ? word(i, 4) : kNone;
}

namespace {

std::string lineOf(const std::string& text, uint32_t line) {
  size_t at = 0;
  for (uint32_t l = 1; l < line && at != std::string::npos; ++l) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (line == 0 || at == std::string::npos || at >= text.size()) return {};
  return text.substr(at, std::min<size_t>(text.find('\n', at), text.size()) - at);
}

}  // namespace

// DebugLine has the source, first and last line, and first and last column. All but the source are ids of
// constants.
SourcePlace Context::sourceOfDebugLine(const Instruction& line) const {
  SourcePlace place;
  const Instruction* source = m.def(idAt(line, 5));
  if (source == nullptr || debugNumber(*source) != NonSemanticShaderDebugInfo100DebugSource) return place;
  const auto text = [&](Id id) {
    const Instruction* i = m.def(id);
    return i != nullptr && i->op() == Op::OpString ? std::string(string(*i, 2)) : std::string();
  };
  place.file = text(idAt(*source, 5));
  place.line = value(idAt(line, 6)).u32();
  place.column = value(idAt(line, 8)).u32();
  std::string whole = source->length > 6 ? text(idAt(*source, 6)) : std::string();
  for (uint32_t n = indexOf(*source) + 1;
       n < m.instructions.size() &&
       debugNumber(m.instructions[n]) == NonSemanticShaderDebugInfo100DebugSourceContinued;
       ++n) {
    whole += text(idAt(m.instructions[n], 5));
  }
  place.text = lineOf(whole, place.line);
  return place;
}

SourcePlace Context::sourceOf(uint32_t instruction) const {
  SourcePlace place;
  // The last OpLine or DebugLine before the instruction, unless a block ended, or OpNoLine or DebugNoLine
  // came in between.
  const Instruction* line = nullptr;
  for (uint32_t n = instruction; n-- > 0;) {
    const Op op = m.instructions[n].op();
    if (op == Op::OpLine) {
      line = &m.instructions[n];
      break;
    }
    const uint32_t debug = debugNumber(m.instructions[n]);
    if (debug == NonSemanticShaderDebugInfo100DebugLine) return sourceOfDebugLine(m.instructions[n]);
    if (op == Op::OpNoLine || debug == NonSemanticShaderDebugInfo100DebugNoLine || op == Op::OpFunctionEnd ||
        (n + 1 < instruction && spirv::isTerminator(op)))
      break;
  }
  if (line == nullptr) return place;
  const Instruction* file = m.def(idAt(*line, 1));
  if (file != nullptr && file->op() == Op::OpString) place.file = string(*file, 2);
  place.line = word(*line, 2);
  place.column = word(*line, 3);
  // The source itself: OpSource with that file, continued by OpSourceContinued.
  for (uint32_t n = 0; n < m.functionsAt && n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() != Op::OpSource || i.length < 5 || word(i, 3) != word(*line, 1)) continue;
    std::string text(string(i, 4));
    for (uint32_t k = n + 1; k < m.instructions.size() && m.instructions[k].op() == Op::OpSourceContinued;
         ++k) {
      text += string(m.instructions[k], 1);
    }
    place.text = lineOf(text, place.line);
    break;
  }
  return place;
}

// --- Module ---------------------------------------------------------------------------------------------------------

bool Context::declares(spv::Capability capability) const { return implied_.count(uint32_t(capability)) != 0; }

bool Context::declaresItself(spv::Capability capability) const {
  for (const Declared& d : capabilities_) {
    if (d.capability == uint32_t(capability)) return true;
  }
  return false;
}

bool Context::hasExtension(std::string_view name) const {
  for (const Extension& e : extensions_) {
    if (e.name == name) return true;
  }
  return false;
}

std::string_view Context::string(const Instruction& i, uint32_t at) const {
  if (at >= i.length) return {};
  const char* text = reinterpret_cast<const char*>(m.at(i) + at);
  const size_t limit = size_t(i.length - at) * 4;
  size_t n = 0;
  while (n < limit && text[n] != 0) ++n;
  return {text, n};
}

std::optional<uint32_t> Context::decoration(Id id, spv::Decoration wanted) const {
  auto at = std::lower_bound(decorations_.begin(), decorations_.end(), id, [&](uint32_t n, Id target) {
    return word(m.instructions[n], 1) < target.index();
  });
  for (; at != decorations_.end() && idAt(m.instructions[*at], 1) == id; ++at) {
    if (word(m.instructions[*at], 2) == uint32_t(wanted)) return word(m.instructions[*at], 3);
  }
  return std::nullopt;
}

bool Context::isDecorated(Id id, spv::Decoration wanted) const { return decoration(id, wanted).has_value(); }

std::optional<uint32_t> Context::memberOffset(Id structType, uint32_t member) const {
  const std::pair key(structType, member);
  const auto keyOf = [&](uint32_t n) {
    return std::pair(idAt(m.instructions[n], 1), word(m.instructions[n], 2));
  };
  const auto at = std::lower_bound(memberOffsets_.begin(), memberOffsets_.end(), key,
                                   [&](uint32_t n, const auto& k) { return keyOf(n) < k; });
  if (at == memberOffsets_.end() || keyOf(*at) != key) return std::nullopt;
  return word(m.instructions[*at], 4);
}

// --- Types ----------------------------------------------------------------------------------------------------------

bool Context::sameType(Id a, Id b) const {
  if (a == b) return bool(a);
  const Instruction *x = type(a), *y = type(b);
  if (x == nullptr || y == nullptr || x->op() != y->op()) return false;
  switch (x->op()) {
    case Op::OpTypeVoid:
    case Op::OpTypeBool: return true;
    case Op::OpTypeInt: return word(*x, 2) == word(*y, 2) && word(*x, 3) == word(*y, 3);
    case Op::OpTypeFloat: return word(*x, 2) == word(*y, 2) && encoding(a) == encoding(b);
    default: return false;
  }
}

std::optional<MatrixType> Context::matrix(Id typeId) const {
  if (typeOp(typeId) != Op::OpTypeCooperativeMatrixKHR) return std::nullopt;
  const Instruction& i = *type(typeId);
  return MatrixType{typeId, idAt(i, 2), idAt(i, 3), idAt(i, 4), idAt(i, 5), idAt(i, 6)};
}

std::optional<VectorType> Context::coopVec(Id typeId) const {
  if (typeOp(typeId) != spirv::enums::OpTypeVectorIdEXT) return std::nullopt;
  const Instruction& i = *type(typeId);
  return VectorType{typeId, idAt(i, 2), idAt(i, 3)};
}

std::optional<TensorType> Context::layout(Id typeId) const {
  if (typeOp(typeId) != Op::OpTypeTensorLayoutNV) return std::nullopt;
  const Id dim = idAt(*type(typeId), 2);
  return TensorType{typeId, dim, value(dim)};
}

std::optional<TensorType> Context::view(Id typeId) const {
  if (typeOp(typeId) != Op::OpTypeTensorViewNV) return std::nullopt;
  const Id dim = idAt(*type(typeId), 2);
  return TensorType{typeId, dim, value(dim)};
}

bool Context::pointer(Id typeId, spv::StorageClass& storage, Id& pointee) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return false;
  if (i->op() == Op::OpTypePointer) {
    storage = spv::StorageClass(word(*i, 2));
    pointee = idAt(*i, 3);
    return true;
  }
  if (i->op() == Op::OpTypeUntypedPointerKHR) {
    storage = spv::StorageClass(word(*i, 2));
    pointee = {};
    return true;
  }
  return false;
}

bool Context::isScalarOrVector(Id typeId) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return false;
  const bool vector = i->op() == Op::OpTypeVector ||
                      (i->op() == spirv::enums::OpTypeVectorIdEXT && (holds(typeId) & kHoldsCoopVec) == 0);
  const Id scalar = vector ? idAt(*i, 2) : typeId;
  return isNumerical(scalar) || isBool(scalar);
}

uint32_t Context::byteSize(Id typeId) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return 0;
  if (isNumerical(typeId)) return width(typeId) / 8;
  if (i->op() == Op::OpTypeVector && isNumerical(idAt(*i, 2)) && word(*i, 3) <= 0xFFFF) {
    return width(idAt(*i, 2)) / 8 * word(*i, 3);
  }
  if (i->op() == spirv::enums::OpTypeVectorIdEXT && isNumerical(idAt(*i, 2))) {
    const Value count = value(idAt(*i, 3));
    if (count.known && !count.byDefault && count.bits <= 0xFFFF) {
      return width(idAt(*i, 2)) / 8 * count.u32();
    }
  }
  return 0;
}

std::string Context::describe(const Value& value) const {
  if (!value.known) return "?";
  return number(value.bits);
}

std::string Context::describe(const Defaults& defaults) const {
  std::string list;
  uint32_t count = 0;
  for (Id id : defaults.ids()) {
    if (!id) break;
    const Id t = m.typeOf(id);
    const Value v = value(id);
    list += count++ == 0 ? "SpecId " : ", SpecId ";
    list += number(decoration(id, spv::Decoration::SpecId).value_or(0));
    if (const std::string_view name = nameOf(id); !name.empty()) list += " `" + std::string(name) + "`";
    list += " is ";
    list += isBool(t)     ? (v.bits != 0 ? "true" : "false")
            : isSigned(t) ? std::to_string(spirv::signExtend(v.bits, v.width))
                          : describe(v);
  }
  if (defaults.more()) list += " and others";
  return (count == 1 && !defaults.more() ? "with the default of a specialization constant: "
                                         : "with the defaults of specialization constants: ") +
         list;
}

std::string Context::describe(Id typeId) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return "no type";
  switch (i->op()) {
    case Op::OpTypeVoid: return "void";
    case Op::OpTypeBool: return "bool";
    case Op::OpTypeInt: return (isSigned(typeId) ? "int" : "uint") + number(width(typeId)) + "_t";
    case Op::OpTypeFloat: {
      if (i->length > 3) {
        const std::string_view name = spirv::enumerantName(spirv::OperandKind::FPEncoding, word(*i, 3));
        if (!name.empty()) return std::string(name);
      }
      return "float" + number(width(typeId)) + "_t";
    }
    case Op::OpTypeVector:
      if (!isNumerical(idAt(*i, 2)) && !isBool(idAt(*i, 2))) return "vector";
      return "vector of " + number(word(*i, 3)) + " " + describe(idAt(*i, 2));
    case Op::OpTypePointer:
      return "pointer in " + std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, word(*i, 2)));
    case Op::OpTypeArray: return "array of " + describe(value(idAt(*i, 3))) + " elements";
    case Op::OpTypeRuntimeArray: return "runtime array";
    case Op::OpTypeStruct: return "struct";
    case Op::OpTypeCooperativeMatrixKHR: {
      const MatrixType t = *matrix(typeId);
      const Value use = value(t.use), scope = value(t.scope);
      const char* uses[] = {"A", "B", "accumulator"};
      std::string text = describe(value(t.rows)) + "x" + describe(value(t.columns)) + " matrix of " +
                         (isNumerical(t.component) ? describe(t.component) : "no number");
      if (use.known && use.bits < 3) text += std::string(", use ") + uses[use.bits];
      if (scope.known) {
        const std::string_view name = spirv::enumerantName(spirv::OperandKind::Scope, scope.u32());
        if (!name.empty()) text += ", scope " + std::string(name);
      }
      return text;
    }
    case Op::OpTypeTensorLayoutNV: return "tensor layout";
    case Op::OpTypeTensorViewNV: return "tensor view";
    default: break;
  }
  if (typeOp(typeId) == spirv::enums::OpTypeTensorARM) return "tensor";
  if (typeOp(typeId) == spirv::enums::OpTypeVectorIdEXT)
    return "cooperative vector of " + describe(value(idAt(*i, 3)));
  return std::string(spirv::opName(i->opcode));
}

// --- Constants ------------------------------------------------------------------------------------------------------

bool Context::isConstant(Id id) const {
  switch (m.opOf(id)) {
    case Op::OpConstant:
    case Op::OpConstantTrue:
    case Op::OpConstantFalse:
    case Op::OpConstantComposite:
    case Op::OpConstantNull:
    case Op::OpSpecConstant:
    case Op::OpSpecConstantTrue:
    case Op::OpSpecConstantFalse:
    case Op::OpSpecConstantComposite:
    case Op::OpSpecConstantOp: return true;
    default: return false;
  }
}

Equal Context::equal(Id a, Id b) const {
  if (a == b) return Equal::Yes;
  const Value x = value(a), y = value(b);
  if (!x.known || !y.known) return Equal::Unknown;
  if (x.bits == y.bits) return Equal::Yes;
  return Equal::No;
}

// --- Functions and pointers -----------------------------------------------------------------------------------------

const Function* Context::function(Id id) const {
  if (!functionOf_.contains(id) || functionOf_[id] == kNone) return nullptr;
  return &functions_[functionOf_[id]];
}

bool Context::agreesWithType(const Function& f) const {
  const Instruction* t = type(idAt(m.instructions[f.first], 4));
  if (t == nullptr || t->op() != Op::OpTypeFunction || idAt(*t, 2) != f.result ||
      t->length - 3u != f.parameters.size()) {
    return false;
  }
  for (uint32_t n = 0; n < f.parameters.size(); ++n) {
    if (idAt(*t, 3 + n) != f.parameters[n]) return false;
  }
  return true;
}

std::string_view Context::nameOf(Id id) const {
  for (const Instruction& i : m.instructions) {
    if (i.op() == Op::OpName && idAt(i, 1) == id) {
      const std::string_view name = string(i, 2);
      size_t length = std::min(name.size(), kMaxName);
      // Between characters of UTF-8, of which all bytes but the first are 10xxxxxx.
      while (length < name.size() && length > 0 && (name[length] & 0xC0) == 0x80) --length;
      return name.substr(0, length);
    }
    if (i.op() == Op::OpFunction) break;
  }
  return {};
}

std::string Context::functionName(Id id) const {
  const std::string_view name = nameOf(id);
  return name.empty() ? "%" + number(id.index()) : std::string(name.substr(0, name.find('(')));
}

bool Context::pointsIntoArray(Id pointerId) const {
  for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
    const Instruction* i = m.def(pointerId);
    if (i == nullptr) return true;
    switch (i->op()) {
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain: {
        // Descends through the types that the indices select.
        spv::StorageClass storage;
        Id t;
        if (!pointer(m.typeOf(idAt(*i, 3)), storage, t)) return true;
        for (uint32_t n = 4; n < i->length; ++n) {
          const Instruction* at = type(t);
          if (at == nullptr) return true;
          if (at->op() == Op::OpTypeArray || at->op() == Op::OpTypeRuntimeArray) return true;
          if (at->op() == Op::OpTypeStruct) {
            const Value member = value(idAt(*i, n));
            if (!member.known || member.bits + 2 >= at->length) return true;
            t = idAt(*at, uint32_t(2 + member.bits));
          } else {
            t = idAt(*at, 2);
          }
        }
        const Op last = typeOp(t);
        if (last == Op::OpTypeArray || last == Op::OpTypeRuntimeArray) return true;
        pointerId = idAt(*i, 3);
        break;
      }
      case Op::OpCopyObject: pointerId = idAt(*i, 3); break;
      case Op::OpVariable: {
        spv::StorageClass storage;
        Id t;
        if (!pointer(i->type, storage, t)) return true;
        return typeOp(t) == Op::OpTypeArray || typeOp(t) == Op::OpTypeRuntimeArray;
      }
      default: return true;  // parameters, loaded pointers, OpPtrAccessChain: nothing is certain
    }
  }
  return true;
}

bool Context::offsetInVariable(Id pointerId, uint64_t& bytes, uint64_t& step, Defaults& byDefault) const {
  bytes = 0;
  step = 0;
  byDefault = {};
  const auto gcd = [](uint64_t a, uint64_t b) {
    while (b != 0) {
      const uint64_t r = a % b;
      a = b;
      b = r;
    }
    return a;
  };
  for (uint32_t depth = 0; depth < kMaxDepth; ++depth) {
    const Instruction* i = m.def(pointerId);
    if (i == nullptr) return false;
    if (i->op() == Op::OpCopyObject) {
      pointerId = idAt(*i, 3);
      continue;
    }
    if (i->op() == Op::OpVariable) {
      const auto storage = spv::StorageClass(word(*i, 3));
      return storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
    }
    if (i->op() != Op::OpAccessChain && i->op() != Op::OpInBoundsAccessChain) return false;
    spv::StorageClass storage;
    Id t;
    if (!pointer(m.typeOf(idAt(*i, 3)), storage, t)) return false;
    for (uint32_t n = 4; n < i->length; ++n) {
      const Instruction* at = type(t);
      if (at == nullptr) return false;
      const Value index = value(idAt(*i, n));
      uint64_t stride = 0;
      switch (at->op()) {
        case Op::OpTypeStruct: {
          if (!index.known || index.bits + 2 >= at->length) return false;
          byDefault |= index.byDefault;
          const auto offset = memberOffset(t, uint32_t(index.bits));
          if (offset.has_value()) {
            bytes += *offset;
          } else if (!isDecorated(t, spv::Decoration::Block) || index.bits != 0) {
            return false;
          }
          t = idAt(*at, uint32_t(2 + index.bits));
          continue;
        }
        case Op::OpTypeArray:
        case Op::OpTypeRuntimeArray: {
          const auto s = decoration(t, spv::Decoration::ArrayStride);
          if (!s.has_value()) {
            // An array of blocks (descriptors): each starts at an offset of its own.
            const Instruction* element = type(idAt(*at, 2));
            if (element == nullptr || element->op() != Op::OpTypeStruct) return false;
            t = idAt(*at, 2);
            continue;
          }
          stride = *s;
          t = idAt(*at, 2);
          break;
        }
        case Op::OpTypeVector:
          t = idAt(*at, 2);
          stride = byteSize(t);
          break;
        default: return false;
      }
      if (index.known) {
        bytes += stride * index.bits;
        byDefault |= index.byDefault;
      } else {
        step = gcd(step, stride);
      }
    }
    pointerId = idAt(*i, 3);
  }
  return false;
}

}  // namespace coopc::validator
