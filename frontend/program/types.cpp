// Interned types: scalars, vectors and matrices by arithmetic on their ids, everything else in one flat table that an
// open-addressing hash table indexes (program/interning.hpp).
#include "frontend/program/types.hpp"

#include <algorithm>

#include "frontend/program/interning.hpp"

namespace coopc::frontend {
namespace {

uint64_t hashType(const TypeInfo& info, std::span<const ConstId> params) {
  uint64_t h = mixHash(static_cast<uint64_t>(info.kind) << 8 | static_cast<uint64_t>(info.scalar),
                       static_cast<uint64_t>(info.a) << 32 | info.b);
  return mixHash(h, params);
}

constexpr size_t kInitialSlots = 64;

}  // namespace

Types::Types() : table_(kInitialSlots, 0) {}

TypeInfo Types::operator[](TypeId id) const {
  TypeInfo info;
  if (isBasic(id)) {
    info.kind = basicKind(id);
    info.scalar = basicScalar(id);
    info.rows = static_cast<uint8_t>(basicRows(id));
    info.columns = static_cast<uint8_t>(basicColumns(id));
    return info;
  }
  if (id >= kFirstDerived) return id - kFirstDerived < infos_.size() ? infos_[id - kFirstDerived] : info;
  if (id == kVoidType) info.kind = TypeKind::Void;
  if (id == kFunctionNameType) info.kind = TypeKind::FunctionName;
  if (id == kStringType) info.kind = TypeKind::String;
  return info;
}

TypeId Types::array(TypeId element, uint32_t size) {
  TypeInfo info;
  info.kind = TypeKind::Array;
  info.a = element;
  info.b = size;
  return intern(info, {});
}

TypeId Types::structure(StructId s) {
  TypeInfo info;
  info.kind = TypeKind::Struct;
  info.a = s;
  return intern(info, {});
}

TypeId Types::reference(StructId block) {
  TypeInfo info;
  info.kind = TypeKind::Reference;
  info.a = block;
  return intern(info, {});
}

TypeId Types::image(ImageDesc desc) {
  TypeInfo info;
  info.kind = TypeKind::Image;
  info.scalar = desc.sampled;
  info.a = desc.pack();
  return intern(info, {});
}

TypeId Types::parameterized(TypeKind kind, Scalar scalar, std::span<const ConstId> params) {
  TypeInfo info;
  info.kind = kind;
  info.scalar = scalar;
  if (!params.empty() && kind == TypeKind::LongVector) info.a = params[0];
  return intern(info, params);
}

TypeId Types::spirvType(uint32_t index) {
  TypeInfo info;
  info.kind = TypeKind::SpirvType;
  info.a = index;
  return intern(info, {});
}

std::span<const ConstId> Types::params(TypeId id) const {
  if (id < kFirstDerived || id - kFirstDerived >= infos_.size()) return {};
  const TypeInfo& info = infos_[id - kFirstDerived];
  return {pool_.data() + info.params, info.paramCount};
}

TypeId Types::intern(const TypeInfo& info, std::span<const ConstId> params) {
  size_t slot = 0;
  const uint64_t hash = hashType(info, params);
  const uint32_t found = findInterned(
      table_, hash,
      [&](uint32_t i) {
        const TypeInfo& other = infos_[i];
        return other.kind == info.kind && other.scalar == info.scalar && other.a == info.a &&
               other.b == info.b && other.paramCount == params.size() &&
               std::equal(params.begin(), params.end(), pool_.begin() + other.params);
      },
      slot);
  if (found != kNoSlot) return kFirstDerived + found;
  TypeInfo stored = info;
  stored.params = static_cast<uint32_t>(pool_.size());
  stored.paramCount = static_cast<uint32_t>(params.size());
  const std::vector<ConstId> copy(params.begin(), params.end());  // `params` may point into the pool
  pool_.insert(pool_.end(), copy.begin(), copy.end());
  infos_.push_back(stored);
  table_[slot] = static_cast<uint32_t>(infos_.size());
  const auto id = static_cast<TypeId>(kFirstDerived + infos_.size() - 1);
  if (infos_.size() * 2 > table_.size())
    growInterned(table_, [&](uint32_t i) {
      const TypeInfo& t = infos_[i];
      return hashType(t, {pool_.data() + t.params, t.paramCount});
    });
  return id;
}

}  // namespace coopc::frontend
