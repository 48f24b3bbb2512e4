// What moves elements from granule to granule: conversions between uses, transposition, reductions. Where a subgroup holds all
// that it needs, granules go through its own slice of workgroup memory one by one; else the whole matrix goes through memory
// that the matrix's scope shares.
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
// How many elements of that memory an instruction needs, for one group.
uint32_t Granules::scratchElements(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const PlannedMatrix* from = i.length < 4 ? nullptr : matrixOf(m_.idAt(i, 3));
  if (to == nullptr || from == nullptr) return 0;
  if (i.op() == spv::Op::OpCooperativeMatrixReduceNV) {
    const uint32_t mask = m_.word(i, 4);
    if (mask == kReduce2x2)
      return from->is.rows * (from->is.columns + MatrixPlan::padding(from->is.componentBits));
    return std::max(from->is.rows * from->spreadColumns, from->is.columns * from->spreadRows);
  }
  const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
  if (from->is.use == to->is.use && !transposed) return 0;
  if (staysInSubgroup(*from, *to, transposed) && plan_.hasAccumulator(m_, to->is.component)) return 0;
  return from->is.rows * (from->is.columns + MatrixPlan::padding(to->is.componentBits));
}

void Granules::planScratch() {
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    const PlannedMatrix* to = plan_.matrix(i.type);
    if (to == nullptr) continue;
    uint32_t elements = scratchElements(i);
    if (elements == 0) continue;
    if (!to->ofWorkgroup()) elements *= plan_.subgroups;
    const Id component = to->is.component;
    const auto known =
        std::find_if(scratch_.begin(), scratch_.end(), [&](const auto& s) { return s.first == component; });
    if (known == scratch_.end())
      scratch_.push_back({component, elements});
    else
      known->second = std::max(known->second, elements);
  }
}

SharedRows Granules::scratch(const PlannedMatrix& type, Id component, uint32_t rows, uint32_t stride) {
  const auto known =
      std::find_if(scratch_.begin(), scratch_.end(), [&](const auto& s) { return s.first == component; });
  const Id variable =
      sharedVariable("matrix", component, known == scratch_.end() ? rows * stride : known->second);
  Id base = code_.u32(0);
  if (!type.ofWorkgroup()) {
    const Id id = subgroupId(), size = code_.u32(rows * stride);
    base = code_.mul(id, size);
  }
  return {variable, component, base, stride};
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

// The components' conversion, on accumulators.
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
  if (!plan_.hasAccumulator(m_, to.is.component))
    return refuse("the device has no native accumulator of the components of a " + describe(to.is) +
                  " that a conversion makes");
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
      const SharedRows rows = slice(component, 0);
      const Id pointer = pointerTo(rows, zero, zero);
      code_.barrier(spv::Scope::Subgroup);
      storeGranule(value, pointer, rows.stride);
      code_.barrier(spv::Scope::Subgroup);
      made = loadGranule(type, pointer, rows.stride, transposed);
    }
  }
  define(i, std::move(result));
}

// Through memory for the whole matrix: each subgroup stores what it holds, and loads what it needs.
Granules::Parts Granules::regroup(const Parts& from, const PlannedMatrix& source, const PlannedMatrix& to,
                                  Id component, bool transposed) {
  const uint32_t stride = source.is.columns + MatrixPlan::padding(to.is.componentBits);
  const SharedRows rows = scratch(to, component, source.is.rows, stride);
  code_.barrier(to.is.scope);
  byOwners(source, [&] {
    for (uint32_t n = 0; n < source.granules(); ++n) {
      const Id row = rowOf(source, n / source.blockColumns),
               column = columnOf(source, n % source.blockColumns);
      const Id pointer = pointerTo(rows, row, column);
      storeGranule(from[n], pointer, stride);
    }
  });
  code_.barrier(to.is.scope);
  const Id type = native(to);
  Parts result;
  for (uint32_t n = 0; n < to.granules(); ++n) {
    const Id row = rowOf(to, n / to.blockColumns), column = columnOf(to, n % to.blockColumns);
    const Id pointer = transposed ? pointerTo(rows, column, row) : pointerTo(rows, row, column);
    result.push_back(loadGranule(type, pointer, stride, transposed));
  }
  return result;
}

// --- Reductions ---------------------------------------------------------------------------------------------------------------
Id Granules::combined(Id combine, Id component, Id a, Id b) {
  const Id type = component;
  return code_.op(spv::Op::OpFunctionCall, type, {combine, a, b});
}

