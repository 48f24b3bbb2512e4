// Conversions (GLSL 4.1.10, 5.4.1, GL_EXT_shader_explicit_arithmetic_types), component by component.
#include "base/spirv_version.hpp"
#include "emit/arithmetic.hpp"
#include "emit/cooperative_matrix.hpp"
#include "frontend/program/arithmetic.hpp"

namespace coopc::emit {

using namespace frontend;

Id Arithmetic::convert(Id v, TypeId from, TypeId to, Mode m) {
  if (from == to) return v;
  if (isBasic(from) && isBasic(to)) {
    if (!isMatrixType(to)) return convertComponents(v, from, to, m);
    const TypeId fc = basicType(basicScalar(from), basicRows(from));
    const TypeId tc = basicType(basicScalar(to), basicRows(to));
    types.useType(from);  // the storage capabilities do not allow extracting columns
    Id columns[4];
    for (uint32_t i = 0; i < basicColumns(to); ++i)
      columns[i] = convertComponents(code.extract(v, fc, i), fc, tc, m);
    types.useType(to);
    return code.composite(to, columns, basicColumns(to));
  }
  const TypeKind fk = kind(from), tk = kind(to);
  if (tk == TypeKind::AccelerationStructure) {
    types.useType(from);
    return code.make<op::ConvertUToAccelerationStructureKHR>(to, {.accel = v});
  }
  if (fk == TypeKind::Reference || tk == TypeKind::Reference) {
    if (fk == tk) return code.bitcast(v, to);
    if (tk == TypeKind::Reference) {
      if (isVectorType(from)) {
        if (module.version >= kSpirv15) return code.bitcast(v, to);
        v = code.bitcast(v, basicType(Scalar::Uint64));
      } else if (basicScalar(from) != Scalar::Uint64) {
        v = convertComponents(v, from, basicType(Scalar::Uint64), {});
      }
      useScalar(Scalar::Uint64);
      return code.make<op::ConvertUToPtr>(to, {.integerValue = v});
    }
    if (isVectorType(to) && module.version >= kSpirv15) return code.bitcast(v, to);
    useScalar(Scalar::Uint64);
    const Id address = code.make<op::ConvertPtrToU>(basicType(Scalar::Uint64), {.pointer = v});
    if (isVectorType(to)) return code.bitcast(address, to);
    return convertComponents(address, basicType(Scalar::Uint64), to, {});
  }
  if (fk == TypeKind::CoopMat || fk == TypeKind::CoopMatNV) return convertMatrix(*this, v, from, to);
  if (fk == TypeKind::CoopVec || fk == TypeKind::LongVector) return convertComponents(v, from, to, m);
  unsupported({}, "this conversion");
  return constants.undef(types.type(to));
}

Id Arithmetic::convertComponents(Id v, TypeId from, TypeId to, Mode m) {
  const Scalar f = scalarOf(from), t = scalarOf(to);
  if (f == t) {
    if (from == to) return v;
    const Id source = types.type(from), target = types.type(to);
    return source == target ? v : code.bitcast(v, target);
  }
  const Id target = types.type(to);
  if (t == Scalar::Bool) {
    useScalar(f);
    return code.make<op::Binary>(isFloatScalar(f) ? spv::Op::OpFUnordNotEqual : spv::Op::OpINotEqual, target,
                                 {.operand1 = v, .operand2 = constants.zeroOf(from)});
  }
  if (f == Scalar::Bool) {
    if (isBasic(to) && !hasArithmetic(program, t)) {
      // Types that are only stored have no constants and no selections, but conversions from 32 bits.
      const Scalar wide = isFloatScalar(t) ? Scalar::Float : isSignedScalar(t) ? Scalar::Int : Scalar::Uint;
      const TypeId number = basicType(wide, basicRows(to));
      return convertComponents(convertComponents(v, from, number, m), number, to, m);
    }
    useScalar(t);
    const Id one = isBasic(to) ? constants.oneOf(to) : splat(to, constants.oneOf(basicType(t)));
    return code.make<op::Select>(target, {.condition = v, .object1 = one, .object2 = b.constantNull(target)});
  }
  const auto finish = [&](Id id) {
    if (m.relaxed) b.decorate(id, spv::Decoration::RelaxedPrecision);
    return id;
  };
  const bool fFloat = isFloatScalar(f), tFloat = isFloatScalar(t);
  const auto converted = [&](spv::Op opcode) {
    return finish(code.make<op::Unary>(opcode, target, {.operand = v}));
  };
  if (fFloat && tFloat) return converted(spv::Op::OpFConvert);
  if (fFloat) {
    useScalar(f);
    useScalar(t);
    return converted(isSignedScalar(t) ? spv::Op::OpConvertFToS : spv::Op::OpConvertFToU);
  }
  if (tFloat) {
    if (t == Scalar::Float16 && isBasic(to) && !hasArithmetic(program, t)) {
      const TypeId number = basicType(Scalar::Float, basicRows(to));
      return convertComponents(convertComponents(v, from, number, m), number, to, m);
    }
    useScalar(f);
    useScalar(t);
    return converted(isSignedScalar(f) ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF);
  }
  if (scalarBits(f) == scalarBits(t)) {
    useScalar(t);
    return finish(code.bitcast(v, target));
  }
  if (isSignedScalar(f)) return converted(spv::Op::OpSConvert);
  if (!isSignedScalar(t)) return converted(spv::Op::OpUConvert);
  // A truncation is the same for both signs.
  if (scalarBits(t) < scalarBits(f)) return converted(spv::Op::OpSConvert);
  // OpUConvert's result must be unsigned: extend first, then read the bits as signed.
  const auto unsignedScalar = static_cast<Scalar>(static_cast<uint32_t>(t) + 1);
  useScalar(unsignedScalar);
  Id wide;
  if (isBasic(to)) {
    wide = types.type(basicType(unsignedScalar, basicRows(to)));
  } else {
    const auto params = program.types.params(to);
    const Id count = constants.sizeConstant(params.empty() ? info(to).vectorSize() : params[0]);
    wide = b.type<op::TypeVectorIdEXT>(
        {.componentType = types.type(basicType(unsignedScalar)), .componentCount = count});
  }
  const Id bits = code.make<op::UConvert>(wide, {.unsignedValue = v});
  return finish(code.bitcast(bits, target));
}

Id Arithmetic::matrixDiagonal(TypeId t, Id scalar) {
  const Scalar s = basicScalar(t);
  useScalar(s);
  const Id zero = constants.scalarConstant(s, 0);
  const Id column = types.type(basicType(s, basicRows(t)));
  Id columns[4];
  for (uint32_t c = 0; c < basicColumns(t); ++c) {
    Id parts[4];
    for (uint32_t r = 0; r < basicRows(t); ++r) parts[r] = r == c ? scalar : zero;
    columns[c] = code.composite(column, parts, basicRows(t));
  }
  return code.composite(t, columns, basicColumns(t));
}

// A matrix from a matrix (5.4.2): missing components come from the identity matrix.
Id Arithmetic::matrixResize(TypeId t, Id matrix, TypeId from) {
  const Scalar s = basicScalar(t);
  useScalar(s);
  const Id scalar = types.type(basicType(s));
  const Id zero = constants.scalarConstant(s, 0), one = constants.oneOf(basicType(s));
  const Id column = types.type(basicType(s, basicRows(t)));
  Id columns[4];
  for (uint32_t c = 0; c < basicColumns(t); ++c) {
    Id parts[4];
    for (uint32_t r = 0; r < basicRows(t); ++r) {
      if (c < basicColumns(from) && r < basicRows(from)) {
        parts[r] = code.make<op::CompositeExtract>(scalar, {.composite = matrix, .indexes = {c, r}});
      } else {
        parts[r] = r == c ? one : zero;
      }
    }
    columns[c] = code.composite(column, parts, basicRows(t));
  }
  return code.composite(t, columns, basicColumns(t));
}

}  // namespace coopc::emit
