// Which invocation, subgroup and part of a matrix is which, in numbers that the code computes.
#include "spirv/lower/granules/placement.hpp"

namespace coopc::spirv::lower {

Group Placement::subgroup() {
  code_.capability(spv::Capability::GroupNonUniform);
  const Id type = code_.typeU32();
  const Id index = code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId, type);
  return {spv::Scope::Subgroup, plan_.subgroupSize, index};
}

Group Placement::group(const PlannedMatrix& type) {
  if (!type.ofWorkgroup()) return subgroup();
  const Id u32 = code_.typeU32();
  const Id index = code_.builtIn(spv::BuiltIn::LocalInvocationIndex, u32);
  return {spv::Scope::Workgroup, plan_.invocations, index};
}

Id Placement::subgroupId() {
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.capability(spv::Capability::GroupNonUniform);
  const Id type = code_.typeU32();
  return code_.builtIn(spv::BuiltIn::SubgroupId, type);
}

Id Placement::rowOf(const PlannedMatrix& type, uint32_t granuleRow) {
  const Id inBlock = code_.u32(granuleRow * type.granuleRows);
  if (type.spreadRows == 1) return inBlock;
  const Id id = subgroupId(), columns = code_.u32(plan_.gridColumns), parts = code_.u32(type.spreadRows);
  Id part = code_.div(id, columns);
  if (type.spreadRows != plan_.gridRows) part = code_.mod(part, parts);
  const Id size = code_.u32(type.blockRows * type.granuleRows), first = code_.mul(part, size);
  return code_.add(first, inBlock);
}

Id Placement::columnOf(const PlannedMatrix& type, uint32_t granuleColumn) {
  const Id inBlock = code_.u32(granuleColumn * type.granuleColumns);
  if (type.spreadColumns == 1) return inBlock;
  // The grid's number of columns is a multiple of the number of parts.
  const Id id = subgroupId(), parts = code_.u32(type.spreadColumns), part = code_.mod(id, parts);
  const Id size = code_.u32(type.blockColumns * type.granuleColumns), first = code_.mul(part, size);
  return code_.add(first, inBlock);
}

Id Placement::isOwner(const PlannedMatrix& type) {
  if (!type.ofWorkgroup() || type.spreadRows * type.spreadColumns == plan_.subgroups) return {};
  const Id id = subgroupId(), columns = code_.u32(plan_.gridColumns);
  const Id row = code_.div(id, columns), column = code_.mod(id, columns);
  const Id rows = code_.u32(type.spreadRows), parts = code_.u32(type.spreadColumns);
  const Id inRows = code_.less(row, rows), inColumns = code_.less(column, parts), boolean = code_.typeBool();
  return code_.op(spv::Op::OpLogicalAnd, boolean, {inRows, inColumns});
}

}  // namespace coopc::spirv::lower
