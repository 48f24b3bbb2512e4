// The places of components are found by loading the numbers of rows like any other elements (components.hpp).
#include "spirv/lower/granules/layout_checks.hpp"

#include <algorithm>
#include <bit>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

uint32_t LayoutChecks::rowComponents(const PlannedMatrix& t) const {
  // Shuffles of other widths need shaderSubgroupExtendedTypes (VUID-RuntimeSpirv-None-06275), and shuffles of
  // bfloat16 are not valid (SPV_KHR_bfloat16).
  const uint32_t invocations = options_.rowInvocations;
  if (!std::has_single_bit(invocations) || t.is.componentBits != 32 || !held_.hasPositions(t)) return 0;
  // Each invocation holds whole shares of rows.
  const uint32_t held = t.granuleRows * t.granuleColumns / plan_.subgroupSize;
  const uint32_t each = t.granuleColumns / invocations;
  return each != 0 && t.granuleColumns % invocations == 0 && held != 0 && held % each == 0 ? each : 0;
}

void LayoutChecks::askForRows(Id function, const PlannedMatrix& t) {
  if (rowComponents(t) == 0 || std::any_of(checks_.begin(), checks_.end(), [&](const Check& c) {
        return c.function == function && c.type == &t;
      }))
    return;
  area_.needSlices(t, {1, held_.positionBytes(t)});
  checks_.push_back({function, &t, {}});
}

Id LayoutChecks::hasRows(Id function, const PlannedMatrix& t) const {
  const auto found = std::find_if(checks_.begin(), checks_.end(),
                                  [&](const Check& c) { return c.function == function && c.type == &t; });
  return found == checks_.end() ? Id() : found->answer;
}

void LayoutChecks::prepare(Id function) {
  for (Check& c : checks_) {
    if (c.function == function) c.answer = checkRows(*c.type);
  }
}

// If the subgroup holds as many components as there are elements, it holds each element once. Components with
// equal row numbers that are as many as a row has elements are then a whole row.
Id LayoutChecks::checkRows(const PlannedMatrix& t) {
  code_.preamble.capability(spv::Capability::GroupNonUniformVote);
  code_.preamble.capability(spv::Capability::GroupNonUniformShuffle);
  const Id u32 = code_.globals.typeU32(), boolean = code_.globals.typeBool(), granule = values_.native(t);
  const Id subgroup = code_.u32(uint32_t(spv::Scope::Subgroup));
  const UInt expected = code_.u32(t.granuleRows * t.granuleColumns / plan_.subgroupSize);
  const uint32_t each = rowComponents(t);
  const Positions positions = held_.findPositions(t);
  const UInt length = lengthOf(granule);
  const Id asMany = code_.make<op::IEqual>(boolean, {length, expected});
  const auto check = [&](const UInt& index, std::vector<Id>& carried) {
    const UInt first = index / each * each;
    const UInt row = held_.position(positions, positions.rows, index);
    const UInt rowOfFirst = held_.position(positions, positions.rows, first);
    const auto require = [&](const UInt& other) {
      const Id so = carried[0], equal = code_.make<op::IEqual>(boolean, {row, other});
      carried[0] = code_.make<op::LogicalAnd>(boolean, {so, equal});
    };
    require(rowOfFirst);
    for (uint32_t distance = 1; distance < options_.rowInvocations; distance *= 2) {
      const UInt mask = code_.u32(distance);
      require(UInt(code_, code_.make<op::GroupNonUniformShuffleXor>(
                              u32, {.execution = subgroup, .value = row, .mask = mask})));
    }
  };
  const Id all = loop(code_, expected, options_.unroll, {asMany}, check)[0];
  return code_.make<op::GroupNonUniformAll>(boolean, {.execution = subgroup, .predicate = all});
}

}  // namespace coopc::spirv::lower
