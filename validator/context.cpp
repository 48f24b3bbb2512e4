// One pass over the module collects declarations, decorations and functions. The rules' queries are answered
// from these.
#include "validator/context.hpp"

#include <algorithm>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <utility>

#include "spirv/composites.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/grammar.hpp"
#include "spirv/matrix_type.hpp"
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
      case Op::OpCapability:
        capabilities_.push_back({uint32_t(op::Capability(m, i).capability()), &i});
        break;
      case Op::OpExtension: extensions_.push_back({op::Extension(m, i).name(), &i}); break;
      case Op::OpDecorate:
      case Op::OpDecorateId: decorations_.push_back(n); break;
      case Op::OpMemberDecorate:
        if (op::MemberDecorate(m, i).decoration() == spv::Decoration::Offset) memberOffsets_.push_back(n);
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
        if (current != nullptr) current->calls.emplace_back(op::FunctionCall(m, i).function(), n);
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
      if ((holds_[op::TypeCooperativeMatrixKHR(m, i).componentType()] & kHoldsSmallFloat) != 0)
        holds_[i.result] |= kHoldsSmallComponents;
      break;
    case Op::OpTypeTensorLayoutNV:
    case Op::OpTypeTensorViewNV: holds_[i.result] = kHoldsTensor; break;
    case spirv::enums::OpTypeTensorARM: holds_[i.result] = kHoldsArmTensor; break;
    case spirv::enums::OpTypeVectorIdEXT: {
      const op::TypeVectorIdEXT vector(m, i);
      const Op count = m.opOf(vector.componentCount());
      holds_[i.result] = kHoldsCoopVec;
      if (count == Op::OpSpecConstant || count == Op::OpSpecConstantOp) holds_[i.result] |= kHoldsSpecVector;
      if ((holds_[vector.componentType()] & kHoldsSmallFloat) != 0) holds_[i.result] |= kHoldsSmallComponents;
      break;
    }
    case Op::OpTypeFloat:
      if (isBfloat16(i.result) || isFloat8(i.result)) holds_[i.result] = kHoldsSmallFloat;
      [[fallthrough]];
    case Op::OpTypeInt:
      largest_[i.result] = uint8_t(std::min(op::NumberType(m, i).width(), 2040u) / 8);
      break;
    case Op::OpTypePointer: largest_[i.result] = 8; break;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeStruct:
      for (const Id part : spirv::partTypes(m, i)) {
        holds_[i.result] |= holds_[part];
        largest_[i.result] = std::max(largest_[i.result], largest_[part]);
      }
      break;
    default: break;
  }
}

// Sorted by target, so that a query is a binary search.
void Context::sortDecorations() {
  std::stable_sort(decorations_.begin(), decorations_.end(), [&](uint32_t a, uint32_t b) {
    return op::AnyDecorate(m, m.instructions[a]).target() < op::AnyDecorate(m, m.instructions[b]).target();
  });
  std::stable_sort(memberOffsets_.begin(), memberOffsets_.end(),
                   [&](uint32_t a, uint32_t b) { return memberAt(a) < memberAt(b); });
}

// Adds the capabilities that the declared ones imply, transitively.
void Context::addImplied() {
  std::vector<uint32_t> open;
  for (const Declared& d : capabilities_) open.push_back(d.capability);
  while (!open.empty()) {
    const uint32_t capability = open.back();
    open.pop_back();
    if (!implied_.insert(capability).second) continue;
    const spirv::EnumerantInfo* info = spirv::enumerantInfo(spirv::OperandKind::Capability, capability);
    if (info == nullptr) continue;
    for (uint16_t other : spirv::grammarCapabilities(info->capabilityList)) open.push_back(other);
  }
}

// --- Reporting ---------------------------------------------------------------------------------------------

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
  const auto call = as<op::AnyExtInst>(m, i);
  if (!call) return kNone;
  const bool debug = as<op::ExtInstImport>(m, call.set()).name().starts_with("NonSemantic.Shader.DebugInfo.");
  return debug ? call.instruction() : kNone;
}

namespace {

// Instructions of NonSemantic.Shader.DebugInfo.100. All operands are ids; in DebugLine, all but the source
// are ids of constants.
struct DebugLine : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id source() const { return operands()[0]; }
  Id lineStart() const { return operands()[1]; }
  Id columnStart() const { return operands()[3]; }
};
struct DebugSource : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id file() const { return operands()[0]; }
  Id text() const { return operands()[1]; }
};
struct DebugSourceContinued : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id text() const { return operands()[0]; }
};

}  // namespace

