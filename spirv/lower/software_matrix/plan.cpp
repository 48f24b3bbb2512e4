// The plan for software matrices: how each scope's matrices are distributed over its invocations, and in
// which portions they pass through workgroup memory. Nothing is written here.
#include "spirv/lower/software_matrix/plan.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "spirv/constants.hpp"
#include "spirv/conversions.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/software_matrix/line_registers.hpp"
#include "spirv/lower/software_matrix/operand_types.hpp"
#include "spirv/workgroup_size.hpp"

namespace coopc::spirv::lower {

namespace {

// The limit on components per invocation. More would not fit into any device's registers, and their
// instructions would be too long.
constexpr uint32_t kMostComponents = 4096;
// Larger workgroups and subgroups than any device has, as in hostile modules, are refused.
constexpr uint64_t kMostInvocations = 4096;
constexpr uint32_t kMostInSubgroup = 128;

uint32_t product(uint32_t a, uint32_t b) {
  const uint64_t p = uint64_t{a} * b;
  return p > UINT32_MAX ? UINT32_MAX : uint32_t(p);
}

// The smallest and largest number of invocations in a workgroup, over all entry points whose workgroup has a
// size that no specialization constant decides; 0 for the largest if there is none.
struct WorkgroupRange {
  uint32_t least = UINT32_MAX;
  uint32_t most = 0;
};

WorkgroupRange workgroupRange(const Module& m) {
  WorkgroupRange range;
  for (const WorkgroupSize& size : workgroupSizes(m, ConstantEvaluator(m))) {
    const auto n = uint32_t(std::min<uint64_t>(size.invocations(), UINT32_MAX));
    if (n == 0 || std::ranges::any_of(size.n, [](const ConstantValue& v) { return bool(v.byDefault); }))
      continue;
    range = {std::min(range.least, n), std::max(range.most, n)};
  }
  return range;
}

// The module's uses of its matrices, as far as the plan depends on them.
struct Uses {
  struct Multiply {
    Id a, b, c, result;
  };
  std::vector<Multiply> multiplications;
  uint32_t rowMajor = 0, columnMajor = 0;  // numbers of loads, stores, and calls that use coordinates
  std::vector<Id> located;                 // types for whose components coordinates are requested
};

Uses usesOf(const Module& m) {
  const ConstantEvaluator constants(m);
  Uses uses;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixMulAddKHR: {
        const op::CooperativeMatrixMulAddKHR product(m, i);
        uses.multiplications.push_back(
            {m.typeOf(product.a()), m.typeOf(product.b()), m.typeOf(product.c()), i.type});
        break;
      }
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixStoreKHR: {
        const bool columns = constants.value(op::LoadOrStoreMatrix(m, i).memoryLayout()).is(1);
        ++(columns ? uses.columnMajor : uses.rowMajor);
        break;
      }
      case spv::Op::OpCooperativeMatrixPerElementOpNV: ++uses.rowMajor; break;
      case enums::OpCooperativeMatrixGetCoordinateEXT:
        uses.located.push_back(m.typeOf(op::CooperativeMatrixGetCoordinateEXT(m, i).matrix()));
        break;
      default: break;
    }
  }
  return uses;
}

// An operand in pieces has one row for each piece that an invocation holds.
void distributePieces(SoftwareLayout& l, uint32_t invocations, uint32_t piecesInChunk) {
  l.packed = l.columnsHeld = l.inPiece();
  l.rowsHeld = uint32_t(l.piecesHeld(invocations, piecesInChunk));
}

void distribute(SoftwareLayout& l, uint32_t invocations, uint32_t rowLanes) {
  if (l.pieces) return;
  l.gridRows = rowLanes;
  l.gridColumns = invocations / rowLanes;
  l.rowLanes = l.byColumns() ? 1 : l.gridRows;
  l.columnLanes = l.whole && !l.byColumns() ? 1 : l.gridColumns;
  l.rowsHeld = l.of.rows / l.rowLanes;
  l.columnsHeld = (l.of.columns + l.columnLanes - 1) / l.columnLanes;
  const uint32_t run = l.byColumns() ? l.rowsHeld : l.columnsHeld;
  l.packed = l.isHalf() && run % 2 == 0 ? 2 : 1;
  if (l.whole && l.isInteger() && l.of.componentBits == 8 && run % 4 == 0) l.packed = 4;
}

