// Clocks, debug output, hints, integer dot products, encodings of small floats: GL_ARB_shader_clock,
// GL_EXT_shader_realtime_clock, GL_EXT_debug_printf, GL_EXT_abort, GL_EXT_expect_assume,
// GL_EXT_integer_dot_product, GL_EXT_bfloat16, GL_EXT_float_e4m3, GL_EXT_float_e5m2, GL_EXT_float_e2m1.
#include <spirv/unified1/AMD_shader_explicit_vertex_parameter.h>
#include <string_view>
#include <vector>

#include <spirv/unified1/GLSL.std.450.h>

#include "emit/builtins/call.hpp"
#include "emit/cooperative_matrix.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/extended_sets.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

constexpr uint32_t kDebugPrintf = 1;  // NonSemantic.DebugPrintf

Id clock(const BuiltinCall& c, spv::Scope scope) {
  Emitter& e = c.e;
  e.declareFor(spv::Op::OpReadClockKHR);
  e.types.useType(c.t);
  return e.op(spv::Op::OpReadClockKHR, c.t, {e.constants.scope(scope)});
}

Id dotProduct(const BuiltinCall& c) {
  Emitter& e = c.e;
  const bool packed = c.o == BuiltinOp::DotPacked4x8EXT || c.o == BuiltinOp::DotPacked4x8AccSatEXT;
  const bool accumulate = c.o == BuiltinOp::DotAccSatEXT || c.o == BuiltinOp::DotPacked4x8AccSatEXT;
  e.capability(spv::Capability::DotProduct);
  e.types.useType(c.t);
  e.types.useType(c.argType(0));
  const bool bytes = scalarBits(c.argScalar(0)) == 8 && isBasic(c.argType(0)) && basicRows(c.argType(0)) == 4;
  e.capability(packed  ? spv::Capability::DotProductInput4x8BitPacked
               : bytes ? spv::Capability::DotProductInput4x8Bit
                       : spv::Capability::DotProductInputAll);
  Id x = c.arg(0);
  Id y = c.arg(1);
  const Id accumulator = accumulate ? c.arg(2) : Id();
  const bool xs = isSignedScalar(c.argScalar(0)), ys = isSignedScalar(c.argScalar(1));
  if (!xs && ys) std::swap(x, y);  // OpSUDot has its signed operand first
  using Op = spv::Op;
  const Op opcode = xs && ys   ? (accumulate ? Op::OpSDotAccSat : Op::OpSDot)
                    : xs || ys ? (accumulate ? Op::OpSUDotAccSat : Op::OpSUDot)
                               : (accumulate ? Op::OpUDotAccSat : Op::OpUDot);
  OperandWords words(e);
  words.push(x);
  words.push(y);
  if (accumulate) words.push(accumulator);
  if (packed) words.push(static_cast<uint32_t>(spv::PackedVectorFormat::PackedVectorFormat4x8Bit));
  return c.op(opcode, words.span());
}

// saturatedConvertEXT(out result, value): a conversion with a decoration.
Id saturatedConvert(const BuiltinCall& c) {
  Emitter& e = c.e;
  Place out;
  c.place(0, out);
  const Id v = c.arg(1);
  if (e.kind(c.argType(0)) == TypeKind::CoopMat) {
    e.memory.store(out, convertMatrixSaturated(e, v, c.argType(1), c.argType(0)));
    return {};
  }
  const Id result = e.op(spv::Op::OpFConvert, c.argType(0), {v});
  e.b.decorate(result, spirv::enums::DecorationSaturatedToLargestFloat8NormalConversionEXT);
  e.memory.store(out, result);
  return {};
}

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

// The location of the variable that a call of GL_NV_ray_tracing means; the module has the variable although
// nothing else may refer to it.
Id rayLocation(const BuiltinCall& c, uint32_t i) {
  const VarId v = c.e.expr(c.args[i]).variable();
  pointerTo(c, i);
  return c.e.constants.i32(
      static_cast<int32_t>(c.e.program.interfaceOf(c.e.program.variables[v].interface).location));
}

// RayQueryIntersection of SPIR-V, of the constant argument `committed`.
Id intersection(const BuiltinCall& c, uint32_t i) {
  const Constant& committed = c.e.program.constants[c.e.expr(c.args[i]).constant()];
  return c.e.u32(committed.kind == ConstKind::Scalar && committed.bits != 0 ? 1 : 0);
}

// Which argument is the variable whose location was given: the last one, but a hit kind may follow.
uint32_t rayDataIndex(const BuiltinCall& c) {
  return c.o == BuiltinOp::HitObjectRecordFromQuery ? 3 : c.count() - 1;
}

