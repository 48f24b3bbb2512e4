// What invocations do with the components that they hold, where workgroup memory is short. Only the driver knows which elements of a
// granule these are. So granules are loaded whose elements are the numbers of their rows and of their columns: from one line of numbers,
// with a stride of 0. Per-element operations need no other memory then. Where elements move between invocations, they do so in
// strips: some lines of a granule at a time, to which each invocation stores those of its components that lie in them.
#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/granules/granules.hpp"

namespace coopc::spirv::lower {

// --- Positions ----------------------------------------------------------------------------------------------------------------
// Whether the components can be the numbers of lines, from 1 on: not those of 8-bit floats, which numbers are not converted to.
bool Granules::hasPositions(const PlannedMatrix& type) const {
  const std::optional<NumberType> number = type.is.number;
  return number && number != NumberType::E4M3 && number != NumberType::E5M2 &&
         std::max(type.granuleRows, type.granuleColumns) < 128;
}

// Of the line of numbers.
uint32_t Granules::positionBytes(const PlannedMatrix& type) const {
  return std::max(type.granuleRows, type.granuleColumns) * type.is.componentBits / 8;
}

// In the subgroup's slice, which is free again after the next barrier.
Granules::Positions Granules::findPositions(const PlannedMatrix& t, uint32_t first) {
  const Id zero = code_.u32(0), from = code_.u32(first), type = t.is.component, granule = native(t);
  const SharedRows line = slice(t, type, 0);
  const uint32_t count = std::max(t.granuleRows, t.granuleColumns);
  enterSlices(t);
  fillRows(subgroup(), line, 1, count, options_.unroll, [&](Id, Id n) {
    const Id number = code_.add(n, from);
    return asComponent(type, number);
  });
  code_.barrier(spv::Scope::Subgroup);
  const Id pointer = pointerTo(line, zero, zero);
  Positions positions{&t, code_.localVariable(granule), code_.localVariable(granule), first};
  const Id rows = loadGranule(granule, pointer, 0, true);
  code_.store(positions.rows, rows);
  const Id columns = loadGranule(granule, pointer, 0);
  code_.store(positions.columns, columns);
  return positions;
}

Id Granules::component(const PlannedMatrix& type, Id variable, Id index) {
  return code_.access(spv::StorageClass::Function, type.is.component, variable, {index});
}

Id Granules::position(const Positions& positions, Id numbers, Id index) {
  const Id type = positions.type->is.component, pointer = component(*positions.type, numbers, index);
  const Id number = code_.load(type, pointer);
  return asNumber(type, number);
}

// --- Per-element operations -------------------------------------------------------------------------------------------------
// Functions with side effects are called once for each element, and drivers may hold elements of operands twice. Matrices of other
// components may be distributed in another way.
bool Granules::byComponents(const Instruction& i) const {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  if (plan_.strips() == 1 || !hasPositions(t)) return false;
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  if (t.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR && plan_.function(call.func()).hasEffects)
    return false;
  for (const Id operand : call.operands()) {
    const PlannedMatrix* extra = matrixOf(operand);
    if (extra != nullptr && extra->is.component != t.is.component) return false;
  }
  return true;
}

void Granules::perElementByComponents(const Instruction& i, const PlannedMatrix& t) {
  const op::CooperativeMatrixPerElementOpNV operation(m_, i);
  const Id function = operation.func(), type = native(t);
  const bool used = plan_.uses(i.result) != 0, hasEffects = plan_.function(function).hasEffects;
  if (!used && !hasEffects) return;
  struct Input {
    uint32_t extra;  // kElement, or which of the operands behind the function
    Parts granules;
    Id variable;
  };
  std::vector<Input> inputs;
  if (plan_.function(function).readsElement)
    inputs.push_back({kElement, parts(operation.matrix()), code_.localVariable(type)});
  const IdRange operands = operation.operands();
  for (uint32_t k = 0; k < operands.size(); ++k) {
    if (matrixOf(operands[k]) != nullptr)
      inputs.push_back({k, parts(operands[k]), code_.localVariable(type)});
  }
  const Positions positions = findPositions(t);
  const Id made = used ? code_.localVariable(type) : Id();
  Parts result;
  const auto call = [&](uint32_t n) {
    const Id firstRow = rowOf(t, n / t.blockColumns), firstColumn = columnOf(t, n % t.blockColumns);
    for (const Input& input : inputs) code_.store(input.variable, input.granules[n]);
    forComponents(positions, {0, t.granuleRows}, true, [&](Id index, Id row, Id column) {
      Id element = code_.undef(t.is.component);
      std::vector<Id> extras(operands.begin(), operands.end());
      for (const Input& input : inputs) {
        const Id pointer = component(t, input.variable, index);
        (input.extra == kElement ? element : extras[input.extra]) = code_.load(t.is.component, pointer);
      }
      const Id matrixRow = code_.add(firstRow, row), matrixColumn = code_.add(firstColumn, column);
      const Id value = callForElement(function, matrixRow, matrixColumn, element, extras);
      if (!used) return;
      const Id pointer = component(t, made, index);
      code_.store(pointer, value);
    });
    if (used) result.push_back(code_.load(type, made));
  };
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (used)
      call(n);
    else
      byOwners(t, [&] { call(n); });
  }
  if (used) define(i, std::move(result));
}

