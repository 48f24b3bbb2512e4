// -finvert-y: the y of the built-in Position is negated at the end of the entry point of a vertex or
// tessellation evaluation shader, and before each vertex that a geometry shader emits. It is done on the
// module: before each OpReturn of that function, or each OpEmitVertex, Position is loaded, changed and
// stored.
#include <unordered_map>

#include "api/session.hpp"
#include "spirv/id.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc {
namespace {

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
  const auto isPosition = [](uint32_t decoration, uint32_t builtin) {
    return spv::Decoration(decoration) == spv::Decoration::BuiltIn &&
           spv::BuiltIn(builtin) == spv::BuiltIn::Position;
  };
  InstructionWalk w(words);
  while (w.next()) {
    switch (w.op()) {
      case spv::Op::OpEntryPoint:
        d.entry = w.idAt(2);
        d.geometry = spv::ExecutionModel(w[1]) == spv::ExecutionModel::Geometry;
        break;
      case spv::Op::OpDecorate:
        if (w.length() > 3 && isPosition(w[2], w[3])) position = w.idAt(1);
        break;
      case spv::Op::OpMemberDecorate:
        if (w.length() > 4 && isPosition(w[3], w[4])) blocks[w.idAt(1)] = w[2];
        break;
      case spv::Op::OpTypeFloat:
        if (w[2] == 32 && w.length() == 3) d.float32 = w.idAt(1);
        break;
      case spv::Op::OpTypeVector:
        if (w.idAt(2) == d.float32 && w[3] == 4) d.vector = w.idAt(1);
        break;
      case spv::Op::OpTypeInt:
        if (w[2] == 32 && (!d.integer || w[3] == 1)) d.integer = w.idAt(1);
        break;
      case spv::Op::OpTypePointer:
        if (spv::StorageClass(w[2]) != spv::StorageClass::Output) break;
        pointees[w.idAt(1)] = w.idAt(3);
        if (w.idAt(3) == d.vector) d.pointerToVector = w.idAt(1);
        break;
      case spv::Op::OpConstant:
        if (w.idAt(1) == d.integer) constants[w[3]] = w.idAt(2);
        break;
      case spv::Op::OpVariable:
        if (spv::StorageClass(w[3]) != spv::StorageClass::Output) break;
        if (w.idAt(2) == position) d.variable = w.idAt(2);
        if (const auto block = blocks.find(pointees[w.idAt(1)]); block != blocks.end()) {
          d.blockVariable = w.idAt(2);
          d.member = block->second;
        }
        break;
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
    if (w.op() == spv::Op::OpFunction) current = w.idAt(2);
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