// An operand of an instruction: a pointer to a ray query, a hit object or the variable whose location was
// given, or else a value.
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
Id instruction(const BuiltinCall& c, spv::Op opcode, InstructionKind kind) {
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

// Writes OpEmitMeshTasksEXT, with the payload if one is declared. It ends the block.
void emitMeshTasks(const BuiltinCall& c) {
  Emitter& e = c.e;
  OperandWords operands(e);
  for (uint32_t i = 0; i < c.count(); ++i) operands.push(c.arg(i));
  for (const VarId g : e.program.globals)
    if (e.program.variables[g].storage == Storage::TaskPayload) operands.push(e.variables.slot(g).id);
  e.opVoid(spv::Op::OpEmitMeshTasksEXT, operands.span());
  e.open = false;
}

// An instruction whose result, an array, GLSL has as the last argument.
Id hitArray(const BuiltinCall& c, spv::Op opcode) {
  Emitter& e = c.e;
  e.declareFor(opcode);
  const uint32_t last = c.count() - 1;
  const Id object = pointerTo(c, 0);
  Place out;
  c.place(last, out);
  OperandWords operands(e);
  operands.push(object);
  if (last == 2) operands.push(intersection(c, 1));
  e.memory.store(out, e.op(opcode, c.argType(last), operands.span()));
  return {};
}

Id printf(const BuiltinCall& c) {
  Emitter& e = c.e;
  std::vector<Word> words{e.module.nonSemanticSet("NonSemantic.DebugPrintf"), kDebugPrintf};
  for (uint32_t i = 0; i < c.count(); ++i) {
    e.types.useType(c.argType(i) == kStringType ? kVoidType : c.argType(i));
    const Id v =
        c.argType(i) == kStringType ? e.b.string(e.names.text(e.expr(c.args[i]).string())) : c.arg(i);
    words.push_back(v);
  }
  e.op(spv::Op::OpExtInst, kVoidType, Words{words.data(), words.size()});
  return {};
}

// Without a derivative group, derivatives are zero (GL_NV_compute_shader_derivatives, issue 4). Derivatives
// of float16_t (GL_AMD_gpu_shader_half_float) are computed in 32 bits, the only width that the instructions
// take (SPIR-V, 3.3.16 "Derivative Instructions").
Id derivative(const BuiltinCall& c, spv::Op opcode) {
  Id value = c.arg(0);
  if (!c.e.program.hasDerivatives()) return c.e.constants.zeroOf(c.t);
  if (opcode != spv::Op::OpDPdx && opcode != spv::Op::OpDPdy && opcode != spv::Op::OpFwidth)
    c.e.capability(spv::Capability::DerivativeControl);
  if (basicScalar(c.t) != Scalar::Float16) return c.op(opcode, {value});
  const TypeId wide = basicType(Scalar::Float, basicRows(c.t));
  value = c.e.op(spv::Op::OpFConvert, wide, {value});
  return c.e.op(spv::Op::OpFConvert, c.t, {c.e.op(opcode, wide, {value})});
}

// The input itself, or an element or a member of it, is passed; components are selected behind the
// instruction.
Id interpolate(const BuiltinCall& c, std::string_view extendedSet, uint32_t function) {
  Emitter& e = c.e;
  Place p;
  c.place(0, p);
  const uint32_t swizzle = p.swizzle;
  const bool selected = swizzle != 0;
  p.swizzle = 0;
  const TypeId whole = p.type;
  const Id pointer = e.memory.pointer(p);
  const Id set = extendedSet.empty() ? e.glsl450() : e.b.extInstSet(extendedSet);
  const Id operand = c.count() > 1 ? c.arg(1) : Id();
  OperandWords words(e);
  words.push(set);
  words.push(function);
  words.push(pointer);
  if (operand) words.push(operand);
  if (!selected) return c.op(spv::Op::OpExtInst, words.span());
  const Id value = e.op(spv::Op::OpExtInst, whole, words.span());
  return e.shuffle(value, whole, swizzle);
}

Id interpolation(const BuiltinCall& c, uint32_t function) {
  c.e.capability(spv::Capability::InterpolationFunction);
  if (basicScalar(c.t) == Scalar::Float16) c.e.b.extension(spirv::enums::kHalfFloatsExtension);
  return interpolate(c, {}, function);
}

// GL_AMD_shader_explicit_vertex_parameter: the value that one vertex has written.
Id vertexOfInterpolant(const BuiltinCall& c) {
  c.e.types.useType(c.t);
  c.e.b.extension(spirv::kVertexParameterSet);
  return interpolate(c, spirv::kVertexParameterSet,
                     AMD_shader_explicit_vertex_parameterInterpolateAtVertexAMD);
}

}  // namespace

void emitEndingCall(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (c.o == BuiltinOp::EmitMeshTasks)
    emitMeshTasks(c);
  else
    emitAbort(e, call);
}

