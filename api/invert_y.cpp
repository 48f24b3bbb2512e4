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
using spirv::Word;

void append(std::vector<uint32_t>& out, spv::Op op, std::initializer_list<Word> operands) {
  out.push_back(spirv::instructionHead(op, operands.size() + 1));
  out.insert(out.end(), operands.begin(), operands.end());
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
  std::unordered_map<Id, uint32_t> blocks;  // with Position, and its number as a member: inputs have one, too
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
    if (!d.integer) append(out, spv::Op::OpTypeInt, {d.integer = newId(), 32u, 1u});
    if (!d.index) append(out, spv::Op::OpConstant, {d.integer, d.index = newId(), d.member});
    if (!d.pointerToVector)
      append(out, spv::Op::OpTypePointer, {d.pointerToVector = newId(), spv::StorageClass::Output, d.vector});
  }
  Id current;
  InstructionWalk w(words);
  while (w.next()) {
    if (w.at() < d.functions) continue;
    if (const auto function = as<op::Function>(w)) current = function.result();
    const bool emits = w.op() == spv::Op::OpEmitVertex || w.op() == spv::Op::OpEmitStreamVertex;
    if (d.geometry ? emits : w.op() == spv::Op::OpReturn && current == d.entry) {
      Id pointer = d.variable;
      if (!pointer)
        append(out, spv::Op::OpAccessChain, {d.pointerToVector, pointer = newId(), d.blockVariable, d.index});
      const Id value = newId(), y = newId(), negated = newId(), result = newId();
      append(out, spv::Op::OpLoad, {d.vector, value, pointer});
      append(out, spv::Op::OpCompositeExtract, {d.float32, y, value, 1u});
      append(out, spv::Op::OpFNegate, {d.float32, negated, y});
      append(out, spv::Op::OpCompositeInsert, {d.vector, result, negated, value, 1u});
      append(out, spv::Op::OpStore, {pointer, result});
    }
    out.insert(out.end(), w.words().begin(), w.words().end());
  }
  out[spirv::kHeaderBound] = bound;
  words = std::move(out);
}

}  // namespace coopc
