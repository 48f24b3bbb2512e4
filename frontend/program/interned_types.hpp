// Types of a compile, interned: equal types have equal ids.
//
// Scalars, vectors and matrices have fixed ids (language/types.hpp); all other types are rows of one flat
// table. Parameters that may be specialization constants (array sizes, the parameters of cooperative
// matrices) are ConstIds. As constants are interned too, types are identical if the expressions of their
// parameters are: a type with the parameter `(M/2)`, written twice, is one type, whereas types with the
// parameters M and N are two even if the constants' defaults agree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/language/types.hpp"

namespace coopc::frontend {

class Types {
 public:
  Types();
  TypeInfo operator[](TypeId id) const;
  TypeKind kind(TypeId id) const {
    if (isBasic(id)) return basicKind(id);
    return derived().contains(id) ? infos_[derivedIndex(id)].kind : (*this)[id].kind;
  }

  TypeId array(TypeId element, ConstId size);
  TypeId structure(StructId s);
  /// The type that structure() made of it; kErrorType if it was not called.
  TypeId findStructure(StructId s) const;
  TypeId reference(StructId block);
  TypeId bufferType(StructId block);
  TypeId image(ImageDesc desc);
  /// `kind`: CoopMat, CoopMatNV, CoopVec, LongVector, TensorLayout, TensorView or Tensor.
  TypeId internParameterized(TypeKind kind, Scalar scalar, std::span<const ConstId> params);
  TypeId spirvType(SpirvTypeId id);
  std::span<const ConstId> params(TypeId id) const;
  uint32_t size() const { return static_cast<uint32_t>(infos_.size()) + kFirstDerived.index(); }
  /// All types made so far, except the basic ones.
  IdRange<TypeId> derived() const { return {kFirstDerived, static_cast<uint32_t>(infos_.size())}; }

 private:
  static TypeKind basicKind(TypeId id) {
    return isScalarType(id) ? TypeKind::Scalar : isVectorType(id) ? TypeKind::Vector : TypeKind::Matrix;
  }
  static TypeInfo structureInfo(StructId s);
  TypeId intern(const TypeInfo& info, std::span<const ConstId> params);
  /// Like findInterned(), with the type's hash.
  uint32_t find(const TypeInfo& info, std::span<const ConstId> params, uint64_t hash, size_t& slot) const;
  std::vector<TypeInfo> infos_;
  std::vector<ConstId> pool_;
  std::vector<uint32_t> table_;
};

}  // namespace coopc::frontend
