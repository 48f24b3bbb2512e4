// Positions of invocations, of subgroups and of their parts of matrices, as numbers that the code computes.
#include "spirv/lower/granules/placement.hpp"

namespace coopc::spirv::lower {

Group Placement::subgroup() {
  code_.preamble.capability(spv::Capability::GroupNonUniform);
  return {spv::Scope::Subgroup, plan_.subgroupSize, code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId)};
}

Group Placement::group(const PlannedMatrix& type) {
  if (!type.ofWorkgroup()) return subgroup();
  return {spv::Scope::Workgroup, plan_.invocations, code_.builtIn(spv::BuiltIn::LocalInvocationIndex)};
}

UInt Placement::subgroupId() {
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.preamble.capability(spv::Capability::GroupNonUniform);
  return code_.builtIn(spv::BuiltIn::SubgroupId);
}

UInt Placement::rowOf(const PlannedMatrix& type, uint32_t granuleRow) {
  UInt inBlock = code_.u32(granuleRow * type.granuleRows);
  if (firstRow_) inBlock = *firstRow_ * type.granuleRows + inBlock;
  if (type.spreadRows == 1) return inBlock;
  const UInt id = subgroupId(), columns = code_.u32(plan_.gridColumns), parts = code_.u32(type.spreadRows);
  UInt part = id / columns;
  if (type.spreadRows != plan_.gridRows) part = part % parts;
  return part * (type.blockRows * type.granuleRows) + inBlock;
}

UInt Placement::columnOf(const PlannedMatrix& type, uint32_t granuleColumn) {
  const UInt inBlock = code_.u32(granuleColumn * type.granuleColumns);
  if (type.spreadColumns == 1) return inBlock;
  // The grid's number of columns is a multiple of the number of parts.
  const UInt part = subgroupId() % type.spreadColumns;
  return part * (type.blockColumns * type.granuleColumns) + inBlock;
}

std::optional<Bool> Placement::isOwner(const PlannedMatrix& type) {
  if (!type.ofWorkgroup() || type.spreadRows * type.spreadColumns == plan_.subgroups) return std::nullopt;
  const UInt id = subgroupId(), columns = code_.u32(plan_.gridColumns);
  const UInt row = id / columns, column = id % columns;
  return Bool(row < type.spreadRows && column < type.spreadColumns);
}

}  // namespace coopc::spirv::lower
