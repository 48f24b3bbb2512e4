// Types of a compile, interned: equal types have equal ids.
//
// Scalars, vectors and matrices have fixed ids computed from (scalar, rows, columns) and occupy no memory;
// everything else lives in one flat table. Parameters that GLSL allows to be specialization constants (array
// sizes, cooperative matrix parameters) are ConstIds; constants are interned too, so that type identity is
// structural over the constants' expressions (facts: `(M/2)` written twice is one type, M and N are not).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontend/lex/names.hpp"
#include "frontend/source/source.hpp"

namespace coopc::frontend {

using TypeId = uint32_t;
using ConstId = uint32_t;   ///< index into Program::constants; 0 is invalid
using StructId = uint32_t;  ///< index into Program::structs

enum class Scalar : uint8_t {
  Bool,
  Int8,
  Uint8,
  Int16,
  Uint16,
  Int,
  Uint,
  Int64,
  Uint64,
  Float16,
  Float,
  Double,
  BFloat16,
  FloatE4M3,
  FloatE5M2,
  FloatE2M1,
  FloatE2M3,
  FloatE3M2,
  FloatE8M0,
  MxInt8,
  Count
};

constexpr bool isFloatScalar(Scalar s) { return s >= Scalar::Float16; }
/// IEEE types with arithmetic of their own; the others only convert.
constexpr bool isArithmeticFloat(Scalar s) { return s >= Scalar::Float16 && s <= Scalar::Double; }
constexpr bool isIntScalar(Scalar s) { return s >= Scalar::Int8 && s <= Scalar::Uint64; }
constexpr bool isSignedScalar(Scalar s) {
  return s == Scalar::Int8 || s == Scalar::Int16 || s == Scalar::Int || s == Scalar::Int64;
}
constexpr uint32_t scalarBits(Scalar s) {  ///< width in memory and in OpType*; bool: 32 (as GLSL lays it out)
  switch (s) {
    case Scalar::Int8:
    case Scalar::Uint8:
    case Scalar::FloatE4M3:
    case Scalar::FloatE5M2:
    case Scalar::FloatE8M0:
    case Scalar::MxInt8: return 8;
    case Scalar::Int16:
    case Scalar::Uint16:
    case Scalar::Float16:
    case Scalar::BFloat16: return 16;
    case Scalar::Int64:
    case Scalar::Uint64:
    case Scalar::Double: return 64;
    case Scalar::FloatE2M1: return 4;
    case Scalar::FloatE2M3:
    case Scalar::FloatE3M2: return 6;
    default: return 32;
  }
}

enum class TypeKind : uint8_t {
  Error,  ///< the type of what was already reported: converts silently to and from everything
  Void,
  Scalar,
  Vector,
  Matrix,
  LongVector,  ///< vector<T, N> of GL_EXT_long_vector with N outside 2..4 or a specialization constant; a: component count (ConstId)
  Array,  ///< a: element TypeId, b: size ConstId (literal sizes: always Constants::uint32), kUnsizedArray or kRuntimeArray
  Struct,        ///< a: StructId (blocks included: StructInfo::block)
  Reference,     ///< buffer_reference block used as a type; a: StructId of the block
  Image,         ///< all opaque sampler, texture, image types; a: packed ImageDesc
  CoopMat,       ///< params: scope, rows, columns, use (ConstIds); scalar: component
  CoopMatNV,     ///< GL_NV_cooperative_matrix: params: scope, rows, columns; scalar: component
  CoopVec,       ///< params: component count; scalar: component
  TensorLayout,  ///< params: Dim, clamp mode
  TensorView,    ///< params: Dim, hasDimensions, permutation[Dim]
  FunctionName,  ///< the `function` parameter type: the identifier of a function
  String,        ///< debugPrintfEXT's format
  SpirvType,     ///< spirv_type(...); a: index into Program::spirvTypes
};

constexpr uint32_t kUnsizedArray =
    0;  ///< as Array::b: size to come (implicit, from an initializer or a later use)
constexpr uint32_t kRuntimeArray = ~0u;  ///< as Array::b: OpTypeRuntimeArray

enum class ImageDim : uint8_t { D1, D2, D3, Cube, Rect, Buffer, Subpass };
enum class ImageKind : uint8_t {
  Sampler,
  SamplerShadow,
  Texture,
  Combined,
  CombinedShadow,
  Storage,
  SubpassInput
};
struct ImageDesc {
  ImageKind kind;
  ImageDim dim;
  Scalar sampled;  ///< Float, Int, Uint, Int64, Uint64, Float16
  bool arrayed;
  bool multisampled;