Id emitOtherBuiltin(Emitter& e, ExprId call) {
  // The opcodes of rows INSTRUCTION are SPIRV-Headers' or, with older ones, the supplement's.
  using namespace spirv::enums;
  using enum spv::Op;
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::Clock:
    case BuiltinOp::Clock2x32: return clock(c, spv::Scope::Subgroup);
    case BuiltinOp::ClockRealtime:
    case BuiltinOp::ClockRealtime2x32: return clock(c, spv::Scope::Device);
    case BuiltinOp::DebugPrintf: return printf(c);
    case BuiltinOp::Abort:
    case BuiltinOp::EmitMeshTasks:
      emitEndingCall(e, call);
      e.startBlock(e.b.id());  // what follows in the expression is never reached
      return {};
    case BuiltinOp::EmitVertex: return instruction(c, spv::Op::OpEmitVertex, InstructionKind::Statement);
    case BuiltinOp::EndPrimitive: return instruction(c, spv::Op::OpEndPrimitive, InstructionKind::Statement);
    case BuiltinOp::EmitStreamVertex:
      return instruction(c, spv::Op::OpEmitStreamVertex, InstructionKind::Statement);
    case BuiltinOp::EndStreamPrimitive:
      return instruction(c, spv::Op::OpEndStreamPrimitive, InstructionKind::Statement);
#define INSTRUCTION(name, operation, kind, opcode) \
  case BuiltinOp::operation:                       \
    return instruction(c, opcode, InstructionKind::kind);
#include "frontend/language/extensions.def"
    case BuiltinOp::RayQueryTrianglePositions:
      return hitArray(c, OpRayQueryGetIntersectionTriangleVertexPositionsKHR);
    case BuiltinOp::HitObjectTrianglePositions:
      return hitArray(c, OpHitObjectGetIntersectionTriangleVertexPositionsEXT);
    case BuiltinOp::RayQueryLSSPositions: return hitArray(c, OpRayQueryGetIntersectionLSSPositionsNV);
    case BuiltinOp::RayQueryLSSRadii: return hitArray(c, OpRayQueryGetIntersectionLSSRadiiNV);
    case BuiltinOp::HitObjectLSSPositionsNV: return hitArray(c, OpHitObjectGetLSSPositionsNV);
    case BuiltinOp::HitObjectLSSRadiiNV: return hitArray(c, OpHitObjectGetLSSRadiiNV);
    case BuiltinOp::NonUniform: return c.arg(0);
    case BuiltinOp::DPdx: return derivative(c, spv::Op::OpDPdx);
    case BuiltinOp::DPdy: return derivative(c, spv::Op::OpDPdy);
    case BuiltinOp::Fwidth: return derivative(c, spv::Op::OpFwidth);
    case BuiltinOp::DPdxFine: return derivative(c, spv::Op::OpDPdxFine);
    case BuiltinOp::DPdyFine: return derivative(c, spv::Op::OpDPdyFine);
    case BuiltinOp::FwidthFine: return derivative(c, spv::Op::OpFwidthFine);
    case BuiltinOp::DPdxCoarse: return derivative(c, spv::Op::OpDPdxCoarse);
    case BuiltinOp::DPdyCoarse: return derivative(c, spv::Op::OpDPdyCoarse);
    case BuiltinOp::FwidthCoarse: return derivative(c, spv::Op::OpFwidthCoarse);
    case BuiltinOp::InterpolateAtCentroid: return interpolation(c, GLSLstd450InterpolateAtCentroid);
    case BuiltinOp::InterpolateAtSample: return interpolation(c, GLSLstd450InterpolateAtSample);
    case BuiltinOp::InterpolateAtVertex: return vertexOfInterpolant(c);
    case BuiltinOp::InterpolateAtOffset: return interpolation(c, GLSLstd450InterpolateAtOffset);
    case BuiltinOp::DotEXT:
    case BuiltinOp::DotPacked4x8EXT:
    case BuiltinOp::DotAccSatEXT:
    case BuiltinOp::DotPacked4x8AccSatEXT: return dotProduct(c);
    case BuiltinOp::BitcastFloatEncoding:
    case BuiltinOp::PackFloatE2M1:
    case BuiltinOp::UnpackFloatE2M1: {
      e.types.useType(c.t);
      e.types.useType(c.argType(0));
      const Id type = c.type();
      const Id bits = c.arg(0);
      return e.bitcast(bits, type);
    }
    case BuiltinOp::SaturatedConvert: return saturatedConvert(c);
    case BuiltinOp::BitcastExtractE2M1: {
      e.declareFor(spirv::enums::OpBitcastExtractEXT);
      e.types.useType(c.argType(0));
      const Id base = c.arg(0);
      const Id offset = c.arg(1);
      return e.op(spirv::enums::OpBitcastExtractEXT, c.t, {base, offset});
    }
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
