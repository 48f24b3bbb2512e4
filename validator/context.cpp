// One pass over the module collects declarations, decorations and functions. The rules' queries are answered
// from these.
#include "validator/context.hpp"

#include <algorithm>
#include <utility>

#include "spirv/composites.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/grammar.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/tensors.hpp"
#include "validator/source_places.hpp"

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
    : m(module),
      options(validateOptions),
      result_(result),
      decorations_(module),
      evaluator_(module, valuesOf(validateOptions)) {
  suppress();
  collect();
  decorations_.sort();
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
      case Op::OpDecorateId:
      case Op::OpMemberDecorate: decorations_.add(n); break;
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
  SourcePlaces places(m, evaluator_);
  for (Finding& f : findings) {
    if (f.instruction == kNoInstruction) continue;
    f.disassembly = texts[n++];
    f.source = places.find(f.instruction);
  }
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

std::optional<PointerType> Context::pointer(Id typeId) const {
  const Instruction* i = type(typeId);
  if (i == nullptr) return std::nullopt;
  if (const auto typed = as<op::TypePointer>(m, *i)) return PointerType{typed.storageClass(), typed.type()};
  if (const auto untyped = as<op::TypeUntypedPointerKHR>(m, *i))
    return PointerType{untyped.storageClass(), {}};
  return std::nullopt;
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
        const auto base = pointer(m.typeOf(chain.base()));
        if (!base) return true;
        Id t = base->pointee;
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
        const auto variable = pointer(i->type);
        if (!variable) return true;
        const Op pointee = typeOp(variable->pointee);
        return pointee == Op::OpTypeArray || pointee == Op::OpTypeRuntimeArray;
      }
      default: return true;  // parameters, loaded pointers, OpPtrAccessChain: nothing is certain
    }
  }
  return true;
}

std::optional<Context::VariableOffset> Context::offsetInVariable(Id pointerId) const {
  VariableOffset offset;
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
    if (i == nullptr) return std::nullopt;
    if (const auto copy = as<op::CopyObject>(m, *i)) {
      pointerId = copy.operand();
      continue;
    }
    if (const auto variable = as<op::Variable>(m, *i)) {
      const spv::StorageClass storage = variable.storageClass();
      const bool hasLayout =
          storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
      return hasLayout ? std::optional(offset) : std::nullopt;
    }
    if (i->op() != Op::OpAccessChain && i->op() != Op::OpInBoundsAccessChain) return std::nullopt;
    const op::AnyAccessChain chain(m, *i);
    const auto base = pointer(m.typeOf(chain.base()));
    if (!base) return std::nullopt;
    Id t = base->pointee;
    for (const Id id : chain.indexes()) {
      const Instruction* at = type(t);
      if (at == nullptr) return std::nullopt;
      const Value index = value(id);
      const Id element = as<op::TypeOfElements>(m, *at).elementType();
      uint64_t stride = 0;
      switch (at->op()) {
        case Op::OpTypeStruct: {
          const IdRange members = op::TypeStruct(m, *at).memberTypes();
          if (!index.known || index.bits >= members.size()) return std::nullopt;
          offset.byDefault |= index.byDefault;
          const auto ofMember = memberOffset(t, uint32_t(index.bits));
          if (ofMember.has_value()) {
            offset.bytes += *ofMember;
          } else if (!isDecorated(t, spv::Decoration::Block) || index.bits != 0) {
            return std::nullopt;
          }
          t = members[uint32_t(index.bits)];
          continue;
        }
        case Op::OpTypeArray:
        case Op::OpTypeRuntimeArray: {
          const auto s = decoration(t, spv::Decoration::ArrayStride);
          if (!s.has_value()) {
            // An array of blocks (descriptors): each has its own start.
            if (typeOp(element) != Op::OpTypeStruct) return std::nullopt;
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
        default: return std::nullopt;
      }
      if (index.known) {
        offset.bytes += stride * index.bits;
        offset.byDefault |= index.byDefault;
      } else {
        offset.step = gcd(offset.step, stride);
      }
    }
    pointerId = chain.base();
  }
  return std::nullopt;
}

}  // namespace coopc::validator