  constexpr uint32_t pack() const {
    return static_cast<uint32_t>(kind) | static_cast<uint32_t>(dim) << 4 |
           static_cast<uint32_t>(sampled) << 8 | static_cast<uint32_t>(arrayed) << 16 |
           static_cast<uint32_t>(multisampled) << 17;
  }
  static constexpr ImageDesc unpack(uint32_t v) {
    return {static_cast<ImageKind>(v & 15), static_cast<ImageDim>((v >> 4) & 15),
            static_cast<Scalar>((v >> 8) & 255), ((v >> 16) & 1) != 0, ((v >> 17) & 1) != 0};
  }
};

struct TypeInfo {
  TypeKind kind = TypeKind::Error;
  Scalar scalar = Scalar::Float;  ///< component type where there is one
  uint8_t rows = 0;               ///< vector components, matrix rows; scalars: 1
  uint8_t columns = 0;            ///< matrix columns; scalars and vectors: 1
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t params = 0;  ///< first parameter in the parameter pool
  uint32_t paramCount = 0;
};

constexpr TypeId kErrorType = 0;
constexpr TypeId kVoidType = 1;
constexpr TypeId kFirstBasic = 16;  ///< ids 2..15: FunctionName and String, then unused
constexpr TypeId kFunctionNameType = 2;
constexpr TypeId kStringType = 3;
constexpr TypeId kFirstDerived = kFirstBasic + 16 * static_cast<uint32_t>(Scalar::Count);

/// The id of a scalar (1,1), vector (rows,1) or matrix (rows x columns; GLSL's matCxR).
constexpr TypeId basicType(Scalar s, uint32_t rows = 1, uint32_t columns = 1) {
  return kFirstBasic + static_cast<uint32_t>(s) * 16 + (columns - 1) * 4 + (rows - 1);
}
constexpr bool isBasic(TypeId t) { return t >= kFirstBasic && t < kFirstDerived; }
constexpr Scalar basicScalar(TypeId t) { return static_cast<Scalar>((t - kFirstBasic) / 16); }
constexpr uint32_t basicRows(TypeId t) { return (t - kFirstBasic) % 4 + 1; }
constexpr uint32_t basicColumns(TypeId t) { return (t - kFirstBasic) % 16 / 4 + 1; }
constexpr bool isScalarType(TypeId t) { return isBasic(t) && (t - kFirstBasic) % 16 == 0; }
constexpr bool isVectorType(TypeId t) {
  return isBasic(t) && (t - kFirstBasic) % 16 > 0 && (t - kFirstBasic) % 16 < 4;
}
constexpr bool isMatrixType(TypeId t) { return isBasic(t) && (t - kFirstBasic) % 16 >= 4; }

constexpr TypeId kBool = basicType(Scalar::Bool);
constexpr TypeId kInt = basicType(Scalar::Int);
constexpr TypeId kUint = basicType(Scalar::Uint);
constexpr TypeId kFloat = basicType(Scalar::Float);
constexpr TypeId kDouble = basicType(Scalar::Double);

class Types {
 public:
  Types();
  TypeInfo operator[](TypeId id) const;
  TypeKind kind(TypeId id) const { return isBasic(id) ? basicKind(id) : (*this)[id].kind; }

  TypeId array(TypeId element, uint32_t size);
  TypeId structure(StructId s);
  TypeId reference(StructId block);
  TypeId image(ImageDesc desc);
  /// CoopMat, CoopMatNV, CoopVec, LongVector, TensorLayout, TensorView.
  TypeId parameterized(TypeKind kind, Scalar scalar, std::span<const ConstId> params);
  TypeId spirvType(uint32_t index);
  std::span<const ConstId> params(TypeId id) const;
  uint32_t size() const { return static_cast<uint32_t>(infos_.size()) + kFirstDerived; }

 private:
  static TypeKind basicKind(TypeId id) {
    return isScalarType(id) ? TypeKind::Scalar : isVectorType(id) ? TypeKind::Vector : TypeKind::Matrix;
  }
  TypeId intern(const TypeInfo& info, std::span<const ConstId> params);
  std::vector<TypeInfo> infos_;
  std::vector<uint32_t> pool_;
  std::vector<uint32_t> table_;
};

}  // namespace coopc::frontend
