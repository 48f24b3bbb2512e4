// Queries about types: what they consist of and contain.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Like elementOf(), for types that are not basic.
TypeId elementOfArray(const Program& program, TypeId type);
/// The element type of an array of any number of dimensions; other types are returned as they are.
inline TypeId elementOf(const Program& program, TypeId type) {
  return isBasic(type) ? type : elementOfArray(program, type);
}
/// The structure that a type is, or is an array of; nullptr for other types.
const StructInfo* structInfoOf(const Program& program, TypeId type);
/// Whether the type is, or contains at any depth, a type of this kind. References are not looked through.
/// Decides, for example, whether values may be assigned or compared as a whole.
bool containsKind(const Program& program, TypeId type, TypeKind kind);
/// Whether it contains an image, texture, sampler or subpass input. Tensor layouts and views do not count:
/// their rules are in check/extensions/matrices/rules.hpp.
bool containsOpaque(const Program& program, TypeId type);
/// Whether the type is an attachment or an array of them (GL_EXT_shader_tile_image).
bool isAttachment(const Program& program, TypeId type);
/// Whether it contains an array without a size, which is runtime-sized or will be given a size later.
bool containsUnsized(const Program& program, TypeId type);
/// Whether it contains an array sized by a specialization constant (4.11).
bool containsSpecSized(const Program& program, TypeId type);
/// Whether it is an array of arrays with a dimension, other than the outermost, that is a specialization
/// constant.
bool hasSpecInner(const Program& program, TypeId type);
/// Whether it contains an array of arrays with a dimension, other than the outermost, that is a
/// specialization constant.
bool containsSpecInner(const Program& program, TypeId type);
/// Whether it contains a vector of GL_EXT_long_vector whose length is a specialization constant.
bool containsSpecVector(const Program& program, TypeId type);
/// The component types that occur in the type: a bit for each Scalar.
uint32_t scalarsIn(const Program& program, TypeId type);
inline bool containsScalar(const Program& program, TypeId type, Scalar scalar) {
  return (scalarsIn(program, type) >> static_cast<unsigned>(scalar) & 1) != 0;
}
/// Bytes of the largest scalar that the type or structure has in memory; references are addresses of 8 bytes.
uint32_t largestScalarBytes(const Program& program, TypeId type);
uint32_t largestScalarBytes(const StructInfo& s);
/// Nesting depth of arrays and structures; 0 for scalars.
uint32_t typeDepth(const Program& program, TypeId type);

/// The component type of a scalar (itself), vector, long vector, matrix, cooperative matrix or cooperative
/// vector.
inline TypeId componentType(const Program& program, TypeId type) {
  return isBasic(type) ? basicType(basicScalar(type)) : basicType(program.types[type].scalar);
}

inline bool isReference(const Program& program, TypeId type) {
  return !isBasic(type) && program.types.kind(type) == TypeKind::Reference;
}

/// Cooperative matrices, of both extensions, and cooperative vectors.
inline bool isMatrixOrVectorObject(TypeKind k) {
  return k == TypeKind::CoopMat || k == TypeKind::CoopMatNV || k == TypeKind::CoopVec;
}

}  // namespace coopc::frontend
