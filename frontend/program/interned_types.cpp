// Basic types are found from their ids by arithmetic; all others are in a flat table, which a hash table
// indexes (program/interning.hpp).
#include "frontend/program/interned_types.hpp"

#include <algorithm>

#include "frontend/program/interning.hpp"

namespace coopc::frontend {

uint64_t hashType(const TypeInfo& info, std::span<const ConstId> params) {
  uint64_t h = mixHash(static_cast<uint64_t>(info.kind) << 8 | static_cast<uint64_t>(info.scalar),
                       static_cast<uint64_t>(info.a_) << 32 | info.b_);
  for (const ConstId param : params) h = mixHash(h, param.index());
  return h;
}

namespace {

constexpr size_t kInitialTypeSlots = 64;

}  // namespace

Types::Types() : table_(kInitialTypeSlots, 0) {}

TypeInfo Types::operator[](TypeId id) const {
  TypeInfo info;
  if (isBasic(id)) {
    info.kind = basicKind(id);
    info.scalar = basicScalar(id);
    info.rows = static_cast<uint8_t>(basicRows(id));
    info.columns = static_cast<uint8_t>(basicColumns(id));
    return info;
  }
  if (id >= kFirstDerived) return derivedIndex(id) < infos_.size() ? infos_[derivedIndex(id)] : info;
  if (id == kVoidType) info.kind = TypeKind::Void;
  if (id == kFunctionNameType) info.kind = TypeKind::FunctionName;
  if (id == kStringType) info.kind = TypeKind::String;
  if (id == kAccelerationStructureType) info.kind = TypeKind::AccelerationStructure;
  if (id == kRayQueryType) info.kind = TypeKind::RayQuery;
  if (id == kHitObjectType) info.kind = TypeKind::HitObject;
  if (id == kHitObjectNVType) info.kind = TypeKind::HitObjectNV;
  return info;
}

TypeId Types::array(TypeId element, ConstId size) {
  TypeInfo info;
  info.kind = TypeKind::Array;
  info.a_ = element.index();
  info.b_ = size.index();
  return intern(info, {});
}

TypeInfo Types::structureInfo(StructId s) {
  TypeInfo info;
  info.kind = TypeKind::Struct;
  info.a_ = s.index();
  return info;
}

TypeId Types::structure(StructId s) { return intern(structureInfo(s), {}); }

TypeId Types::findStructure(StructId s) const {
  size_t slot = 0;
  const TypeInfo info = structureInfo(s);
  const uint32_t found = find(info, {}, hashType(info, {}), slot);
  return found == kNoSlot ? kErrorType : TypeId(kFirstDerived.index() + found);
}

TypeId Types::reference(StructId block) {
  TypeInfo info;
  info.kind = TypeKind::Reference;
  info.a_ = block.index();
  return intern(info, {});
}

TypeId Types::bufferType(StructId block) {
  TypeInfo info;
  info.kind = TypeKind::BufferType;
  info.a_ = block.index();
  return intern(info, {});
}

TypeId Types::image(ImageDesc desc) {
  TypeInfo info;
  info.kind = TypeKind::Image;
  info.scalar = desc.sampled;
  info.a_ = desc.pack();
  return intern(info, {});
}

TypeId Types::internParameterized(TypeKind kind, Scalar scalar, std::span<const ConstId> params) {
  TypeInfo info;
  info.kind = kind;
  info.scalar = scalar;
  if (!params.empty() && kind == TypeKind::LongVector) info.a_ = params[0].index();
  return intern(info, params);
}

TypeId Types::spirvType(SpirvTypeId id) {
  TypeInfo info;
  info.kind = TypeKind::SpirvType;
  info.a_ = id.index();
  return intern(info, {});
}

std::span<const ConstId> Types::params(TypeId id) const {
  if (id < kFirstDerived || derivedIndex(id) >= infos_.size()) return {};
  const TypeInfo& info = infos_[derivedIndex(id)];
  return {pool_.data() + info.params_, info.paramCount_};
}

uint32_t Types::find(const TypeInfo& info, std::span<const ConstId> params, uint64_t hash,
                     size_t& slot) const {
  return findInterned(
      table_, hash,
      [&](uint32_t i) {
        const TypeInfo& other = infos_[i];
        return other.kind == info.kind && other.scalar == info.scalar && other.a_ == info.a_ &&
               other.b_ == info.b_ && other.paramCount_ == params.size() &&
               std::equal(params.begin(), params.end(), pool_.begin() + other.params_);
      },
      slot);
}

TypeId Types::intern(const TypeInfo& info, std::span<const ConstId> params) {
  size_t slot = 0;
  const uint32_t found = find(info, params, hashType(info, params), slot);
  if (found != kNoSlot) return TypeId(kFirstDerived.index() + found);
  TypeInfo stored = info;
  stored.params_ = static_cast<uint32_t>(pool_.size());
  stored.paramCount_ = static_cast<uint32_t>(params.size());
  const std::vector<ConstId> copy(params.begin(), params.end());  // `params` may point into the pool
  pool_.insert(pool_.end(), copy.begin(), copy.end());
  infos_.push_back(stored);
  table_[slot] = static_cast<uint32_t>(infos_.size());
  const auto id = TypeId(kFirstDerived.index() + static_cast<uint32_t>(infos_.size() - 1));
  if (infos_.size() * 2 > table_.size())
    growInterned(table_, [&](uint32_t i) {
      const TypeInfo& t = infos_[i];
      return hashType(t, {pool_.data() + t.params_, t.paramCount_});
    });
  return id;
}

}  // namespace coopc::frontend