// --- Strips of a granule --------------------------------------------------------------------------------------------------------
// How many rows (or columns) of a granule are in memory together, a multiple of `unit`: all of them if memory is not saved, or if fewer
// would not save any.
uint32_t Granules::stripLines(const PlannedMatrix& t, bool alongRows, uint32_t unit) const {
  const uint32_t all = alongRows ? t.granuleRows : t.granuleColumns, bits = t.is.componentBits;
  if (!hasPositions(t)) return all;
  uint32_t lines = all;
  for (uint32_t strips = 1; strips < plan_.strips() && lines % (2 * unit) == 0; strips *= 2) lines /= 2;
  const uint32_t depth = alongRows ? t.granuleColumns : t.granuleRows;
  return lines * depth * std::max(bits, 32u) / 8 < sliceBytes(t, bits) ? lines : all;
}

uint32_t Granules::stripBytes(const PlannedMatrix& t, bool alongRows, uint32_t unit) const {
  const uint32_t lines = stripLines(t, alongRows, unit), bits = t.is.componentBits;
  if (lines == (alongRows ? t.granuleRows : t.granuleColumns)) return sliceBytes(t, bits);
  return lines * (alongRows ? t.granuleColumns : t.granuleRows) * std::max(bits, 32u) / 8;
}

// A strip has one result for each line, and these begin at a unit of the area.
uint32_t Granules::resultLines(const PlannedMatrix& t) const {
  return std::max(1u, unit_ * 8 / t.is.componentBits);
}

// Its lines are the rows in memory, in both directions.
SharedRows Granules::stripSlice(const PlannedMatrix& t, bool alongRows) {
  SharedRows rows = slice(t, t.is.component, 0);
  const uint32_t depth = alongRows ? t.granuleColumns : t.granuleRows;
  rows.stride = depth * std::max(rows.bits, 32u) / 8;
  rows.apart = true;
  return rows;
}

// The column at which an element is that has a 32-bit number of its own.
Id Granules::apart(const SharedRows& rows, Id column) {
  const Id each = code_.u32(rows.bits < 32 ? 32 / rows.bits : 1);
  return code_.mul(column, each);
}

void Granules::storeApart(const SharedRows& rows, Id row, Id column, Id value) {
  const Id at = apart(rows, column);
  const std::vector<Id> words =
      packed(std::vector<Id>(rows.bits < 32 ? 32 / rows.bits : 1, value), rows.bits);
  for (uint32_t n = 0; n < words.size(); ++n) {
    const Id pointer = wordPointer(rows, row, at, n);
    code_.storeShared(pointer, words[n]);
  }
}

// Stores the invocation's components of a granule in a variable that lie in the strip.
void Granules::storeStrip(const Positions& positions, Id variable, const SharedRows& rows, const Strip& strip,
                          bool alongRows) {
  const Id first = code_.u32(strip.first), type = rows.component;
  forComponents(positions, strip, alongRows, [&](Id index, Id row, Id column) {
    const Id line = alongRows ? row : column, at = code_.sub(line, first);
    const Id pointer = component(*positions.type, variable, index), value = code_.load(type, pointer);
    storeApart(rows, at, alongRows ? column : row, value);
  });
}

}  // namespace coopc::spirv::lower
