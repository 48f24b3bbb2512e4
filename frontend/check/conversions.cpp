// Implicit conversions (GLSL 4.60, 4.1.10), with the table of GL_EXT_shader_explicit_arithmetic_types and the
// additions of GL_EXT_bfloat16, GL_EXT_float_e5m2 / _e4m3, GL_EXT_ocp_microscaling_types, and explicit
// component-wise conversions.
//
// Whether a conversion exists depends on the two component types; vectors and matrices convert if their
// shapes agree. GLSL ES has none, unless an explicit arithmetic type extension provides its table.
#include "frontend/check/expressions_common.hpp"
#include "frontend/program/block_layout.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t mask(std::initializer_list<Scalar> list) {
  uint32_t m = 0;
  for (Scalar s : list) m |= 1u << static_cast<uint32_t>(s);
  return m;
}
constexpr uint32_t kSmallFloatTargets =
    mask({Scalar::BFloat16, Scalar::Float16, Scalar::Float, Scalar::Double});

// The types that each type converts to: the promotions and conversions of the explicit types' tables
// together. Without extensions, only the rows and columns of 32-bit types and double can occur, which are the
// core's table.
constexpr uint32_t kTargets[static_cast<size_t>(Scalar::Count)] = {
    0,  // Bool
    mask({Scalar::Int, Scalar::Uint8, Scalar::Int16, Scalar::Uint16, Scalar::Uint, Scalar::Int64,
          Scalar::Uint64, Scalar::Float16, Scalar::Float, Scalar::Double}),  // Int8
    mask({Scalar::Int, Scalar::Int16, Scalar::Uint16, Scalar::Uint, Scalar::Int64, Scalar::Uint64,
          Scalar::Float16, Scalar::Float, Scalar::Double}),  // Uint8
    mask({Scalar::Int, Scalar::Uint16, Scalar::Uint, Scalar::Int64, Scalar::Uint64, Scalar::Float16,
          Scalar::Float, Scalar::Double}),  // Int16
    mask({Scalar::Int, Scalar::Uint, Scalar::Int64, Scalar::Uint64, Scalar::Float16, Scalar::Float,
          Scalar::Double}),                                                              // Uint16
    mask({Scalar::Uint, Scalar::Int64, Scalar::Uint64, Scalar::Float, Scalar::Double}),  // Int
    mask({Scalar::Int64, Scalar::Uint64, Scalar::Float, Scalar::Double}),                // Uint
    mask({Scalar::Uint64, Scalar::Double}),                                              // Int64
    mask({Scalar::Double}),                                                              // Uint64
    mask({Scalar::Float, Scalar::Double}),                                               // Float16
    mask({Scalar::Double}),                                                              // Float
    0,                                                                                   // Double
    mask({Scalar::Float, Scalar::Double}),                                               // BFloat16
    kSmallFloatTargets,                                                                  // FloatE4M3
    kSmallFloatTargets,                                                                  // FloatE5M2
    kSmallFloatTargets | mask({Scalar::FloatE4M3, Scalar::FloatE5M2}),                   // FloatE2M1
    kSmallFloatTargets,                                                                  // FloatE2M3
    kSmallFloatTargets,                                                                  // FloatE3M2
    0,                                                                                   // FloatE8M0
    kSmallFloatTargets,                                                                  // MxInt8
};

// The table of GL_NV_gpu_shader5, 4.1.10: 8-bit and 16-bit types convert only to 32-bit and 64-bit types.
constexpr uint32_t kSignedTargetsOfNV =
    mask({Scalar::Int, Scalar::Int64, Scalar::Uint, Scalar::Uint64, Scalar::Float, Scalar::Double});
constexpr uint32_t kUnsignedTargetsOfNV = mask({Scalar::Uint, Scalar::Uint64, Scalar::Float, Scalar::Double});
constexpr uint32_t targetsOfNV(Scalar from) {
  switch (from) {
    case Scalar::Int8:
    case Scalar::Int16: return kSignedTargetsOfNV;
    case Scalar::Uint8:
    case Scalar::Uint16: return kUnsignedTargetsOfNV;
    default: return kTargets[static_cast<size_t>(from)];
  }
}

// Conversion rank of integers: their width.
uint32_t rank(Scalar s) { return scalarBits(s); }
Scalar unsignedOf(Scalar s) {
  switch (s) {
    case Scalar::Int8: return Scalar::Uint8;
    case Scalar::Int16: return Scalar::Uint16;
    case Scalar::Int: return Scalar::Uint;
    case Scalar::Int64: return Scalar::Uint64;
    default: return s;
  }
}

}  // namespace

bool hasArithmetic(const Checker& c, Scalar s) {
  const Feature feature = arithmeticFeature(s);
  return feature == Feature::Count || c.allows(feature);
}

bool requireArithmetic(Checker& c, Scalar s, SourceLoc loc, std::string_view what) {
  if (hasArithmetic(c, s)) return true;
  c.report(DiagKind::StorageOnlyType, loc, {c.typeText(basicType(s)), what, c.needs(arithmeticFeature(s))});
  return false;
}

