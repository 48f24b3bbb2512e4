// Functions that are one instruction over the call's arguments: the rows INSTRUCTION of extensions.def. They
// include functions of ray tracing, ray queries and hit objects, and functions that return data of a hit as
// an array.
#include <vector>

#include "emit/builtins/call.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Kinds of rows INSTRUCTION of extensions.def.
enum class InstructionKind : uint8_t {
  Value,
  Statement,
  RayData,
  HintedRayData,
  RayLocation,
  Query,
  QueryValue
};

Id pointerTo(const BuiltinCall& c, uint32_t i) {
  Place p;
  c.place(i, p);
  return c.e.memory.pointer(p);
}

// The location of the variable that a call of GL_NV_ray_tracing names. Also makes the variable, because
// nothing else may refer to it.
Id rayLocation(const BuiltinCall& c, uint32_t i) {
  const VarId v = c.e.expr(c.args[i]).variable();
  pointerTo(c, i);
  return c.e.constants.i32(
      static_cast<int32_t>(c.e.program.interfaceOf(c.e.program.variables[v].interface).location));
}

// SPIR-V's RayQueryIntersection for the constant argument `committed`.
Id intersection(const BuiltinCall& c, uint32_t i) {
  const Constant& committed = c.e.program.constants[c.e.expr(c.args[i]).constant()];
  return c.e.u32(committed.kind == ConstKind::Scalar && committed.bits != 0 ? 1 : 0);
}

// The index of the argument that names a variable by its location: the last one, unless a hit kind follows.
uint32_t rayDataIndex(const BuiltinCall& c) {
  return c.o == BuiltinOp::HitObjectRecordFromQuery ? 3 : c.count() - 1;
}

// An operand of an instruction: a pointer to a ray query, to a hit object or to the variable with a given
// location; for all other arguments, a value.
Id operand(const BuiltinCall& c, uint32_t i, InstructionKind kind) {
  const bool query = kind == InstructionKind::Query || kind == InstructionKind::QueryValue;
  const bool data = kind == InstructionKind::RayData || kind == InstructionKind::HintedRayData;
  if (isObjectKind(c.e.kind(c.argType(i)))) return pointerTo(c, i);
  if (query && c.argType(i) == kBool) return intersection(c, i);
  if (data && i == rayDataIndex(c)) return pointerTo(c, i);
  if (kind == InstructionKind::RayLocation && i == c.count() - 1) return rayLocation(c, i);
  return c.arg(i);
}

// An operation that is one instruction over the call's arguments: a row INSTRUCTION of extensions.def.
Id emitInstruction(const BuiltinCall& c, spv::Op opcode, InstructionKind kind) {
  Emitter& e = c.e;
  e.declareFor(opcode);
  OperandWords operands(e);
  const bool hasValue = kind == InstructionKind::Value || kind == InstructionKind::QueryValue;
  if (hasValue) e.types.useType(c.t);
  // A hint and its bits follow the payload, which is last in GLSL (SPV_EXT_shader_invocation_reorder,
  // OpHitObjectReorderExecuteShaderEXT).
  const uint32_t hints = kind == InstructionKind::HintedRayData ? 2 : 0;
  std::vector<Id> ids;
  for (uint32_t i = 0; i < c.count(); ++i) ids.push_back(operand(c, i, kind));
  for (uint32_t i = 0; i + hints + 1 < c.count(); ++i) operands.push(ids[i]);
  if (c.count() != 0) operands.push(ids[c.count() - 1]);
  for (uint32_t i = 0; i < hints; ++i) operands.push(ids[c.count() - 1 - hints + i]);
  if (hasValue) return e.op(opcode, c.t, operands.span());
  e.opVoid(opcode, operands.span());
  return {};
}

// An instruction whose result is an array, which GLSL returns through the last argument.
Id storeHitArray(const BuiltinCall& c, spv::Op opcode) {
  Emitter& e = c.e;
  e.declareFor(opcode);
  const uint32_t last = c.count() - 1;
  const Id object = pointerTo(c, 0);
  Place out;
  c.place(last, out);
  const TypeId array = c.argType(last);
  const Id value = last == 2 ? e.make<op::RayQueryGetIntersectionTriangleVertexPositionsKHR>(
                                   opcode, array, {.rayQuery = object, .intersection = intersection(c, 1)})
                             : e.make<op::Unary>(opcode, array, {.operand = object});
  e.memory.store(out, value);
  return {};
}

}  // namespace

Id emitStatement(Emitter& e, ExprId call, spv::Op opcode) {
  return emitInstruction(BuiltinCall(e, call), opcode, InstructionKind::Statement);
}

Id emitInstructionRow(Emitter& e, ExprId call) {
  // The opcodes of rows INSTRUCTION are SPIRV-Headers' or, with older ones, the supplement's.
  using namespace spirv::enums;
  using enum spv::Op;
  const BuiltinCall c(e, call);
  switch (c.o) {
#define INSTRUCTION(name, operation, kind, opcode) \
  case BuiltinOp::operation:                       \
    return emitInstruction(c, opcode, InstructionKind::kind);
#include "frontend/language/extensions.def"
    case BuiltinOp::RayQueryTrianglePositions:
      return storeHitArray(c, OpRayQueryGetIntersectionTriangleVertexPositionsKHR);
    case BuiltinOp::HitObjectTrianglePositions:
      return storeHitArray(c, OpHitObjectGetIntersectionTriangleVertexPositionsEXT);
    case BuiltinOp::RayQueryLSSPositions: return storeHitArray(c, OpRayQueryGetIntersectionLSSPositionsNV);
    case BuiltinOp::RayQueryLSSRadii: return storeHitArray(c, OpRayQueryGetIntersectionLSSRadiiNV);
    case BuiltinOp::HitObjectLSSPositionsNV: return storeHitArray(c, OpHitObjectGetLSSPositionsNV);
    case BuiltinOp::HitObjectLSSRadiiNV: return storeHitArray(c, OpHitObjectGetLSSRadiiNV);
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
