// Conversions between uses, and transposition. If a subgroup holds all elements that it needs, granules go
// through its own slice of workgroup memory one by one. Otherwise the whole matrix goes through memory that
// the matrix's scope shares.
#include "spirv/lower/granules/exchange.hpp"

#include <algorithm>
#include <numeric>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/granules/obstacles.hpp"

namespace coopc::spirv::lower {

// The bytes that a conversion needs of the memory for whole matrices, for one group.
uint32_t LayoutExchange::scratchBytes(const PlannedMatrix& from, const PlannedMatrix& to,
                                      bool transposed) const {
  if (staysInSubgroup(from, to, transposed)) return 0;
  const uint32_t bits = lacksComponents(from, to) ? from.is.componentBits : to.is.componentBits;
  const uint32_t granularity = std::lcm(from.granuleRows, transposed ? to.granuleColumns : to.granuleRows);
  return stripRows(from, granularity) * plan_.rowBytes(from.is.columns, bits);
}

// Converts the components of the source's granules, before these change their use.
GranuleList LayoutExchange::convertComponents(const Instruction& i, const PlannedMatrix& from,
                                              const PlannedMatrix& to) {
  GranuleList values = values_.parts(op::Unary(m_, i).operand());
  if (from.is.component == to.is.component) return values;
  const Id type = values_.native(from, to.is.component);
  for (Id& value : values) value = code_.make<op::Unary>(componentOpOf(i), type, {value});
  return values;
}

// Whether a conversion changes the components, and the device has no accumulator with the result's
// components.
bool LayoutExchange::lacksComponents(const PlannedMatrix& from, const PlannedMatrix& to) const {
  return from.is.component != to.is.component && !plan_.hasAccumulator(to.is.number);
}

// Whether invocations load the components of the result one by one.
bool LayoutExchange::convertsByElement(const PlannedMatrix& from, const PlannedMatrix& to,
                                       bool transposed) const {
  if (lacksComponents(from, to)) return true;
  return plan_.strips() > 1 && held_.hasPositions(to) && staysInSubgroup(from, to, transposed) &&
         held_.stripBytes(from, true, 1) < area_.sliceBytes(from, to.is.componentBits);
}

Slices LayoutExchange::conversionSlices(const PlannedMatrix& from, const PlannedMatrix& to,
                                        bool transposed) const {
  const bool stays = staysInSubgroup(from, to, transposed);
  if (stays && options_.conversions) return {};
  if (convertsByElement(from, to, transposed)) {
    const uint32_t source = std::max(held_.stripBytes(from, true, 1), held_.positionBytes(from));
    return {1, std::max(held_.positionBytes(to), stays ? source : 0)};
  }
  if (!stays) return {};
  const uint32_t bits = std::max(from.is.componentBits, to.is.componentBits);
  if (plan_.strips() > 1) return {1, area_.sliceBytes(from, to.is.componentBits)};
  return {1, std::max(area_.sliceBytes(from, bits), area_.sliceBytes(to, bits))};
}

// How components of a conversion's result are loaded from the source's elements.
struct LayoutExchange::ElementLoads {
  const Instruction& conversion;
  Positions positions;  // in a granule of the result
  Id granule;           // a variable
  bool transposed = false;
};

// Loads those components of a granule whose elements are in a strip of the source's rows.
void LayoutExchange::loadElements(const ElementLoads& loads, const SharedRows& rows, const Strip& strip) {
  const PlannedMatrix& to = *loads.positions.type;
  const UInt first = code_.u32(strip.first);
  const auto load = [&](const UInt& index, const UInt& row, const UInt& column) {
    const UInt at = (loads.transposed ? column : row) - first;
    const UInt& place = loads.transposed ? row : column;
    Id element = area_.loadElement(rows, at, place);
    if (rows.component != to.is.component)
      element = code_.make<op::Unary>(componentOpOf(loads.conversion), to.is.component, {element});
    held_.component(to, loads.granule, index).store(element);
  };
  held_.forComponents(loads.positions, strip, !loads.transposed, load);
}

// Invocations load the components of the result that they hold from the elements of the source, and convert
// them one by one.
GranuleList LayoutExchange::convertByElement(const Instruction& i, const PlannedMatrix& from,
                                             const PlannedMatrix& to, bool transposed) {
  const GranuleList values = values_.parts(op::Unary(m_, i).operand());
  const Id type = values_.native(to), source = values_.native(from);
  const ElementLoads loads{i, held_.findPositions(to), code_.localVariable(type), transposed};
  if (!staysInSubgroup(from, to, transposed))
    return regroup(values, from, to, from.is.component, transposed, &loads);
  const uint32_t lines = held_.stripLines(from, true, 1);
  const bool whole = lines == from.granuleRows;
  const Positions positions = whole ? Positions{} : held_.findPositions(from);
  const Id variable = whole ? Id() : code_.localVariable(source);
  const UInt zero = code_.u32(0);
  const SharedRows rows = whole ? area_.slice(from, from.is.component, 0) : held_.stripSlice(from, true);
  GranuleList result(to.granules());
  for (uint32_t n = 0; n < from.granules(); ++n) {
    const uint32_t row = n / from.blockColumns, column = n % from.blockColumns;
    if (!whole) code_.store(variable, values[n]);
    for (uint32_t first = 0; first < from.granuleRows; first += lines) {
      const Strip strip{first, lines};
      area_.enterSlices(from);
      if (whole) {
        const Id pointer = area_.pointerTo(rows, zero, zero);
        area_.storeGranule(values[n], pointer, rows.stride);
      } else {
        held_.storeStrip(positions, variable, rows, strip, true);
      }
      code_.shared.barrier(spv::Scope::Subgroup);
      loadElements(loads, rows, strip);
    }
    result[transposed ? column * to.blockColumns + row : n] = code_.load(type, loads.granule);
  }
  return result;
}

void LayoutExchange::convertUse(const Instruction& i, bool transposed) {
  const PlannedMatrix &from = *matrixOf(op::Unary(m_, i).operand()), &to = *plan_.matrix(i.type);
  const bool stays = staysInSubgroup(from, to, transposed), natively = stays && options_.conversions;
  // The native instruction changes the signedness as well.
  const bool signs = natively && componentOpOf(i) != i.op() && from.is.component != to.is.component;
  // The components are converted in the source matrix, and the device may not have its shape with the other
  // component type.
  if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR &&
      from.is.component != to.is.component && !signs)
    return refuse("a conversion of a " + describe(from.is) + " to a " + describe(to.is));
  const bool lacks = !signs && lacksComponents(from, to);
  if (lacks && (transposed || (!natively && !held_.hasPositions(to))))
    return refuse("the device has no native accumulator of the components of a " + describe(to.is) +
                  " that a conversion returns");
  if (!natively && convertsByElement(from, to, transposed))
    return values_.define(i, convertByElement(i, from, to, transposed));
  const GranuleList values =
      lacks || signs ? values_.parts(op::Unary(m_, i).operand()) : convertComponents(i, from, to);
  const Id component = to.is.component, type = values_.native(to);
  if (!stays) return values_.define(i, regroup(values, from, to, component, transposed));
  GranuleList result(to.granules());
  const UInt zero = code_.u32(0);
  for (uint32_t row = 0; row < from.blockRows; ++row) {
    for (uint32_t column = 0; column < from.blockColumns; ++column) {
      const Id value = values[row * from.blockColumns + column];
      Id& made = result[transposed ? column * to.blockColumns + row : row * to.blockColumns + column];
      if (options_.conversions) {
        const spv::Op op = lacks        ? i.op()
                           : transposed ? spv::Op::OpCooperativeMatrixTransposeNV
                                        : spv::Op::OpCooperativeMatrixConvertNV;
        made = code_.make<op::Unary>(op, type, {value});
        continue;
      }
      const SharedRows rows = area_.slice(from, component, 0);
      const Id pointer = area_.pointerTo(rows, zero, zero);
      area_.enterSlices(from);
      area_.storeGranule(value, pointer, rows.stride);
      code_.shared.barrier(spv::Scope::Subgroup);
      made = area_.loadGranule(type, pointer, rows.stride, transposed);
    }
  }
  values_.define(i, std::move(result));
}

