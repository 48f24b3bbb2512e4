// Operations that move elements between granules: conversions between uses, transposition, reductions. If a
// subgroup holds everything that it needs, granules go through its own slice of workgroup memory one by one.
// Otherwise the whole matrix goes through memory that the matrix's scope shares.
#include <algorithm>
#include <numeric>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/granules/granules.hpp"

namespace coopc::spirv::lower {

namespace {

// SPV_NV_cooperative_matrix2, Cooperative Matrix Reduce.
enum : uint32_t { kReduceRow = 1, kReduceColumn = 2, kReduce2x2 = 4 };

bool isSquare(const PlannedMatrix& a, const PlannedMatrix& b) {
  return a.granuleRows == b.granuleRows && a.granuleColumns == b.granuleColumns;
}

// The instruction that converts components: a change of the use changes at most the signedness of integers
// (SPV_EXT_cooperative_matrix_maintenance1, OpCooperativeMatrixConvertUseEXT).
spv::Op componentOpOf(const Instruction& i) {
  const bool changesUse =
      i.op() == enums::OpCooperativeMatrixConvertUseEXT || i.op() == enums::OpCooperativeMatrixTransposeNV;
  return changesUse ? spv::Op::OpBitcast : i.op();
}

}  // namespace

// --- Memory for a whole matrix ----------------------------------------------------------------------------------------------
// How many bytes of that memory an instruction needs, for one group.
uint32_t Granules::scratchBytes(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const PlannedMatrix* from = matrixOf(op::Value(m_, i).operands().front());
  if (to == nullptr || from == nullptr || !fitsOperands(i)) return 0;
  if (const auto reduction = as<op::CooperativeMatrixReduceNV>(m_, i)) {
    if (options_.reductions && !to->lowered && !from->lowered) return 0;
    const uint32_t mask = uint32_t(reduction.reduce()), bits = from->is.componentBits;
    if (mask == kReduce2x2) {
      const uint32_t rows = hasPositions(*from) ? stripRows(*from, 2 * from->granuleRows) : from->is.rows;
      return rows * plan_.rowBytes(from->is.columns, bits);
    }
    return mask == kReduceColumn ? from->spreadRows * plan_.rowBytes(from->is.columns, bits)
                                 : from->spreadColumns * plan_.rowBytes(from->is.rows, bits);
  }
  const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
  if (!transposed && (i.length != 4 || from->is.use == to->is.use)) return 0;
  if (staysInSubgroup(*from, *to, transposed)) return 0;
  const uint32_t bits = lacksComponents(*from, *to) ? from->is.componentBits : to->is.componentBits;
  const uint32_t unit = std::lcm(from->granuleRows, transposed ? to->granuleColumns : to->granuleRows);
  return stripRows(*from, unit) * plan_.rowBytes(from->is.columns, bits);
}

// The rows of each strip of a matrix that passes through this memory, which can be cut at multiples of `unit` rows.
uint32_t Granules::stripRows(const PlannedMatrix& type, uint32_t unit) const {
  const uint32_t units = std::max(1u, type.is.rows / unit);
  uint32_t strips = std::min(plan_.strips(), units);
  while (units % strips != 0) --strips;
  return type.is.rows / strips;
}

// Stores the granules that begin in a strip's rows, each by one of the subgroups that hold it.
void Granules::storeRows(const PlannedMatrix& t, const Parts& granules, const SharedRows& rows,
                         const Strip& strip) {
  byOwners(t, [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      const Id row = rowOf(t, n / t.blockColumns), column = columnOf(t, n % t.blockColumns);
      const auto store = [&](Id at) {
        const Id pointer = pointerTo(rows, at, column);
        storeGranule(granules[n], pointer, rows.stride);
      };
      if (strip.count == t.is.rows) {
        store(row);
        continue;
      }
      const Id first = code_.u32(strip.first), count = code_.u32(strip.count), at = code_.sub(row, first);
      uint32_t known = 0;
      if (!code_.constantValue(at, known)) {
        const Id inside = code_.less(at, count);
        code_.ifThen(inside, [&] { store(at); });
      } else if (known < strip.count) {
        store(at);
      }
    }
  });
}