// Packs components of accumulators, because most instructions of the code work on them. If loops are not
// unrolled, the index of an invocation's component in a vector would have to be computed.
void widen(SoftwareLayout& l) {
  if (l.of.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || l.components() > kMostSumsInRegisters ||
      l.of.componentBits != 32)
    return;
  if (l.columnsHeld % 2 == 0) l.packed = l.columnsHeld % 4 == 0 ? 4 : 2;
}

// Chooses the staging of a multiplication's operands. Sums of more than 64 bits are never packed.
Packing packingOf(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& c,
                  const SoftwareLayout& result, bool dotProducts) {
  if (a.isHalf() && b.isHalf() && c.isHalf() && result.isHalf() && result.packed == 2 && b.packed == 2 &&
      c.packed == 2 && result.elements() <= kMostSumsInRegisters)
    return Packing::Halves;
  const bool bytes = a.isInteger() && b.isInteger() && a.of.componentBits == 8 && b.of.componentBits == 8 &&
                     c.of.componentBits <= 32 && result.of.componentBits <= 32;
  if (a.whole) return bytes && dotProducts && a.packed == 4 && b.packed == 4 ? Packing::Bytes : Packing::One;
  // An invocation must hold whole groups of four.
  const uint32_t lanes = std::lcm(a.columnLanes, b.rowLanes);
  return bytes && dotProducts && a.of.columns % (4 * lanes) == 0 ? Packing::Bytes : Packing::One;
}

bool inTwoWords(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& result) {
  return std::max({a.of.componentBits, b.of.componentBits, result.of.componentBits}) > 32;
}

// Chooses the same for operands in pieces.
Packing packingOfPieces(const SoftwareLayout& a, const SoftwareLayout& c, const SoftwareLayout& result,
                        bool halfDotProducts) {
  if (a.isInteger()) return Packing::Bytes;
  if (!a.isHalf()) return Packing::One;
  if (halfDotProducts) return Packing::Pairs;
  return c.isHalf() && result.isHalf() && c.packed == 2 && result.packed == 2 ? Packing::Halves
                                                                              : Packing::One;
}

// How many k fill a vector with their words, if an invocation reads this many words for each.
uint32_t togetherOf(uint32_t words) { return words <= 2 ? 4 / words : 1; }

// The cost of reading an operand's words for one step along K, in quarters of the cost of a vector.
uint32_t readCost(uint32_t words, uint32_t together) {
  const uint32_t read = words * together;
  return (together > 1 || read >= 3 ? (read + 3) / 4 : read) * 4 / together;
}

// The cost of the arithmetic of a multiplication, in instructions for the whole inner dimension.
uint64_t costOf(const SoftwarePlan& plan, const SoftwareLayout& a, const SoftwareLayout& b,
                const SoftwareLayout& c, const SoftwareLayout& result) {
  const uint64_t inner = a.of.columns, products = result.components();
  const MultiplyStaging s = plan.planMultiply(a, b, c, result);
  const uint32_t reads =
      a.whole ? s.rows + s.columns : readCost(s.rows, s.togetherA) + readCost(s.columns, s.togetherB);
  if (s.pieces) {
    // An invocation reads a word of each of its lines for these k.
    const uint32_t inWord = s.widens ? 1 : 32 / a.of.componentBits;
    const uint64_t instructions = s.packing == Packing::One      ? products * inWord
                                  : s.packing == Packing::Halves ? products * inWord / 2
                                                                 : products;
    return inner / inWord * (instructions + result.rowsHeld + result.columnsHeld);
  }
  switch (s.packing) {
    case Packing::Halves: return inner * (products / 2 + reads);
    case Packing::Bytes: return inner / 4 * (products + reads);
    default: break;
  }
  return inner * (products + reads);
}

