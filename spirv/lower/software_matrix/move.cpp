// Operations that move elements between invocations: transpositions and reductions. The bits of the elements
// pass through workgroup memory, in bands of rows if the matrix does not fit.
#include "spirv/lower/software_matrix/move.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kStraightMoves = 16;
constexpr uint32_t kStraightMovesRolled = 4;  // if loops are not unrolled
constexpr auto kRow = uint32_t(spv::CooperativeMatrixReduceMask::Row);
constexpr auto kColumn = uint32_t(spv::CooperativeMatrixReduceMask::Column);
constexpr auto k2x2 = uint32_t(spv::CooperativeMatrixReduceMask::CooperativeMatrixReduce2x2);

}  // namespace

// Band by band: all elements of a band are stored, and read(first row, read one) is called between two
// barriers.
template <class Read>
void Moves::throughBands(const SoftwareLayout& source, Id value, const MoveStaging& staging, Read&& read) {
  const uint32_t most = options_.unroll == Unroll::Yes ? kStraightMoves : kStraightMovesRolled;
  const bool straight = staging.bands == 1 && source.components() <= most;
  const ComponentSource from(code_, source, value, !straight);
  const Lane at = walk_.lane(source);
  const Id base = buffer_.sharedBase(source);
  const Id stride = code_.u32(staging.stride), words = code_.u32(source.words());
  const Id band = code_.u32(staging.band), rowStep = code_.u32(source.rowLanes);
  const Id columnStep = code_.u32(source.columnLanes), held = code_.u32(source.columnsHeld);
  const auto address = [&](Id row, Id column) {  // row: within the band
    const Id line = code_.mul(row, stride), element = code_.add(line, column),
             scaled = code_.mul(element, words);
    return code_.add(base, scaled);
  };
  const uint32_t heldInBand = staging.band / source.rowLanes;
  const auto body = [&](Id number) {
    const Id firstRow = code_.mul(number, band), count = code_.u32(heldInBand);
    const Id firstHeld = code_.mul(number, count), rows = code_.u32(source.rowsHeld);
    walk_.repeat(heldInBand, straight, [&](Id n) {
      const Id w = code_.add(firstHeld, n);
      const auto storeRow = [&] {
        const Id below = code_.mul(n, rowStep), row = code_.add(at.row, below), first = code_.mul(w, held);
        walk_.repeat(source.columnsHeld, straight, [&](Id u) {
          const Id beside = code_.mul(u, columnStep), column = code_.add(at.column, beside);
          const Id index = code_.add(first, u), component = from.at(index), to = address(row, column);
          buffer_.storeComponent(source, to, component);
        });
      };
      if (const auto known = code_.constantValue(w)) {
        if (*known < source.rowsHeld) storeRow();
      } else if (heldInBand * staging.bands > source.rowsHeld) {
        const Id exists = code_.less(w, rows);
        code_.ifThen(exists, storeRow);
      } else {
        storeRow();
      }
    });
    buffer_.barrier(source.of.scope);
    read(firstRow, [&](Id row, Id column) {
      const Id within = code_.sub(row, firstRow), from2 = address(within, column);
      return buffer_.loadComponent(source, from2);
    });
    buffer_.barrier(source.of.scope);
  };
  walk_.repeat(staging.bands, staging.bands == 1, body);
}

// Element (r, c) of the result is element (c, r) of the matrix, converted if the instruction is a conversion.
bool Moves::transpose(const Instruction& i) {
  const Id value = op::Unary(m_, i).operand();
  const SoftwareLayout *to = plan_.of(i.type), *from = layoutOf(value);
  if (to == nullptr || from == nullptr) return false;
  // A change of the use may change the signedness of integers.
  const bool changesUse = i.op() == enums::OpCooperativeMatrixConvertUseEXT;
  const bool signs = changesUse && differInSign(from->of, to->of);
  const bool converts = signs || (!changesUse && i.op() != enums::OpCooperativeMatrixTransposeNV);
  if (to->of.rows != from->of.columns || to->of.columns != from->of.rows || to->of.scope != from->of.scope ||
      (!converts && to->of.component != from->of.component))
    return refuse(Refusal::Unsupported,
                  "a transpose of a " + describe(from->of) + " to a " + describe(to->of));
  const MoveStaging staging = plan_.move(*from, 1);
  const uint32_t most = options_.unroll == Unroll::Yes ? kStraightMoves : kStraightMovesRolled;
  const bool straight = staging.bands == 1 && to->components() <= most;
  const Id zero = code_.null(to->of.component);
  ComponentResult result(code_, *to, !straight);
  throughBands(*from, value, staging, [&](Id firstRow, auto&& element) {
    walk_.forEach(*to, straight, [&](const ComponentPlace& place) {
      const auto take = [&] {
        const Id moved = element(place.column, place.row);
        if (!converts) return moved;
        const Id converted = code_.op(signs ? spv::Op::OpBitcast : i.op(), to->of.component, {moved});
        copyDecorations(i.result, converted);
        return converted;
      };
      if (staging.bands == 1) {
        const Id taken = walk_.whenInside(*to, place, zero, take);
        return result.set(place.index, taken);
      }
      // One test checks both that the row is in this band and that it is in the matrix, because rows of the
      // last band that the matrix lacks come after all of its own.
      const Id boolean = code_.typeBool(), above = code_.sub(place.column, firstRow);
      const Id rows = code_.u32(staging.band), columns = code_.u32(to->of.columns);
      const Id a = code_.less(above, rows), b = code_.less(place.column, columns);
      const Id both = code_.op(spv::Op::OpLogicalAnd, boolean, {a, b});
      code_.ifThen(both, [&] {
        const Id taken = take();
        result.set(place.index, taken);
      });
    });
  });
  result.finish(i.result);
  note("a transpose of a " + describe(from->of),
       std::to_string(staging.words * 4) + " bytes of workgroup memory" +
           (staging.bands > 1 ? " in " + std::to_string(staging.bands) + " bands of rows" : ""));
  return true;
}

