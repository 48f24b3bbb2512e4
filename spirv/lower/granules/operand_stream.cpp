// An operand passes through registers on its way to workgroup memory, in pieces of 16 bytes, which all
// invocations load and store. If that takes too many registers, it goes directly.
#include "spirv/lower/granules/operand_stream.hpp"

#include <numeric>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/known_bits.hpp"

namespace coopc::spirv::lower {

namespace {

// The largest number of pieces of a multiply-add's operands that one invocation holds, each in four 32-bit
// registers.
constexpr uint32_t kMostPieces = 24;
// The limit where loops are not unrolled, because code should be short.
constexpr uint32_t kMostPiecesInLoops = 4;
// How many invocations read neighboring pieces of a line that is transposed.
constexpr uint32_t kTransposedNeighbors = 4;

}  // namespace

const TensorFunction* OperandStream::wideLoadOf(const Instruction& load) const {
  const Id function = op::CooperativeMatrixPerElementOpNV(m_, load).func();
  for (const TensorFunction& t : options_.tensors) {
    if (t.function == function && t.wide && m_.def(t.wide) != nullptr && m_.def(t.wideTest) != nullptr)
      return &t;
  }
  return nullptr;
}

std::vector<MultiplyOperand> OperandStream::operandsOf(const PlannedMultiply& p) {
  const op::CooperativeMatrixMulAddKHR product(m_, m_.instructions[p.instruction]);
  std::vector<MultiplyOperand> operands(2);
  for (MultiplyOperand& o : operands) {
    o.isB = &o == &operands[1];
    const Id value = o.isB ? product.b() : product.a();
    o.type = matrixOf(value);
    if (!(o.isB ? p.streamB : p.streamA)) continue;
    o.load = m_.def(value);
    const MatrixType& t = o.type->is;
    o.byColumns = o.isB ? p.columnsB : p.columnsA;
    const bool stepsAlong = o.isB == o.byColumns;
    const uint32_t along = stepsAlong ? p.chunk : o.isB ? t.columns : t.rows;
    o.lines = !stepsAlong ? p.chunk : o.isB ? t.columns : t.rows;
    o.bytes = along * t.componentBits / 8 % 16 == 0 ? 16 : area_.unit();
    o.perLine = along * t.componentBits / 8 / o.bytes;
    o.isTransposed = o.isB ? p.transposesB : p.transposesA;
    o.bundle = bundleOf(o);
    o.bundlesPerInvocation = (o.bundles() + plan_.invocations - 1) / plan_.invocations;
    const uint32_t first = area_.operandsAt() + plan_.operandBytesBefore(m_, &p) +
                           (o.isB ? plan_.streamedBytes(m_, p, false) : 0);
    o.rows = {t.component, t.componentBits, code_.u32(first / area_.unit()),
              plan_.rowBytes(o.isTransposed ? o.lines : along, t.componentBits)};
  }
  return operands;
}

// Transposed pieces make stores of as many components as there are lines: at least 32 bits, and up to 16
// bytes if all invocations still have something to move.
uint32_t OperandStream::bundleOf(const MultiplyOperand& o) const {
  if (!o.isTransposed) return 1;
  uint32_t bundle = 32 / o.type->is.componentBits;
  while (bundle < o.elements() && o.lines % (2 * bundle) == 0 &&
         o.pieces() / (2 * bundle) >= plan_.invocations)
    bundle *= 2;
  return bundle;
}

bool OperandStream::passesThroughRegisters(const std::vector<MultiplyOperand>& operands) const {
  uint32_t pieces = 0;
  for (const MultiplyOperand& o : operands) pieces += o.held();
  return pieces <= (options_.unroll == Unroll::Yes ? kMostPieces : kMostPiecesInLoops);
}

// The number of an invocation's bundle: neighboring invocations have neighboring bundles.
UInt OperandStream::bundleNumber(const MultiplyOperand& o, const UInt& round, bool clamped) {
  const Group all = placement_.group(*o.type);
  const UInt number = round * all.invocations + all.index;
  if (!clamped || o.bundles() % all.invocations == 0) return number;
  // Invocations without a piece load the last one again.
  const UInt last = code_.u32(o.bundles() - 1);
  return select(number < last, number, last);
}

// Neighboring invocations read neighboring pieces of a line. For transposed pieces this holds for four
// invocations, 64 bytes; the next four read the following lines, because stores of invocations at the same
// time should lie along K as far as possible, in different banks of workgroup memory.
OperandStream::Place OperandStream::placeOf(const MultiplyOperand& o, const UInt& bundle) {
  const UInt perLine = code_.u32(o.perLine), size = code_.u32(o.elements());
  if (!o.isTransposed) {
    const UInt line = bundle / perLine, start = bundle % perLine * size;
    return {line, start};
  }
  const uint32_t side = std::gcd(o.perLine, kTransposedNeighbors);
  const UInt beside = code_.u32(side), groups = code_.u32(o.lines / o.bundle), lines = code_.u32(o.bundle);
  const UInt rest = bundle / beside;
  const UInt line = rest % groups * lines;
  const UInt piece = rest / groups * beside + bundle % beside, start = piece * size;
  return {line, start};
}

// The position of an invocation's bundle in a round, as a position that depends on the invocation plus a
// constant number of lines; none if a round does not take whole lines.
std::optional<OperandStream::Place> OperandStream::placeOfRound(const MultiplyOperand& o, uint32_t round) {
  const Group all = placement_.group(*o.type);
  if (!sparesRegisters(options_) || o.isTransposed || o.bundles() % all.invocations != 0 ||
      all.invocations % o.perLine != 0)
    return std::nullopt;
  Place place = placeOf(o, all.index);
  place.above = round * (all.invocations / o.perLine);
  return place;
}

// The type of a piece: a 32-bit number, or a vector of them.
Id OperandStream::pieceType(const MultiplyOperand& o) {
  const uint32_t words = o.bytes / 4;
  const Id u32 = code_.globals.typeU32();
  return words == 1 ? u32 : code_.globals.typeVector(u32, words);
}

// Makes P g(row, column, ...) from the T f(row, column, element, ...) that loads an operand. P g loads the
// piece that begins there, element by element. It is a function because every piece of a chunk, in the loop
// and ahead of it, is loaded in this way.
Id OperandStream::pieceFunction(const MultiplyOperand& o, Way way, const std::vector<Id>& extras) {
  const Id function = op::CooperativeMatrixPerElementOpNV(m_, *o.load).func();
  for (const PieceFunction& f : pieceFunctions_) {
    if (f.function == function && f.byColumns == o.byColumns && f.bytes == o.bytes && f.way == way)
      return f.made;
  }
  const uint32_t bits = o.type->is.componentBits;
  const Id result = pieceType(o), element = code_.globals.undef(o.type->is.component);
  std::vector<Id> parameters(2, code_.globals.typeU32());
  for (const Id extra : extras) parameters.push_back(code_.globals.typeOf(extra));
  const Id made = code_.writer.addFunction(result, parameters, [&](const std::vector<Id>& p) {
    const std::vector<Id> others(p.begin() + 2, p.end());
    const UInt firstRow(code_, p[0]), firstColumn(code_, p[1]);
    const auto elements = [&](const UInt& from, uint32_t count) {
      std::vector<Id> values;
      for (uint32_t n = 0; n < count; ++n) {
        const UInt place = from + n;
        const UInt &row = o.byColumns ? place : firstRow, &column = o.byColumns ? firstColumn : place;
        values.push_back(walk_.callForElement(function, row, column, element, others));
      }
      return area_.pack(values, bits);
    };
    const UInt& start = o.byColumns ? firstRow : firstColumn;
    Id piece;
    if (way == Way::WordByWord) {
      const UInt count = code_.u32(o.bytes / 4), each = code_.u32(32 / bits);
      const Id none = code_.globals.undef(result);
      piece = loop(code_, count, options_.unroll, {none}, [&](const UInt& index, std::vector<Id>& carried) {
        const UInt from = start + index * each;
        const Id word = elements(from, 32 / bits)[0];
        carried[0] = code_.make<op::VectorInsertDynamic>(
            result, {.vector = carried[0], .component = word, .index = index});
      })[0];
    } else {
      const std::vector<Id> numbers = elements(start, o.elements());
      const std::vector<Word> words(numbers.begin(), numbers.end());
      piece = words.size() == 1 ? numbers[0]
                                : code_.make<op::CompositeConstruct>(result, {.constituents = words});
    }
    code_.make<op::ReturnValue>({piece});
  });
  code_.annotations.name(made, "loadPiece");
  pieceFunctions_.push_back({function, o.byColumns, o.bytes, way, made});
  return made;
}

Pieces OperandStream::loadBundle(const MultiplyOperand& o, uint32_t firstStep, const Place& place,
                                 const std::vector<Id>& extras, Way way) {
  const UInt first = code_.u32(firstStep);
  Pieces pieces;
  for (uint32_t n = 0; n < o.bundle; ++n) {
    const uint32_t below = n + place.above;
    const UInt line = below == 0 ? place.line : UInt(place.line + below);
    const UInt &row = o.byColumns ? place.start : line, &column = o.byColumns ? line : place.start;
    const UInt matrixRow = o.isB ? UInt(row + first) : row;
    const UInt matrixColumn = o.isB ? column : UInt(column + first);
    const Id function = way == Way::Wide ? wideLoadOf(*o.load)->wide : pieceFunction(o, way, extras);
    const Id type = pieceType(o);
    std::vector<Id> arguments{matrixRow, matrixColumn};
    arguments.insert(arguments.end(), extras.begin(), extras.end());
    pieces.push_back(code_.make<op::FunctionCall>(type, {.function = function, .arguments = arguments}));
  }
  return pieces;
}

void OperandStream::storeBundle(const MultiplyOperand& o, const Place& place, std::span<const Id> pieces) {
  if (o.isTransposed) return storeTransposed(o, place, pieces);
  storePiece(o, place, pieces[0]);
}

void OperandStream::storePiece(const MultiplyOperand& o, const Place& place, Id piece) {
  UInt first = area_.from(o.rows, place.line, place.start).base;
  if (place.above != 0) first = first + place.above * (o.rows.stride / area_.unit());
  const Id u32 = code_.globals.typeU32(), unit = area_.unitType(), variable = area_.variable();
  for (uint32_t n = 0; n < o.bytes / area_.unit(); ++n) {
    const Pointer pointer = code_.access(spv::StorageClass::Workgroup, unit, variable, {first + n});
    Id value = piece;
    if (o.bytes != area_.unit() && area_.unit() == 4) value = code_.extract(u32, piece, {n});
    if (o.bytes != area_.unit() && area_.unit() == 8)
      value = code_.make<op::VectorShuffle>(
          unit, {.vector1 = piece, .vector2 = piece, .components = {2 * n, 2 * n + 1}});
    pointer.store(value);
  }
}

// Component n of each piece belongs to the same line of workgroup memory.
void OperandStream::storeTransposed(const MultiplyOperand& o, const Place& place,
                                    std::span<const Id> pieces) {
  const uint32_t bits = o.type->is.componentBits, inWord = 32 / bits;
  const Id u32 = code_.globals.typeU32(), component = o.type->is.component;
  const Id several = code_.globals.typeVector(component, inWord);
  std::vector<std::vector<Id>> lines(o.elements());
  for (const Id piece : pieces) {
    for (uint32_t word = 0; word < o.bytes / 4; ++word) {
      const Id number = code_.extract(u32, piece, {word});
      const Id split = code_.make<op::Bitcast>(several, {number});
      for (uint32_t n = 0; n < inWord; ++n)
        lines[word * inWord + n].push_back(code_.extract(component, split, {n}));
    }
  }
  for (uint32_t n = 0; n < lines.size(); ++n) {
    const UInt line = n == 0 ? place.start : UInt(place.start + n);
    area_.storeWords(o.rows, line, place.line, area_.pack(lines[n], bits));
  }
}

// Whether a piece can be loaded in one access: constant true or false, or the result of a run-time test of
// this load, which is uniform across the workgroup.
Bool OperandStream::mayBeWide(const MultiplyOperand& o, const std::vector<Id>& extras) {
  const TensorFunction* wide = wideLoadOf(*o.load);
  if (wide == nullptr || o.bytes != 16 || wide->wideAlongRows == o.byColumns)
    return Bool(code_, code_.globals.boolean(false));
  if (returnsTrue(m_, wide->wideTest, numbersOf(o), wide->promised))
    return Bool(code_, code_.globals.boolean(true));
  const Id boolean = code_.globals.typeBool();
  return Bool(code_,
              code_.make<op::FunctionCall>(boolean, {.function = wide->wideTest, .arguments = extras}));
}

// Loads an operand's steps from firstStep on into registers, by all invocations of the workgroup.
Pieces OperandStream::fetch(const MultiplyOperand& o, uint32_t firstStep, const std::vector<Id>& extras) {
  const Bool may = mayBeWide(o, extras);
  const auto load = [&](uint32_t round, Way way) {
    if (const auto place = placeOfRound(o, round)) return loadBundle(o, firstStep, *place, extras, way);
    const UInt number = bundleNumber(o, code_.u32(round), true);
    return loadBundle(o, firstStep, placeOf(o, number), extras, way);
  };
  Pieces pieces;
  const Instruction* known = code_.globals.definition(may);
  if (known != nullptr) {
    const Way way = known->op() == spv::Op::OpConstantTrue ? Way::Wide : Way::Elements;
    for (uint32_t n = 0; n < o.bundlesPerInvocation; ++n) {
      const Pieces loaded = load(n, way);
      pieces.insert(pieces.end(), loaded.begin(), loaded.end());
    }
    return pieces;
  }
  std::vector<Pointer> variables;
  const Id type = pieceType(o);
  for (uint32_t n = 0; n < o.held(); ++n) variables.push_back(code_.localVariable(type));
  const Bool mayNot = !may;
  for (const Way way : {Way::Wide, Way::WordByWord}) {
    ifThen(code_, way == Way::Wide ? may : mayNot, [&] {
      for (uint32_t n = 0; n < o.bundlesPerInvocation; ++n) {
        const Pieces loaded = load(n, way);
        for (uint32_t k = 0; k < o.bundle; ++k) variables[n * o.bundle + k].store(loaded[k]);
      }
    });
  }
  for (const Pointer& variable : variables) pieces.push_back(variable.load());
  return pieces;
}

void OperandStream::stage(const MultiplyOperand& o, const Pieces& pieces) {
  for (uint32_t n = 0; n < o.bundlesPerInvocation; ++n) {
    const std::span<const Id> own = std::span(pieces).subspan(n * o.bundle, o.bundle);
    if (const auto place = placeOfRound(o, n)) {
      storeBundle(o, *place, own);
      continue;
    }
    const UInt number = bundleNumber(o, code_.u32(n), false);
    const auto store = [&] { storeBundle(o, placeOf(o, number), own); };
    if ((n + 1) * plan_.invocations <= o.bundles()) {
      store();
      continue;
    }
    ifThen(code_, number < o.bundles(), store);
  }
}

// Loads the steps directly to workgroup memory, for operands that would need too many registers.
void OperandStream::transfer(const MultiplyOperand& o, uint32_t firstStep, const std::vector<Id>& extras) {
  const auto all = [&](Way way) {
    const UInt rounds = code_.u32(o.bundlesPerInvocation), end = code_.u32(o.bundles());
    loop(code_, rounds, options_.unroll, [&](const UInt& round) {
      const UInt number = bundleNumber(o, round, false);
      const auto move = [&] {
        const Pieces pieces = loadBundle(o, firstStep, placeOf(o, number), extras, way);
        storeBundle(o, placeOf(o, number), pieces);
      };
      if (o.bundles() % plan_.invocations == 0) return move();
      ifThen(code_, number < end, move);
    });
  };
  const Bool may = mayBeWide(o, extras);
  if (const Instruction* known = code_.globals.definition(may); known != nullptr)
    return all(known->op() == spv::Op::OpConstantTrue ? Way::Wide : Way::Elements);
  const Bool mayNot = !may;
  ifThen(code_, may, [&] { all(Way::Wide); });
  ifThen(code_, mayNot, [&] { all(Way::WordByWord); });
}

std::vector<Id> OperandStream::numbersOf(const MultiplyOperand& o) const {
  std::vector<Id> numbers;
  for (const Id extra : op::CooperativeMatrixPerElementOpNV(m_, *o.load).operands()) numbers.push_back(extra);
  return numbers;
}

}  // namespace coopc::spirv::lower
