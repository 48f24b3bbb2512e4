// What a type contains.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

TypeId elementOfArray(const Program& program, TypeId type);
/// The element type behind all array dimensions.
inline TypeId elementOf(const Program& program, TypeId type) {
  return isBasic(type) ? type : elementOfArray(program, type);
}
/// The structure that a type is, or is an array of; nullptr where it is neither.
const StructInfo* structInfoOf(const Program& program, TypeId type);
/// Whether values of the type may be copied, assigned, compared as a whole; whether it contains an opaque, runtime-sized,
/// cooperative matrix or tensor part. References are not looked through.
bool containsKind(const Program& program, TypeId type, TypeKind kind);
/// An image, texture, sampler or subpass input. (Tensor layouts and views have rules of their own: matrix_rules.hpp.)
bool containsOpaque(const Program& program, TypeId type);
/// An array without a size somewhere inside: runtime-sized, or still to be sized.
bool containsUnsized(const Program& program, TypeId type);
/// An array sized by a specialization constant somewhere inside (4.11).
bool containsSpecSized(const Program& program, TypeId type);
/// A vector of GL_EXT_long_vector whose length a specialization constant says.
bool containsSpecVector(const Program& program, TypeId type);
/// The component types of what is in the type: a bit for each Scalar.
uint32_t scalarsIn(const Program& program, TypeId type);
inline bool containsScalar(const Program& program, TypeId type, Scalar scalar) {
  return (scalarsIn(program, type) >> static_cast<unsigned>(scalar) & 1) != 0;
}
/// Arrays and structures inside each other; scalars have 0.
uint32_t typeDepth(const Program& program, TypeId type);

/// The component type of what has components (vectors, matrices: the scalar; coopmat, coopvec, long vectors too).
inline TypeId componentType(const Program& program, TypeId type) {
  return isBasic(type) ? basicType(basicScalar(type)) : basicType(program.types[type].scalar);
}

inline bool isReference(const Program& program, TypeId type) {
  return !isBasic(type) && program.types.kind(type) == TypeKind::Reference;
}

inline bool isMatrixOrVectorObject(TypeKind k) {
  return k == TypeKind::CoopMat || k == TypeKind::CoopMatNV || k == TypeKind::CoopVec;
}

}  // namespace coopc::frontend
