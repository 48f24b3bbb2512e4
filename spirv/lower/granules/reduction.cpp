// Reductions: subgroups combine the rows of their granules in registers and pass them through their slices,
// line by line. The group combines these results in memory that it shares; up to four parts are combined by
// each subgroup. 2x2 neighborhoods are combined from the whole matrix in memory.
#include "spirv/lower/granules/reduction.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

namespace {

// If a matrix has at most this many parts, each subgroup loads the results of all of them.
constexpr uint32_t kMostPartsLoaded = 4;

}  // namespace

// The bytes that a reduction needs of the memory for whole matrices, for one group.
uint32_t Reduction::scratchBytes(const Instruction& i, const PlannedMatrix& from) const {
  if (staysInSubgroup(i, from)) return 0;
  const uint32_t mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce()), bits = from.is.componentBits;
  if (mask == kReduce2x2) {
    const uint32_t rows =
        held_.hasPositions(from) ? exchange_.stripRows(from, 2 * from.granuleRows) : from.is.rows;
    return rows * plan_.rowBytes(from.is.columns, bits);
  }
  if (mask == kReduceColumn) return from.spreadRows * plan_.rowBytes(from.is.columns, bits);
  const uint32_t lines = from.spreadColumns * plan_.rowBytes(from.is.rows, bits);
  return mask == kReduceRow ? lines : std::max(lines, partsOf(from) * std::max(bits, 32u) / 8);
}

Id Reduction::combineValues(Id combine, Id component, Id a, Id b) {
  const Id type = component;
  return code_.make<op::FunctionCall>(type, {.function = combine, .arguments = {a, b}});
}

// Whether each subgroup holds all elements of the lines that are reduced.
bool Reduction::staysInSubgroup(const Instruction& i, const PlannedMatrix& from) const {
  const uint32_t mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
  if (plan_.strips() != 1) return false;
  return (mask == kReduceRow && from.spreadColumns == 1) || (mask == kReduceColumn && from.spreadRows == 1);
}

void Reduction::askForRows(Id function, const Instruction& i) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const PlannedMatrix& from = *matrixOf(reduction.matrix());
  if (uint32_t(reduction.reduce()) == kReduceRow && plan_.strips() == 1) checks_.askForRows(function, from);
}

// How many granules pass through the subgroup's slice together: as many as give each invocation a line.
uint32_t Reduction::together(const PlannedMatrix& from, bool alongRows) const {
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  return std::clamp(plan_.subgroupSize / lines, 1u, outer);
}

// The bytes of a slice for these granules and the results of their lines.
uint32_t Reduction::sliceInSubgroup(const PlannedMatrix& from, bool alongRows) const {
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns, bits = from.is.componentBits;
  return together(from, alongRows) * (area_.sliceBytes(from, bits) + lines * bits / 8);
}

// The granules of a row (or column) of granules that the subgroup holds.
GranuleList Reduction::granulesOfLine(const PlannedMatrix& t, const GranuleList& parts, uint32_t line,
                                      bool alongRows) {
  GranuleList granules;
  for (uint32_t n = 0; n < (alongRows ? t.blockColumns : t.blockRows); ++n)
    granules.push_back(parts[alongRows ? line * t.blockColumns + n : n * t.blockColumns + line]);
  return granules;
}

// The number of the subgroup's part of the matrix in the direction of the reduction.
UInt Reduction::partAlong(const PlannedMatrix& t, bool alongRows) {
  return alongRows ? placement_.columnOf(t, 0) / (t.blockColumns * t.granuleColumns)
                   : placement_.rowOf(t, 0) / (t.blockRows * t.granuleRows);
}

// Combines granules component by component, as each invocation holds the same elements of all of them.
Id Reduction::combineGranules(const PlannedMatrix& t, std::span<const Id> granules, Id combine) {
  if (granules.size() == 1) return granules[0];
  const Id type = values_.native(t), component = t.is.component;
  std::vector<Pointer> variables;
  for (const Id granule : granules) {
    variables.push_back(code_.localVariable(type));
    variables.back().store(granule);
  }
  const UInt length = lengthOf(type);
  loop(code_, length, options_.unroll, [&](const UInt& index) {
    const Pointer result = held_.component(t, variables[0], index);
    Id value = result.load();
    for (size_t n = 1; n < variables.size(); ++n) {
      const Id other = held_.component(t, variables[n], index).load();
      value = combineValues(combine, component, value, other);
    }
    result.store(value);
  });
  return variables[0].load();
}