// A reduction: what it combines, and with which function.
struct Moves::Combine {
  Code& code;
  Id type, function;
  Id operator()(Id a, Id b) const { return code.op(spv::Op::OpFunctionCall, type, {function, a, b}); }
};

bool Moves::reduce(const Instruction& i) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id value = reduction.matrix(), function = reduction.combineFunc();
  const SoftwareLayout *to = plan_.of(i.type), *from = layoutOf(value);
  if (to == nullptr || from == nullptr) return false;
  const auto mode = uint32_t(reduction.reduce());
  const bool rows = (mode & kRow) != 0, columns = (mode & kColumn) != 0;
  const bool sizes = mode == k2x2 ? to->of.rows * 2 == from->of.rows && to->of.columns * 2 == from->of.columns
                                  : (columns || to->of.rows == from->of.rows) &&
                                        (rows || to->of.columns == from->of.columns);
  if (!sizes || (mode != k2x2 && (mode == 0 || mode > (kRow | kColumn))) ||
      to->of.component != from->of.component || to->of.scope != from->of.scope)
    return refuse(Refusal::Unsupported, "a reduction (mode " + std::to_string(mode) + ") of a " +
                                            describe(from->of) + " to a " + describe(to->of));
  const Combine combine{code_, from->of.component, function};
  if (mode == k2x2) {
    reduceNeighbours(i, *from, *to, combine);
  } else if (!columns) {
    reduceRows(i, *from, *to, combine);
  } else if (!rows) {
    reduceColumns(i, *from, *to, combine);
  } else {
    reduceAll(i, *from, *to, combine);
  }
  note("a reduction of " +
           std::string(mode == k2x2      ? "2x2 neighbourhoods"
                       : rows && columns ? "all"
                       : rows            ? "rows"
                                         : "columns") +
           " of a " + describe(from->of),
       mode == k2x2 ? "workgroup memory, four elements read for each"
                    : "each invocation's own components, then partial results through " +
                          std::to_string(plan_.reduction(*from, mode) * 4) + " bytes of workgroup memory");
  return true;
}

void Moves::reduceNeighbours(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                             const Combine& combine) {
  const MoveStaging staging = plan_.move(from, 2);
  const bool straight = staging.bands == 1 && to.components() <= kStraightMovesRolled;
  const Id zero = code_.null(to.of.component), one = code_.u32(1), two = code_.u32(2);
  ComponentResult result(code_, to, !straight);
  throughBands(from, op::CooperativeMatrixReduceNV(m_, i).matrix(), staging,
               [&](Id firstRow, auto&& element) {
                 walk_.forEach(to, straight, [&](const ComponentPlace& place) {
                   const Id row = code_.mul(place.row, two), column = code_.mul(place.column, two);
                   const auto take = [&] {
                     const Id below = code_.add(row, one), beside = code_.add(column, one);
                     const Id a = element(row, column), b = element(row, beside), top = combine(a, b);
                     const Id c = element(below, column), d = element(below, beside), bottom = combine(c, d);
                     return combine(top, bottom);
                   };
                   if (staging.bands == 1) {
                     const Id taken = walk_.whenInside(to, place, zero, take);
                     return result.set(place.index, taken);
                   }
                   const Id boolean = code_.typeBool(), above = code_.sub(row, firstRow);
                   const Id rows = code_.u32(staging.band), columns = code_.u32(to.of.columns);
                   const Id a = code_.less(above, rows), b = code_.less(place.column, columns);
                   const Id both = code_.op(spv::Op::OpLogicalAnd, boolean, {a, b});
                   code_.ifThen(both, [&] {
                     const Id taken = take();
                     result.set(place.index, taken);
                   });
                 });
               });
  result.finish(i.result);
}