// The cost of a choice of rowLanes: instructions of multiplications, and registers.
uint64_t cost(const SoftwarePlan& plan, const Uses& uses, spv::Scope scope, uint32_t invocations,
              uint32_t rowLanes) {
  uint64_t sum = 0;
  std::vector<SoftwareLayout> chosen = plan.layouts;
  for (SoftwareLayout& l : chosen) {
    if (l.of.scope != scope || l.pieces) continue;
    distribute(l, invocations, rowLanes);
    // Where lines are whole, shaders usually keep several matrices A, and use one matrix B with all of them.
    sum += l.elements() * (l.whole && !l.byColumns() ? 2u : 1u);
  }
  const auto find = [&](Id type) -> const SoftwareLayout* {
    const auto at = std::ranges::find_if(chosen, [&](const SoftwareLayout& l) { return l.of.type == type; });
    return at == chosen.end() || at->of.scope != scope ? nullptr : &*at;
  };
  for (const Uses::Multiply& multiply : uses.multiplications) {
    const SoftwareLayout *a = find(multiply.a), *b = find(multiply.b), *c = find(multiply.c),
                         *result = find(multiply.result);
    if (a != nullptr && b != nullptr && c != nullptr && result != nullptr)
      sum += costOf(plan, *a, *b, *c, *result);
  }
  return sum;
}

// Whether coordinates of padding would be requested: padding has none.
bool isPaddingLocated(const std::vector<SoftwareLayout>& layouts, const Uses& uses, spv::Scope scope,
                      uint32_t invocations, uint32_t rowLanes) {
  return std::ranges::any_of(layouts, [&](SoftwareLayout l) {
    if (l.of.scope != scope || std::ranges::find(uses.located, l.of.type) == uses.located.end()) return false;
    distribute(l, invocations, rowLanes);
    return l.isMasked();
  });
}

// Whether operands of subgroup scope are only loaded, computed as a whole, and multiplied. Other operations
// expect each element in a single invocation, or in the invocation that holds it in an accumulator; and each
// holder of a line would repeat what a shader computes for single components.
bool operandsAreOnlyMultiplied(const Module& m, const SoftwarePlan& plan) {
  const OperandTypes operands(m, plan.layouts, spv::Scope::Subgroup);
  const auto operand = [&](Id type) { return operands.is(type); };
  const auto useOf = [&](Id type) {
    const SoftwareLayout* l = plan.of(type);
    return l == nullptr ? std::optional<spv::CooperativeMatrixUse>() : l->of.use;
  };
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (operands.componentIn(i)) return false;
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixStoreKHR:
        if (operand(m.typeOf(op::CooperativeMatrixStoreKHR(m, i).object()))) return false;
        break;
      case spv::Op::OpCooperativeMatrixReduceNV:
      case enums::OpCooperativeMatrixTransposeNV:
      case spv::Op::OpCooperativeMatrixPerElementOpNV:
      case enums::OpCooperativeMatrixConvertUseEXT:
        if (operand(i.type)) return false;
        // A reduction's mask, a literal, may be mistaken for the id of an operand, which only costs speed.
        for (const Id id : op::Value(m, i).operands()) {
          if (operand(m.typeOf(id))) return false;
        }
        break;
      default:
        if (convertsComponents(i.op()) && useOf(i.type) &&
            (useOf(i.type) != useOf(m.typeOf(op::Unary(m, i).operand())) ||
             plan.transposed.contains(i.result)))
          return false;
        break;
    }
  }
  return true;
}