// The sums of the rows (or columns) of a subgroup's block, each over the columns (rows) that the subgroup holds, into
// `sums`: one line for each part into which the grid cuts the matrix across the sums. The granules of one row of granules
// follow each other through the subgroup's slice, and one invocation sums up one line.
void Granules::foldGranules(const PlannedMatrix& from, const Parts& parts, Id combine, const SharedRows& sums,
                            bool alongRows) {
  const Group lanes = subgroup();
  const Id component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t depth = alongRows ? from.granuleColumns : from.granuleRows;
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  const uint32_t inner = alongRows ? from.blockColumns : from.blockRows;
  // Which part of the matrix across the sums this subgroup has.
  const PlannedMatrix& t = from;
  const Id across = alongRows ? columnOf(t, 0) : rowOf(t, 0);
  const Id size = code_.u32(inner * depth), part = code_.div(across, size);
  for (uint32_t a = 0; a < outer; ++a) {
    const Id firstLine = alongRows ? rowOf(t, a) : columnOf(t, a);
    for (uint32_t b = 0; b < inner; ++b) {
      const SharedRows rows = slice(component, 0);
      const Id to = pointerTo(rows, zero, zero);
      code_.barrier(spv::Scope::Subgroup);
      storeGranule(parts[alongRows ? a * from.blockColumns + b : b * from.blockColumns + a], to, rows.stride);
      code_.barrier(spv::Scope::Subgroup);
      // Several subgroups may hold the same granules: one adds them up.
      byOwners(from, [&] {
        forElements(lanes, lines, 1, [&](NamedId line, NamedId) {
          const Id matrixLine = code_.add(firstLine, line), sum = pointerTo(sums, part, matrixLine);
          const Id pointer =
              b == 0 ? (alongRows ? pointerTo(rows, line, zero) : pointerTo(rows, zero, line)) : sum;
          const Id first = code_.loadShared(component, pointer),
                   count = code_.u32(b == 0 ? depth - 1 : depth);
          const std::vector<Id> total =
              code_.loop(count, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
                const Id at = b == 0 ? code_.add(n, one) : n;
                const Id next = alongRows ? pointerTo(rows, line, at) : pointerTo(rows, at, line);
                const Id element = code_.loadShared(component, next);
                carried[0] = combined(combine, component, carried[0], element);
              });
          code_.storeShared(sum, total[0]);
        });
      });
    }
  }
}

// Sums of rows, of columns or of everything: the parts' sums are added up by the group, and granules are loaded of the sums
// with a stride of 0, which repeats them.
void Granules::reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                           bool alongRows) {
  const bool everything = m_.word(i, 4) == (kReduceRow | kReduceColumn);
  const Id combine = m_.idAt(i, 5), component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.is.rows : from.is.columns;
  const uint32_t across = alongRows ? from.spreadColumns : from.spreadRows;
  const Parts values = parts(m_.idAt(i, 3));
  const SharedRows sums = scratch(from, component, across, lines);
  const Group all = group(from);
  code_.barrier(from.is.scope);
  foldGranules(from, values, combine, sums, alongRows);
  code_.barrier(from.is.scope);
  if (across > 1) {
    forElements(all, 1, lines, [&](NamedId, NamedId line) {
      const Id sum = pointerTo(sums, zero, line), first = code_.loadShared(component, sum);
      const Id count = code_.u32(across - 1);
      const std::vector<Id> total =
          code_.loop(count, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
            const Id part = code_.add(n, one), pointer = pointerTo(sums, part, line);
            const Id element = code_.loadShared(component, pointer);
            carried[0] = combined(combine, component, carried[0], element);
          });
      code_.storeShared(sum, total[0]);
    });
    code_.barrier(from.is.scope);
  }
  if (everything) {
    const Id pointer = pointerTo(sums, zero, zero), first = code_.loadShared(component, pointer);
    const Id count = code_.u32(lines - 1);
    const std::vector<Id> total = code_.loop(count, Unroll::No, {first}, [&](Id n, std::vector<Id>& carried) {
      const Id line = code_.add(n, one), next = pointerTo(sums, zero, line);
      const Id element = code_.loadShared(component, next);
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

// Each element of the result combines four of the matrix, which lies in memory for that.
void Granules::reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to) {
  const Id combine = m_.idAt(i, 5), component = from.is.component, zero = code_.u32(0), one = code_.u32(1);
  const Id two = code_.u32(2);
  const Parts values = parts(m_.idAt(i, 3));
  const uint32_t stride = from.is.columns + MatrixPlan::padding(from.is.componentBits);
  const SharedRows all = scratch(from, component, from.is.rows, stride);
  code_.barrier(from.is.scope);
  byOwners(from, [&] {
    for (uint32_t n = 0; n < from.granules(); ++n) {
      const Id row = rowOf(from, n / from.blockColumns), column = columnOf(from, n % from.blockColumns);
      const Id pointer = pointerTo(all, row, column);
      storeGranule(values[n], pointer, stride);
    }
  });
  code_.barrier(from.is.scope);
  const Group lanes = subgroup();
  const Id type = native(to);
  Parts result;
  for (uint32_t n = 0; n < to.granules(); ++n) {
    const Id firstRow = rowOf(to, n / to.blockColumns), firstColumn = columnOf(to, n % to.blockColumns);
    code_.barrier(spv::Scope::Subgroup);
    forElements(lanes, to.granuleRows, to.granuleColumns, [&](NamedId row, NamedId column) {
      const Id toRow = code_.add(firstRow, row), toColumn = code_.add(firstColumn, column);
      const Id top = code_.mul(toRow, two), left = code_.mul(toColumn, two);
      const Id bottom = code_.add(top, one), right = code_.add(left, one);
      Id four[4];
      for (uint32_t k = 0; k < 4; ++k) {
        const Id pointer = pointerTo(all, k < 2 ? top : bottom, k % 2 == 0 ? left : right);
        four[k] = code_.loadShared(component, pointer);
      }
      const Id above = combined(combine, component, four[0], four[1]);
      const Id below = combined(combine, component, four[2], four[3]);
      const Id value = combined(combine, component, above, below);
      const SharedRows rows = slice(component, 0);
      const Id pointer = pointerTo(rows, row, column);
      code_.storeShared(pointer, value);
    });
    code_.barrier(spv::Scope::Subgroup);
    const SharedRows rows = slice(component, 0);
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