// Rows of this many components in the memory that the matrix's scope shares.
SharedRows Granules::scratch(const PlannedMatrix& type, Id component, uint32_t columns) {
  const uint32_t bits = bitsOf(component);
  Id base = code_.u32(0);
  if (!type.ofWorkgroup()) {
    const AreaUse& needs = needs_[0];
    const Id id = subgroupId(), size = code_.u32((needs.scratch + needs.slices) / unit_);
    const Id own = code_.mul(id, size), first = code_.u32(scopeBytes(true) / unit_);
    base = code_.add(own, first);
  }
  return {component, bits, base, plan_.rowBytes(columns, bits)};
}

// --- Conversions --------------------------------------------------------------------------------------------------------------
// Granule (i, j) of one becomes granule (i, j), or (j, i), of the other, in the same subgroup.
bool Granules::staysInSubgroup(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const {
  if (transposed) {
    return from.granuleRows == to.granuleColumns && from.granuleColumns == to.granuleRows &&
           from.spreadRows == 1 && from.spreadColumns == 1 && to.spreadRows == 1 && to.spreadColumns == 1;
  }
  return isSquare(from, to) && from.spreadRows == to.spreadRows && from.spreadColumns == to.spreadColumns;
}

// Converts the components, which are those of accumulators here.
Granules::Parts Granules::convertComponents(const Instruction& i, const PlannedMatrix& from,
                                            const PlannedMatrix& to) {
  Parts values = parts(op::Unary(m_, i).operand());
  if (from.is.component == to.is.component) return values;
  const Id type = native(from, to.is.component);
  for (Id& value : values) value = code_.op(componentOpOf(i), type, {value});
  return values;
}

// Whether there are no native matrices of the source's use with the result's components.
bool Granules::lacksComponents(const PlannedMatrix& from, const PlannedMatrix& to) const {
  return from.is.component != to.is.component && !plan_.hasAccumulator(to.is.number);
}

// Whether invocations load the components of the result one by one.
bool Granules::convertsByElement(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const {
  if (lacksComponents(from, to)) return true;
  return plan_.strips() > 1 && hasPositions(to) && staysInSubgroup(from, to, transposed) &&
         stripBytes(from, true, 1) < sliceBytes(from, to.is.componentBits);
}

Granules::Slices Granules::conversionSlices(const PlannedMatrix& from, const PlannedMatrix& to,
                                            bool transposed) const {
  const bool stays = staysInSubgroup(from, to, transposed);
  if (stays && options_.conversions) return {};
  if (convertsByElement(from, to, transposed)) {
    const uint32_t source = std::max(stripBytes(from, true, 1), positionBytes(from));
    return {1, std::max(positionBytes(to), stays ? source : 0)};
  }
  if (!stays) return {};
  const uint32_t bits = std::max(from.is.componentBits, to.is.componentBits);
  if (plan_.strips() > 1) return {1, sliceBytes(from, to.is.componentBits)};
  return {1, std::max(sliceBytes(from, bits), sliceBytes(to, bits))};
}

// How components of a conversion's result are loaded from the source's elements.
struct Granules::ElementLoads {
  const Instruction& conversion;
  Positions positions;  // in a granule of the result
  Id granule;           // a variable
  bool transposed = false;
};

// Loads those components of a granule whose elements are in a strip of the source's rows.
void Granules::loadElements(const ElementLoads& loads, const SharedRows& rows, const Strip& strip) {
  const PlannedMatrix& to = *loads.positions.type;
  const Id first = code_.u32(strip.first);
  forComponents(loads.positions, strip, !loads.transposed, [&](Id index, Id row, Id column) {
    const Id line = loads.transposed ? column : row, place = loads.transposed ? row : column;
    const Id at = code_.sub(line, first);
    Id element = loadElement(rows, at, place);
    if (rows.component != to.is.component)
      element = code_.op(componentOpOf(loads.conversion), to.is.component, {element});
    const Id pointer = component(to, loads.granule, index);
    code_.store(pointer, element);
  });
}

// Invocations load the components that they hold of the result from the elements of the source, and convert them one by one.
Granules::Parts Granules::convertByElement(const Instruction& i, const PlannedMatrix& from,
                                           const PlannedMatrix& to, bool transposed) {
  const Parts values = parts(op::Unary(m_, i).operand());
  const Id type = native(to), source = native(from);
  const ElementLoads loads{i, findPositions(to), code_.localVariable(type), transposed};
  if (!staysInSubgroup(from, to, transposed))
    return regroup(values, from, to, from.is.component, transposed, &loads);
  const uint32_t lines = stripLines(from, true, 1);
  const bool whole = lines == from.granuleRows;
  const Positions positions = whole ? Positions{} : findPositions(from);
  const Id variable = whole ? Id() : code_.localVariable(source), zero = code_.u32(0);
  const SharedRows rows = whole ? slice(from, from.is.component, 0) : stripSlice(from, true);
  Parts result(to.granules());
  for (uint32_t n = 0; n < from.granules(); ++n) {
    const uint32_t row = n / from.blockColumns, column = n % from.blockColumns;
    if (!whole) code_.store(variable, values[n]);
    for (uint32_t first = 0; first < from.granuleRows; first += lines) {
      const Strip strip{first, lines};
      enterSlices(from);
      if (whole) {
        const Id pointer = pointerTo(rows, zero, zero);
        storeGranule(values[n], pointer, rows.stride);
      } else {
        storeStrip(positions, variable, rows, strip, true);
      }
      code_.barrier(spv::Scope::Subgroup);
      loadElements(loads, rows, strip);
    }
    result[transposed ? column * to.blockColumns + row : n] = code_.load(type, loads.granule);
  }
  return result;
}

void Granules::convertUse(const Instruction& i, bool transposed) {
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
  if (lacks && (transposed || (!natively && !hasPositions(to))))
    return refuse("the device has no native accumulator of the components of a " + describe(to.is) +
                  " that a conversion returns");
  if (!natively && convertsByElement(from, to, transposed))
    return define(i, convertByElement(i, from, to, transposed));
  const Parts values = lacks || signs ? parts(op::Unary(m_, i).operand()) : convertComponents(i, from, to);
  const Id component = to.is.component, type = native(to);
  if (!stays) return define(i, regroup(values, from, to, component, transposed));
  Parts result(to.granules());
  const Id zero = code_.u32(0);
  for (uint32_t row = 0; row < from.blockRows; ++row) {
    for (uint32_t column = 0; column < from.blockColumns; ++column) {
      const Id value = values[row * from.blockColumns + column];
      Id& made = result[transposed ? column * to.blockColumns + row : row * to.blockColumns + column];
      if (options_.conversions) {
        const spv::Op op = lacks        ? i.op()
                           : transposed ? spv::Op::OpCooperativeMatrixTransposeNV
                                        : spv::Op::OpCooperativeMatrixConvertNV;
        made = code_.op(op, type, {value});
        continue;
      }
      const SharedRows rows = slice(from, component, 0);
      const Id pointer = pointerTo(rows, zero, zero);
      enterSlices(from);
      storeGranule(value, pointer, rows.stride);
      code_.barrier(spv::Scope::Subgroup);
      made = loadGranule(type, pointer, rows.stride, transposed);
    }
  }
  define(i, std::move(result));
}

// Through memory for the whole matrix, or for one strip of its rows after the other: each subgroup stores the
// granules that it holds, and loads those that it needs.
Granules::Parts Granules::regroup(const Parts& from, const PlannedMatrix& source, const PlannedMatrix& to,
                                  Id component, bool transposed, const ElementLoads* elements) {
  const SharedRows rows = scratch(to, component, source.is.columns);
  const uint32_t unit = std::lcm(source.granuleRows, transposed ? to.granuleColumns : to.granuleRows);
  const uint32_t count = stripRows(source, unit);
  const bool whole = count == source.is.rows;
  Parts result(to.granules());
  for (uint32_t first = 0; first < source.is.rows; first += count) {
    const Strip strip{first, count};
    enterShared(to.is.scope);
    storeRows(source, from, rows, strip);
    code_.barrier(to.is.scope);
    const Id type = native(to);
    if (!whole && first == 0) std::ranges::fill(result, code_.undef(type));
    for (uint32_t n = 0; n < to.granules(); ++n) {
      const Id row = rowOf(to, n / to.blockColumns), column = columnOf(to, n % to.blockColumns);
      const Id line = transposed ? column : row, place = transposed ? row : column;
      const auto load = [&](Id at) {
        if (elements != nullptr) {
          const SharedRows granule = this->from(rows, at, place);
          loadElements(*elements, granule, {0, transposed ? to.granuleColumns : to.granuleRows});
          return code_.load(type, elements->granule);
        }
        const Id pointer = pointerTo(rows, at, place);
        return loadGranule(type, pointer, rows.stride, transposed);
      };
      result[n] = whole ? load(line) : loadInStrip(line, strip, type, result[n], load);
    }
  }
  return result;
}

// --- Reductions ---------------------------------------------------------------------------------------------------------------
Id Granules::combined(Id combine, Id component, Id a, Id b) {
  const Id type = component;
  return code_.op(spv::Op::OpFunctionCall, type, {combine, a, b});
}

// Sums each row (or column) of a subgroup's block over the columns (rows) that the subgroup holds. `sums` has
// one line for each part into which the grid divides the matrix in the direction of summation. The granules
// of a row of granules pass through the subgroup's slice one after the other, as a whole or in strips of lines, and each invocation sums
// one line.
void Granules::foldGranules(const PlannedMatrix& from, const Parts& parts, Id combine, const SharedRows& sums,
                            bool alongRows) {
  const Group lanes = subgroup();
  const Id component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t depth = alongRows ? from.granuleColumns : from.granuleRows;
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  const uint32_t inner = alongRows ? from.blockColumns : from.blockRows;
  // The subgroup's part of the matrix in the direction of summation.
  const PlannedMatrix& t = from;
  const Id across = alongRows ? columnOf(t, 0) : rowOf(t, 0);
  const Id size = code_.u32(inner * depth), part = code_.div(across, size);
  const uint32_t together = stripLines(from, alongRows, resultLines(from));
  const bool whole = together == lines;
  const Positions positions = whole ? Positions{} : findPositions(from);
  Id variable;
  if (!whole) {
    const Id type = native(from);
    variable = code_.localVariable(type);
  }
  const SharedRows rows = whole ? slice(from, component, 0) : stripSlice(from, alongRows);
  // Combines lines of the slice, and what `to` has of them already unless the granule is the `first` one.
  const auto fold = [&](const SharedRows& to, bool isFirst) {
    fillRows(lanes, to, 1, together, options_.unroll, [&](Id, Id line) {
      const auto element = [&](Id at) {
        return alongRows || !whole ? loadElement(rows, line, at) : loadElement(rows, at, line);
      };
      const Id first = isFirst ? element(zero) : loadElement(to, zero, line);
      const Id count = code_.u32(isFirst ? depth - 1 : depth);
      const std::vector<Id> total =
          code_.loop(count, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
            const Id at = isFirst ? code_.add(n, one) : n, next = element(at);
            carried[0] = combined(combine, component, carried[0], next);
          });
      return total[0];
    });
  };
  for (uint32_t a = 0; a < outer; ++a) {
    const Id firstLine = alongRows ? rowOf(t, a) : columnOf(t, a);
    const SharedRows to = this->from(sums, part, firstLine);
    for (uint32_t b = 0; b < inner; ++b) {
      const Id granule = parts[alongRows ? a * from.blockColumns + b : b * from.blockColumns + a];
      if (!whole) code_.store(variable, granule);
      for (uint32_t first = 0; first < lines; first += together) {
        const Id pointer = whole ? pointerTo(rows, zero, zero) : Id();
        code_.barrier(spv::Scope::Subgroup);
        if (whole)
          storeGranule(granule, pointer, rows.stride);
        else
          storeStrip(positions, variable, rows, {first, together}, alongRows);
        code_.barrier(spv::Scope::Subgroup);
        // Several subgroups may hold the same granules; only one of them sums them.
        byOwners(from, [&] {
          const Id step = code_.u32(first);
          fold(whole ? to : this->from(to, zero, step), b == 0);
        });
      }
    }
  }
}

// Sums of rows, of columns or of everything. The group adds the sums of the parts, and the result's granules
// are loaded with a stride of 0, which repeats them.
void Granules::reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                           bool alongRows) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const bool everything = uint32_t(reduction.reduce()) == (kReduceRow | kReduceColumn);
  const Id combine = reduction.combineFunc(), component = from.is.component, zero = code_.u32(0),
           one = code_.u32(1);
  const uint32_t lines = alongRows ? from.is.rows : from.is.columns;
  const uint32_t across = alongRows ? from.spreadColumns : from.spreadRows;
  const Parts values = parts(reduction.matrix());
  const SharedRows sums = scratch(from, component, lines);
  const Group all = group(from);
  enterShared(from.is.scope);
  foldGranules(from, values, combine, sums, alongRows);
  code_.barrier(from.is.scope);
  if (across > 1) {
    fillRows(all, sums, 1, lines, options_.unroll, [&](Id, Id line) {
      const Id first = loadElement(sums, zero, line), count = code_.u32(across - 1);
      const std::vector<Id> total =
          code_.loop(count, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
            const Id part = code_.add(n, one), element = loadElement(sums, part, line);
            carried[0] = combined(combine, component, carried[0], element);
          });
      return total[0];
    });
    code_.barrier(from.is.scope);
  }
  if (everything) {
    const Id first = loadElement(sums, zero, zero), count = code_.u32(lines - 1);
    const std::vector<Id> total = code_.loop(count, Unroll::No, {first}, [&](Id n, std::vector<Id>& carried) {
      const Id line = code_.add(n, one), element = loadElement(sums, zero, line);
      carried[0] = combined(combine, component, carried[0], element);
    });
    return define(i, Parts(to.granules(), splat(to, total[0])));
  }
  const Id type = native(to);
  Parts result(to.granules());
  for (uint32_t a = 0; a < (alongRows ? to.blockRows : to.blockColumns); ++a) {
    const Id line = alongRows ? rowOf(to, a) : columnOf(to, a), pointer = pointerTo(sums, zero, line);
    const Id granule = loadGranule(type, pointer, 0, alongRows);
    for (uint32_t n = 0; n < to.granules(); ++n) {
      if ((alongRows ? n / to.blockColumns : n % to.blockColumns) == a) result[n] = granule;
    }
  }
  define(i, std::move(result));
}

