// Types by number: scalars, vectors and matrices have fixed ids computed from (scalar, rows, columns) and
// occupy no memory; everything else has an id from program/interned_types.hpp. Also the properties of image
// types, and a type taken apart.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "frontend/language/ids.hpp"

namespace coopc::frontend {

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
/// IEEE types with arithmetic; the other types only convert.
constexpr bool isArithmeticFloat(Scalar s) { return s >= Scalar::Float16 && s <= Scalar::Double; }
constexpr bool isIntScalar(Scalar s) { return s >= Scalar::Int8 && s <= Scalar::Uint64; }
constexpr bool isSignedScalar(Scalar s) {
  return s == Scalar::Int8 || s == Scalar::Int16 || s == Scalar::Int || s == Scalar::Int64;
}
constexpr uint32_t scalarBits(Scalar s) {  // width in memory and in OpType*; bool: 32 (as GLSL lays it out)
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
  Error,  ///< the type of expressions after an error: converts silently to and from everything
  Void,
  Scalar,
  Vector,
  Matrix,
  /// vector<T, N> of GL_EXT_long_vector with N outside 2..4 or a specialization constant: vectorSize()
  LongVector,
  Array,         ///< element(), arraySize()
  Struct,        ///< structure() (blocks included: StructInfo::block)
  Reference,     ///< buffer_reference block used as a type: structure()
  BufferType,    ///< buffer_type block, a descriptor in a heap: structure()
  Image,         ///< all opaque sampler, texture, image types: image()
  CoopMat,       ///< params: scope, rows, columns, use (ConstIds); scalar: component
  CoopMatNV,     ///< GL_NV_cooperative_matrix: params: scope, rows, columns; scalar: component
  CoopVec,       ///< params: component count; scalar: component
  TensorLayout,  ///< params: Dim, clamp mode
  TensorView,    ///< params: Dim, hasDimensions, permutation[Dim]
  FunctionName,  ///< the `function` parameter type: the identifier of a function
  String,        ///< debugPrintfEXT's format
  SpirvType,     ///< spirv_type(...): spirvType()
  Tensor,        ///< tensorARM: params: rank; scalar: element
  AccelerationStructure,
  RayQuery,
  HitObject,    ///< hitObjectEXT
  HitObjectNV,  ///< hitObjectNV
};

constexpr ConstId kUnsizedArray;  ///< as arraySize(): to come (implicit, from an initializer or a later use)
constexpr ConstId kRuntimeArray = ConstId(~0u);  ///< as arraySize(): OpTypeRuntimeArray

enum class ImageDim : uint8_t { D1, D2, D3, Cube, Rect, Buffer, Subpass };
enum class ImageKind : uint8_t {
  Sampler,
  SamplerShadow,
  Texture,
  Combined,
  CombinedShadow,
  Storage,
  SubpassInput,
  Attachment  ///< GL_EXT_shader_tile_image
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

class TypeInfo {
 public:
  TypeKind kind = TypeKind::Error;
  Scalar scalar = Scalar::Float;  ///< component type, if there is one
  uint8_t rows = 0;               ///< vector components, matrix rows; scalars: 1
  uint8_t columns = 0;            ///< matrix columns; scalars and vectors: 1

  TypeId element() const {  // of Array
    assert(kind == TypeKind::Array);
    return TypeId(a_);
  }
  /// For Array. Literal sizes are always Constants::uint32; all others are kUnsizedArray, kRuntimeArray or
  /// another constant.
  ConstId arraySize() const {
    assert(kind == TypeKind::Array);
    return ConstId(b_);
  }
  bool hasArraySize() const { return arraySize() != kUnsizedArray && arraySize() != kRuntimeArray; }
  StructId structure() const {  // of Struct, Reference and BufferType
    assert(kind == TypeKind::Struct || kind == TypeKind::Reference || kind == TypeKind::BufferType);
    return StructId(a_);
  }
  ImageDesc image() const {
    assert(kind == TypeKind::Image);
    return ImageDesc::unpack(a_);
  }
  ConstId vectorSize() const {  // of LongVector
    assert(kind == TypeKind::LongVector);
    return ConstId(a_);
  }
  SpirvTypeId spirvType() const {
    assert(kind == TypeKind::SpirvType);
    return SpirvTypeId(a_);
  }

