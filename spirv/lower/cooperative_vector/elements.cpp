// Operations on the components of cooperative vectors: one of the same kind for each component.
#include "spirv/lower/cooperative_vector/elements.hpp"

#include "spirv/conversions.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower::vectors {

namespace {

// The instructions that SPV_NV_cooperative_vector lists (3.42.11, 3.42.13, 3.42.14).
bool isComponentWise(spv::Op op) {
  if (convertsComponents(op)) return true;
  switch (op) {
    case spv::Op::OpSNegate:
    case spv::Op::OpFNegate:
    case spv::Op::OpIAdd:
    case spv::Op::OpFAdd:
    case spv::Op::OpISub:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpIMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUDiv:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpNot: return true;
    default: return false;
  }
}

}  // namespace

bool ElementOperations::componentWise(const Instruction& i) {
  const VectorType* to = typeAt(i.type);
  if (to == nullptr || !isComponentWise(i.op())) return false;
  const bool scaled = i.op() == spv::Op::OpVectorTimesScalar;
  const spv::Op op = scaled ? spv::Op::OpFMul : i.op();
  const bool writtenOut = to->count <= kWrittenOut;
  std::vector<Components> vectors;
  std::vector<Id> scalars;
  for (const Id operand : op::Value(m_, i).operands()) {
    const VectorType* from = vectorOf(operand);
    if (from == nullptr && scaled && !vectors.empty()) {
      scalars.push_back(operand);
      continue;
    }
    if (from == nullptr || from->count != to->count)
      return refuse(std::string(opName(i.opcode)) + " of cooperative vectors of different sizes");
    vectors.emplace_back(code_, from->type, from->component, operand, writtenOut);
  }
  NewComponents result(code_, to->type, to->component, writtenOut);
  repeat(to->count, writtenOut, [&](const UInt& index) {
    std::vector<Word> words;
    for (const Components& v : vectors) words.push_back(v.at(index));
    for (const Id scalar : scalars) words.push_back(scalar);
    const Id value = code_.op(op, to->component, Operands(words));
    code_.copyDecorations(i.result, value);
    result.set(index, value);
  });
  result.finish(i.result);
  return true;
}

bool ElementOperations::extended(const Instruction& i) {
  const VectorType* to = typeAt(i.type);
  if (to == nullptr) return false;
  const op::ExtInst call(m_, i);
  const Id set = call.set();
  const uint32_t function = call.instruction();
  const bool writtenOut = to->count <= kWrittenOut;
  std::vector<Components> vectors;
  for (const Id operand : call.operands()) {
    const VectorType* from = vectorOf(operand);
    if (from == nullptr || from->count != to->count)
      return refuse("an extended instruction of cooperative vectors of different sizes");
    vectors.emplace_back(code_, from->type, from->component, operand, writtenOut);
  }
  NewComponents result(code_, to->type, to->component, writtenOut);
  repeat(to->count, writtenOut, [&](const UInt& index) {
    std::vector<Word> words{set, function};
    for (const Components& v : vectors) words.push_back(v.at(index));
    const Id value = code_.op(spv::Op::OpExtInst, to->component, Operands(words));
    code_.copyDecorations(i.result, value);
    result.set(index, value);
  });
  result.finish(i.result);
  return true;
}

// Arrays have no dynamic indices but in variables.
bool ElementOperations::extractDynamic(const Instruction& i) {
  const op::VectorExtractDynamic extract(m_, i);
  const VectorType* v = vectorOf(extract.vector());
  if (v == nullptr) return false;
  const Pointer variable = code_.localVariable(v->type);
  variable.store(extract.vector());
  const Id pointer = code_.access(spv::StorageClass::Function, v->component, variable, {extract.index()});
  code_.opAs(spv::Op::OpLoad, i.type, i.result, {pointer});
  return true;
}

bool ElementOperations::insertDynamic(const Instruction& i) {
  const op::VectorInsertDynamic insert(m_, i);
  const VectorType* v = typeAt(i.type);
  if (v == nullptr) return false;
  const Pointer variable = code_.localVariable(v->type);
  variable.store(insert.vector());
  const Id component = insert.component();
  const Id pointer = code_.access(spv::StorageClass::Function, v->component, variable, {insert.index()});
  code_.store(pointer, component);
  code_.opAs(spv::Op::OpLoad, i.type, i.result, {variable});
  return true;
}

bool ElementOperations::replicate(const Instruction& i) {
  const VectorType* v = typeAt(i.type);
  if (v == nullptr) return false;
  const IdRange constituents = op::AnyComposite(m_, i).constituents();
  if (constituents.empty()) return refuse("a cooperative vector that is constructed of nothing");
  const Id component = constituents.front();
  const bool writtenOut = v->count <= kWrittenOut;
  NewComponents result(code_, v->type, v->component, writtenOut);
  repeat(v->count, writtenOut, [&](const UInt& index) { result.set(index, component); });
  result.finish(i.result);
  return true;
}

}  // namespace coopc::spirv::lower::vectors