// Each element of the result combines four elements of the matrix, which is therefore stored in memory.
Id Granules::combinedSquare(Id combine, const SharedRows& from, const Id (&rows)[2], const Id (&columns)[2]) {
  const Id component = from.component;
  Id four[4];
  for (uint32_t k = 0; k < 4; ++k) four[k] = loadElement(from, rows[k / 2], columns[k % 2]);
  const Id above = combined(combine, component, four[0], four[1]);
  const Id below = combined(combine, component, four[2], four[3]);
  return combined(combine, component, above, below);
}

void Granules::reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc(), component = from.is.component, zero = code_.u32(0),
           one = code_.u32(1);
  const Id two = code_.u32(2);
  const Parts values = parts(reduction.matrix());
  const SharedRows all = scratch(from, component, from.is.columns);
  enterShared(from.is.scope);
  storeRows(from, values, all, {0, from.is.rows});
  code_.barrier(from.is.scope);
  const Group lanes = subgroup();
  const Id type = native(to);
  const SharedRows rows = slice(from, component, 0);
  Parts result;
  for (uint32_t n = 0; n < to.granules(); ++n) {
    const Id firstRow = rowOf(to, n / to.blockColumns), firstColumn = columnOf(to, n % to.blockColumns);
    code_.barrier(spv::Scope::Subgroup);
    fillRows(lanes, rows, to.granuleRows, to.granuleColumns, options_.unroll, [&](Id row, Id column) {
      const Id toRow = code_.add(firstRow, row), toColumn = code_.add(firstColumn, column);
      const Id top = code_.mul(toRow, two), left = code_.mul(toColumn, two);
      const Id bottom = code_.add(top, one), right = code_.add(left, one);
      return combinedSquare(combine, all, {top, bottom}, {left, right});
    });
    code_.barrier(spv::Scope::Subgroup);
    const Id pointer = pointerTo(rows, zero, zero);
    result.push_back(loadGranule(type, pointer, rows.stride));
  }
  define(i, std::move(result));
}