// Whether an invocation's operands and products are few enough for whole lines: both stay in registers, and
// products are unrolled. Operands that are not multiplied only take more registers in whole lines.
bool areFew(const std::vector<SoftwareLayout>& layouts, const Uses& uses, Unroll unroll) {
  constexpr uint32_t kMostBits = 32 * 64;
  const uint64_t mostProducts = unroll == Unroll::Yes ? 512 : 64;
  const auto find = [&](Id type) {
    return std::ranges::find_if(layouts, [&](const SoftwareLayout& l) { return l.of.type == type; });
  };
  for (const SoftwareLayout& l : layouts) {
    if (l.whole && std::ranges::none_of(uses.multiplications, [&](const Uses::Multiply& multiply) {
          return multiply.a == l.of.type || multiply.b == l.of.type;
        }))
      return false;
  }
  for (const Uses::Multiply& multiply : uses.multiplications) {
    const auto a = find(multiply.a), b = find(multiply.b), result = find(multiply.result);
    if (a == layouts.end() || b == layouts.end() || result == layouts.end()) return false;
    if (a->of.scope != spv::Scope::Subgroup) continue;
    if (uint64_t{a->components()} * a->of.componentBits + uint64_t{b->components()} * b->of.componentBits >
            kMostBits ||
        uint64_t{result->components()} * a->of.columns > mostProducts)
      return false;
  }
  return true;
}

// Chooses rowLanes for a scope: the divisor of its invocations and of all its matrices' rows with the lowest
// cost. If costs are equal, more lanes in the direction in which memory is contiguous are preferred. If
// possible, matrices whose coordinates are requested must not be padded.
uint32_t rowLanesOf(const SoftwarePlan& plan, const Uses& uses, spv::Scope scope, uint32_t invocations,
                    bool columnsFirst) {
  uint32_t common = invocations;
  for (const SoftwareLayout& l : plan.layouts) {
    if (l.of.scope == scope && !l.pieces) common = std::gcd(common, l.of.rows);
  }
  uint32_t best = 1;
  uint64_t least = UINT64_MAX;
  bool leastPads = true;
  for (uint32_t lanes = 1; lanes <= common; ++lanes) {
    if (common % lanes != 0) continue;
    const bool pads = isPaddingLocated(plan.layouts, uses, scope, invocations, lanes);
    if (pads && !leastPads) continue;
    if (!pads && leastPads) least = UINT64_MAX;
    leastPads = pads;
    const uint64_t c = cost(plan, uses, scope, invocations, lanes);
    if (c < least || (c == least && !columnsFirst)) {
      least = c;
      best = lanes;
    }
  }
  return best;
}

std::string bytes(uint64_t words) { return std::to_string(words * 4) + " bytes"; }

// Adds up the workgroup memory that operations need.
class Areas {
 public:
  Areas(const Module& m, SoftwarePlan& plan, Report& report, bool shuffles)
      : m_(m), plan_(plan), report_(report), shuffles_(shuffles) {}