// Reduces lines that the subgroup holds as a whole: first its granules, component by component, then the
// lines of what is left, by way of its slice. It does not wait for other subgroups.
void Reduction::reduceInSubgroup(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                                 bool alongRows) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc(), type = values_.native(to);
  const GranuleList parts = values_.parts(reduction.matrix());
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  GranuleList folded, repeated;
  for (uint32_t a = 0; a < outer; ++a)
    folded.push_back(combineGranules(from, granulesOfLine(from, parts, a, alongRows), combine));
  if (const Id known = alongRows ? checks_.hasRows(function_, from) : Id(); known) {
    // If the workgroup must wait, it waits here, because its subgroups may take different branches below.
    if (!plan_.hasParts()) area_.enterSlices(from);
    for (const Id granule : folded) {
      repeated.push_back(choose(
          code_, known, type, [&] { return reduceByShuffles(from, granule, combine); },
          [&] { return reduceInSlice(from, type, {granule}, combine, alongRows)[0]; }));
    }
  } else {
    repeated = reduceInSlice(from, type, folded, combine, alongRows);
  }
  GranuleList result;
  for (uint32_t n = 0; n < to.granules(); ++n)
    result.push_back(repeated[alongRows ? n / to.blockColumns : n % to.blockColumns]);
  values_.define(i, std::move(result));
}

// Reduces rows that neighboring invocations hold: each combines its own components, and then its result with
// the results of the others.
Id Reduction::reduceByShuffles(const PlannedMatrix& t, Id granule, Id combine) {
  const Id type = values_.native(t), component = t.is.component;
  const Id subgroup = code_.u32(uint32_t(spv::Scope::Subgroup));
  const uint32_t each = checks_.rowComponents(t);
  const Pointer variable = code_.localVariable(type);
  variable.store(granule);
  const UInt count = code_.u32(t.granuleRows * t.granuleColumns / plan_.subgroupSize / each);
  loop(code_, count, options_.unroll, [&](const UInt& row) {
    std::vector<Pointer> own;
    for (uint32_t n = 0; n < each; ++n) {
      const UInt index = row * each + n;
      own.push_back(held_.component(t, variable, index));
    }
    Id value = own[0].load();
    for (uint32_t n = 1; n < each; ++n) {
      const Id other = own[n].load();
      value = combineValues(combine, component, value, other);
    }
    // The function is "mathematically commutative and associative" (SPV_NV_cooperative_matrix2,
    // OpCooperativeMatrixReduceNV), so the order in which an invocation combines the two does not matter.
    for (uint32_t mask = 1; mask < options_.rowInvocations; mask *= 2) {
      const UInt distance = code_.u32(mask);
      const Id mine = value;
      const Id other = code_.make<op::GroupNonUniformShuffleXor>(
          component, {.execution = subgroup, .value = mine, .mask = distance});
      value = combineValues(combine, component, mine, other);
    }
    for (const Pointer& place : own) place.store(value);
  });
  return variable.load();
}

