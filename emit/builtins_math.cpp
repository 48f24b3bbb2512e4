// Built-in functions of GLSL 4.60, 8.1 to 8.8: mostly one instruction of GLSL.std.450, chosen by the component type.
#include <spirv/unified1/GLSL.std.450.h>

#include "emit/builtins_topics.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

/// GLSL.std.450 instructions for float, signed and unsigned components; 0: none.
struct Instructions {
  uint32_t floating, isSigned, isUnsigned;
};

Instructions instructionsOf(BuiltinOp o) {
  switch (o) {
    case BuiltinOp::Radians: return {GLSLstd450Radians, 0, 0};
    case BuiltinOp::Degrees: return {GLSLstd450Degrees, 0, 0};
    case BuiltinOp::Sin: return {GLSLstd450Sin, 0, 0};
    case BuiltinOp::Cos: return {GLSLstd450Cos, 0, 0};
    case BuiltinOp::Tan: return {GLSLstd450Tan, 0, 0};
    case BuiltinOp::Asin: return {GLSLstd450Asin, 0, 0};
    case BuiltinOp::Acos: return {GLSLstd450Acos, 0, 0};
    case BuiltinOp::Atan: return {GLSLstd450Atan, 0, 0};
    case BuiltinOp::Atan2: return {GLSLstd450Atan2, 0, 0};
    case BuiltinOp::Sinh: return {GLSLstd450Sinh, 0, 0};
    case BuiltinOp::Cosh: return {GLSLstd450Cosh, 0, 0};
    case BuiltinOp::Tanh: return {GLSLstd450Tanh, 0, 0};
    case BuiltinOp::Asinh: return {GLSLstd450Asinh, 0, 0};
    case BuiltinOp::Acosh: return {GLSLstd450Acosh, 0, 0};
    case BuiltinOp::Atanh: return {GLSLstd450Atanh, 0, 0};
    case BuiltinOp::Pow: return {GLSLstd450Pow, 0, 0};
    case BuiltinOp::Exp: return {GLSLstd450Exp, 0, 0};
    case BuiltinOp::Log: return {GLSLstd450Log, 0, 0};
    case BuiltinOp::Exp2: return {GLSLstd450Exp2, 0, 0};
    case BuiltinOp::Log2: return {GLSLstd450Log2, 0, 0};
    case BuiltinOp::Sqrt: return {GLSLstd450Sqrt, 0, 0};
    case BuiltinOp::InverseSqrt: return {GLSLstd450InverseSqrt, 0, 0};
    case BuiltinOp::Abs: return {GLSLstd450FAbs, GLSLstd450SAbs, 0};
    case BuiltinOp::Sign: return {GLSLstd450FSign, GLSLstd450SSign, 0};
    case BuiltinOp::Floor: return {GLSLstd450Floor, 0, 0};
    case BuiltinOp::Trunc: return {GLSLstd450Trunc, 0, 0};
    case BuiltinOp::Round: return {GLSLstd450Round, 0, 0};
    case BuiltinOp::RoundEven: return {GLSLstd450RoundEven, 0, 0};
    case BuiltinOp::Ceil: return {GLSLstd450Ceil, 0, 0};
    case BuiltinOp::Fract: return {GLSLstd450Fract, 0, 0};
    case BuiltinOp::Min: return {GLSLstd450FMin, GLSLstd450SMin, GLSLstd450UMin};
    case BuiltinOp::Max: return {GLSLstd450FMax, GLSLstd450SMax, GLSLstd450UMax};
    case BuiltinOp::Clamp: return {GLSLstd450FClamp, GLSLstd450SClamp, GLSLstd450UClamp};
    case BuiltinOp::Mix: return {GLSLstd450FMix, 0, 0};
    case BuiltinOp::Step: return {GLSLstd450Step, 0, 0};
    case BuiltinOp::SmoothStep: return {GLSLstd450SmoothStep, 0, 0};
    case BuiltinOp::Fma: return {GLSLstd450Fma, 0, 0};
    case BuiltinOp::Length: return {GLSLstd450Length, 0, 0};
    case BuiltinOp::Distance: return {GLSLstd450Distance, 0, 0};
    case BuiltinOp::Cross: return {GLSLstd450Cross, 0, 0};
    case BuiltinOp::Normalize: return {GLSLstd450Normalize, 0, 0};
    case BuiltinOp::FaceForward: return {GLSLstd450FaceForward, 0, 0};
    case BuiltinOp::Reflect: return {GLSLstd450Reflect, 0, 0};
    case BuiltinOp::Refract: return {GLSLstd450Refract, 0, 0};
    default: return {0, 0, 0};
  }
}

Id relaxed(Emitter& e, const Expr& call, Id v) {
  if ((call.flags & kExprRelaxed) != 0) e.b.decorate(v, spv::Decoration::RelaxedPrecision);
  return v;
}

}  // namespace

Id emitMathBuiltin(Emitter& e, const Expr& call) {
  const auto o = static_cast<BuiltinOp>(call.sub);
  const auto args = e.program.operands(call);
  const TypeId t = call.type;
  const Instructions i = instructionsOf(o);
  if (i.floating != 0) {
    const Scalar s = e.scalarOf(e.typeOf(args[0]));
    e.useScalar(s);
    const uint32_t instruction = isFloatScalar(s)    ? i.floating
                                 : isSignedScalar(s) ? i.isSigned
                                                     : i.isUnsigned;
    uint32_t words[6] = {0, instruction};
    uint32_t n = 2;
    const bool componentWise = o != BuiltinOp::Length && o != BuiltinOp::Distance && o != BuiltinOp::Refract;
    for (ExprId a : args) {
      Id v = e.value(a);
      if (componentWise && isVectorType(t) && isScalarType(e.typeOf(a)))
        v = e.splat(basicType(e.scalarOf(e.typeOf(a)), basicRows(t)), v);
      words[n++] = v;
    }
    words[0] = e.glsl450();
    return relaxed(e, call, e.op(spv::Op::OpExtInst, e.type(t), Words{words, n}));
  }
  e.unsupported(call.loc, "this built-in function");
  return e.undef(e.type(t));
}

}  // namespace coopc::emit