  void add(const Instruction& i) {
    const SoftwareLayout* result = plan_.of(i.type);
    if (result == nullptr) return;
    const SoftwareLayout* source = plan_.of(m_.typeOf(op::Value(m_, i).operands().front()));
    if (source == nullptr) return;
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixMulAddKHR: {
        const op::CooperativeMatrixMulAddKHR product(m_, i);
        const SoftwareLayout *b = plan_.of(m_.typeOf(product.b())), *c = plan_.of(m_.typeOf(product.c()));
        if (b == nullptr || c == nullptr || source->whole) return;
        const MultiplyStaging s = plan_.planMultiply(*source, *b, *c, *result);
        if (s.words == 0 && shuffles_ && result->of.scope == spv::Scope::Subgroup) return;
        take(i, *source, s.words, s.least);
        return;
      }
      case spv::Op::OpCooperativeMatrixReduceNV: {
        const auto mode = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
        if ((mode & kReduce2x2) == 0) {
          const uint32_t words = plan_.reductionWords(*source, mode);
          take(i, *source, words <= plan_.budget(*source) ? words : 0, words);
          return;
        }
        const MoveStaging s = plan_.planMove(*source, 2);
        take(i, *source, s.words, s.least);
        return;
      }
      default: {
        const bool converts = convertsNumbers(i.op()) || i.op() == enums::OpCooperativeMatrixConvertUseEXT;
        if (i.op() != enums::OpCooperativeMatrixTransposeNV &&
            !(converts && plan_.transposed.contains(i.result)))
          return;
        const MoveStaging s = plan_.planMove(*source, 1);
        take(i, *source, s.words, s.least);
      }
    }
  }

 private:
  void take(const Instruction& i, const SoftwareLayout& l, uint32_t words, uint32_t least) {
    const bool subgroup = l.of.scope == spv::Scope::Subgroup;
    if (words == 0) {
      std::string why = std::string(i.op() == spv::Op::OpCooperativeMatrixMulAddKHR  ? "a multiply-add"
                                    : i.op() == spv::Op::OpCooperativeMatrixReduceNV ? "a reduction"
                                                                                     : "a transpose") +
                        " of a " + describe(l.of) + " takes at least " + bytes(least) +
                        " of workgroup memory";
      if (subgroup && plan_.subgroups > 1)
        why += " for each of " + std::to_string(plan_.subgroups) + " subgroups";
      report_.refuse(Refusal::SharedMemory, why + ", there are " + bytes(plan_.budget(l)));
      return;
    }
    uint32_t& most = subgroup ? plan_.sliceWords : plan_.groupWords;
    most = std::max(most, (words + 3) / 4 * 4);
  }

  const Module& m_;
  SoftwarePlan& plan_;
  Report& report_;
  bool shuffles_;
};

}  // namespace

MultiplyStaging SoftwarePlan::planMultiply(const SoftwareLayout& a, const SoftwareLayout& b,
                                           const SoftwareLayout& c, const SoftwareLayout& result) const {
  MultiplyStaging s;
  if (a.pieces) return planPieces(a, b, c, result);
  s.packing = packingOf(a, b, c, result, dotProducts);
  s.rows = s.packing == Packing::Halves ? (a.rowsHeld + 1) / 2 : a.rowsHeld;
  s.columns = s.packing == Packing::Halves ? b.columnsHeld / 2 : b.columnsHeld;
  if (a.whole) return s;
  s.wordsPerElement = inTwoWords(a, b, result) ? 2 : 1;
  s.inner = s.packing == Packing::Bytes ? a.of.columns / 4 : a.of.columns;
  const uint32_t sums = result.components() / (s.packing == Packing::Halves ? 2 : 1);
  if (s.wordsPerElement == 1 && sums <= kMostSumsInRegisters) {
    // Words for a k must not lie in two vectors.
    const auto straddles = [](uint32_t words) { return words > 2 && words % 4 != 0; };
    const uint32_t most = std::max(togetherOf(s.rows), togetherOf(s.columns));
    s.interleaved = most > 1 && !straddles(s.rows) && !straddles(s.columns) &&
                    s.inner % (most * std::lcm(a.columnLanes, b.rowLanes)) == 0;
    s.togetherA = s.togetherB = most;
    if (s.interleaved && place(a, b, result, s) && s.chunks == 1) return s;
    s.interleaved = false;
    const auto neighbors = [&](uint32_t words, uint32_t lanes) {
      const uint32_t together = togetherOf(words);
      return lanes % together == 0 && s.inner % together == 0 ? together : 1;
    };
    s.togetherA = neighbors(s.rows, a.columnLanes);
    s.togetherB = neighbors(s.columns, b.rowLanes);
    if (place(a, b, result, s)) return s;
    s.togetherA = s.togetherB = 1;
  }
  place(a, b, result, s);
  return s;
}