// Reduces the lines of granules by way of the subgroup's slice. Returns, for each granule, one that repeats
// its results.
GranuleList Reduction::reduceInSlice(const PlannedMatrix& from, Id type, const GranuleList& folded,
                                     Id combine, bool alongRows) {
  const Id component = from.is.component;
  const UInt zero = code_.u32(0);
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t depth = alongRows ? from.granuleColumns : from.granuleRows;
  const auto outer = uint32_t(folded.size());
  GranuleList repeated;
  const uint32_t atOnce = together(from, alongRows);
  const SharedRows rows = area_.slice(from, component, 0);
  SharedRows results = rows;
  results.base = rows.base + atOnce * from.granuleRows * rows.stride / area_.unit();
  const auto fold = [&](const UInt&, const UInt& line) {
    std::vector<Id> values;
    if (alongRows) {
      values = area_.loadRow(rows, line, depth);
    } else {
      const UInt first = line / lines * from.granuleRows, column = line % lines;
      for (uint32_t n = 0; n < depth; ++n) {
        const UInt row = first + n;
        values.push_back(area_.loadElement(rows, row, column));
      }
    }
    // As a tree, in which few results wait for others.
    for (size_t step = 1; step < values.size(); step *= 2) {
      for (size_t n = 0; n + step < values.size(); n += 2 * step)
        values[n] = combineValues(combine, component, values[n], values[n + step]);
    }
    return values[0];
  };
  for (uint32_t first = 0; first < outer; first += atOnce) {
    const uint32_t count = std::min(atOnce, outer - first);
    area_.enterSlices(from);
    for (uint32_t n = 0; n < count; ++n) {
      const UInt row = code_.u32(n * from.granuleRows);
      const Id pointer = area_.pointerTo(rows, row, zero);
      area_.storeGranule(folded[first + n], pointer, rows.stride);
    }
    code_.shared.barrier(spv::Scope::Subgroup);
    area_.fillRows(placement_.subgroup(), results, 1, count * lines, options_.unroll, fold);
    code_.shared.barrier(spv::Scope::Subgroup);
    for (uint32_t n = 0; n < count; ++n) {
      const UInt column = code_.u32(n * lines);
      const Id pointer = area_.pointerTo(results, zero, column);
      repeated.push_back(area_.loadGranule(type, pointer, 0, alongRows));
    }
  }
  return repeated;
}

// Combines each row (or column) of a subgroup's block over the columns (rows) that the subgroup holds.
// `partial` has one line for each part into which the grid divides the matrix in the direction of the
// reduction. The granules of a row of granules are combined in registers, and so are their rows where
// shuffles can do that. What is left passes through the subgroup's slice, and each invocation combines one
// line.
void Reduction::foldGranules(const PlannedMatrix& from, const GranuleList& parts, Id combine,
                             const SharedRows& partial, bool alongRows) {
  const Group lanes = placement_.subgroup();
  const Id component = from.is.component, type = values_.native(from);
  const UInt zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t depth = alongRows ? from.granuleColumns : from.granuleRows;
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  const UInt part = partAlong(from, alongRows);
  const SharedRows rows = area_.slice(from, component, 0);
  const Id known = alongRows ? checks_.hasRows(function_, from) : Id();
  // After shuffles, all elements of a row are its result.
  UInt rest = code_.u32(depth - 1);
  if (known) rest = select(Bool(code_, known), zero, rest);
  for (uint32_t a = 0; a < outer; ++a) {
    const UInt firstLine = alongRows ? placement_.rowOf(from, a) : placement_.columnOf(from, a);
    const SharedRows to = area_.from(partial, part, firstLine);
    Id granule = combineGranules(from, granulesOfLine(from, parts, a, alongRows), combine);
    if (known) {
      granule = choose(
          code_, known, type, [&] { return reduceByShuffles(from, granule, combine); },
          [&] { return granule; });
    }
    const Id pointer = area_.pointerTo(rows, zero, zero);
    code_.shared.barrier(spv::Scope::Subgroup);
    area_.storeGranule(granule, pointer, rows.stride);
    code_.shared.barrier(spv::Scope::Subgroup);
    // Several subgroups may hold the same granules; only one of them combines them.
    placement_.byOwners(from, [&] {
      area_.fillRows(lanes, to, 1, lines, options_.unroll, [&](const UInt&, const UInt& line) {
        const auto element = [&](const UInt& at) {
          return alongRows ? area_.loadElement(rows, line, at) : area_.loadElement(rows, at, line);
        };
        const Id first = element(zero);
        return loop(code_, rest, options_.unroll, {first}, [&](const UInt& n, std::vector<Id>& carried) {
          const Id next = element(UInt(n + one));
          carried[0] = combineValues(combine, component, carried[0], next);
        })[0];
      });
    });
  }
}