bool followsSizedTypesOfNV(const Checker& c) {
  return c.allows(Feature::SizedTypesOfNV) && !c.allows(Feature::ExplicitTypeRanking);
}

bool scalarConverts(const Checker& c, Scalar from, Scalar to) {
  if (from == to) return true;
  const uint32_t targets = followsSizedTypesOfNV(c) ? targetsOfNV(from) : kTargets[static_cast<size_t>(from)];
  if (((targets >> static_cast<uint32_t>(to)) & 1) == 0) return false;
  if (!c.allows(Feature::ImplicitConversions)) {
    // The extensions of the encodings provide their conversions in any version, but without the core's table.
    return from >= Scalar::BFloat16;
  }
  // Storage types have no implicit conversions (GL_EXT_shader_16bit_storage and GL_EXT_shader_8bit_storage,
  // 4.1.X). If the program enables arithmetic on other types, storage types also widen (decision 61).
  const bool widens = isFloatScalar(from) == isFloatScalar(to) && c.allows(Feature::StorageWidening);
  return (widens || hasArithmetic(c, from)) && hasArithmetic(c, to);
}

namespace {

// GL_NV_gpu_shader5, 4.1.10: "a floating-point type is chosen if either operand has a floating-point type.
// Otherwise, an unsigned integer type is chosen if either operand has an unsigned integer type. ... If
// operands can be converted to both 32- and 64-bit versions of the chosen base data type, the 32-bit version
// is used."
Scalar commonOfNV(const Checker& c, Scalar a, Scalar b) {
  const bool real = isFloatScalar(a) || isFloatScalar(b);
  const bool sign = isSignedScalar(a) && isSignedScalar(b);
  const Scalar narrow = real ? Scalar::Float : sign ? Scalar::Int : Scalar::Uint;
  const Scalar wide = real ? Scalar::Double : sign ? Scalar::Int64 : Scalar::Uint64;
  return scalarConverts(c, a, narrow) && scalarConverts(c, b, narrow) ? narrow : wide;
}

}  // namespace

std::optional<Scalar> commonScalar(const Checker& c, Scalar a, Scalar b) {
  if (a == b) return a;
  if (a == Scalar::Bool || b == Scalar::Bool) return std::nullopt;
  Scalar common = a;
  if (followsSizedTypesOfNV(c)) {
    common = commonOfNV(c, a, b);
  } else if (isFloatScalar(a) || isFloatScalar(b)) {
    // The first of double, float and float16 that an operand has. Encodings without arithmetic convert to the
    // other operand's type.
    if (a == Scalar::Double || b == Scalar::Double)
      common = Scalar::Double;
    else if (a == Scalar::Float || b == Scalar::Float)
      common = Scalar::Float;
    else if (a == Scalar::Float16 || b == Scalar::Float16)
      common = Scalar::Float16;
    else
      return std::nullopt;
  } else if (isSignedScalar(a) == isSignedScalar(b)) {
    common = rank(a) > rank(b) ? a : b;
  } else {
    const Scalar s = isSignedScalar(a) ? a : b, u = isSignedScalar(a) ? b : a;
    if (rank(u) > rank(s))
      common = u;
    else if (rank(s) > rank(u))
      common = s;  // represents all values of the narrower unsigned type
    else
      common = unsignedOf(s);
  }
  const bool converts = scalarConverts(c, a, common) && scalarConverts(c, b, common);
  return converts ? std::optional(common) : std::nullopt;
}

bool implicitlyConverts(const Checker& c, TypeId from, TypeId to) {
  if (from == to || from == kErrorType || to == kErrorType) return true;
  Shape a, b;
  if (!shapeOf(c.program, from, a) || !shapeOf(c.program, to, b)) return false;
  return a.sameAs(b) && scalarConverts(c, a.scalar, b.scalar);
}

