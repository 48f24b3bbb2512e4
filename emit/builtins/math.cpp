// Built-in functions of GLSL 4.60, 8.1 to 8.8. Most become one instruction, of GLSL.std.450 or of SPIR-V
// itself, chosen by the component type.
#include <spirv/unified1/GLSL.std.450.h>

#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// GLSL.std.450 instructions for float, signed and unsigned components; 0 if there is none.
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
    case BuiltinOp::Ldexp: return {GLSLstd450Ldexp, 0, 0};
    case BuiltinOp::PackUnorm2x16: return {GLSLstd450PackUnorm2x16, 0, 0};
    case BuiltinOp::PackSnorm2x16: return {GLSLstd450PackSnorm2x16, 0, 0};
    case BuiltinOp::PackUnorm4x8: return {GLSLstd450PackUnorm4x8, 0, 0};
    case BuiltinOp::PackSnorm4x8: return {GLSLstd450PackSnorm4x8, 0, 0};
    case BuiltinOp::PackHalf2x16: return {GLSLstd450PackHalf2x16, 0, 0};
    case BuiltinOp::PackDouble2x32: return {0, 0, GLSLstd450PackDouble2x32};
    case BuiltinOp::UnpackUnorm2x16: return {0, 0, GLSLstd450UnpackUnorm2x16};
    case BuiltinOp::UnpackSnorm2x16: return {0, 0, GLSLstd450UnpackSnorm2x16};
    case BuiltinOp::UnpackUnorm4x8: return {0, 0, GLSLstd450UnpackUnorm4x8};
    case BuiltinOp::UnpackSnorm4x8: return {0, 0, GLSLstd450UnpackSnorm4x8};
    case BuiltinOp::UnpackHalf2x16: return {0, 0, GLSLstd450UnpackHalf2x16};
    case BuiltinOp::UnpackDouble2x32: return {GLSLstd450UnpackDouble2x32, 0, 0};
    case BuiltinOp::Length: return {GLSLstd450Length, 0, 0};
    case BuiltinOp::Distance: return {GLSLstd450Distance, 0, 0};
    case BuiltinOp::Cross: return {GLSLstd450Cross, 0, 0};
    case BuiltinOp::Normalize: return {GLSLstd450Normalize, 0, 0};
    case BuiltinOp::FaceForward: return {GLSLstd450FaceForward, 0, 0};
    case BuiltinOp::Reflect: return {GLSLstd450Reflect, 0, 0};
    case BuiltinOp::Refract: return {GLSLstd450Refract, 0, 0};
    case BuiltinOp::Determinant: return {GLSLstd450Determinant, 0, 0};
    case BuiltinOp::Inverse: return {GLSLstd450MatrixInverse, 0, 0};
    case BuiltinOp::FindLsb: return {0, GLSLstd450FindILsb, GLSLstd450FindILsb};
    case BuiltinOp::FindMsb: return {0, GLSLstd450FindSMsb, GLSLstd450FindUMsb};
    default: return {0, 0, 0};
  }
}

// Whether scalar operands stand for vectors with equal components.
bool replicatesScalars(BuiltinOp o) {
  return o == BuiltinOp::Min || o == BuiltinOp::Max || o == BuiltinOp::Clamp || o == BuiltinOp::Mix ||
         o == BuiltinOp::Step || o == BuiltinOp::SmoothStep;
}

spv::Op relation(BuiltinOp o, Scalar s) {
  using Op = spv::Op;
  const bool f = isFloatScalar(s), i = isSignedScalar(s), b = s == Scalar::Bool;
  switch (o) {
    case BuiltinOp::LessThan: return f ? Op::OpFOrdLessThan : i ? Op::OpSLessThan : Op::OpULessThan;
    case BuiltinOp::LessThanEqual:
      return f ? Op::OpFOrdLessThanEqual : i ? Op::OpSLessThanEqual : Op::OpULessThanEqual;
    case BuiltinOp::GreaterThan:
      return f ? Op::OpFOrdGreaterThan : i ? Op::OpSGreaterThan : Op::OpUGreaterThan;
    case BuiltinOp::GreaterThanEqual:
      return f ? Op::OpFOrdGreaterThanEqual : i ? Op::OpSGreaterThanEqual : Op::OpUGreaterThanEqual;
    case BuiltinOp::VectorEqual: return f ? Op::OpFOrdEqual : b ? Op::OpLogicalEqual : Op::OpIEqual;
    default: return f ? Op::OpFUnordNotEqual : b ? Op::OpLogicalNotEqual : Op::OpINotEqual;
  }
}

// modf and frexp return a structure of two results. The second, of type `second`, is converted to `written`
// and stored in the output argument.
template <class Instruction>
Id splitFloat(const BuiltinCall& c, TypeId second, TypeId written) {
  Emitter& e = c.e;
  const Id x = c.arg(0);
  Place out;
  c.place(1, out);
  const Id pairType = c.pairType(c.t, second);
  const Id pair = e.ext<Instruction>(pairType, {.x = x});
  const Id first = c.decorate(e.extract(pair, c.t, 0));
  Id other = e.extract(pair, second, 1);
  if (written != second) other = e.make<op::SConvert>(written, {.signedValue = other});
  c.write(out, other, written);
  return first;
}