// Combines `count` partial results that are `stride` components apart, from `at` on, starting with `first` if
// it is given.
Id Moves::combinePartials(const SoftwareLayout& l, const Combine& combine, Id at, uint32_t stride,
                          uint32_t count) {
  const Id first = buffer_.loadComponent(l, at);
  if (count == 1) return first;
  const Id turns = code_.u32(count - 1), step = code_.u32(stride * l.words());
  return code_.loop(turns, options_.unroll, {first}, [&](Id n, std::vector<Id>& carried) {
    const Id one = code_.u32(1), number = code_.add(n, one), away = code_.mul(number, step);
    const Id next = code_.add(at, away), value = buffer_.loadComponent(l, next);
    carried[0] = combine(carried[0], value);
  })[0];
}

// Combines an invocation's components first, first + step, ... `lastInside` tells whether the last of them is
// inside the matrix; none: it always is.
Id Moves::combineHeld(const SoftwareLayout& l, const Combine& combine, const ComponentSource& from, Id first,
                      uint32_t step, uint32_t count, Id lastInside) {
  const Id start = from.at(first);
  const uint32_t always = lastInside ? count - 1 : count;
  Id sum = start;
  if (always > 1) {
    const Id turns = code_.u32(always - 1), apart = code_.u32(step);
    sum = code_.loop(turns, options_.unroll, {start}, [&](Id n, std::vector<Id>& carried) {
      const Id one = code_.u32(1), number = code_.add(n, one), away = code_.mul(number, apart);
      const Id index = code_.add(first, away), value = from.at(index);
      carried[0] = combine(carried[0], value);
    })[0];
  }
  if (!lastInside || count == 1) return sum;
  const Id away = code_.u32((count - 1) * step), index = code_.add(first, away);
  return code_.choose(
      lastInside, l.of.component,
      [&] {
        const Id value = from.at(index);
        return combine(sum, value);
      },
      [&] { return sum; });
}

// Whether the invocation's last column is inside the matrix; none if all last columns are.
Id Moves::lastColumnInside(const SoftwareLayout& l, const Lane& at) {
  if (!l.masked()) return {};
  const Id away = code_.u32((l.columnsHeld - 1) * l.columnLanes), columns = code_.u32(l.of.columns);
  const Id last = code_.add(at.column, away);
  return code_.less(last, columns);
}

// Each invocation combines its part of each of its rows, and then the parts of all lanes that hold the row.
void Moves::reduceRows(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                       const Combine& combine) {
  const Lane at = walk_.lane(from);
  const Id base = buffer_.sharedBase(from);
  const uint32_t stride = from.columnLanes | 1, parts = std::min(from.of.columns, from.columnLanes);
  const Id words = code_.u32(from.words()), line = code_.u32(stride), rowStep = code_.u32(from.rowLanes);
  // Where the partial results of all rows do not fit, some of the rows that each invocation holds follow the
  // others. v: among those that are there at once.
  const uint32_t atOnce = plan_.rowsReducedAtOnce(from);
  const auto rowAt = [&](Id v) {
    const Id below = code_.mul(v, rowStep), row = code_.add(at.row, below), element = code_.mul(row, line);
    const Id scaled = code_.mul(element, words);
    return code_.add(base, scaled);
  };
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  const Id last = lastColumnInside(from, at), held = code_.u32(from.columnsHeld);
  ComponentResult result(code_, to, true);
  const Id heldThere = code_.u32(to.columnsHeld), rowsAtOnce = code_.u32(atOnce);
  walk_.repeat(from.rowsHeld / atOnce, false, [&](Id band) {
    const Id firstHeld = code_.mul(band, rowsAtOnce);
    const auto storePart = [&](Id v) {
      const Id w = code_.add(firstHeld, v), first = code_.mul(w, held);
      const Id part = combineHeld(from, combine, source, first, 1, from.columnsHeld, last);
      const Id row = rowAt(v), beside = code_.mul(at.column, words), to2 = code_.add(row, beside);
      buffer_.storeComponent(from, to2, part);
    };
    const auto storeParts = [&] { walk_.repeat(atOnce, false, storePart); };
    if (from.columnsHeld == 1 && last)
      code_.ifThen(last, storeParts);
    else
      storeParts();
    buffer_.barrier(from.of.scope);
    walk_.repeat(atOnce, false, [&](Id v) {
      const Id place = rowAt(v), value = combinePartials(from, combine, place, 1, parts);
      const Id w = code_.add(firstHeld, v), begin = code_.mul(w, heldThere);
      walk_.repeat(to.columnsHeld, false, [&](Id u) {
        const Id index = code_.add(begin, u);
        result.set(index, value);
      });
    });
    buffer_.barrier(from.of.scope);
  });
  result.finish(i.result);
}

