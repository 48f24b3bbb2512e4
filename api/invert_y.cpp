// -finvert-y: the y of the built-in Position is negated at the end of the entry point of a vertex or
// tessellation evaluation shader, and before each vertex that a geometry shader emits. It is done on the
// module: before each OpReturn of that function, or each OpEmitVertex, Position is loaded, changed and
// stored.
#include <unordered_map>

#include "api/session.hpp"
#include "spirv/id.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"

namespace coopc {
namespace {

namespace op = spirv::op;
using spirv::Id;
using spirv::InstructionWalk;

// Appends an instruction, whose operands are given by their names, to the words of a module.
void append(std::vector<uint32_t>& out, spv::Op op, std::initializer_list<Id> typeAndResult,
            spirv::Operands operands) {
  out.push_back(spirv::instructionHead(op, 1 + typeAndResult.size() + operands.size()));
  for (const Id id : typeAndResult) out.push_back(id.index());
  out.insert(out.end(), operands.begin(), operands.end());
}
template <spirv::MakesTypedResult Op>
void append(std::vector<uint32_t>& out, Id type, Id result, const typename Op::Fields& fields) {
  append(out, Op::kOp, {type, result}, spirv::Operands(fields.words()));
}
template <spirv::MakesResult Op>
void append(std::vector<uint32_t>& out, Id result, const typename Op::Fields& fields) {
  append(out, Op::kOp, {result}, spirv::Operands(fields.words()));
}
template <spirv::MakesNothing Op>
void append(std::vector<uint32_t>& out, const typename Op::Fields& fields) {
  append(out, Op::kOp, {}, spirv::Operands(fields.words()));
}

// How a module declares Position.
struct Declarations {
  Id entry;
  bool geometry = false;
  Id variable;       // Position itself, or else
  Id blockVariable;  // the block that has it as a member
  uint32_t member = 0;
  Id float32, vector, integer, pointerToVector, index;
  size_t functions = 0;  // where the first function starts; 0 if there is none
};

Declarations readDeclarations(const std::vector<uint32_t>& words) {
  Declarations d;
  Id position;
  std::unordered_map<Id, uint32_t> blocks;     // with Position, and its index as a member; also of inputs
  std::unordered_map<uint32_t, Id> constants;  // of d.integer
  std::unordered_map<Id, Id> pointees;         // of pointers to outputs
  const auto isPosition = [](spv::Decoration decoration, const spirv::LiteralRange& parameters) {
    return decoration == spv::Decoration::BuiltIn && !parameters.empty() &&
           spv::BuiltIn(parameters.front()) == spv::BuiltIn::Position;
  };
  InstructionWalk w(words);
  while (w.next()) {
    switch (w.op()) {
      case spv::Op::OpEntryPoint: {
        const op::EntryPoint entry(w);
        d.entry = entry.entryPoint();
        d.geometry = entry.executionModel() == spv::ExecutionModel::Geometry;
        break;
      }
      case spv::Op::OpDecorate: {
        const op::Decorate decorate(w);
        if (isPosition(decorate.decoration(), decorate.parameters())) position = decorate.target();
        break;
      }
      case spv::Op::OpMemberDecorate: {
        const op::MemberDecorate decorate(w);
        if (isPosition(decorate.decoration(), decorate.parameters()))
          blocks[decorate.structureType()] = decorate.member();
        break;
      }
      case spv::Op::OpTypeFloat: {
        const op::TypeFloat type(w);
        if (type.width() == 32 && !type.floatingPointEncoding()) d.float32 = type.result();
        break;
      }
      case spv::Op::OpTypeVector: {
        const op::TypeVector type(w);
        if (type.componentType() == d.float32 && type.componentCount() == 4) d.vector = type.result();
        break;
      }
      case spv::Op::OpTypeInt: {
        const op::TypeInt type(w);
        if (type.width() == 32 && (!d.integer || type.signedness() == 1)) d.integer = type.result();
        break;
      }
      case spv::Op::OpTypePointer: {
        const op::TypePointer pointer(w);
        if (pointer.storageClass() != spv::StorageClass::Output) break;
        pointees[pointer.result()] = pointer.type();
        if (pointer.type() == d.vector) d.pointerToVector = pointer.result();
        break;
      }
      case spv::Op::OpConstant: {
        const op::Constant constant(w);
        if (constant.resultType() == d.integer) constants[constant.value()] = constant.result();
        break;
      }
      case spv::Op::OpVariable: {
        const op::Variable variable(w);
        if (variable.storageClass() != spv::StorageClass::Output) break;
        if (variable.result() == position) d.variable = variable.result();
        if (const auto block = blocks.find(pointees[variable.resultType()]); block != blocks.end()) {
          d.blockVariable = variable.result();
          d.member = block->second;
        }
        break;
      }
      case spv::Op::OpFunction:
        if (d.functions == 0) d.functions = w.at();
        break;
      default: break;
    }
  }
  if (const auto known = constants.find(d.member); known != constants.end()) d.index = known->second;
  return d;
}

}  // namespace

void invertPositionY(std::vector<uint32_t>& words) {
  Declarations d = readDeclarations(words);
  // If nothing writes Position, the module does not declare it.
  if (d.functions == 0 || !d.vector || (!d.variable && !d.blockVariable)) return;
  uint32_t bound = words[spirv::kHeaderBound];
  const auto newId = [&] { return Id(bound++); };
  std::vector<uint32_t> out(words.begin(), words.begin() + static_cast<ptrdiff_t>(d.functions));
  if (!d.variable) {
    if (!d.integer) {
      d.integer = newId();
      append<op::TypeInt>(out, d.integer, {.width = 32, .signedness = 1});
    }
    if (!d.index) {
      d.index = newId();
      append<op::Constant>(out, d.integer, d.index, {.value = {d.member}});
    }
    if (!d.pointerToVector) {
      d.pointerToVector = newId();
      append<op::TypePointer>(out, d.pointerToVector,
                              {.storageClass = spv::StorageClass::Output, .type = d.vector});
    }
  }
  Id current;
  InstructionWalk w(words);
  while (w.next()) {
    if (w.at() < d.functions) continue;
    if (const auto function = as<op::Function>(w)) current = function.result();
    const bool emits = w.op() == spv::Op::OpEmitVertex || w.op() == spv::Op::OpEmitStreamVertex;
    if (d.geometry ? emits : w.op() == spv::Op::OpReturn && current == d.entry) {
      Id pointer = d.variable;
      if (!pointer) {
        pointer = newId();
        append<op::AccessChain>(out, d.pointerToVector, pointer,
                                {.base = d.blockVariable, .indexes = {d.index}});
      }
      const Id value = newId(), y = newId(), negated = newId(), result = newId();
      append<op::Load>(out, d.vector, value, {.pointer = pointer});
      append<op::CompositeExtract>(out, d.float32, y, {.composite = value, .indexes = {1}});
      append<op::FNegate>(out, d.float32, negated, {.operand = y});
      append<op::CompositeInsert>(out, d.vector, result,
                                  {.object = negated, .composite = value, .indexes = {1}});
      append<op::Store>(out, {.pointer = pointer, .object = result});
    }
    out.insert(out.end(), w.words().begin(), w.words().end());
  }
  out[spirv::kHeaderBound] = bound;
  words = std::move(out);
}

}  // namespace coopc