// The same where memory is saved: each granule passes through the subgroup's slice in strips of lines.
void Reduction::foldInStrips(const PlannedMatrix& from, const GranuleList& parts, Id combine,
                             const SharedRows& partial, bool alongRows) {
  const Group lanes = placement_.subgroup();
  const Id component = from.is.component;
  const UInt zero = code_.u32(0), one = code_.u32(1);
  const uint32_t lines = alongRows ? from.granuleRows : from.granuleColumns;
  const uint32_t depth = alongRows ? from.granuleColumns : from.granuleRows;
  const uint32_t outer = alongRows ? from.blockRows : from.blockColumns;
  const UInt part = partAlong(from, alongRows);
  const uint32_t together = held_.stripLines(from, alongRows, area_.resultLines(from));
  const Positions positions = held_.findPositions(from);
  const Id type = values_.native(from), variable = code_.localVariable(type);
  const SharedRows rows = held_.stripSlice(from, alongRows);
  // Combines lines of the slice, and, unless the granule is the first one, the results that `to` has already.
  const auto fold = [&](const SharedRows& to, bool isFirst) {
    area_.fillRows(lanes, to, 1, together, options_.unroll, [&](const UInt&, const UInt& line) {
      const auto element = [&](const UInt& at) { return area_.loadElement(rows, line, at); };
      const Id first = isFirst ? element(zero) : area_.loadElement(to, zero, line);
      const UInt count = code_.u32(isFirst ? depth - 1 : depth);
      const std::vector<Id> total =
          loop(code_, count, options_.unroll, {first}, [&](const UInt& n, std::vector<Id>& carried) {
            const Id next = element(isFirst ? UInt(n + one) : n);
            carried[0] = combineValues(combine, component, carried[0], next);
          });
      return total[0];
    });
  };
  for (uint32_t a = 0; a < outer; ++a) {
    const UInt firstLine = alongRows ? placement_.rowOf(from, a) : placement_.columnOf(from, a);
    const SharedRows to = area_.from(partial, part, firstLine);
    const GranuleList granules = granulesOfLine(from, parts, a, alongRows);
    for (uint32_t b = 0; b < granules.size(); ++b) {
      code_.store(variable, granules[b]);
      for (uint32_t first = 0; first < lines; first += together) {
        code_.shared.barrier(spv::Scope::Subgroup);
        held_.storeStrip(positions, variable, rows, {first, together}, alongRows);
        code_.shared.barrier(spv::Scope::Subgroup);
        // Several subgroups may hold the same granules; only one of them combines them.
        placement_.byOwners(from, [&] {
          const UInt step = code_.u32(first);
          fold(area_.from(to, zero, step), b == 0);
        });
      }
    }
  }
}

// Combines the elements element(0) to element(count - 1).
template <class Element>
Id Reduction::combineElements(Id combine, Id component, uint32_t count, Unroll unroll, Element&& element) {
  const UInt one = code_.u32(1), rest = code_.u32(count - 1);
  const Id first = element(UInt(code_.u32(0)));
  return loop(code_, rest, unroll, {first}, [&](const UInt& n, std::vector<Id>& carried) {
    const Id next = element(UInt(n + one));
    carried[0] = combineValues(combine, component, carried[0], next);
  })[0];
}

// Combines the rows or columns of each part, and waits for the other subgroups' results.
SharedRows Reduction::reduceParts(const PlannedMatrix& from, const GranuleList& values, Id combine,
                                  bool alongRows) {
  const SharedRows partial =
      area_.scratch(from, from.is.component, alongRows ? from.is.rows : from.is.columns);
  const uint32_t together = held_.stripLines(from, alongRows, area_.resultLines(from));
  if (together == (alongRows ? from.granuleRows : from.granuleColumns))
    foldGranules(from, values, combine, partial, alongRows);
  else
    foldInStrips(from, values, combine, partial, alongRows);
  code_.shared.barrier(from.is.scope);
  return partial;
}

