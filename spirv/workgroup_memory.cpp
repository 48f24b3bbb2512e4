// Extents of types in workgroup memory, from their instructions.
#include "spirv/workgroup_memory.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"

namespace coopc::spirv {
namespace {

constexpr uint64_t kMost = WorkgroupExtent::kMost;

WorkgroupExtent scalar(uint64_t bytes) { return {bytes != 0, bytes, std::max<uint64_t>(bytes, 1), {}}; }

}  // namespace

uint64_t WorkgroupMemory::append(uint64_t total, const WorkgroupExtent& extent) {
  const uint64_t at = (total + extent.alignment - 1) / extent.alignment * extent.alignment;
  return std::min(kMost, at + extent.size);
}

WorkgroupExtent WorkgroupMemory::extent(Id type, uint32_t depth) {
  const Instruction* i = m_.def(type);
  if (i == nullptr || depth > kMaxDepth) return {};
  if (const auto known = extents_.find(type.index()); known != extents_.end()) return known->second;
  const WorkgroupExtent result = compute(*i, depth);
  extents_.emplace(type.index(), result);
  return result;
}

WorkgroupExtent WorkgroupMemory::compute(const Instruction& type, uint32_t depth) {
  switch (type.op()) {
    case spv::Op::OpTypeBool: return scalar(4);
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: return scalar(m_.word(type, 2) / 8);
    case spv::Op::OpTypePointer:
      return scalar(m_.word(type, 2) == uint32_t(spv::StorageClass::PhysicalStorageBuffer) ? 8 : 0);
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix: return repeated(m_.idAt(type, 2), {true, {}, m_.word(type, 3), 32}, depth);
    case spv::Op::OpTypeArray:
    case enums::OpTypeVectorIdEXT:
      return repeated(m_.idAt(type, 2), constants_.value(m_.idAt(type, 3)), depth);
    case spv::Op::OpTypeStruct: {
      WorkgroupExtent whole{true, 0, 1, {}};
      for (uint32_t n = 2; n < type.length; ++n) {
        const WorkgroupExtent member = extent(m_.idAt(type, n), depth + 1);
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

WorkgroupExtent WorkgroupMemory::repeated(Id element, const ConstantValue& count, uint32_t depth) {
  WorkgroupExtent result = extent(element, depth + 1);
  if (!result.known || !count.known) return {};
  if (__builtin_mul_overflow(result.size, count.bits, &result.size)) result.size = kMost;
  result.size = std::min(result.size, kMost);
  result.byDefault |= count.byDefault;
  return result;
}

}  // namespace coopc::spirv