MultiplyStaging SoftwarePlan::planPieces(const SoftwareLayout& a, const SoftwareLayout& b,
                                         const SoftwareLayout& c, const SoftwareLayout& result) const {
  MultiplyStaging s;
  s.pieces = true;
  s.packing = packingOfPieces(a, c, result, halfDotProducts);
  s.rows = result.rowsHeld;
  s.columns = result.columnsHeld;
  s.inner = a.of.columns;
  s.widens = a.isHalf() && s.packing == Packing::One;
  const uint32_t vectors = s.widens ? 2 : 1;  // of a piece
  s.togetherA = s.togetherB = a.inPiece() / vectors;
  s.vectorA = s.vectorB = kPieceBits / 32;
  s.strideA = s.strideB = lineWords(piecesInChunk * vectors);
  s.chunk = piecesInChunk * a.inPiece();
  s.chunks = s.inner / s.chunk;
  s.baseB = s.strideA * a.lines();
  s.least = s.baseB + s.strideB * b.lines();
  s.words = s.least <= budget(result) ? s.least : 0;
  return s;
}

bool SoftwarePlan::place(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& result,
                         MultiplyStaging& s) const {
  s.vectorA = s.wordsPerElement == 1 && (s.rows >= 3 || s.togetherA > 1) ? 4 : 1;
  s.vectorB = s.wordsPerElement == 1 && (s.columns >= 3 || s.togetherB > 1) ? 4 : 1;
  const auto stride = [&](uint32_t held, uint32_t lanes, uint32_t vector) {
    // One extra vector, so that lanes with different k store into different banks.
    const uint64_t words = (uint64_t{(held + vector - 1) / vector} * lanes + 1) * vector * s.wordsPerElement;
    return uint32_t(std::min<uint64_t>(words, UINT32_MAX / 64));
  };
  s.strideA = stride(s.togetherA * s.rows, a.rowLanes, s.vectorA);
  s.strideB = stride(s.togetherB * s.columns, b.columnLanes, s.vectorB);
  // Chunks consist of whole components: each adds columnLanes columns to A and rowLanes rows to B.
  const uint32_t inner = s.inner, step = std::lcm(a.columnLanes, b.rowLanes);
  const uint32_t steps = (inner + step - 1) / step, together = s.together();
  const auto wordsOf = [&](uint64_t k) { return k / s.togetherA * s.strideA + k / s.togetherB * s.strideB; };
  s.least = uint32_t(std::min<uint64_t>(wordsOf(together) + 3, UINT32_MAX / 4));
  const auto fits = [&](uint64_t k, uint32_t words) { return wordsOf(k) + 3 <= words; };
  const uint32_t most = std::min(budget(result), kPreferredWords);
  if (fits(step, budget(result))) {
    uint32_t fit = 1;
    while (fit < steps && fits(uint64_t{fit + 1} * step, most)) ++fit;
    s.chunks = (steps + fit - 1) / fit;
    s.chunk = (steps + s.chunks - 1) / s.chunks * step;
  } else {
    // If that is too much, only some of the lanes along k write at a time.
    const auto dealt = [](uint32_t k, uint32_t lanes) { return k % lanes == 0 || lanes % k == 0; };
    s.chunk = std::min(step - 1, inner);
    while (s.chunk > 0 && !(s.chunk % together == 0 && dealt(s.chunk, a.columnLanes) &&
                            dealt(s.chunk, b.rowLanes) && fits(s.chunk, budget(result))))
      --s.chunk;
    s.words = 0;
    if (s.chunk == 0) return false;
    s.chunks = (inner + s.chunk - 1) / s.chunk;
  }
  s.baseB = (s.strideA * (s.chunk / s.togetherA) + 3) / 4 * 4;
  s.words = s.baseB + s.strideB * (s.chunk / s.togetherB);
  return true;
}

MoveStaging SoftwarePlan::planMove(const SoftwareLayout& source, uint32_t together) const {
  MoveStaging s;
  // An odd stride, so that neighboring rows begin in different banks.
  s.stride = (source.columnsHeld * source.columnLanes) | 1;
  const uint32_t step = std::lcm(source.rowLanes, together);
  const uint32_t steps = (source.of.rows + step - 1) / step;
  const uint64_t wordsPerStep = uint64_t{s.stride} * step * source.words();
  s.least = uint32_t(std::min<uint64_t>(wordsPerStep, UINT32_MAX / 4));
  const uint32_t fit = uint32_t(std::min<uint64_t>(budget(source) / wordsPerStep, steps));
  if (fit == 0) return s;
  s.strips = (steps + fit - 1) / fit;
  s.strip = (steps + s.strips - 1) / s.strips * step;
  s.words = s.strip * s.stride * source.words();
  return s;
}

