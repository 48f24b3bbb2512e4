// -finvert-y: the y of the built-in Position is negated at the end of a vertex shader's entry point. glslang does this for
// HLSL only, so it is done on the module: before each OpReturn of that function, Position is loaded, changed and stored.
#include <map>

#include "api/session.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc {
namespace {

using spirv::InstructionWalk;

void append(std::vector<uint32_t>& out, spv::Op op, std::initializer_list<uint32_t> operands) {
  out.push_back(spirv::instructionHead(op, operands.size() + 1));
  out.insert(out.end(), operands);
}

// What a module's declarations tell about Position; 0: it has no such item.
struct Declarations {
  uint32_t entry = 0;
  uint32_t variable = 0;                  // Position itself, or else
  uint32_t block = 0, blockVariable = 0;  // the block that has it as a member
  uint32_t member = 0;
  uint32_t float32 = 0, vector = 0, integer = 0, pointerToVector = 0, index = 0;
  size_t functions = 0;  // where the first function starts
};

Declarations readDeclarations(const std::vector<uint32_t>& words) {
  Declarations d;
  uint32_t position = 0;
  std::map<uint32_t, uint32_t> pointees;
  const auto isPosition = [](uint32_t decoration, uint32_t builtin) {
    return decoration == uint32_t(spv::Decoration::BuiltIn) && builtin == uint32_t(spv::BuiltIn::Position);
  };
  InstructionWalk w(words);
  while (w.next()) {
    switch (w.op()) {
      case spv::Op::OpEntryPoint: d.entry = w[2]; break;
      case spv::Op::OpDecorate:
        if (w.length() > 3 && isPosition(w[2], w[3])) position = w[1];
        break;
      case spv::Op::OpMemberDecorate:
        if (w.length() > 4 && isPosition(w[3], w[4])) {
          d.block = w[1];
          d.member = w[2];
        }
        break;
      case spv::Op::OpTypeFloat:
        if (w[2] == 32 && w.length() == 3) d.float32 = w[1];
        break;
      case spv::Op::OpTypeVector:
        if (w[2] == d.float32 && w[3] == 4) d.vector = w[1];
        break;
      case spv::Op::OpTypeInt:
        if (w[2] == 32 && (d.integer == 0 || w[3] == 1)) d.integer = w[1];
        break;
      case spv::Op::OpTypePointer:
        if (w[2] != uint32_t(spv::StorageClass::Output)) break;
        pointees[w[1]] = w[3];
        if (w[3] == d.vector) d.pointerToVector = w[1];
        break;
      case spv::Op::OpConstant:
        if (w[1] == d.integer && w[3] == d.member) d.index = w[2];
        break;
      case spv::Op::OpVariable:
        if (w[3] != uint32_t(spv::StorageClass::Output)) break;
        if (w[2] == position) d.variable = w[2];
        if (d.block != 0 && pointees[w[1]] == d.block) d.blockVariable = w[2];
        break;
      case spv::Op::OpFunction:
        if (d.functions == 0) d.functions = w.at();
        break;
      default: break;
    }
  }
  return d;
}

}  // namespace

void invertPositionY(std::vector<uint32_t>& words) {
  Declarations d = readDeclarations(words);
  // If nothing writes Position, the module does not declare it.
  if (d.functions == 0 || d.vector == 0 || (d.variable == 0 && d.blockVariable == 0)) return;
  uint32_t bound = words[3];
  std::vector<uint32_t> out(words.begin(), words.begin() + static_cast<ptrdiff_t>(d.functions));
  if (d.variable == 0) {
    if (d.integer == 0) append(out, spv::Op::OpTypeInt, {d.integer = bound++, 32, 1});
    if (d.index == 0) append(out, spv::Op::OpConstant, {d.integer, d.index = bound++, d.member});
    if (d.pointerToVector == 0)
      append(out, spv::Op::OpTypePointer,
             {d.pointerToVector = bound++, uint32_t(spv::StorageClass::Output), d.vector});
  }
  uint32_t current = 0;
  InstructionWalk w(words);
  while (w.next()) {
    if (w.at() < d.functions) continue;
    if (w.op() == spv::Op::OpFunction) current = w[2];
    if (w.op() == spv::Op::OpReturn && current == d.entry) {
      uint32_t pointer = d.variable;
      if (pointer == 0)
        append(out, spv::Op::OpAccessChain, {d.pointerToVector, pointer = bound++, d.blockVariable, d.index});
      const uint32_t value = bound++, y = bound++, negated = bound++, result = bound++;
      append(out, spv::Op::OpLoad, {d.vector, value, pointer});
      append(out, spv::Op::OpCompositeExtract, {d.float32, y, value, 1});
      append(out, spv::Op::OpFNegate, {d.float32, negated, y});
      append(out, spv::Op::OpCompositeInsert, {d.vector, result, negated, value, 1});
      append(out, spv::Op::OpStore, {pointer, result});
    }
    out.insert(out.end(), w.words().begin(), w.words().end());
  }
  out[3] = bound;
  words = std::move(out);
}

}  // namespace coopc