// uaddCarry, usubBorrow, umulExtended and imulExtended. The instructions return the low word first; the
// output parameters begin with the high word, the carry or the borrow.
Id emitExtended(const BuiltinCall& c, spv::Op opcode, bool multiply) {
  Emitter& e = c.e;
  const TypeId t = c.argType(0);
  const Id x = c.arg(0);
  const Id y = c.arg(1);
  Place a, b;
  c.place(2, a);
  if (multiply) c.place(3, b);
  const Id pairType = c.pairType(t, t);
  const Id pair = e.make<op::Binary>(opcode, pairType, {.operand1 = x, .operand2 = y});
  const Id low = e.extract(pair, t, 0);
  const Id high = e.extract(pair, t, 1);
  c.write(a, high, t);
  if (multiply) c.write(b, low, t);
  return low;
}

// refract for double: GLSL.std.450 takes a 16 or 32-bit eta only, so the formula of 8.5 is written out.
Id refractDouble(const BuiltinCall& c) {
  Emitter& e = c.e;
  const TypeId d = basicType(Scalar::Double);
  const Id dt = e.type(d);
  const bool vector = c.isVector(c.t);
  const Id i = c.arg(0), n = c.arg(1), eta = c.arg(2);
  const auto mul = [&](NamedId a, NamedId b) {
    return c.decorate(e.make<op::FMul>(dt, {.operand1 = a, .operand2 = b}));
  };
  const auto oneMinus = [&, one = e.constants.oneOf(d)](NamedId v) {
    return c.decorate(e.make<op::FSub>(dt, {.operand1 = one, .operand2 = v}));
  };
  const Id cosine = vector ? c.decorate(e.make<op::Dot>(dt, {.vector1 = n, .vector2 = i})) : mul(n, i);
  const Id cosine2 = mul(cosine, cosine);
  const Id sine2 = oneMinus(cosine2);
  const Id eta2 = mul(eta, eta);
  const Id refracted2 = mul(eta2, sine2);
  const Id k = oneMinus(refracted2);
  const Id scale = c.decorate(e.make<op::FAdd>(
      dt, {.operand1 = mul(eta, cosine), .operand2 = e.ext<op::glsl450::Sqrt>(dt, {.x = k})}));
  const auto scaled = [&](NamedId v, NamedId by) {
    return vector ? c.make<op::VectorTimesScalar>({.vector = v, .scalar = by})
                  : c.make<op::FMul>({.operand1 = v, .operand2 = by});
  };
  const Id bent = c.make<op::FSub>({.operand1 = scaled(i, eta), .operand2 = scaled(n, scale)});
  Id total = e.make<op::FOrdLessThan>(kBool, {.operand1 = k, .operand2 = e.constants.zeroOf(d)});
  if (vector) total = e.arithmetic.splatMask(c.t, total);
  return e.make<op::Select>(c.t, {.condition = total, .object1 = e.constants.zeroOf(c.t), .object2 = bent});
}

Id dot(const BuiltinCall& c) {
  Emitter& e = c.e;
  const Id x = c.arg(0);
  const Id y = c.arg(1);
  if (c.isVector(c.argType(0))) {
    if (c.argScalar(0) == Scalar::BFloat16) e.capability(spv::Capability::BFloat16DotProductKHR);
    return c.make<op::Dot>({.vector1 = x, .vector2 = y});
  }
  if (c.argScalar(0) != Scalar::BFloat16) return c.make<op::FMul>({.operand1 = x, .operand2 = y});
  // bfloat16 has no multiplication, but the product of two such numbers is exact in float.
  const TypeId b = basicType(Scalar::BFloat16);
  const Id product = e.make<op::FMul>(kFloat, {.operand1 = e.arithmetic.convert(x, b, kFloat),
                                               .operand2 = e.arithmetic.convert(y, b, kFloat)});
  return e.arithmetic.convert(product, kFloat, b);
}

Id matrixCompMult(const BuiltinCall& c) {
  Emitter& e = c.e;
  const Id x = c.arg(0);
  const Id y = c.arg(1);
  const Id column = e.type(basicType(basicScalar(c.t), basicRows(c.t)));
  Id columns[4];
  for (uint32_t i = 0; i < basicColumns(c.t); ++i)
    columns[i] = c.decorate(
        e.make<op::FMul>(column, {.operand1 = e.extract(x, column, i), .operand2 = e.extract(y, column, i)}));
  return e.composite(c.t, columns, basicColumns(c.t));
}

}  // namespace

