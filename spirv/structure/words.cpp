// Checks instructions one by one: see words.hpp.
#include "spirv/structure/words.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/leading_ids.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

// A pointer's type, whose ids have the storage class between them.
bool isKnownPointer(const Instruction& i, const uint32_t* w) {
  return i.op() == spv::Op::OpTypePointer && i.length == 4 &&
         w[2] <= uint32_t(spv::StorageClass::StorageBuffer);
}

// Whether an instruction of this opcode may have so many operands, which are all ids.
bool fitsIds(const OpInfo& info, uint32_t count) {
  uint32_t least = 0, most = 0, step = 0;
  for (const OperandInfo& operand : grammarOperands(info.operandList)) {
    const uint32_t ids = operand.kind == OperandKind::PairIdRefIdRef ? 2 : 1;
    if (operand.quantifier == Quantifier::One) least += ids;
    if (operand.quantifier == Quantifier::Any) {
      step = ids;
    } else {
      most += ids;
    }
  }
  if (count < least) return false;
  return step == 0 ? count <= most : count <= most || (count - most) % step == 0;
}

bool isGlobal(spv::Op op, const OpInfo& info) {
  if (info.isType() || isConstantOp(op) || isAnnotation(op)) return true;
  switch (op) {
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpCapability:
    case spv::Op::OpExtension:
    case spv::Op::OpExtInstImport:
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
    case spv::Op::OpTypeForwardPointer:
    case spv::Op::OpString: return true;
    default: return false;
  }
}

// Whether an instruction before the functions may name functions. Annotations may as well.
bool namesFunctions(spv::Op op) {
  return op == spv::Op::OpEntryPoint || op == spv::Op::OpExecutionMode || op == spv::Op::OpExecutionModeId;
}

}  // namespace

void WordChecks::checkFirst(const Instruction& i) {
  if (isGlobal(i.op(), *opInfo(i.opcode))) return fault_.report(i, "comes after the first function");
  seen_.rememberPlaced(i.op());
}

// Checks the set of an extended instruction: which of its operands are ids depends on it.
void WordChecks::checkSet(const Instruction& i) {
  if (m_.opOf(op::AnyExtInst(m_, i).set()) != spv::Op::OpExtInstImport) fault_.report(i, "is of no set");
}

void WordChecks::check(const Instruction& i, uint32_t n) {
  const OpInfo* info = opInfo(i.opcode);
  if (info == nullptr) return fault_.report(i, "has an opcode that the grammar does not know");
  if (i.length == 0 || size_t(i.at) + i.length > m_.words.size())
    return fault_.report(i, "lies outside the module");
  const uint32_t* w = m_.at(i);
  if (w[0] != instructionHead(i.op(), i.length)) return fault_.report(i, "has another first word");
  const uint32_t lead = uint32_t(info->hasType()) + uint32_t(info->hasResult());
  if (i.length <= lead) return fault_.report(i, "has too few words");
  if (i.type != Id(info->hasType() ? w[1] : 0u) || i.result != Id(info->hasResult() ? w[lead] : 0u))
    return fault_.report(i, "has another type or result in its words");
  const bool inFunctions = n >= m_.functionsAt;
  if (!inFunctions || !seen_.fits(i, *info) || !areDefined(w + 1, i.length - 1u))
    checkOperands(i, n, *info, lead);
  if (i.result && !fault_.isFound() && m_.definitions[i.result.index()] != n)
    return fault_.report(i, "is not where the module's index has it");
  if (i.type && !fault_.isFound() && !seen_.isType(i.type)) {
    const OpInfo* type = opInfo(m_.opOf(i.type));
    if (type == nullptr || !type->isType())
      fault_.report(i, "has " + Fault::name(i.type) + " as its type, which is not a type");
    seen_.rememberType(i.type);
  }
  if (i.op() == spv::Op::OpVariable && !inFunctions && !fault_.isFound()) types_.checkVariable(i);
  if (isExtended(i.op()) && !fault_.isFound()) checkSet(i);
}

