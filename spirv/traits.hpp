// Properties of instructions that passes ask for: what may be removed or shared, decorations by id, where a
// pointer comes from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spirv/enums_supplement.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// The variable from which a pointer is derived by access chains; none() if it is derived from something
/// else.
Id rootOf(const Module& module, Id pointer);

/// The decorations of an id that passes care about.
enum : uint8_t {
  kDecoRelaxedPrecision = 1,
  kDecoNoContraction = 2,
  kDecoOther = 4,  ///< any other decoration that affects the value (NonUniform, FPFastMathMode, SpecId, ...)
  kDecoBuiltIn = 8,
  kDecoLinkage = 16,
};
std::vector<uint8_t> decorationFlags(const Module& module);

/// Properties of an opcode.
enum : uint8_t {
  kPure = 1,       ///< its result depends only on its operands, so that equal instructions may share a result
  kRemovable = 2,  ///< may be dropped when its result is not used
};
using CoreTraits = std::array<uint8_t, 512>;
extern const CoreTraits kCoreTraits;  ///< by opcode, for opcodes of SPIR-V itself
uint8_t extensionTraits(spv::Op op);
inline uint8_t opTraits(spv::Op op) {
  return uint32_t(op) < kCoreTraits.size() ? kCoreTraits[uint32_t(op)] : extensionTraits(op);
}

/// Properties of an instruction: of its opcode, or of the extended instruction. `glsl` is the id of
/// GLSL.std.450's import, or none.
uint8_t traitsByOperands(const Module& module, const Instruction& i, Id glsl);
inline uint8_t traits(const Module& module, const Instruction& i, Id glsl) {
  switch (i.op()) {
    case spv::Op::OpExtInst:
    case spv::Op::OpLoad:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixLoadTensorNV: return traitsByOperands(module, i, glsl);
    default: return opTraits(i.op());
  }
}
/// The id of GLSL.std.450's import, or none.
Id glslImport(const Module& module);

inline bool isConstantOp(spv::Op op) {
  static_assert(uint32_t(spv::Op::OpConstantNull) - uint32_t(spv::Op::OpConstantTrue) == 5);
  return isBetween(op, spv::Op::OpConstantTrue, spv::Op::OpConstantNull) && op != spv::Op::OpConstantSampler;
}

/// Names, decorations and groups of them.
inline bool isAnnotation(spv::Op op) {
  return op == spv::Op::OpName || op == spv::Op::OpMemberName || op == spv::Op::OpDecorationGroup ||
         isBetween(op, spv::Op::OpDecorate, spv::Op::OpGroupMemberDecorate) || op == spv::Op::OpDecorateId ||
         op == spv::Op::OpDecorateString || op == spv::Op::OpMemberDecorateString ||
         op == enums::OpMemberDecorateIdEXT;
}

/// Whether an instruction in a function may have a function as an operand: calls, extended instructions
/// (debug information), and, without exception, all instructions numbered from OpEnqueueMarker on. Those are
/// the kernels' that enqueue functions, and what SPIR-V after 1.0 and its extensions added. Some of the
/// latter take functions (OpCooperativeMatrixPerElementOpNV, DecodeFunc), but the grammar does not tell
/// which, because a function is an id like any other there. So the answer is certain only where it is false.
constexpr bool mayNameFunction(spv::Op op) {
  return op == spv::Op::OpFunctionCall || op == spv::Op::OpExtInst || op >= spv::Op::OpEnqueueMarker;
}

}  // namespace coopc::spirv