// Through memory for the whole matrix, or for one strip of its rows after the other: each subgroup stores its
// granules of the source, and loads its granules of the result.
GranuleList LayoutExchange::regroup(const GranuleList& from, const PlannedMatrix& source,
                                    const PlannedMatrix& to, Id component, bool transposed,
                                    const ElementLoads* elements) {
  const SharedRows rows = area_.scratch(to, component, source.is.columns);
  const uint32_t granularity = std::lcm(source.granuleRows, transposed ? to.granuleColumns : to.granuleRows);
  const uint32_t count = stripRows(source, granularity);
  const bool whole = count == source.is.rows;
  GranuleList result(to.granules());
  for (uint32_t first = 0; first < source.is.rows; first += count) {
    const Strip strip{first, count};
    area_.enterShared(to.is.scope);
    storeRows(source, from, rows, strip);
    code_.shared.barrier(to.is.scope);
    const Id type = values_.native(to);
    if (!whole && first == 0) std::ranges::fill(result, code_.globals.undef(type));
    for (uint32_t n = 0; n < to.granules(); ++n) {
      const UInt row = placement_.rowOf(to, n / to.blockColumns),
                 column = placement_.columnOf(to, n % to.blockColumns);
      const UInt &line = transposed ? column : row, &place = transposed ? row : column;
      const auto load = [&](const UInt& at) {
        if (elements != nullptr) {
          const SharedRows granule = area_.from(rows, at, place);
          loadElements(*elements, granule, {0, transposed ? to.granuleColumns : to.granuleRows});
          return code_.load(type, elements->granule);
        }
        const Id pointer = area_.pointerTo(rows, at, place);
        return area_.loadGranule(type, pointer, rows.stride, transposed);
      };
      result[n] = whole ? load(line) : loadInStrip(line, strip, type, result[n], load);
    }
  }
  return result;
}