uint32_t SoftwarePlan::rowsReducedAtOnce(const SoftwareLayout& source) const {
  const uint64_t wordsOfOne = uint64_t{source.rowLanes} * (source.columnLanes | 1) * source.words();
  uint32_t rows = source.rowsHeld;
  while (rows > 1 && (source.rowsHeld % rows != 0 || rows * wordsOfOne > budget(source))) --rows;
  return rows;
}

uint32_t SoftwarePlan::reductionWords(const SoftwareLayout& source, uint32_t mode) const {
  const bool columnsOnly = mode == kReduceColumn;
  const uint32_t rows = mode == kReduceRow ? source.rowLanes * rowsReducedAtOnce(source) : source.rowLanes;
  const uint32_t columns = columnsOnly ? source.columnsHeld * source.columnLanes : source.columnLanes;
  return product(product(rows, columns | 1), source.words());
}

namespace {

// Distributes the matrices of both scopes over their invocations.
void distributeAll(const Module& module, const SoftwareOptions& options, uint32_t workgroup,
                   SoftwarePlan& plan, Report& report) {
  const Uses uses = usesOf(module);
  const bool columnsFirst = uses.rowMajor >= uses.columnMajor;
  const auto choose = [&](spv::Scope scope) {
    const bool ofSubgroup = scope == spv::Scope::Subgroup && !plan.wholeWorkgroup;
    const uint32_t invocations = ofSubgroup ? options.subgroupSize : workgroup;
    const uint32_t lanes = rowLanesOf(plan, uses, scope, invocations, columnsFirst);
    for (SoftwareLayout& l : plan.layouts) {
      if (l.of.scope != scope) continue;
      if (l.pieces) {
        distributePieces(l, invocations, plan.piecesInChunk);
        continue;
      }
      distribute(l, invocations, lanes);
      l.columnsFirst = columnsFirst;
      if (options.unroll == Unroll::Yes) widen(l);
    }
  };
  const auto setWhole = [&](bool whole) {
    for (SoftwareLayout& l : plan.layouts)
      l.whole = whole && l.of.scope == spv::Scope::Subgroup &&
                l.of.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR;
  };
  const auto has = [&](spv::Scope scope) {
    return std::ranges::any_of(plan.layouts, [&](const SoftwareLayout& l) { return l.of.scope == scope; });
  };
  if (has(spv::Scope::Workgroup)) choose(spv::Scope::Workgroup);
  if (has(spv::Scope::Subgroup)) {
    setWhole(options.wholeLines && operandsAreOnlyMultiplied(module, plan));
    choose(spv::Scope::Subgroup);
    // Drivers may load an operand later than the module does, and pack its components, so that even a
    // quarter more than there are is possible.
    const auto fit = [&] {
      return options.registers == 0 ||
             4 * uint64_t{registersAtProducts(module, plan, options.subgroupSize)} <= 5 * options.registers;
    };
    const bool isWhole = std::ranges::any_of(plan.layouts, [](const SoftwareLayout& l) { return l.whole; });
    if (!areFew(plan.layouts, uses, options.unroll) || (isWhole && !fit())) {
      setWhole(false);
      choose(spv::Scope::Subgroup);
    }
  }
  for (const SoftwareLayout& l : plan.layouts) {
    if (l.components() <= kMostComponents) continue;
    const bool ofSubgroup = l.of.scope == spv::Scope::Subgroup && !plan.wholeWorkgroup;
    report.refuse(Refusal::Limit, "a " + describe(l.of) + " takes " + std::to_string(l.components()) +
                                      " components in each of " +
                                      std::to_string(ofSubgroup ? options.subgroupSize : workgroup) +
                                      " invocations: lowering takes up to " +
                                      std::to_string(kMostComponents));
    return;
  }
}

}  // namespace