// Combines whole rows or columns: the group combines the results of the parts.
SharedRows Reduction::reduceWholeLines(const PlannedMatrix& from, const GranuleList& values, Id combine,
                                       bool alongRows) {
  const Id component = from.is.component;
  const uint32_t lines = alongRows ? from.is.rows : from.is.columns;
  const uint32_t across = alongRows ? from.spreadColumns : from.spreadRows;
  const SharedRows partial = reduceParts(from, values, combine, alongRows);
  const Group all = placement_.group(from);
  if (across > 1) {
    area_.fillRows(all, partial, 1, lines, options_.unroll, [&](const UInt&, const UInt& line) {
      return combineElements(combine, component, across, options_.unroll,
                             [&](const UInt& part) { return area_.loadElement(partial, part, line); });
    });
    code_.shared.barrier(from.is.scope);
  }
  return partial;
}

// How many subgroups hold different parts of a matrix.
uint32_t Reduction::partsOf(const PlannedMatrix& t) const { return t.spreadRows * t.spreadColumns; }

// Reduces a matrix whose elements are held once each: every invocation reduces its components, every subgroup
// the results of its invocations, and then every invocation the results of the subgroups.
Id Reduction::totalByShuffles(const PlannedMatrix& t, const GranuleList& values, Id combine) {
  const Id component = t.is.component, type = values_.native(t), u32 = code_.globals.typeU32();
  const uint32_t bits = t.is.componentBits, parts = partsOf(t), held = heldOnce(t);
  const UInt zero = code_.u32(0);
  const Pointer variable = code_.localVariable(type);
  variable.store(combineGranules(t, values, combine));
  Id value = combineElements(combine, component, held, options_.unroll,
                             [&](const UInt& index) { return held_.component(t, variable, index).load(); });
  // Shuffles of other widths need shaderSubgroupExtendedTypes (VUID-RuntimeSpirv-None-06275).
  const auto shuffle = [&](Id own, NamedId distance) {
    const Id subgroup = code_.u32(uint32_t(spv::Scope::Subgroup));
    const Id word = area_.pack(std::vector<Id>(32 / bits, own), bits)[0];
    const Id other = code_.make<op::GroupNonUniformShuffleXor>(
        u32, {.execution = subgroup, .value = word, .mask = distance});
    if (bits == 32) return component == u32 ? other : code_.make<op::Bitcast>(component, {other});
    const Id several = code_.globals.typeVector(component, 32 / bits);
    const Id split = code_.make<op::Bitcast>(several, {other});
    return code_.extract(component, split, {0});
  };
  code_.preamble.capability(spv::Capability::GroupNonUniformShuffle);
  for (uint32_t mask = 1; mask < plan_.subgroupSize; mask *= 2) {
    const UInt distance = code_.u32(mask);
    const Id other = shuffle(value, distance);
    value = combineValues(combine, component, value, other);
  }
  if (parts == 1) return value;
  SharedRows results = area_.scratch(t, component, parts);
  results.wordPerElement = true;
  const Group lanes = placement_.subgroup();
  placement_.byOwners(t, [&] {
    const UInt row = placement_.rowOf(t, 0), column = placement_.columnOf(t, 0), one = code_.u32(1);
    const UInt above = row / (t.blockRows * t.granuleRows) * t.spreadColumns;
    const UInt part = above + column / (t.blockColumns * t.granuleColumns);
    const Id isFirst = lanes.index < one;
    ifThen(code_, isFirst, [&] { area_.storeInOwnWords(results, zero, part, value); });
  });
  code_.shared.barrier(t.is.scope);
  return combineElements(combine, component, parts, options_.unroll,
                         [&](const UInt& part) { return area_.loadElement(results, zero, part); });
}

// How many components of a granule each invocation holds if each element is held once; 0: shuffles cannot
// be used.
uint32_t Reduction::heldOnce(const PlannedMatrix& t) const {
  const uint32_t elements = t.granuleRows * t.granuleColumns;
  const bool shuffles = options_.shuffles && plan_.strips() == 1 && t.is.componentBits <= 32;
  return shuffles && elements % plan_.subgroupSize == 0 ? elements / plan_.subgroupSize : 0;
}

