// Extents of types in workgroup memory, from their instructions.
#include "spirv/workgroup_memory.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv {
namespace {

constexpr uint64_t kMost = WorkgroupExtent::kMost;

WorkgroupExtent scalar(uint64_t bytes) { return {bytes != 0, bytes, std::max<uint64_t>(bytes, 1), {}}; }

}  // namespace

uint64_t WorkgroupMemory::append(uint64_t total, const WorkgroupExtent& extent) {
  const uint64_t at = (total + extent.alignment - 1) / extent.alignment * extent.alignment;
  return std::min(kMost, at + extent.size);
}

// Uses an explicit stack, because types may be nested to any depth. With a limit on the depth, what is known
// of a type would depend on which type was requested first.
WorkgroupExtent WorkgroupMemory::extent(Id type) {
  if (const auto at = types_.find(type); at != types_.end()) return at->second.extent;
  open_.assign(1, type);
  while (!open_.empty()) {
    const Id top = open_.back();
    const Instruction* i = m_.def(top);
    const auto [at, added] = types_.try_emplace(top);
    if (added && i != nullptr) {
      openParts(*i);
      continue;
    }
    open_.pop_back();
    if (i == nullptr || at->second.computed) continue;
    // A part that is still open has this type as a part: no such type has an extent.
    at->second = {true, compute(*i)};
  }
  return known(type);
}

void WorkgroupMemory::openParts(const Instruction& type) {
  for (const Id part : partTypes(m_, type)) {
    if (!types_.contains(part)) open_.push_back(part);
  }
}

WorkgroupExtent WorkgroupMemory::known(Id type) const {
  const auto at = types_.find(type);
  return at == types_.end() ? WorkgroupExtent() : at->second.extent;
}

WorkgroupExtent WorkgroupMemory::compute(const Instruction& type) const {
  switch (type.op()) {
    case spv::Op::OpTypeBool: return scalar(4);
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: return scalar(op::NumberType(m_, type).width() / 8);
    case spv::Op::OpTypePointer:
      return scalar(op::TypePointer(m_, type).storageClass() == spv::StorageClass::PhysicalStorageBuffer ? 8
                                                                                                         : 0);
    case spv::Op::OpTypeVector: {
      const op::TypeVector vector(m_, type);
      return repeat(vector.componentType(), {true, {}, vector.componentCount(), 32});
    }
    case spv::Op::OpTypeMatrix: {
      const op::TypeMatrix matrix(m_, type);
      return repeat(matrix.columnType(), {true, {}, matrix.columnCount(), 32});
    }
    case spv::Op::OpTypeArray: {
      const op::TypeArray array(m_, type);
      return repeat(array.elementType(), constants_.value(array.length()));
    }
    case enums::OpTypeVectorIdEXT: {
      const op::TypeVectorIdEXT vector(m_, type);
      return repeat(vector.componentType(), constants_.value(vector.componentCount()));
    }
    case spv::Op::OpTypeStruct: {
      WorkgroupExtent whole{true, 0, 1, {}};
      for (const Id id : op::TypeStruct(m_, type).memberTypes()) {
        const WorkgroupExtent member = known(id);
        if (!member.known) return {};
        whole.size = append(whole.size, member);
        whole.alignment = std::max(whole.alignment, member.alignment);
        whole.byDefault |= member.byDefault;
      }
      whole.size = append(whole.size, {true, 0, whole.alignment, {}});
      return whole;
    }
    default: return {};
  }
}

WorkgroupExtent WorkgroupMemory::repeat(Id element, const ConstantValue& count) const {
  WorkgroupExtent result = known(element);
  if (!result.known || !count.known) return {};
  if (__builtin_mul_overflow(result.size, count.bits, &result.size)) result.size = kMost;
  result.size = std::min(result.size, kMost);
  result.byDefault |= count.byDefault;
  return result;
}

}  // namespace coopc::spirv
