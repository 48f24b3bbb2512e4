// Functions of fragment shaders: derivatives and interpolation (GLSL 8.14), and
// GL_AMD_shader_explicit_vertex_parameter.
#include <spirv/unified1/AMD_shader_explicit_vertex_parameter.h>
#include <string_view>

#include <spirv/unified1/GLSL.std.450.h>

#include "emit/builtins/call.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/extended_sets.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Without a derivative group, derivatives are zero (GL_NV_compute_shader_derivatives, issue 4). Derivatives
// of float16_t (GL_AMD_gpu_shader_half_float) are computed in 32 bits, the only width that the instructions
// take (SPIR-V, 3.3.16 "Derivative Instructions").
Id derive(const BuiltinCall& c, spv::Op opcode) {
  Id value = c.arg(0);
  if (!c.e.program.hasDerivatives()) return c.e.constants.zeroOf(c.t);
  if (opcode != spv::Op::OpDPdx && opcode != spv::Op::OpDPdy && opcode != spv::Op::OpFwidth)
    c.e.capability(spv::Capability::DerivativeControl);
  if (basicScalar(c.t) != Scalar::Float16) return c.make<op::Unary>(opcode, {.operand = value});
  const TypeId wide = basicType(Scalar::Float, basicRows(c.t));
  value = c.e.make<op::FConvert>(wide, {.floatValue = value});
  const Id derivative = c.e.make<op::Unary>(opcode, wide, {.operand = value});
  return c.e.make<op::FConvert>(c.t, {.floatValue = derivative});
}

// The input itself, or an element or a member of it, is passed; components are selected after the
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
  OperandWords operands(e, {pointer});
  if (operand) operands.push(operand);
  const op::ExtInst::Fields fields{.set = set, .instruction = function, .operands = operands.span()};
  if (!selected) return c.make<op::ExtInst>(fields);
  const Id value = e.make<op::ExtInst>(whole, fields);
  return e.shuffle(value, whole, swizzle);
}

Id interpolateByGlsl(const BuiltinCall& c, uint32_t function) {
  c.e.capability(spv::Capability::InterpolationFunction);
  if (basicScalar(c.t) == Scalar::Float16) c.e.b.extension(spirv::enums::kHalfFloatsExtension);
  return interpolate(c, {}, function);
}

// GL_AMD_shader_explicit_vertex_parameter: the value that one vertex has written.
Id readVertex(const BuiltinCall& c) {
  c.e.types.useType(c.t);
  c.e.b.extension(spirv::kVertexParameterSet);
  return interpolate(c, spirv::kVertexParameterSet,
                     AMD_shader_explicit_vertex_parameterInterpolateAtVertexAMD);
}

}  // namespace

Id emitDerivative(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::DPdx: return derive(c, spv::Op::OpDPdx);
    case BuiltinOp::DPdy: return derive(c, spv::Op::OpDPdy);
    case BuiltinOp::Fwidth: return derive(c, spv::Op::OpFwidth);
    case BuiltinOp::DPdxFine: return derive(c, spv::Op::OpDPdxFine);
    case BuiltinOp::DPdyFine: return derive(c, spv::Op::OpDPdyFine);
    case BuiltinOp::FwidthFine: return derive(c, spv::Op::OpFwidthFine);
    case BuiltinOp::DPdxCoarse: return derive(c, spv::Op::OpDPdxCoarse);
    case BuiltinOp::DPdyCoarse: return derive(c, spv::Op::OpDPdyCoarse);
    case BuiltinOp::FwidthCoarse: return derive(c, spv::Op::OpFwidthCoarse);
    default: return c.unsupported();
  }
}

Id emitInterpolation(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::InterpolateAtCentroid: return interpolateByGlsl(c, GLSLstd450InterpolateAtCentroid);
    case BuiltinOp::InterpolateAtSample: return interpolateByGlsl(c, GLSLstd450InterpolateAtSample);
    case BuiltinOp::InterpolateAtOffset: return interpolateByGlsl(c, GLSLstd450InterpolateAtOffset);
    case BuiltinOp::InterpolateAtVertex: return readVertex(c);
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