void Reduction::reduceEverything(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc(), component = from.is.component;
  const GranuleList values = values_.parts(reduction.matrix());
  area_.enterShared(from.is.scope);
  const auto throughMemory = [&] {
    const SharedRows partial = reduceWholeLines(from, values, combine, true);
    const UInt zero = code_.u32(0);
    return combineElements(combine, component, from.is.rows, Unroll::No,
                           [&](const UInt& line) { return area_.loadElement(partial, zero, line); });
  };
  Id total;
  if (const uint32_t held = heldOnce(from); held != 0) {
    // If the subgroup holds as many components as there are elements, it holds each element once.
    const Id boolean = code_.globals.typeBool();
    const Id granule = values_.native(from);
    const UInt expected = code_.u32(held), length = lengthOf(granule);
    const Id once = code_.make<op::IEqual>(boolean, {length, expected});
    total = choose(
        code_, once, component, [&] { return totalByShuffles(from, values, combine); }, throughMemory);
  } else {
    total = throughMemory();
  }
  values_.define(i, GranuleList(to.granules(), values_.splat(to, total)));
}

// Reduces rows or columns. The result's granules are loaded with a stride of 0, which repeats them. With few
// parts, each subgroup combines their results itself, which is faster than waiting for the group once more.
void Reduction::reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                            bool alongRows) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc();
  const GranuleList values = values_.parts(reduction.matrix());
  const uint32_t across = alongRows ? from.spreadColumns : from.spreadRows;
  // On RDNA3, RADV's compiler (Mesa 26.2.6) crashes where 16-bit accumulators of two loads are combined.
  const uint32_t parts = across <= kMostPartsLoaded && from.is.componentBits == 32 ? across : 1;
  area_.enterShared(from.is.scope);
  const SharedRows partial = parts == across ? reduceParts(from, values, combine, alongRows)
                                             : reduceWholeLines(from, values, combine, alongRows);
  const Id type = values_.native(to);
  GranuleList result(to.granules());
  for (uint32_t a = 0; a < (alongRows ? to.blockRows : to.blockColumns); ++a) {
    const UInt line = alongRows ? placement_.rowOf(to, a) : placement_.columnOf(to, a);
    GranuleList ofParts;
    for (uint32_t n = 0; n < parts; ++n) {
      const UInt part = code_.u32(n);
      const Id pointer = area_.pointerTo(partial, part, line);
      ofParts.push_back(area_.loadGranule(type, pointer, 0, alongRows));
    }
    const Id granule = combineGranules(to, ofParts, combine);
    for (uint32_t n = 0; n < to.granules(); ++n) {
      if ((alongRows ? n / to.blockColumns : n % to.blockColumns) == a) result[n] = granule;
    }
  }
  values_.define(i, std::move(result));
}

// Each element of the result combines four elements of the matrix, which is therefore stored in memory.
Id Reduction::combineSquare(Id combine, const SharedRows& from, const UInt (&rows)[2],
                            const UInt (&columns)[2]) {
  const Id component = from.component;
  Id four[4];
  for (uint32_t k = 0; k < 4; ++k) four[k] = area_.loadElement(from, rows[k / 2], columns[k % 2]);
  const Id above = combineValues(combine, component, four[0], four[1]);
  const Id below = combineValues(combine, component, four[2], four[3]);
  return combineValues(combine, component, above, below);
}

void Reduction::reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc(), component = from.is.component;
  const UInt zero = code_.u32(0), one = code_.u32(1);
  const UInt two = code_.u32(2);
  const GranuleList values = values_.parts(reduction.matrix());
  const SharedRows all = area_.scratch(from, component, from.is.columns);
  area_.enterShared(from.is.scope);
  exchange_.storeRows(from, values, all, {0, from.is.rows});
  code_.shared.barrier(from.is.scope);
  const Group lanes = placement_.subgroup();
  const Id type = values_.native(to);
  const SharedRows rows = area_.slice(from, component, 0);
  GranuleList result;
  for (uint32_t n = 0; n < to.granules(); ++n) {
    const UInt firstRow = placement_.rowOf(to, n / to.blockColumns),
               firstColumn = placement_.columnOf(to, n % to.blockColumns);
    code_.shared.barrier(spv::Scope::Subgroup);
    area_.fillRows(lanes, rows, to.granuleRows, to.granuleColumns, options_.unroll,
                   [&](const UInt& row, const UInt& column) {
                     const UInt toRow = firstRow + row, toColumn = firstColumn + column;
                     const UInt top = toRow * two, left = toColumn * two, bottom = top + one,
                                right = left + one;
                     return combineSquare(combine, all, {top, bottom}, {left, right});
                   });
    code_.shared.barrier(spv::Scope::Subgroup);
    const Id pointer = area_.pointerTo(rows, zero, zero);
    result.push_back(area_.loadGranule(type, pointer, rows.stride));
  }
  values_.define(i, std::move(result));
}

