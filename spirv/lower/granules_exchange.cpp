// Operations that move elements between granules: conversions between uses, transposition, reductions. If a
// subgroup holds everything that it needs, granules go through its own slice of workgroup memory one by one.
// Otherwise the whole matrix goes through memory that the matrix's scope shares.
#include <algorithm>

#include "spirv/lower/granules.hpp"

namespace coopc::spirv::lower {

namespace {

// SPV_NV_cooperative_matrix2, Cooperative Matrix Reduce.
enum : uint32_t { kReduceRow = 1, kReduceColumn = 2, kReduce2x2 = 4 };

bool isSquare(const PlannedMatrix& a, const PlannedMatrix& b) {
  return a.granuleRows == b.granuleRows && a.granuleColumns == b.granuleColumns;
}

}  // namespace

// --- Memory for a whole matrix ----------------------------------------------------------------------------------------------
// How many bytes of that memory an instruction needs, for one group.
uint32_t Granules::scratchBytes(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const PlannedMatrix* from = i.length < 4 ? nullptr : matrixOf(m_.idAt(i, 3));
  if (to == nullptr || from == nullptr || !fitsOperands(i)) return 0;
  if (i.op() == spv::Op::OpCooperativeMatrixReduceNV) {
    if (options_.reductions && !to->lowered && !from->lowered) return 0;
    const uint32_t mask = m_.word(i, 4), bits = from->is.componentBits;
    if (mask == kReduce2x2) return from->is.rows * MatrixPlan::rowBytes(from->is.columns, bits);
    return mask == kReduceColumn ? from->spreadRows * MatrixPlan::rowBytes(from->is.columns, bits)
                                 : from->spreadColumns * MatrixPlan::rowBytes(from->is.rows, bits);
  }
  const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
  if (!transposed && (i.length != 4 || from->is.use == to->is.use)) return 0;
  if (staysInSubgroup(*from, *to, transposed) && plan_.hasAccumulator(m_, to->is.component)) return 0;
  return from->is.rows * MatrixPlan::rowBytes(from->is.columns, to->is.componentBits);
}

// Rows of this many components in the memory that the matrix's scope shares.
SharedRows Granules::scratch(const PlannedMatrix& type, Id component, uint32_t columns) {
  const uint32_t bits = bitsOf(component);
  Id base = code_.u32(0);
  if (!type.ofWorkgroup()) {
    const Needs& needs = needs_[0];
    const Id id = subgroupId(), size = code_.u32((needs.scratch + needs.slices) / unit_);
    const Id own = code_.mul(id, size), first = code_.u32(scopeBytes(true) / unit_);
    base = code_.add(own, first);
  }
  return {component, bits, base, MatrixPlan::rowBytes(columns, bits)};
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
  Parts values = parts(m_.idAt(i, 3));
  if (from.is.component == to.is.component) return values;
  const Id type = native(from, to.is.component);
  for (Id& value : values) value = code_.op(i.op(), type, {value});
  return values;
}

void Granules::convertUse(const Instruction& i, bool transposed) {
  const PlannedMatrix &from = *matrixOf(m_.idAt(i, 3)), &to = *plan_.matrix(i.type);
  // The components are converted in the source matrix, and the device may not have its shape with the other
  // component type.
  if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR && from.is.component != to.is.component)
    return refuse("a conversion of a " + describe(from.is) + " to a " + describe(to.is));
  if (!plan_.hasAccumulator(m_, to.is.component))
    return refuse("the device has no native accumulator of the components of a " + describe(to.is) +
                  " that a conversion returns");
  const Parts values = convertComponents(i, from, to);
  const Id component = to.is.component, type = native(to);
  if (!staysInSubgroup(from, to, transposed))
    return define(i, regroup(values, from, to, component, transposed));
  Parts result(to.granules());
  const Id zero = code_.u32(0);
  for (uint32_t row = 0; row < from.blockRows; ++row) {
    for (uint32_t column = 0; column < from.blockColumns; ++column) {
      const Id value = values[row * from.blockColumns + column];
      Id& made = result[transposed ? column * to.blockColumns + row : row * to.blockColumns + column];
      if (options_.conversions) {
        const spv::Op op =
            transposed ? spv::Op::OpCooperativeMatrixTransposeNV : spv::Op::OpCooperativeMatrixConvertNV;
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

// Through memory for the whole matrix: each subgroup stores the granules that it holds, and loads those that
// it needs.
Granules::Parts Granules::regroup(const Parts& from, const PlannedMatrix& source, const PlannedMatrix& to,
                                  Id component, bool transposed) {
  const SharedRows rows = scratch(to, component, source.is.columns);
  enterShared(to.is.scope);
  byOwners(source, [&] {
    for (uint32_t n = 0; n < source.granules(); ++n) {
      const Id row = rowOf(source, n / source.blockColumns),
               column = columnOf(source, n % source.blockColumns);
      const Id pointer = pointerTo(rows, row, column);
      storeGranule(from[n], pointer, rows.stride);
    }
  });
  code_.barrier(to.is.scope);
  const Id type = native(to);
  Parts result;
  for (uint32_t n = 0; n < to.granules(); ++n) {
    const Id row = rowOf(to, n / to.blockColumns), column = columnOf(to, n % to.blockColumns);
    const Id pointer = transposed ? pointerTo(rows, column, row) : pointerTo(rows, row, column);
    result.push_back(loadGranule(type, pointer, rows.stride, transposed));
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
// of a row of granules pass through the subgroup's slice one after the other, and each invocation sums one
// line.
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
  const SharedRows rows = slice(from, component, 0);
  for (uint32_t a = 0; a < outer; ++a) {
    const Id firstLine = alongRows ? rowOf(t, a) : columnOf(t, a);
    const SharedRows to = this->from(sums, part, firstLine);
    for (uint32_t b = 0; b < inner; ++b) {
      const Id pointer = pointerTo(rows, zero, zero);
      code_.barrier(spv::Scope::Subgroup);
      storeGranule(parts[alongRows ? a * from.blockColumns + b : b * from.blockColumns + a], pointer,
                   rows.stride);
      code_.barrier(spv::Scope::Subgroup);
      // Several subgroups may hold the same granules; only one of them sums them.
      byOwners(from, [&] {
        fillRows(lanes, to, 1, lines, options_.unroll, [&](Id, Id line) {
          const auto element = [&](Id at) {
            return alongRows ? loadElement(rows, line, at) : loadElement(rows, at, line);
          };
          const Id first = b == 0 ? element(zero) : loadElement(to, zero, line);
          const Id count = code_.u32(b == 0 ? depth - 1 : depth);
          const std::vector<Id> total =
              code_.loop(count, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
                const Id at = b == 0 ? code_.add(n, one) : n, next = element(at);
                carried[0] = combined(combine, component, carried[0], next);
              });
          return total[0];
        });
      });
    }
  }
}

// Sums of rows, of columns or of everything. The group adds the sums of the parts, and the result's granules
// are loaded with a stride of 0, which repeats them.
void Granules::reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                           bool alongRows) {
  const bool everything = m_.word(i, 4) == (kReduceRow | kReduceColumn);
  const Id combine = m_.idAt(i, 5), component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.is.rows : from.is.columns;
  const uint32_t across = alongRows ? from.spreadColumns : from.spreadRows;
  const Parts values = parts(m_.idAt(i, 3));
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
void Granules::reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to) {
  const Id combine = m_.idAt(i, 5), component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const Id two = code_.u32(2);
  const Parts values = parts(m_.idAt(i, 3));
  const SharedRows all = scratch(from, component, from.is.columns);
  enterShared(from.is.scope);
  byOwners(from, [&] {
    for (uint32_t n = 0; n < from.granules(); ++n) {
      const Id row = rowOf(from, n / from.blockColumns), column = columnOf(from, n % from.blockColumns);
      const Id pointer = pointerTo(all, row, column);
      storeGranule(values[n], pointer, all.stride);
    }
  });
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
      Id four[4];
      for (uint32_t k = 0; k < 4; ++k)
        four[k] = loadElement(all, k < 2 ? top : bottom, k % 2 == 0 ? left : right);
      const Id above = combined(combine, component, four[0], four[1]);
      const Id below = combined(combine, component, four[2], four[3]);
      return combined(combine, component, above, below);
    });
    code_.barrier(spv::Scope::Subgroup);
    const Id pointer = pointerTo(rows, zero, zero);
    result.push_back(loadGranule(type, pointer, rows.stride));
  }
  define(i, std::move(result));
}

void Granules::reduce(const Instruction& i) {
  const PlannedMatrix &from = *matrixOf(m_.idAt(i, 3)), &to = *plan_.matrix(i.type);
  const uint32_t mask = m_.word(i, 4);
  if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || !isSquare(from, to) ||
      from.is.component != to.is.component)
    return refuse("a reduction of a " + describe(from.is) + " to a " + describe(to.is));
  switch (mask) {
    case kReduceRow:
    case kReduceRow | kReduceColumn: return reduceLines(i, from, to, true);
    case kReduceColumn: return reduceLines(i, from, to, false);
    case kReduce2x2: return reduceSquares(i, from, to);
    default: return refuse("a reduction of an unknown kind");
  }
}

}  // namespace coopc::spirv::lower