SourcePlace Context::sourceOfDebugLine(const Instruction& i) const {
  SourcePlace place;
  const DebugLine line(m, i);
  const Instruction* const defined = m.def(line.source());
  if (defined == nullptr || debugNumber(*defined) != NonSemanticShaderDebugInfo100DebugSource) return place;
  const DebugSource source(m, *defined);
  const auto text = [&](Id id) { return std::string(as<op::String>(m, id).string()); };
  place.file = text(source.file());
  place.line = value(line.lineStart()).u32();
  place.column = value(line.columnStart()).u32();
  SourceText& whole = sources_[line.source().index()];
  if (whole.starts.empty()) {
    whole.text = text(source.text());
    for (uint32_t n = indexOf(*defined) + 1;
         n < m.instructions.size() &&
         debugNumber(m.instructions[n]) == NonSemanticShaderDebugInfo100DebugSourceContinued;
         ++n) {
      whole.text += text(DebugSourceContinued(m, m.instructions[n]).text());
    }
  }
  place.text = whole.line(place.line);
  return place;
}

// The first call finds where the lines start.
std::string Context::SourceText::line(uint32_t number) {
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) starts.push_back(++at);
  }
  if (number == 0 || number > starts.size() || starts[number - 1] >= text.size()) return {};
  const size_t at = starts[number - 1];
  return text.substr(at, std::min<size_t>(text.find('\n', at), text.size()) - at);
}

// An instruction's line is given by the last OpLine or DebugLine before it, unless a block ended, or OpNoLine
// or DebugNoLine came in between. A label right after the end of a block still has that block's line.
void Context::findLines() const {
  lineOf_.reserve(m.instructions.size());
  uint32_t line = kNone;
  bool ended = false;  // the instruction before this one ended a block
  for (uint32_t n = 0; n < m.instructions.size(); ++n) {
    lineOf_.push_back(line);
    if (std::exchange(ended, false)) line = kNone;
    const Op op = m.instructions[n].op();
    const uint32_t debug = debugNumber(m.instructions[n]);
    if (op == Op::OpLine || debug == NonSemanticShaderDebugInfo100DebugLine) line = n;
    if (op == Op::OpNoLine || debug == NonSemanticShaderDebugInfo100DebugNoLine || op == Op::OpFunctionEnd)
      line = kNone;
    ended = spirv::isTerminator(op);
  }
}

// What is declared outside of functions has no line. Of a variable, its first use is shown; of an entry
// point, the first instruction of its function that has a line.
uint32_t Context::firstUseWithLine(uint32_t instruction) const {
  if (instruction >= m.functionsAt) return kNone;
  const Instruction& declared = m.instructions[instruction];
  const auto entry = as<op::EntryPoint>(m, declared);
  const Id id = entry ? entry.entryPoint() : declared.op() == Op::OpVariable ? declared.result : Id();
  if (!id) return kNone;
  if (firstUse_.empty()) findFirstUses();
  return id.index() < firstUse_.size() ? firstUse_[id.index()] : kNone;
}

// For all ids in one walk, because many findings may be about variables.
void Context::findFirstUses() const {
  firstUse_.assign(m.bound + size_t(1), kNone);
  const auto note = [&](Id id, uint32_t n) {
    if (id.index() < firstUse_.size() && firstUse_[id.index()] == kNone) firstUse_[id.index()] = n;
  };
  Id function;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() == Op::OpFunction) function = i.result;
    if (lineOf_[n] == kNone) continue;
    if (function) note(function, n);
    m.forEachOperandId(i, [&](Id operand) { note(operand, n); });
  }
}

SourcePlace Context::sourceOf(uint32_t instruction) const {
  SourcePlace place;
  if (lineOf_.empty()) findLines();
  const uint32_t at = instruction < lineOf_.size() ? lineOf_[instruction] : kNone;
  if (at == kNone) {
    const uint32_t use = firstUseWithLine(instruction);
    return use == kNone ? place : sourceOf(use);
  }
  const Instruction& line = m.instructions[at];
  if (line.op() != Op::OpLine) return sourceOfDebugLine(line);
  const op::Line view(m, line);
  place.file = as<op::String>(m, view.file()).string();
  place.line = view.line();
  place.column = view.column();
  // The source itself: OpSource with that file, continued by OpSourceContinued.
  const auto [known, added] = sources_.try_emplace(view.file().index());
  for (uint32_t n = 0; added && n < m.functionsAt && n < m.instructions.size(); ++n) {
    const auto source = as<op::Source>(m, m.instructions[n]);
    if (!source || !source.hasSource() || source.file() != view.file()) continue;
    known->second.text = source.source();
    for (uint32_t k = n + 1; k < m.instructions.size() && m.instructions[k].op() == Op::OpSourceContinued;
         ++k) {
      known->second.text += op::SourceContinued(m, m.instructions[k]).continuedSource();
    }
    break;
  }
  place.text = known->second.line(place.line);
  return place;
}

// --- Module ------------------------------------------------------------------------------------------------

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

