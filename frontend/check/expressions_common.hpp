// Shared by the files of the expression checks: shapes of arithmetic types, flags of new nodes, and names of
// operators for messages. Internal to check/expressions*, conversions, constructors, folding*.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/id_buffer.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/program/arithmetic.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

/// An access as it is written, for messages: `block.member`, `list[...].count`.
std::string expressionText(const Checker& c, ExprId e);

/// A type that operators work on component by component: scalar, vector, matrix, or a vector of
/// GL_EXT_long_vector.
struct Shape {
  TypeKind kind = TypeKind::Error;
  Scalar scalar = Scalar::Float;
  uint8_t rows = 1;
  uint8_t columns = 1;
  ConstId count;  ///< LongVector: number of components

  bool sameAs(const Shape& o) const {
    return kind == o.kind && rows == o.rows && columns == o.columns && count == o.count;
  }
};

inline bool shapeOf(const Program& program, TypeId type, Shape& shape) {
  if (isBasic(type)) {
    shape.scalar = basicScalar(type);
    shape.rows = static_cast<uint8_t>(basicRows(type));
    shape.columns = static_cast<uint8_t>(basicColumns(type));
    shape.kind = program.types.kind(type);
    shape.count = {};
    return true;
  }
  const TypeInfo info = program.types[type];
  if (info.kind != TypeKind::LongVector) return false;
  shape = {TypeKind::LongVector, info.scalar, 1, 1, program.types.params(type)[0]};
  return true;
}

inline TypeId shapeType(Program& program, const Shape& shape, Scalar scalar) {
  if (shape.kind == TypeKind::LongVector)
    return program.types.internParameterized(TypeKind::LongVector, scalar, {&shape.count, 1});
  return basicType(scalar, shape.rows, shape.columns);
}

/// Bits of ExprFlags that flow from operands to the result of an operator.
constexpr uint8_t kFlowFlags = kExprRelaxed | kExprHighp | kExprNonUniform | kExprSideEffects;

/// Only float, int and uint, and types made of them, have a precision (4.7.2).
inline bool hasPrecision(const Program& program, TypeId type) {
  const Scalar s = isBasic(type) ? basicScalar(type) : program.types[type].scalar;
  return s == Scalar::Float || s == Scalar::Int || s == Scalar::Uint;
}
inline uint8_t joinFlags(uint8_t a, uint8_t b) {
  auto flags = static_cast<uint8_t>((a | b) & kFlowFlags);
  if (flags & kExprHighp) flags = static_cast<uint8_t>(flags & ~kExprRelaxed);  // the highest precision wins
  return flags;
}
/// Flags of a result of type `type` made of operands with `flags`.
inline uint8_t resultFlags(const Program& program, TypeId type, uint8_t flags) {
  flags &= kFlowFlags;
  if (!hasPrecision(program, type)) flags = static_cast<uint8_t>(flags & ~(kExprRelaxed | kExprHighp));
  return flags;
}
inline uint8_t flagsOfPrecision(Precision p) {
  switch (p) {
    case Precision::None: return 0;
    case Precision::Low:
    case Precision::Medium: return kExprRelaxed;
    case Precision::High: return kExprHighp;
  }
  return 0;
}

/// The scalar type that the component types of two operands convert to (4.1.10); none if there is none.
std::optional<Scalar> commonScalar(const Checker& c, Scalar a, Scalar b);
bool scalarConverts(const Checker& c, Scalar from, Scalar to);
/// Whether conversions and their ranking follow GL_NV_gpu_shader5: they do if no extension of explicit types
/// defines them.
bool followsSizedTypesOfNV(const Checker& c);
/// Whether values of the type have arithmetic, or are only stored and converted (GL_EXT_shader_8bit_storage,
/// _16bit_storage).
bool hasArithmetic(const Checker& c, Scalar s);
/// Reports an operation on a storage-only type and returns false.
bool requireArithmetic(Checker& c, Scalar s, SourceLoc loc, std::string_view what);

/// The expression at the root of a chain of Member, Index and Swizzle; a Member of a reference ends the
/// chain.
ExprId rootExpression(const Program& program, ExprId e);

/// Whether buffer references have arithmetic and indices; otherwise reports operator `op`.
bool requireReferenceArithmetic(Checker& c, std::string_view op, TypeId reference, SourceLoc loc);
/// Reports an error if the referent of a reference has no size but the operation needs it
/// (GL_EXT_buffer_reference2).
bool requireReferentSize(Checker& c, TypeId reference, SourceLoc loc);

/// Member `index` of a struct, of a block or (`reference`) of the referent of a reference.
ExprId checkMemberIndex(Checker& c, ExprId base, uint32_t index, SourceLoc loc);

}  // namespace coopc::frontend
