// Accesses the components that invocations hold, if workgroup memory is short. Only the driver knows which
// elements of a granule these are. The pass therefore loads granules whose elements are the numbers of their
// rows or columns: from one line of numbers, with a stride of 0. Per-element operations then need no other
// memory. Elements that move between invocations pass through memory in strips, some lines of a granule at a
// time: each invocation stores its components that lie in the strip.
#include "spirv/lower/granules/components.hpp"

#include <algorithm>
#include <optional>

#include "spirv/instructions.hpp"
#include "spirv/number_type.hpp"

namespace coopc::spirv::lower {

// Whether components can hold the numbers of lines, from 1 on. 8-bit floats cannot, because there is no
// conversion from integers.
bool HeldComponents::hasPositions(const PlannedMatrix& type) {
  const std::optional<NumberType> number = type.is.number;
  return number && number != NumberType::E4M3 && number != NumberType::E5M2 &&
         std::max(type.granuleRows, type.granuleColumns) < 128;
}

// The size of the line of numbers.
uint32_t HeldComponents::positionBytes(const PlannedMatrix& type) const {
  return std::max(type.granuleRows, type.granuleColumns) * type.is.componentBits / 8;
}

// Finds the positions by way of the subgroup's slice, which is free again after the next barrier.
Positions HeldComponents::findPositions(const PlannedMatrix& t, uint32_t first) {
  const UInt zero = code_.u32(0), from = code_.u32(first);
  const Id type = t.is.component, granule = values_.native(t);
  const SharedRows line = area_.slice(t, type, 0);
  const uint32_t count = std::max(t.granuleRows, t.granuleColumns);
  area_.enterSlices(t);
  area_.fillRows(placement_.subgroup(), line, 1, count, options_.unroll,
                 [&](const UInt&, const UInt& n) { return asComponent(type, n + from); });
  code_.shared.barrier(spv::Scope::Subgroup);
  const Id pointer = area_.pointerTo(line, zero, zero);
  Positions positions{&t, code_.localVariable(granule), code_.localVariable(granule), first};
  const Id rows = area_.loadGranule(granule, pointer, 0, true);
  code_.store(positions.rows, rows);
  const Id columns = area_.loadGranule(granule, pointer, 0);
  code_.store(positions.columns, columns);
  return positions;
}

Pointer HeldComponents::component(const PlannedMatrix& type, Id variable, Id index) {
  return code_.access(spv::StorageClass::Function, type.is.component, variable, {index});
}

UInt HeldComponents::position(const Positions& positions, Id numbers, Id index) {
  const PlannedMatrix& type = *positions.type;
  return asNumber(type.is.component, component(type, numbers, index).load());
}

// How many rows (or columns) of a granule are in memory together, a multiple of `granularity`: all of them if
// memory is not saved, or if fewer would not save any.
uint32_t HeldComponents::stripLines(const PlannedMatrix& t, bool alongRows, uint32_t granularity) const {
  const uint32_t all = alongRows ? t.granuleRows : t.granuleColumns, bits = t.is.componentBits;
  if (!hasPositions(t)) return all;
  uint32_t lines = all;
  for (uint32_t strips = 1; strips < plan_.strips() && lines % (2 * granularity) == 0; strips *= 2)
    lines /= 2;
  const uint32_t depth = alongRows ? t.granuleColumns : t.granuleRows;
  return lines * depth * std::max(bits, 32u) / 8 < area_.sliceBytes(t, bits) ? lines : all;
}

uint32_t HeldComponents::stripBytes(const PlannedMatrix& t, bool alongRows, uint32_t granularity) const {
  const uint32_t lines = stripLines(t, alongRows, granularity), bits = t.is.componentBits;
  if (lines == (alongRows ? t.granuleRows : t.granuleColumns)) return area_.sliceBytes(t, bits);
  return lines * (alongRows ? t.granuleColumns : t.granuleRows) * std::max(bits, 32u) / 8;
}

// The part of the slice for a strip. The strip's lines, rows or columns, are rows there.
SharedRows HeldComponents::stripSlice(const PlannedMatrix& t, bool alongRows) {
  SharedRows rows = area_.slice(t, t.is.component, 0);
  const uint32_t depth = alongRows ? t.granuleColumns : t.granuleRows;
  rows.stride = depth * std::max(rows.bits, 32u) / 8;
  rows.wordPerElement = true;
  return rows;
}

// Stores the invocation's components that lie in the strip. `variable` holds the granule.
void HeldComponents::storeStrip(const Positions& positions, Id variable, const SharedRows& rows,
                                const Strip& strip, bool alongRows) {
  const UInt first = code_.u32(strip.first);
  forComponents(positions, strip, alongRows, [&](const UInt& index, const UInt& row, const UInt& column) {
    const UInt at = (alongRows ? row : column) - first;
    const Id value = component(*positions.type, variable, index).load();
    area_.storeInOwnWords(rows, at, alongRows ? column : row, value);
  });
}

bool HeldComponents::isBFloat16(Id component) const {
  return numberTypeOf(m_, component) == NumberType::BF16;
}

// Converts a number to a component, and a component to a number.
Id HeldComponents::asComponent(Id component, Id value) {
  const Id u32 = code_.globals.typeU32();
  if (component == u32) return value;
  const Instruction* type = code_.globals.definition(component);
  // A conversion between an integer and bfloat16 is defined as two: between the integer and a 32-bit float,
  // and between the floats (SPV_KHR_bfloat16, Conversion Instructions). Written as two, it needs no
  // conversion of bfloat16 from a driver but that between floats, which the driver has for matrices.
  if (isBFloat16(component)) {
    const Id f32 = code_.globals.typeF32(), wide = code_.make<op::ConvertUToF>(f32, {value});
    return code_.make<op::FConvert>(component, {wide});
  }
  if (type->op() == spv::Op::OpTypeFloat) return code_.make<op::ConvertUToF>(component, {value});
  // Equal widths need a bit cast if the signedness differs.
  if (op::TypeInt(m_, *type).width() == 32) return code_.make<op::Bitcast>(component, {value});
  const Id narrow =
      code_.globals.type<op::TypeInt>({.width = op::TypeInt(m_, *type).width(), .signedness = 0});
  const Id converted = code_.make<op::UConvert>(narrow, {value});
  return narrow == component ? converted : code_.make<op::Bitcast>(component, {converted});
}

UInt HeldComponents::asNumber(Id component, Id value) {
  const Id u32 = code_.globals.typeU32();
  const auto number = [&](spv::Op op, NamedId from) {
    return UInt(code_, code_.make<op::Unary>(op, u32, {from}));
  };
  if (component == u32) return UInt(code_, value);
  const Instruction* type = code_.globals.definition(component);
  if (isBFloat16(component)) {
    const Id f32 = code_.globals.typeF32(), wide = code_.make<op::FConvert>(f32, {value});
    return number(spv::Op::OpConvertFToU, wide);
  }
  if (type->op() == spv::Op::OpTypeFloat) return number(spv::Op::OpConvertFToU, value);
  if (op::TypeInt(m_, *type).width() == 32) return number(spv::Op::OpBitcast, value);
  const Id narrow =
      code_.globals.type<op::TypeInt>({.width = op::TypeInt(m_, *type).width(), .signedness = 0});
  const Id bits = narrow == component ? value : code_.make<op::Bitcast>(narrow, {value});
  return number(spv::Op::OpUConvert, bits);
}

}  // namespace coopc::spirv::lower