void WordChecks::checkOperands(const Instruction& i, uint32_t n, const OpInfo& info, uint32_t lead) {
  const uint32_t* w = m_.at(i);
  const bool inFunctions = n >= m_.functionsAt;
  // Operands of non-semantic instructions may be 0.
  const bool extended = isExtended(i.op());
  if (i.op() == spv::Op::OpSwitch && i.length < 3) return fault_.report(i, "has too few words");
  const auto idWord = [&](Id used, bool isResult) {
    if (!used || used.index() >= m_.bound)
      return fault_.report(i, "has " + Fault::name(used) + ", which is outside the bound");
    if (m_.def(used) == nullptr)
      return fault_.report(i, "uses " + Fault::name(used) + ", which is not defined");
    if (!isResult && !inFunctions) checkGlobal(i, n, used);
  };
  // Most instructions are nothing but ids, or have nothing but numbers after them.
  if (const uint32_t end = info.onlyIds() ? i.length : leadingIds(i.op(), i.length, w); end != 0) {
    const bool good =
        inFunctions ? areDefined(w + 1, end - 1) : usesEarlier(i, n, end, info.hasResult() ? lead : 0);
    if (!good) {
      for (uint32_t at = 1; at < end; ++at) idWord(Id(w[at]), info.hasResult() && at == lead);
    }
    if (info.onlyIds() && !fitsIds(info, i.length - 1u))
      return fault_.report(i, "has operands that do not fit the grammar");
  } else if (isKnownPointer(i, w)) {
    for (uint32_t at : {1u, 3u}) idWord(Id(w[at]), at == 1);
  } else {
    const bool fits =
        visitOperands(info, w, i.length, m_.switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
          if (isValueEnum(kind) && enumerantInfo(kind, w[at]) == nullptr)
            return fault_.report(i, "has the unknown enumerant " + std::to_string(w[at]));
          if (!isIdKind(kind) || (extended && at >= 5)) return;
          if (at > 1 && (i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpMemberDecorate))
            return fault_.report(i, "has an id as an operand of the decoration");  // OpDecorateId's
          idWord(Id(w[at]), kind == OperandKind::IdResult);
        });
    if (!fits) return fault_.report(i, "has operands that do not fit the grammar");
  }
  if (inFunctions && isGlobal(i.op(), info)) return fault_.report(i, "comes after the first function");
  if (inFunctions || !namesFunctions(i.op())) seen_.remember(i, info, inFunctions);
}

// Whether the words of an instruction before the functions up to `end` are its result, word `result`, and
// ids of what it may use.
bool WordChecks::usesEarlier(const Instruction& i, uint32_t n, uint32_t end, uint32_t result) const {
  if (namesFunctions(i.op())) return false;
  const uint32_t limit = isAnnotation(i.op()) ? kNone : n;
  const uint32_t* w = m_.at(i);
  for (uint32_t at = 1; at < end; ++at)
    if (w[at] >= m_.bound || (at != result && m_.definitions[w[at]] >= limit)) return false;
  return true;
}

bool WordChecks::areDefined(const uint32_t* ids, uint32_t count) const {
  const uint32_t* definitions = m_.definitions.data();
  const uint32_t bound = m_.bound;
  for (uint32_t k = 0; k < count; ++k)
    if (ids[k] >= bound || definitions[ids[k]] == kNone) return false;
  return true;
}

// Instructions before the functions may only use earlier instructions, except for names and entry points
// (and structures, whose members may be forward-declared pointers).
void WordChecks::checkGlobal(const Instruction& i, uint32_t n, Id used) {
  if (isAnnotation(i.op())) return;
  const uint32_t at = m_.definitions[used.index()];
  if (namesFunctions(i.op())) {
    const spv::Op op = m_.instructions[at].op();
    const auto entry = as<op::EntryPoint>(m_, i);
    const bool first = used == (entry ? entry.entryPoint() : as<op::AnyExecutionMode>(m_, i).entryPoint());
    if (first ? op != spv::Op::OpFunction : at >= m_.functionsAt)
      fault_.report(i, "uses " + Fault::name(used) + ", which is not what it may name");
    return;
  }
  // Debug information may refer to functions and to later instructions.
  if (isExtended(i.op())) return;
  const bool announced = i.op() == spv::Op::OpTypeForwardPointer ||
                         (m_.instructions[at].op() == spv::Op::OpTypePointer && opInfo(i.opcode)->isType());
  if (at >= n && !(announced && at < m_.functionsAt))
    fault_.report(i, "uses " + Fault::name(used) + ", which comes later");
}

}  // namespace coopc::spirv
