// Operations that move elements between invocations: transpositions and reductions. The bits of the elements
// pass through workgroup memory, in strips of rows if the matrix does not fit.
#include "spirv/lower/software_matrix/move.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kStraightMoves = 16;
constexpr uint32_t kStraightMovesRolled = 4;  // if loops are not unrolled

}  // namespace

// Strip by strip: all elements of a strip are stored, and read(first row, read one) is called between two
// barriers.
template <class Read>
void Moves::moveThroughBands(const SoftwareLayout& source, Id value, const MoveStaging& staging,
                             Read&& read) {
  const uint32_t most = options_.unroll == Unroll::Yes ? kStraightMoves : kStraightMovesRolled;
  const bool straight = staging.strips == 1 && source.components() <= most;
  const ComponentSource from(code_, source, value, !straight);
  const Lane at = walk_.lane(source);
  const UInt base = buffer_.sharedBase(source);
  const UInt stride = code_.u32(staging.stride), words = code_.u32(source.words());
  const UInt strip = code_.u32(staging.strip), rowStep = code_.u32(source.rowLanes);
  const UInt columnStep = code_.u32(source.columnLanes), held = code_.u32(source.columnsHeld);
  // row: within the strip
  const auto address = [&](NamedUInt row, NamedUInt column) {
    return UInt(base + (row * stride + column) * words);
  };
  const uint32_t heldInStrip = staging.strip / source.rowLanes;
  const auto body = [&](const UInt& number) {
    const UInt firstRow = number * strip, count = code_.u32(heldInStrip);
    const UInt firstHeld = number * count, rows = code_.u32(source.rowsHeld);
    walk_.repeat(heldInStrip, straight, [&](const UInt& n) {
      const UInt w = firstHeld + n;
      const auto storeRow = [&] {
        const UInt row = at.row + n * rowStep, first = w * held;
        walk_.repeat(source.columnsHeld, straight, [&](const UInt& u) {
          const UInt column = at.column + u * columnStep;
          const Id component = from.at(first + u);
          const UInt to = address(row, column);
          buffer_.storeComponent(source, to, component);
        });
      };
      if (const auto known = code_.globals.constantValue(w)) {
        if (*known < source.rowsHeld) storeRow();
      } else if (heldInStrip * staging.strips > source.rowsHeld) {
        ifThen(code_, w < rows, storeRow);
      } else {
        storeRow();
      }
    });
    buffer_.barrier(source.of.scope);
    read(firstRow, [&](NamedUInt row, NamedUInt column) {
      const UInt within = row - firstRow;
      return buffer_.loadComponent(source, address(within, column));
    });
    buffer_.barrier(source.of.scope);
  };
  walk_.repeat(staging.strips, staging.strips == 1, body);
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
  const MoveStaging staging = plan_.planMove(*from, 1);
  const uint32_t most = options_.unroll == Unroll::Yes ? kStraightMoves : kStraightMovesRolled;
  const bool straight = staging.strips == 1 && to->components() <= most;
  const Id zero = code_.globals.null(to->of.component);
  ComponentResult result(code_, *to, !straight);
  moveThroughBands(*from, value, staging, [&](const UInt& firstRow, auto&& element) {
    walk_.forEach(*to, straight, [&](const ComponentPlace& place) {
      const auto take = [&] {
        const Id moved = element(place.column, place.row);
        if (!converts) return moved;
        const Id converted =
            code_.make<op::Unary>(signs ? spv::Op::OpBitcast : i.op(), to->of.component, {moved});
        copyDecorations(i.result, converted);
        return converted;
      };
      if (staging.strips == 1) {
        const Id taken = walk_.whenElement(*to, place, zero, take);
        return result.set(place.index, taken);
      }
      // One test checks both that the row is in this strip and that it is in the matrix, because rows of the
      // last strip that the matrix lacks come after all of its own.
      const UInt above = place.column - firstRow;
      ifThen(code_, above < staging.strip && place.column < to->of.columns,
             [&] { result.set(place.index, take()); });
    });
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  note("a transpose of a " + describe(from->of),
       std::to_string(staging.words * 4) + " bytes of workgroup memory" +
           (staging.strips > 1 ? " in " + std::to_string(staging.strips) + " strips of rows" : ""));
  return true;
}

// The function that combines two values in a reduction, and their type.
struct Moves::Combine {
  Code& code;
  Id type, function;
  Id operator()(Id a, Id b) const {
    return code.make<op::FunctionCall>(type, {.function = function, .arguments = {a, b}});
  }
};

bool Moves::reduce(const Instruction& i) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id value = reduction.matrix(), function = reduction.combineFunc();
  const SoftwareLayout *to = plan_.of(i.type), *from = layoutOf(value);
  if (to == nullptr || from == nullptr) return false;
  const auto mode = uint32_t(reduction.reduce());
  const bool rows = (mode & kReduceRow) != 0, columns = (mode & kReduceColumn) != 0;
  const bool sizes =
      mode == kReduce2x2
          ? to->of.rows * 2 == from->of.rows && to->of.columns * 2 == from->of.columns
          : (columns || to->of.rows == from->of.rows) && (rows || to->of.columns == from->of.columns);
  if (!sizes || (mode != kReduce2x2 && (mode == 0 || mode > kReduceRowAndColumn)) ||
      to->of.component != from->of.component || to->of.scope != from->of.scope)
    return refuse(Refusal::Unsupported, "a reduction (mode " + std::to_string(mode) + ") of a " +
                                            describe(from->of) + " to a " + describe(to->of));
  const Combine combine{code_, from->of.component, function};
  if (mode == kReduce2x2) {
    reduceNeighbors(i, *from, *to, combine);
  } else if (!columns) {
    reduceRows(i, *from, *to, combine);
  } else if (!rows) {
    reduceColumns(i, *from, *to, combine);
  } else {
    reduceAll(i, *from, *to, combine);
  }
  note("a reduction of " +
           std::string(mode == kReduce2x2 ? "2x2 neighborhoods"
                       : rows && columns  ? "all"
                       : rows             ? "rows"
                                          : "columns") +
           " of a " + describe(from->of),
       mode == kReduce2x2
           ? "workgroup memory, four elements read for each"
           : "each invocation's own components, then partial results through " +
                 std::to_string(plan_.reductionWords(*from, mode) * 4) + " bytes of workgroup memory");
  return true;
}

void Moves::reduceNeighbors(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                            const Combine& combine) {
  const MoveStaging staging = plan_.planMove(from, 2);
  const bool straight = staging.strips == 1 && to.components() <= kStraightMovesRolled;
  const Id zero = code_.globals.null(to.of.component);
  const UInt one = code_.u32(1), two = code_.u32(2);
  ComponentResult result(code_, to, !straight);
  moveThroughBands(from, op::CooperativeMatrixReduceNV(m_, i).matrix(), staging,
                   [&](const UInt& firstRow, auto&& element) {
                     walk_.forEach(to, straight, [&](const ComponentPlace& place) {
                       const UInt row = place.row * two, column = place.column * two;
                       const auto take = [&] {
                         const UInt below = row + one, beside = column + one;
                         const Id a = element(row, column), b = element(row, beside), top = combine(a, b);
                         const Id c = element(below, column), d = element(below, beside),
                                  bottom = combine(c, d);
                         return combine(top, bottom);
                       };
                       if (staging.strips == 1) {
                         const Id taken = walk_.whenElement(to, place, zero, take);
                         return result.set(place.index, taken);
                       }
                       const UInt above = row - firstRow;
                       ifThen(code_, above < staging.strip && place.column < to.of.columns,
                              [&] { result.set(place.index, take()); });
                     });
                   });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
}

// Combines `count` partial results that are `stride` components apart, from `at` on.
Id Moves::combinePartials(const SoftwareLayout& l, const Combine& combine, const UInt& at, uint32_t stride,
                          uint32_t count) {
  const Id first = buffer_.loadComponent(l, at);
  if (count == 1) return first;
  const UInt trips = code_.u32(count - 1), step = code_.u32(stride * l.words());
  return loop(code_, trips, options_.unroll, {first}, [&](const UInt& n, std::vector<Id>& carried) {
    carried[0] = combine(carried[0], buffer_.loadComponent(l, at + (n + 1) * step));
  })[0];
}

// Combines an invocation's components first, first + step, ... `lastInside` tells whether the last of them is
// inside the matrix; none: it always is.
Id Moves::combineHeld(const SoftwareLayout& l, const Combine& combine, const ComponentSource& from,
                      const UInt& first, uint32_t step, uint32_t count,
                      const std::optional<Bool>& lastInside) {
  const Id start = from.at(first);
  const uint32_t always = lastInside ? count - 1 : count;
  Id sum = start;
  if (always > 1) {
    const UInt trips = code_.u32(always - 1), apart = code_.u32(step);
    sum = loop(code_, trips, options_.unroll, {start}, [&](const UInt& n, std::vector<Id>& carried) {
      carried[0] = combine(carried[0], from.at(first + (n + 1) * apart));
    })[0];
  }
  if (!lastInside || count == 1) return sum;
  const UInt index = first + (count - 1) * step;
  return choose(
      code_, *lastInside, l.of.component, [&] { return combine(sum, from.at(index)); }, [&] { return sum; });
}

// Whether the invocation's last column is inside the matrix; none if all last columns are.
std::optional<Bool> Moves::lastColumnInside(const SoftwareLayout& l, const Lane& at) {
  if (!l.isMasked()) return {};
  return Bool(at.column + (l.columnsHeld - 1) * l.columnLanes < l.of.columns);
}

// Each invocation combines its part of each of its rows, and then the parts of all lanes that hold the row.
void Moves::reduceRows(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                       const Combine& combine) {
  const Lane at = walk_.lane(from);
  const UInt base = buffer_.sharedBase(from);
  const uint32_t stride = from.columnLanes | 1, parts = std::min(from.of.columns, from.columnLanes);
  const UInt words = code_.u32(from.words()), line = code_.u32(stride), rowStep = code_.u32(from.rowLanes);
  // If the partial results of all rows do not fit, the rows that an invocation holds are reduced in several
  // turns. v counts the rows of a turn.
  const uint32_t atOnce = plan_.rowsReducedAtOnce(from);
  const auto rowAt = [&](const UInt& v) { return UInt(base + (at.row + v * rowStep) * line * words); };
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  const std::optional<Bool> last = lastColumnInside(from, at);
  const UInt held = code_.u32(from.columnsHeld);
  ComponentResult result(code_, to, true);
  const UInt heldThere = code_.u32(to.columnsHeld), rowsAtOnce = code_.u32(atOnce);
  walk_.repeat(from.rowsHeld / atOnce, false, [&](const UInt& strip) {
    const UInt firstHeld = strip * rowsAtOnce;
    const auto storePart = [&](const UInt& v) {
      const UInt first = (firstHeld + v) * held;
      const Id part = combineHeld(from, combine, source, first, 1, from.columnsHeld, last);
      const UInt place = rowAt(v) + at.column * words;
      buffer_.storeComponent(from, place, part);
    };
    const auto storeParts = [&] { walk_.repeat(atOnce, false, storePart); };
    if (from.columnsHeld == 1 && last)
      ifThen(code_, *last, storeParts);
    else
      storeParts();
    buffer_.barrier(from.of.scope);
    walk_.repeat(atOnce, false, [&](const UInt& v) {
      const Id value = combinePartials(from, combine, rowAt(v), 1, parts);
      const UInt begin = (firstHeld + v) * heldThere;
      walk_.repeat(to.columnsHeld, false, [&](const UInt& u) { result.set(begin + u, value); });
    });
    buffer_.barrier(from.of.scope);
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
}

void Moves::reduceColumns(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                          const Combine& combine) {
  const Lane at = walk_.lane(from);
  const UInt base = buffer_.sharedBase(from);
  const uint32_t stride = (from.columnsHeld * from.columnLanes) | 1;
  const UInt words = code_.u32(from.words()), line = code_.u32(stride),
             columnStep = code_.u32(from.columnLanes);
  const auto columnAt = [&](const UInt& u) { return UInt(at.column + u * columnStep); };
  const auto address = [&](NamedUInt row, NamedUInt column) {
    return UInt(base + (row * line + column) * words);
  };
  const UInt columns = code_.u32(from.of.columns);
  const auto whereInside = [&](const UInt& column, auto&& body) {
    if (!from.isMasked()) return body();
    ifThen(code_, column < columns, body);
  };
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  walk_.repeat(from.columnsHeld, false, [&](const UInt& u) {
    const UInt column = columnAt(u);
    whereInside(column, [&] {
      const Id part = combineHeld(from, combine, source, u, from.columnsHeld, from.rowsHeld, {});
      const UInt place = address(at.row, column);
      buffer_.storeComponent(from, place, part);
    });
  });
  buffer_.barrier(from.of.scope);
  ComponentResult result(code_, to, true);
  const UInt heldThere = code_.u32(to.columnsHeld), zero = code_.u32(0);
  walk_.repeat(to.columnsHeld, false, [&](const UInt& u) {
    const UInt column = columnAt(u);
    whereInside(column, [&] {
      const Id value = combinePartials(from, combine, address(zero, column), stride, from.rowLanes);
      walk_.repeat(to.rowsHeld, false, [&](const UInt& w) { result.set(w * heldThere + u, value); });
    });
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  buffer_.barrier(from.of.scope);
}

// Combines all components of an invocation, then the results of each row of lanes, then the results of the
// rows.
void Moves::reduceAll(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                      const Combine& combine) {
  const Lane at = walk_.lane(from);
  const UInt base = buffer_.sharedBase(from), zero = code_.u32(0);
  const uint32_t stride = from.columnLanes | 1, parts = std::min(from.of.columns, from.columnLanes);
  const UInt words = code_.u32(from.words()), line = code_.u32(stride * from.words());
  const UInt row = base + at.row * line, own = row + at.column * words;
  const ComponentSource source(code_, from, op::CooperativeMatrixReduceNV(m_, i).matrix(), true);
  const std::optional<Bool> last = lastColumnInside(from, at);
  const auto storePart = [&] {
    Id sum = combineHeld(from, combine, source, zero, 1, from.columnsHeld, last);
    if (from.rowsHeld > 1) {
      const UInt trips = code_.u32(from.rowsHeld - 1), held = code_.u32(from.columnsHeld), one = code_.u32(1);
      sum = loop(code_, trips, options_.unroll, {sum}, [&](const UInt& n, std::vector<Id>& carried) {
        const UInt first = (n + one) * held;
        const Id part = combineHeld(from, combine, source, first, 1, from.columnsHeld, last);
        carried[0] = combine(carried[0], part);
      })[0];
    }
    buffer_.storeComponent(from, own, sum);
  };
  if (from.columnsHeld == 1 && last)
    ifThen(code_, *last, storePart);
  else
    storePart();
  buffer_.barrier(from.of.scope);
  const Id ofRow = combinePartials(from, combine, row, 1, parts);
  buffer_.barrier(from.of.scope);
  ifThen(code_, equal(at.column, zero), [&] { buffer_.storeComponent(from, row, ofRow); });
  buffer_.barrier(from.of.scope);
  const Id all = combinePartials(from, combine, base, stride, from.rowLanes);
  const Id element = replicate(to, all);
  const std::vector<Word> components(to.elements(), element);
  code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = components});
  buffer_.barrier(from.of.scope);
}

}  // namespace coopc::spirv::lower