// The rows of each strip of a matrix that passes through this memory, which can be cut at multiples of
// `granularity` rows.
uint32_t LayoutExchange::stripRows(const PlannedMatrix& type, uint32_t granularity) const {
  const uint32_t groups = std::max(1u, type.is.rows / granularity);
  uint32_t strips = std::min(plan_.strips(), groups);
  while (groups % strips != 0) --strips;
  return type.is.rows / strips;
}

// Stores the granules that begin in a strip's rows, each by one of the subgroups that hold it.
void LayoutExchange::storeRows(const PlannedMatrix& t, const GranuleList& granules, const SharedRows& rows,
                               const Strip& strip) {
  placement_.byOwners(t, [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      const UInt row = placement_.rowOf(t, n / t.blockColumns),
                 column = placement_.columnOf(t, n % t.blockColumns);
      const auto store = [&](const UInt& at) {
        const Id pointer = area_.pointerTo(rows, at, column);
        area_.storeGranule(granules[n], pointer, rows.stride);
      };
      if (strip.count == t.is.rows) {
        store(row);
        continue;
      }
      const UInt first = code_.u32(strip.first), count = code_.u32(strip.count), at = row - first;
      const std::optional<uint32_t> known = code_.globals.constantValue(at);
      if (!known) {
        ifThen(code_, at < count, [&] { store(at); });
      } else if (*known < strip.count) {
        store(at);
      }
    }
  });
}

}  // namespace coopc::spirv::lower