namespace {

// "Reference types can participate in constant expressions" (GL_EXT_buffer_reference, issue 3), but constants
// have no reference types: a constant is the address that results from converting the reference.

ConstId foldBinary(Checker& c, ExprOp op, TypeId type, ConstId a, ConstId b, SourceLoc loc) {
  const ConstId operands[] = {a, b};
  return foldOperation(c, op, type, operands, loc);
}

// Converts a constant address between uint64_t and uvec2, whose first component has the low 32 bits. None if
// it is not a literal.
ConstId convertAddress(Program& program, ConstId address, TypeId to) {
  const Constant k = program.constants[address];
  if (k.type == to) return address;
  if (k.isSpec) return {};
  const TypeId word = basicType(Scalar::Uint);
  if (to == basicType(Scalar::Uint64)) {
    const uint64_t low = program.constants[constituent(program, address, 0)].bits;
    const uint64_t high = program.constants[constituent(program, address, 1)].bits;
    return program.constants.scalar(to, high << 32 | low);
  }
  const ConstId low = program.constants.scalar(word, k.bits & 0xFFFFFFFF);
  const ConstId high = program.constants.scalar(word, k.bits >> 32);
  const ConstId parts[] = {low, high};
  return program.constants.composite(to, parts);
}

// The address of a reference that is made of constant addresses by conversions, arithmetic
// (GL_EXT_buffer_reference2) and `?:`, as a constant of type `to`; none if it is not constant.
ConstId constantAddress(Checker& c, ExprId reference, TypeId to, SourceLoc loc) {
  const TypeId int64 = basicType(Scalar::Int64), uint64 = basicType(Scalar::Uint64);
  ConstId offset;  // of type int64_t, in bytes
  for (ExprId e = reference;;) {
    const Expr node = c.expr(e);
    ConstId address;
    if (!isReference(c.program, node.type)) {
      if (node.op == ExprOp::Constant) address = node.constant();
    } else if (node.op == ExprOp::Convert) {
      e = node.operand();
      continue;
    } else if (node.op == ExprOp::Index) {
      const uint64_t size = referentSize(c.program, c.type(node.type).structure());
      const ConstId scale = c.program.constants.scalar(int64, size);
      const ConstId bytes = foldBinary(c, ExprOp::Mul, int64, c.constantOf(node.indexValue()), scale, loc);
      if (!bytes) return {};
      offset = offset ? foldBinary(c, ExprOp::Add, int64, offset, bytes, loc) : bytes;
      e = node.indexBase();
      continue;
    } else if (node.op == ExprOp::Select) {
      const ConstId condition = c.constantOf(c.program.selectCondition(node));
      if (!condition) return {};
      const ConstId values[] = {condition, constantAddress(c, c.program.selectTrue(node), uint64, loc),
                                constantAddress(c, c.program.selectFalse(node), uint64, loc)};
      address = foldOperation(c, ExprOp::Select, uint64, values, loc);
    }
    if (!address || !offset) return address ? convertAddress(c.program, address, to) : ConstId();
    address = convertAddress(c.program, address, uint64);
    const ConstId distance = foldOperation(c, ExprOp::Convert, uint64, {&offset, 1}, loc);
    address = foldBinary(c, ExprOp::Add, uint64, address, distance, loc);
    return address ? convertAddress(c.program, address, to) : ConstId();
  }
}

}  // namespace

ExprId makeConvert(Checker& c, ExprId value, TypeId to) {
  const Expr e = c.expr(value);
  if (e.type == to || e.type == kErrorType || to == kErrorType) return value;
  const ExprHead head = {to, resultFlags(c.program, to, e.flags), e.loc};
  if (e.op == ExprOp::Constant) {
    const ConstId k = e.constant();
    const ConstId folded = foldOperation(c, ExprOp::Convert, to, {&k, 1}, e.loc);
    if (folded) return c.program.addExpr(Expr::constant(head, folded));
  } else if (isReference(c.program, e.type) && !isReference(c.program, to)) {
    const ConstId address = constantAddress(c, value, to, e.loc);
    if (address) return c.program.addExpr(Expr::constant(head, address));
  }
  return c.program.addExpr(Expr::unary(ExprOp::Convert, head, value));
}

ExprId convertImplicitly(Checker& c, ExprId value, TypeId to) {
  const TypeId from = c.typeOf(value);
  if (from == to) return value;
  return implicitlyConverts(c, from, to) ? makeConvert(c, value, to) : ExprId();
}

ExprId convertOrReport(Checker& c, ExprId value, TypeId to, SourceLoc loc, std::string_view what) {
  if (c.isError(value) || to == kErrorType) return value;
  if (!requireValue(c, value)) return c.error(loc);
  const TypeId from = c.typeOf(value);
  if (const TypeInfo array = c.type(from); array.kind == TypeKind::Array && !array.hasArraySize()) {
    c.report(DiagKind::UnsizedValue, loc, {what, c.typeText(from)});
    return c.error(loc);
  }
  const ExprId converted = convertImplicitly(c, value, to);
  if (converted) return converted;
  Shape a, b;
  DiagBuilder report =
      c.report(DiagKind::NoImplicitConversion, loc, {what, c.typeText(from), c.typeText(to)});
  if (const TypeInfo array = c.type(to); array.kind == TypeKind::Array && !array.hasArraySize())
    report.note({}, "an array without a size takes it from an array: write `" + c.typeText(to) + "(...)`");
  if (shapeOf(c.program, from, a) && shapeOf(c.program, to, b)) {
    if (a.sameAs(b) && (a.scalar != Scalar::Bool || b.scalar < Scalar::BFloat16)) {
      for (Scalar s : {a.scalar, b.scalar})
        if (!hasArithmetic(c, s)) {
          report.note({},
                      "implicit conversions of this type need extension " + c.needs(arithmeticFeature(s)));
          break;
        }
      report.note({}, "write `" + c.typeText(to) + "(...)` to convert explicitly");
    } else if (a.kind == TypeKind::Vector && b.kind == TypeKind::Vector && a.rows > b.rows) {
      report.note({},
                  "take components with a swizzle such as `." + std::string("xyzw").substr(0, b.rows) + "`");
    }
  }
  return c.error(loc);
}

}  // namespace coopc::frontend