void Moves::reduceColumns(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                          const Combine& combine) {
  const Lane at = walk_.lane(from);
  const Id base = buffer_.sharedBase(from);
  const uint32_t stride = (from.columnsHeld * from.columnLanes) | 1;
  const Id words = code_.u32(from.words()), line = code_.u32(stride),
           columnStep = code_.u32(from.columnLanes);
  const auto columnAt = [&](Id u) {
    const Id beside = code_.mul(u, columnStep);
    return code_.add(at.column, beside);
  };
  const auto address = [&](Id row, Id column) {
    const Id first = code_.mul(row, line), element = code_.add(first, column),
             scaled = code_.mul(element, words);
    return code_.add(base, scaled);
  };
  const Id columns = code_.u32(from.of.columns);
  const auto whereInside = [&](NamedId column, auto&& body) {
    if (!from.masked()) return body();
    const Id condition = code_.less(column, columns);
    code_.ifThen(condition, body);
  };
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  walk_.repeat(from.columnsHeld, false, [&](Id u) {
    const Id column = columnAt(u);
    whereInside(column, [&] {
      const Id part = combineHeld(from, combine, source, u, from.columnsHeld, from.rowsHeld, {});
      const Id place = address(at.row, column);
      buffer_.storeComponent(from, place, part);
    });
  });
  buffer_.barrier(from.of.scope);
  ComponentResult result(code_, to, true);
  const Id heldThere = code_.u32(to.columnsHeld), zero = code_.u32(0);
  walk_.repeat(to.columnsHeld, false, [&](Id u) {
    const Id column = columnAt(u);
    whereInside(column, [&] {
      const Id first = address(zero, column);
      const Id value = combinePartials(from, combine, first, stride, from.rowLanes);
      walk_.repeat(to.rowsHeld, false, [&](Id w) {
        const Id begin = code_.mul(w, heldThere), index = code_.add(begin, u);
        result.set(index, value);
      });
    });
  });
  result.finish(i.result);
  buffer_.barrier(from.of.scope);
}

// Combines all components of an invocation; then the results of each row of lanes; then those of the rows.
void Moves::reduceAll(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                      const Combine& combine) {
  const Lane at = walk_.lane(from);
  const Id base = buffer_.sharedBase(from), zero = code_.u32(0);
  const uint32_t stride = from.columnLanes | 1, parts = std::min(from.of.columns, from.columnLanes);
  const Id words = code_.u32(from.words()), line = code_.u32(stride * from.words());
  const Id offset = code_.mul(at.row, line), row = code_.add(base, offset);
  const Id beside = code_.mul(at.column, words), own = code_.add(row, beside);
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  const Id last = lastColumnInside(from, at);
  const auto storePart = [&] {
    Id sum = combineHeld(from, combine, source, zero, 1, from.columnsHeld, last);
    if (from.rowsHeld > 1) {
      const Id turns = code_.u32(from.rowsHeld - 1), held = code_.u32(from.columnsHeld), one = code_.u32(1);
      sum = code_.loop(turns, options_.unroll, {sum}, [&](Id n, std::vector<Id>& carried) {
        const Id w = code_.add(n, one), first = code_.mul(w, held);
        const Id part = combineHeld(from, combine, source, first, 1, from.columnsHeld, last);
        carried[0] = combine(carried[0], part);
      })[0];
    }
    buffer_.storeComponent(from, own, sum);
  };
  if (from.columnsHeld == 1 && last)
    code_.ifThen(last, storePart);
  else
    storePart();
  buffer_.barrier(from.of.scope);
  const Id ofRow = combinePartials(from, combine, row, 1, parts);
  buffer_.barrier(from.of.scope);
  const Id boolean = code_.typeBool(), firstLane = code_.op(spv::Op::OpIEqual, boolean, {at.column, zero});
  code_.ifThen(firstLane, [&] { buffer_.storeComponent(from, row, ofRow); });
  buffer_.barrier(from.of.scope);
  const Id all = combinePartials(from, combine, base, stride, from.rowLanes);
  const Id element = replicated(to, all);
  const std::vector<Word> components(to.elements(), element);
  code_.opAs(spv::Op::OpCompositeConstruct, i.type, i.result, Operands(components));
  buffer_.barrier(from.of.scope);
}

}  // namespace coopc::spirv::lower