// The same in strips of rows, where each invocation combines the elements of those components of the result that it holds.
void Granules::reduceSquaresInStrips(const Instruction& i, const PlannedMatrix& from,
                                     const PlannedMatrix& to) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc(), one = code_.u32(1), two = code_.u32(2), type = native(to);
  const Parts values = parts(reduction.matrix());
  const Positions positions = findPositions(to);
  const Id variable = code_.localVariable(type);
  const SharedRows rows = scratch(from, from.is.component, from.is.columns);
  const uint32_t count = stripRows(from, 2 * from.granuleRows);
  Parts result(to.granules(), code_.undef(type));
  for (uint32_t first = 0; first < from.is.rows; first += count) {
    const Strip strip{first, count};
    enterShared(from.is.scope);
    storeRows(from, values, rows, strip);
    code_.barrier(from.is.scope);
    for (uint32_t n = 0; n < to.granules(); ++n) {
      const Id toRow = rowOf(to, n / to.blockColumns), toColumn = columnOf(to, n % to.blockColumns);
      const Id firstRow = code_.mul(toRow, two), firstColumn = code_.mul(toColumn, two);
      result[n] = loadInStrip(firstRow, strip, type, result[n], [&](Id at) {
        forComponents(positions, {0, to.granuleRows}, true, [&](Id index, Id row, Id column) {
          const Id down = code_.mul(row, two), across = code_.mul(column, two);
          const Id top = code_.add(at, down), left = code_.add(firstColumn, across);
          const Id bottom = code_.add(top, one), right = code_.add(left, one);
          const Id square = combinedSquare(combine, rows, {top, bottom}, {left, right});
          const Id pointer = component(to, variable, index);
          code_.store(pointer, square);
        });
        return code_.load(type, variable);
      });
    }
  }
  define(i, std::move(result));
}