// The same in strips of rows: each invocation combines the elements for those components of the result that
// it holds.
void Reduction::reduceSquaresInStrips(const Instruction& i, const PlannedMatrix& from,
                                      const PlannedMatrix& to) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const Id combine = reduction.combineFunc();
  const UInt one = code_.u32(1), two = code_.u32(2);
  const Id type = values_.native(to);
  const GranuleList values = values_.parts(reduction.matrix());
  const Positions positions = held_.findPositions(to);
  const Id variable = code_.localVariable(type);
  const SharedRows rows = area_.scratch(from, from.is.component, from.is.columns);
  const uint32_t count = exchange_.stripRows(from, 2 * from.granuleRows);
  GranuleList result(to.granules(), code_.globals.undef(type));
  for (uint32_t first = 0; first < from.is.rows; first += count) {
    const Strip strip{first, count};
    area_.enterShared(from.is.scope);
    exchange_.storeRows(from, values, rows, strip);
    code_.shared.barrier(from.is.scope);
    for (uint32_t n = 0; n < to.granules(); ++n) {
      const UInt toRow = placement_.rowOf(to, n / to.blockColumns),
                 toColumn = placement_.columnOf(to, n % to.blockColumns);
      const UInt firstRow = toRow * two, firstColumn = toColumn * two;
      result[n] = exchange_.loadInStrip(firstRow, strip, type, result[n], [&](const UInt& at) {
        const auto combineAt = [&](const UInt& index, const UInt& row, const UInt& column) {
          const UInt down = row * two, across = column * two, top = at + down, left = firstColumn + across;
          const UInt bottom = top + one, right = left + one;
          const Id square = combineSquare(combine, rows, {top, bottom}, {left, right});
          held_.component(to, variable, index).store(square);
        };
        held_.forComponents(positions, {0, to.granuleRows}, true, combineAt);
        return code_.load(type, variable);
      });
    }
  }
  values_.define(i, std::move(result));
}

// The bytes of a slice that a reduction needs.
uint32_t Reduction::reductionSlice(const Instruction& i, const PlannedMatrix& from) const {
  const uint32_t mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
  if (staysInSubgroup(i, from)) return sliceInSubgroup(from, mask == kReduceRow);
  if (plan_.strips() == 1 || !held_.hasPositions(from)) return area_.sliceBytes(from, from.is.componentBits);
  if (mask == kReduce2x2) return held_.positionBytes(from);
  return std::max(held_.positionBytes(from),
                  held_.stripBytes(from, mask != kReduceColumn, area_.resultLines(from)));
}

void Reduction::reduce(const Instruction& i) {
  const op::CooperativeMatrixReduceNV reduction(m_, i);
  const PlannedMatrix &from = *matrixOf(reduction.matrix()), &to = *plan_.matrix(i.type);
  const auto mask = uint32_t(reduction.reduce());
  if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || !from.hasGranulesOf(to) ||
      from.is.component != to.is.component)
    return refuse("a reduction of a " + describe(from.is) + " to a " + describe(to.is));
  if (staysInSubgroup(i, from)) return reduceInSubgroup(i, from, to, mask == kReduceRow);
  switch (mask) {
    case kReduceRow: return reduceLines(i, from, to, true);
    case kReduceRowAndColumn: return reduceEverything(i, from, to);
    case kReduceColumn: return reduceLines(i, from, to, false);
    case kReduce2x2:
      if (plan_.strips() > 1 && held_.hasPositions(from)) return reduceSquaresInStrips(i, from, to);
      return reduceSquares(i, from, to);
    default: return refuse("a reduction of an unknown kind");
  }
}

}  // namespace coopc::spirv::lower
