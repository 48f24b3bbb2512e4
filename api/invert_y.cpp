// -finvert-y: the y of the built-in Position is negated at the end of a vertex shader's entry point. glslang does this for
// HLSL only, so it is done on the module: before each OpReturn of that function, Position is loaded, changed and stored.
#include <map>

#include <spirv/unified1/spirv.hpp11>

#include "api/session.hpp"

namespace coopc {
namespace {

constexpr size_t kHeader = 5;

// An instruction's words; those that it lacks are 0.
struct Words {
  const uint32_t* first;
  uint32_t length;
  uint32_t operator[](uint32_t k) const { return k < length ? first[k] : 0; }
};

template <class F>
void forEachInstruction(const std::vector<uint32_t>& words, F&& f) {
  for (size_t at = kHeader; at < words.size();) {
    const uint32_t length = words[at] >> spv::WordCountShift;
    if (length == 0 || at + length > words.size()) return;
    f(static_cast<spv::Op>(words[at] & spv::OpCodeMask), Words{&words[at], length}, at);
    at += length;
  }
}

void append(std::vector<uint32_t>& out, spv::Op op, std::initializer_list<uint32_t> operands) {
  out.push_back(static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift |
                static_cast<uint32_t>(op));
  out.insert(out.end(), operands);
}

// What the declarations of a module say about its Position; 0: not there.
struct Declarations {
  uint32_t entry = 0;
  uint32_t variable = 0;                  // Position itself, or
  uint32_t block = 0, blockVariable = 0;  // the block that has it as
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
  forEachInstruction(words, [&](spv::Op op, const Words& w, size_t at) {
    switch (op) {
      case spv::Op::OpEntryPoint: d.entry = w[2]; break;
      case spv::Op::OpDecorate:
        if (w.length > 3 && isPosition(w[2], w[3])) position = w[1];
        break;
      case spv::Op::OpMemberDecorate:
        if (w.length > 4 && isPosition(w[3], w[4])) {
          d.block = w[1];
          d.member = w[2];
        }
        break;
      case spv::Op::OpTypeFloat:
        if (w[2] == 32 && w.length == 3) d.float32 = w[1];
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
        if (d.functions == 0) d.functions = at;
        break;
      default: break;
    }
  });
  return d;
}

}  // namespace

void invertPositionY(std::vector<uint32_t>& words) {
  Declarations d = readDeclarations(words);
  // A position that nothing writes is not declared.
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
  forEachInstruction(words, [&](spv::Op op, const Words& w, size_t at) {
    if (at < d.functions) return;
    if (op == spv::Op::OpFunction) current = w[2];
    if (op == spv::Op::OpReturn && current == d.entry) {
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
    out.insert(out.end(), w.first, w.first + w.length);
  });
  out[3] = bound;
  words = std::move(out);
}

}  // namespace coopc