// The bytes of a slice that a reduction needs where memory is saved.
uint32_t Granules::reductionSlice(const Instruction& i, const PlannedMatrix& from) const {
  const uint32_t mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
  if (!hasPositions(from)) return sliceBytes(from, from.is.componentBits);
  if (mask == kReduce2x2) return positionBytes(from);
  return std::max(positionBytes(from), stripBytes(from, mask != kReduceColumn, resultLines(from)));
}

void Granules::reduce(const Instruction& i) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const PlannedMatrix &from = *matrixOf(reduction.matrix()), &to = *plan_.matrix(i.type);
  const auto mask = uint32_t(reduction.reduce());
  if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || !isSquare(from, to) ||
      from.is.component != to.is.component)
    return refuse("a reduction of a " + describe(from.is) + " to a " + describe(to.is));
  switch (mask) {
    case kReduceRow:
    case kReduceRow | kReduceColumn: return reduceLines(i, from, to, true);
    case kReduceColumn: return reduceLines(i, from, to, false);
    case kReduce2x2:
      if (plan_.strips() > 1 && hasPositions(from)) return reduceSquaresInStrips(i, from, to);
      return reduceSquares(i, from, to);
    default: return refuse("a reduction of an unknown kind");
  }
}

}  // namespace coopc::spirv::lower