std::optional<uint32_t> Context::decoration(Id id, spv::Decoration wanted) const {
  auto at = std::lower_bound(decorations_.begin(), decorations_.end(), id, [&](uint32_t n, Id target) {
    return op::AnyDecorate(m, m.instructions[n]).target() < target;
  });
  for (; at != decorations_.end(); ++at) {
    const op::AnyDecorate decorate(m, m.instructions[*at]);
    if (decorate.target() != id) break;
    if (decorate.decoration() == wanted) return decorate.parameters()[0];
  }
  return std::nullopt;
}

bool Context::isDecorated(Id id, spv::Decoration wanted) const { return decoration(id, wanted).has_value(); }

std::optional<uint32_t> Context::memberOffset(Id structType, uint32_t member) const {
  const std::pair key(structType, member);
  const auto at = std::lower_bound(memberOffsets_.begin(), memberOffsets_.end(), key,
                                   [&](uint32_t n, const auto& k) { return memberAt(n) < k; });
  if (at == memberOffsets_.end() || memberAt(*at) != key) return std::nullopt;
  return op::MemberDecorate(m, m.instructions[*at]).parameters()[0];
}

// --- Types -------------------------------------------------------------------------------------------------

bool Context::sameType(Id a, Id b) const {
  if (a == b) return bool(a);
  const Instruction *x = type(a), *y = type(b);
  if (x == nullptr || y == nullptr || x->op() != y->op()) return false;
  switch (x->op()) {
    case Op::OpTypeVoid:
    case Op::OpTypeBool: return true;
    case Op::OpTypeInt: {
      const op::TypeInt first(m, *x), second(m, *y);
      return first.width() == second.width() && first.signedness() == second.signedness();
    }
    case Op::OpTypeFloat: return width(a) == width(b) && encoding(a) == encoding(b);
    default: return false;
  }
}

std::optional<MatrixOperands> Context::matrix(Id typeId) const {
  const auto t = as<op::TypeCooperativeMatrixKHR>(m, typeId);
  if (!t) return std::nullopt;
  return MatrixOperands{typeId, t.componentType(), t.scope(), t.rows(), t.columns(), t.use()};
}

std::optional<VectorType> Context::coopVec(Id typeId) const {
  const auto t = as<op::TypeVectorIdEXT>(m, typeId);
  if (!t) return std::nullopt;
  return VectorType{typeId, t.componentType(), t.componentCount()};
}

std::optional<TensorType> Context::layout(Id typeId) const {
  const auto t = as<op::TypeTensorLayoutNV>(m, typeId);
  if (!t) return std::nullopt;
  return TensorType{typeId, t.dim(), value(t.dim())};
}

std::optional<TensorType> Context::view(Id typeId) const {
  const auto t = as<op::TypeTensorViewNV>(m, typeId);
  if (!t) return std::nullopt;
  return TensorType{typeId, t.dim(), value(t.dim())};
}

bool Context::pointer(Id typeId, spv::StorageClass& storage, Id& pointee) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return false;
  if (const auto typed = as<op::TypePointer>(m, *i)) {
    storage = typed.storageClass();
    pointee = typed.type();
    return true;
  }
  if (const auto untyped = as<op::TypeUntypedPointerKHR>(m, *i)) {
    storage = untyped.storageClass();
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
  const Id scalar = vector ? op::TypeOfElements(m, *i).elementType() : typeId;
  return isNumerical(scalar) || isBool(scalar);
}

uint32_t Context::byteSize(Id typeId) const {
  if (isNumerical(typeId)) return width(typeId) / 8;
  if (const auto vector = as<op::TypeVector>(m, typeId); vector && vector.componentCount() <= 0xFFFF)
    return width(vector.componentType()) / 8 * vector.componentCount();
  if (const auto vector = coopVec(typeId)) {
    const Value count = value(vector->count);
    if (count.known && !count.byDefault && count.bits <= 0xFFFF)
      return width(vector->component) / 8 * count.u32();
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
      if (encoding(typeId) != kNone) {
        const std::string_view name = spirv::enumerantName(spirv::OperandKind::FPEncoding, encoding(typeId));
        if (!name.empty()) return std::string(name);
      }
      return "float" + number(width(typeId)) + "_t";
    }
    case Op::OpTypeVector: {
      const op::TypeVector vector(m, *i);
      const Id component = vector.componentType();
      if (!isNumerical(component) && !isBool(component)) return "vector";
      return "vector of " + number(vector.componentCount()) + " " + describe(component);
    }
    case Op::OpTypeMatrix: return "matrix of " + number(op::TypeMatrix(m, *i).columnCount()) + " columns";
    case Op::OpTypePointer: {
      const auto storage = uint32_t(op::TypePointer(m, *i).storageClass());
      return "pointer in " + std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, storage));
    }
    case Op::OpTypeArray: return "array of " + describe(value(op::TypeArray(m, *i).length())) + " elements";
    case Op::OpTypeRuntimeArray: return "runtime array";
    case Op::OpTypeStruct: return "struct";
    case Op::OpTypeCooperativeMatrixKHR: {
      const MatrixOperands t = *matrix(typeId);
      return spirv::describe({value(t.scope), value(t.rows), value(t.columns), value(t.use)},
                             isNumerical(t.component) ? describe(t.component) : "no number");
    }
    case Op::OpTypeTensorLayoutNV: return "tensor layout";
    case Op::OpTypeTensorViewNV: return "tensor view";
    default: break;
  }
  if (typeOp(typeId) == spirv::enums::OpTypeTensorARM) return "tensor";
  if (const auto vector = coopVec(typeId)) return "cooperative vector of " + describe(value(vector->count));
  return std::string(spirv::opName(i->opcode));
}