Id emitMathBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  const Scalar s = c.argScalar(0);
  const TypeId t = c.t;
  e.types.useType(t);
  for (uint32_t i = 0; i < c.count(); ++i) e.types.useType(c.argType(i));

  if (c.o == BuiltinOp::Refract && s == Scalar::Double) return refractDouble(c);
  const Instructions instructions = instructionsOf(c.o);
  const uint32_t instruction = isFloatScalar(s)    ? instructions.floating
                               : isSignedScalar(s) ? instructions.isSigned
                                                   : instructions.isUnsigned;
  // The instructions have 32-bit exponents; GL_AMD_gpu_shader_int16 has 16-bit ones of float16_t.
  const bool narrow = (c.o == BuiltinOp::Ldexp || c.o == BuiltinOp::Frexp) && c.argScalar(1) == Scalar::Int16;
  if (instruction != 0 && !narrow) {
    const bool replicates = replicatesScalars(c.o);
    OperandWords arguments(e);
    for (uint32_t i = 0; i < c.count(); ++i) arguments.push(replicates ? c.replicate(i, t) : c.arg(i));
    return c.make<op::ExtInst>(
        {.set = e.glsl450(), .instruction = instruction, .operands = arguments.span()});
  }

  switch (c.o) {
    case BuiltinOp::Mod: {
      const Id x = c.arg(0);
      const Id y = c.replicate(1, t);
      return c.make<op::FMod>({.operand1 = x, .operand2 = y});
    }
    case BuiltinOp::Modf: return splitFloat<op::glsl450::ModfStruct>(c, t, t);
    case BuiltinOp::Frexp: {
      const TypeId exponent = isBasic(t) ? basicType(Scalar::Int, basicRows(t)) : c.argType(1);
      return splitFloat<op::glsl450::FrexpStruct>(c, exponent, narrow ? c.argType(1) : exponent);
    }
    case BuiltinOp::Ldexp: {
      const Id x = c.arg(0);
      const Id exponent =
          e.make<op::SConvert>(basicType(Scalar::Int, basicRows(t)), {.signedValue = c.arg(1)});
      return c.decorate(e.ext<op::glsl450::Ldexp>(t, {.x = x, .exp = exponent}));
    }
    case BuiltinOp::MixSelect: {
      const Id x = c.arg(0);
      const Id y = c.arg(1);
      const Id a = c.arg(2);
      return e.make<op::Select>(c.t, {.condition = a, .object1 = y, .object2 = x});
    }
    case BuiltinOp::IsNan: return e.make<op::IsNan>(c.t, {.x = c.arg(0)});
    case BuiltinOp::IsInf: return e.make<op::IsInf>(c.t, {.x = c.arg(0)});
    case BuiltinOp::BitcastToInt:
    case BuiltinOp::BitcastToUint:
    case BuiltinOp::BitcastToFloat:
    case BuiltinOp::PackBits:
    case BuiltinOp::UnpackBits: {
      const Id type = c.type();
      const Id bits = c.arg(0);
      return e.bitcast(bits, type);
    }
    case BuiltinOp::Dot: return dot(c);
    case BuiltinOp::MatrixCompMult: return matrixCompMult(c);
    case BuiltinOp::OuterProduct: {
      const Id x = c.arg(0);
      const Id y = c.arg(1);
      return c.make<op::OuterProduct>({.vector1 = x, .vector2 = y});
    }
    case BuiltinOp::Transpose: return c.make<op::Transpose>({.matrix = c.arg(0)});
    case BuiltinOp::LessThan:
    case BuiltinOp::LessThanEqual:
    case BuiltinOp::GreaterThan:
    case BuiltinOp::GreaterThanEqual:
    case BuiltinOp::VectorEqual:
    case BuiltinOp::VectorNotEqual: {
      const Id x = c.arg(0);
      const Id y = c.arg(1);
      return e.make<op::Binary>(relation(c.o, s), c.t, {.operand1 = x, .operand2 = y});
    }
    case BuiltinOp::Any: return e.make<op::Any>(c.t, {.vector = c.arg(0)});
    case BuiltinOp::All: return e.make<op::All>(c.t, {.vector = c.arg(0)});
    case BuiltinOp::VectorNot: return e.make<op::LogicalNot>(c.t, {.operand = c.arg(0)});
    case BuiltinOp::UaddCarry: return emitExtended(c, spv::Op::OpIAddCarry, false);
    case BuiltinOp::UsubBorrow: return emitExtended(c, spv::Op::OpISubBorrow, false);
    case BuiltinOp::UmulExtended: return emitExtended(c, spv::Op::OpUMulExtended, true);
    case BuiltinOp::ImulExtended: return emitExtended(c, spv::Op::OpSMulExtended, true);
    case BuiltinOp::BitfieldExtract: {
      const Id base = c.arg(0);
      const Id offset = c.arg(1);
      const Id bits = c.arg(2);
      return c.make<op::BitFieldSExtract>(
          isSignedScalar(s) ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract,
          {.base = base, .offset = offset, .count = bits});
    }
    case BuiltinOp::BitfieldInsert: {
      const Id base = c.arg(0);
      const Id insert = c.arg(1);
      const Id offset = c.arg(2);
      const Id bits = c.arg(3);
      return c.make<op::BitFieldInsert>({.base = base, .insert = insert, .offset = offset, .count = bits});
    }
    case BuiltinOp::BitfieldReverse: return c.make<op::BitReverse>({.base = c.arg(0)});
    case BuiltinOp::BitCount: return c.make<op::BitCount>({.base = c.arg(0)});
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