SoftwarePlan beginSoftwarePlan(const Module& module, const SoftwareOptions& options, Report& report) {
  SoftwarePlan plan;
  plan.dotProducts = options.dotProducts;
  plan.halfDotProducts = options.halfDotProducts;
  for (const MatrixType& type : matrixTypes(module, report)) {
    SoftwareLayout l;
    l.of = type;
    plan.layouts.push_back(l);
  }
  if (report.isRefused() || plan.layouts.empty()) return plan;
  const WorkgroupRange sizes = workgroupRange(module);
  bool subgroup = false, workgroup = false;
  for (const SoftwareLayout& l : plan.layouts) {
    subgroup = subgroup || l.of.scope == spv::Scope::Subgroup;
    workgroup = workgroup || l.of.scope == spv::Scope::Workgroup;
    if (l.of.scope != spv::Scope::Subgroup && l.of.scope != spv::Scope::Workgroup) {
      report.refuse(Refusal::Unsupported, "a matrix of scope " + std::to_string(uint32_t(l.of.scope)) +
                                              ": lowering takes those of subgroups and workgroups");
      return plan;
    }
  }
  if (sizes.most == 0 || sizes.most > kMostInvocations) {
    report.refuse(Refusal::SizeUnknown, "the size of the workgroup is not known");
    return plan;
  }
  if (workgroup && sizes.least != sizes.most) {
    report.refuse(Refusal::Unsupported, "entry points with workgroups of different sizes (" +
                                            std::to_string(sizes.least) + " and " +
                                            std::to_string(sizes.most) + ") and matrices of a workgroup");
    return plan;
  }
  if (subgroup && (options.subgroupSize == 0 || options.subgroupSize > kMostInSubgroup)) {
    report.refuse(Refusal::Unsupported, "matrices of subgroup scope need a subgroup size from 1 to " +
                                            std::to_string(kMostInSubgroup) + ", which is not given");
    return plan;
  }
  plan.invocations = sizes.most;
  plan.wholeWorkgroup =
      subgroup && sizes.least == sizes.most &&
      (sizes.most < options.subgroupSize || (!options.hasSize && sizes.most == options.subgroupSize));
  if (subgroup && !plan.wholeWorkgroup &&
      (sizes.least % options.subgroupSize != 0 || sizes.most % options.subgroupSize != 0)) {
    // Vulkan, VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10770 and 10771.
    const uint32_t partial = sizes.least % options.subgroupSize != 0 ? sizes.least : sizes.most;
    report.refuse(Refusal::Unsupported, "matrices of a subgroup in a workgroup of " +
                                            std::to_string(partial) +
                                            " invocations, which is not made of full subgroups of " +
                                            std::to_string(options.subgroupSize));
    return plan;
  }
  if (subgroup) plan.subgroups = (sizes.most + options.subgroupSize - 1) / options.subgroupSize;
  const uint32_t words = options.sharedBytes / 4 / (subgroup && workgroup ? 2 : 1);
  plan.groupBudget = words / 4 * 4;
  plan.sliceBudget = words / plan.subgroups / 4 * 4;
  plan.transposed = findDecoratedTransposes(module);
  return plan;
}

SoftwarePlan planSoftwareMatrices(const Module& module, const SoftwareOptions& options, Report& report) {
  SoftwarePlan plan = beginSoftwarePlan(module, options, report);
  if (report.isRefused() || plan.layouts.empty()) return plan;
  holdInPieces(module, options, plan);
  distributeAll(module, options, plan.invocations, plan, report);
  if (report.isRefused()) return plan;
  Areas areas(module, plan, report, options.shuffles && !plan.wholeWorkgroup);
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n)
    areas.add(module.instructions[n]);
  return plan;
}

}  // namespace coopc::spirv::lower