 private:
  friend class Types;
  friend uint64_t hashType(const TypeInfo& info, std::span<const ConstId> params);
  uint32_t a_ = 0;
  uint32_t b_ = 0;
  uint32_t params_ = 0;  ///< first parameter in the parameter pool
  uint32_t paramCount_ = 0;
};

constexpr TypeId kErrorType;
constexpr TypeId kVoidType = TypeId(1u);
constexpr TypeId kFunctionNameType = TypeId(2u);
constexpr TypeId kStringType = TypeId(3u);
constexpr TypeId kAccelerationStructureType = TypeId(4u);
constexpr TypeId kRayQueryType = TypeId(5u);
constexpr TypeId kHitObjectType = TypeId(6u);
constexpr TypeId kHitObjectNVType = TypeId(7u);
/// Only in the table of names: these are structures, which a program has from their first use on.
constexpr TypeId kFootprint2DType = TypeId(8u);
constexpr TypeId kFootprint3DType = TypeId(9u);
constexpr TypeId kFirstBasic = TypeId(16u);  ///< ids between are unused
constexpr TypeId kFirstDerived = TypeId(kFirstBasic.index() + 16 * static_cast<uint32_t>(Scalar::Count));

/// Types whose objects are variables of the shader, on which instructions operate (GL_EXT_ray_query,
/// GL_EXT_shader_invocation_reorder, GL_NV_shader_invocation_reorder, 4.1.7.y).
constexpr bool isObjectKind(TypeKind kind) {
  return kind == TypeKind::RayQuery || kind == TypeKind::HitObject || kind == TypeKind::HitObjectNV;
}
/// Types whose objects have no value: images, samplers and textures, tensors (GLSL 4.60, 4.1.7;
/// GL_ARM_tensors, 4.1.X), acceleration structures (GL_EXT_ray_tracing, 4.1.7.x), buffer types
/// (GL_EXT_structured_descriptor_heap, 4.3.9), and the types of isObjectKind().
constexpr bool isOpaqueKind(TypeKind kind) {
  return kind == TypeKind::Image || kind == TypeKind::Tensor || kind == TypeKind::AccelerationStructure ||
         kind == TypeKind::BufferType || isObjectKind(kind);
}

/// The id of a scalar (1,1), vector (rows,1) or matrix (rows x columns; GLSL's matCxR).
constexpr TypeId basicType(Scalar s, uint32_t rows = 1, uint32_t columns = 1) {
  return TypeId(kFirstBasic.index() + static_cast<uint32_t>(s) * 16 + (columns - 1) * 4 + (rows - 1));
}
constexpr bool isBasic(TypeId t) { return t >= kFirstBasic && t < kFirstDerived; }
constexpr uint32_t basicIndex(TypeId t) { return t.index() - kFirstBasic.index(); }
constexpr Scalar basicScalar(TypeId t) { return static_cast<Scalar>(basicIndex(t) / 16); }
constexpr uint32_t basicRows(TypeId t) { return basicIndex(t) % 4 + 1; }
constexpr uint32_t basicColumns(TypeId t) { return basicIndex(t) % 16 / 4 + 1; }
constexpr bool isScalarType(TypeId t) { return isBasic(t) && basicIndex(t) % 16 == 0; }
constexpr bool isVectorType(TypeId t) {
  return isBasic(t) && basicIndex(t) % 16 > 0 && basicIndex(t) % 16 < 4;
}
constexpr bool isMatrixType(TypeId t) { return isBasic(t) && basicIndex(t) % 16 >= 4; }
/// The position of a type that is not basic in arrays that contain only such types.
constexpr uint32_t derivedIndex(TypeId t) { return t.index() - kFirstDerived.index(); }

constexpr TypeId kBool = basicType(Scalar::Bool);
constexpr TypeId kInt = basicType(Scalar::Int);
constexpr TypeId kUint = basicType(Scalar::Uint);
constexpr TypeId kFloat = basicType(Scalar::Float);
constexpr TypeId kDouble = basicType(Scalar::Double);

}  // namespace coopc::frontend