// --- Constants ---------------------------------------------------------------------------------------------

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

// --- Functions and pointers --------------------------------------------------------------------------------

const Function* Context::function(Id id) const {
  if (!functionOf_.contains(id) || functionOf_[id] == kNone) return nullptr;
  return &functions_[functionOf_[id]];
}

bool Context::agreesWithType(const Function& f) const {
  const auto t = as<op::TypeFunction>(m, op::Function(m, m.instructions[f.first]).functionType());
  const IdRange parameters = t.parameterTypes();
  return t && t.returnType() == f.result &&
         std::equal(parameters.begin(), parameters.end(), f.parameters.begin(), f.parameters.end());
}

std::string_view Context::nameOf(Id id) const {
  for (const Instruction& i : m.instructions) {
    if (const auto given = as<op::Name>(m, i); given && given.target() == id) {
      const std::string_view name = given.name();
      size_t length = std::min(name.size(), kMaxName);
      // Cuts between characters of UTF-8: all bytes of a character but the first are 10xxxxxx.
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
        const op::AnyAccessChain chain(m, *i);
        spv::StorageClass storage;
        Id t;
        if (!pointer(m.typeOf(chain.base()), storage, t)) return true;
        for (const Id index : chain.indexes()) {
          const Instruction* at = type(t);
          if (at == nullptr) return true;
          if (at->op() == Op::OpTypeArray || at->op() == Op::OpTypeRuntimeArray) return true;
          if (const auto structure = as<op::TypeStruct>(m, *at)) {
            const Value member = value(index);
            if (!member.known || member.bits >= structure.memberTypes().size()) return true;
            t = structure.memberTypes()[uint32_t(member.bits)];
          } else {
            t = as<op::TypeOfElements>(m, *at).elementType();
          }
        }
        const Op last = typeOp(t);
        if (last == Op::OpTypeArray || last == Op::OpTypeRuntimeArray) return true;
        pointerId = chain.base();
        break;
      }
      case Op::OpCopyObject: pointerId = op::CopyObject(m, *i).operand(); break;
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
    if (const auto copy = as<op::CopyObject>(m, *i)) {
      pointerId = copy.operand();
      continue;
    }
    if (const auto variable = as<op::Variable>(m, *i)) {
      const spv::StorageClass storage = variable.storageClass();
      return storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
    }
    if (i->op() != Op::OpAccessChain && i->op() != Op::OpInBoundsAccessChain) return false;
    const op::AnyAccessChain chain(m, *i);
    spv::StorageClass storage;
    Id t;
    if (!pointer(m.typeOf(chain.base()), storage, t)) return false;
    for (const Id id : chain.indexes()) {
      const Instruction* at = type(t);
      if (at == nullptr) return false;
      const Value index = value(id);
      const Id element = as<op::TypeOfElements>(m, *at).elementType();
      uint64_t stride = 0;
      switch (at->op()) {
        case Op::OpTypeStruct: {
          const IdRange members = op::TypeStruct(m, *at).memberTypes();
          if (!index.known || index.bits >= members.size()) return false;
          byDefault |= index.byDefault;
          const auto offset = memberOffset(t, uint32_t(index.bits));
          if (offset.has_value()) {
            bytes += *offset;
          } else if (!isDecorated(t, spv::Decoration::Block) || index.bits != 0) {
            return false;
          }
          t = members[uint32_t(index.bits)];
          continue;
        }
        case Op::OpTypeArray:
        case Op::OpTypeRuntimeArray: {
          const auto s = decoration(t, spv::Decoration::ArrayStride);
          if (!s.has_value()) {
            // An array of blocks (descriptors): each starts at an offset of its own.
            if (typeOp(element) != Op::OpTypeStruct) return false;
            t = element;
            continue;
          }
          stride = *s;
          t = element;
          break;
        }
        case Op::OpTypeVector:
          t = element;
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
    pointerId = chain.base();
  }
  return false;
}

}  // namespace coopc::validator
