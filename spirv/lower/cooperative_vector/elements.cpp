// Operations on the components of cooperative vectors: one of the same kind for each component.
#include "spirv/lower/cooperative_vector/elements.hpp"

#include "spirv/conversions.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower::vectors {

namespace {

// The instructions that SPV_NV_cooperative_vector lists (3.42.11, 3.42.13, 3.42.14).
bool isComponentWise(spv::Op op) {
  return convertsComponents(op) || computesComponents(op) || op == spv::Op::OpVectorTimesScalar ||
         isBetween(op, spv::Op::OpShiftRightLogical, spv::Op::OpNot);
}
static_assert(int(spv::Op::OpNot) - int(spv::Op::OpShiftRightLogical) == 6,
              "three shifts and four operations on bits have consecutive numbers");

}  // namespace

bool ElementOperations::write(const Instruction& i, const VectorType& to, spv::Op op, Operands first,
                              IdRange operands, bool scaled, std::string_view what) {
  const bool writtenOut = to.count <= kWrittenOut;
  std::vector<Components> vectors;
  std::vector<Id> scalars;
  for (const Id operand : operands) {
    const VectorType* from = vectorOf(operand);
    if (from == nullptr && scaled && !vectors.empty()) {
      scalars.push_back(operand);
      continue;
    }
    if (from == nullptr || from->count != to.count)
      return refuse(std::string(what) + " of cooperative vectors of different sizes");
    vectors.emplace_back(code_, from->type, from->component, operand, writtenOut);
  }
  NewComponents result(code_, to.type, to.component, writtenOut);
  repeat(to.count, writtenOut, [&](const UInt& index) {
    std::vector<Word> words(first.begin(), first.end());
    for (const Components& v : vectors) words.push_back(v.at(index));
    for (const Id scalar : scalars) words.push_back(scalar);
    const Id value = code_.op(op, to.component, Operands(words));
    code_.annotations.copyDecorations(i.result, value);
    result.set(index, value);
  });
  result.finish(i.result);
  return true;
}

bool ElementOperations::lowerComponentwise(const Instruction& i) {
  const VectorType* to = typeAt(i.type);
  if (to == nullptr || !isComponentWise(i.op())) return false;
  const bool scaled = i.op() == spv::Op::OpVectorTimesScalar;
  return write(i, *to, scaled ? spv::Op::OpFMul : i.op(), {}, op::Value(m_, i).operands(), scaled,
               opName(i.opcode));
}

bool ElementOperations::lowerExtended(const Instruction& i) {
  const VectorType* to = typeAt(i.type);
  if (to == nullptr) return false;
  const op::ExtInst call(m_, i);
  const Word first[] = {call.set(), call.instruction()};
  return write(i, *to, spv::Op::OpExtInst, Operands(first), call.operands(), false,
               "an extended instruction");
}

// Only arrays in variables have dynamic indices.
bool ElementOperations::lowerExtractDynamic(const Instruction& i) {
  const op::VectorExtractDynamic extract(m_, i);
  const VectorType* v = vectorOf(extract.vector());
  if (v == nullptr) return false;
  const Pointer variable = code_.localVariable(v->type);
  variable.store(extract.vector());
  const Id pointer = code_.access(spv::StorageClass::Function, v->component, variable, {extract.index()});
  code_.makeAs<op::Load>(i.type, i.result, {.pointer = pointer});
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
  code_.makeAs<op::Load>(i.type, i.result, {.pointer = variable});
  return true;
}

bool ElementOperations::replicate(const Instruction& i) {
  const VectorType* v = typeAt(i.type);
  if (v == nullptr) return false;
  const IdRange constituents = op::AnyComposite(m_, i).constituents();
  if (constituents.empty()) return refuse("a cooperative vector that is constructed without constituents");
  const Id component = constituents.front();
  const bool writtenOut = v->count <= kWrittenOut;
  NewComponents result(code_, v->type, v->component, writtenOut);
  repeat(v->count, writtenOut, [&](const UInt& index) { result.set(index, component); });
  result.finish(i.result);
  return true;
}

}  // namespace coopc::spirv::lower::vectors
