// Operands in pieces: an invocation loads 16 bytes at once, if the tensor's address and size permit it, and
// writes them to workgroup memory.
#include "spirv/lower/software_matrix/pieces.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/known_bits.hpp"

namespace coopc::spirv::lower {

namespace {

// Up to this many pieces are loaded and written without a loop.
constexpr uint32_t kStraightPieces = 16;

const TensorFunction* tensorFunction(const SoftwareOptions& options, Id function) {
  const auto at = std::ranges::find(options.tensors, function, &TensorFunction::function);
  return at == options.tensors.end() ? nullptr : &*at;
}

}  // namespace

// The pieces that an invocation holds of a chunk.
uint32_t PieceOperands::roundsOfChunk(const SoftwareLayout& l) const {
  return l.rowsHeld / (l.piecesOfLine() / plan_.piecesInChunk);
}

// The place of an invocation's piece with number `round` in a chunk.
PieceOperands::Place PieceOperands::placeOf(const SoftwareLayout& l, const UInt& round) {
  const uint32_t all = l.lines() * plan_.piecesInChunk;
  const UInt invocation = code_.builtIn(spv::BuiltIn::LocalInvocationIndex);
  const UInt number = round * plan_.invocations + invocation;
  Place place;
  UInt existing = number;
  if (all % plan_.invocations != 0) {
    // Invocations without a piece load the last one again.
    const UInt last = code_.u32(all - 1);
    place.exists = number < all;
    existing = select(number < last, number, last);
  }
  place.line = existing / plan_.piecesInChunk;
  place.within = existing % plan_.piecesInChunk;
  return place;
}

// Makes u32vec4 g(row, column, ...) from the T f(row, column, element, ...) that loads an element: for pieces
// that are not aligned, or not inside the tensor.
Id PieceOperands::loadByElements(const SoftwareLayout& l, Id function, const std::vector<Id>& numbers) {
  for (const ElementLoads& earlier : loads_) {
    if (earlier.function == function && earlier.alongRows == l.isA()) return earlier.loadPiece;
  }
  const Id words = buffer_.typeWords(), u32 = code_.globals.typeU32(), component = l.of.component;
  std::vector<Id> parameters(2, u32);
  for (const Id number : numbers) parameters.push_back(code_.globals.typeOf(number));
  const uint32_t inWord = 32 / l.of.componentBits;
  const Id several = code_.globals.typeNumbers(component, inWord), none = code_.globals.undef(words);
  const Id element = code_.globals.undef(component);
  const Id loadPiece = code_.writer.addFunction(words, parameters, [&](const std::vector<Id>& p) {
    const UInt row(code_, p[0]), column(code_, p[1]), count = code_.u32(4);
    const Id piece = loop(code_, count, Unroll::No, {none}, [&](const UInt& word, std::vector<Id>& to) {
      const UInt first = word * inWord;
      std::vector<Word> parts;
      for (uint32_t n = 0; n < inWord; ++n) {
        const UInt beyond = first + n;
        const UInt atRow = l.isA() ? row : UInt(row + beyond);
        const UInt atColumn = l.isA() ? UInt(column + beyond) : column;
        std::vector<Id> arguments{atRow, atColumn, element};
        arguments.insert(arguments.end(), p.begin() + 2, p.end());
        parts.push_back(
            code_.make<op::FunctionCall>(component, {.function = function, .arguments = arguments}));
      }
      Id bits = parts.size() == 1 ? parts[0].id()
                                  : code_.make<op::CompositeConstruct>(several, {.constituents = parts});
      if (several != u32) bits = code_.make<op::Bitcast>(u32, {bits});
      to[0] = code_.make<op::VectorInsertDynamic>(words, {.vector = to[0], .component = bits, .index = word});
    })[0];
    code_.make<op::ReturnValue>({piece});
  });
  code_.annotations.name(loadPiece, "loadPiece");
  loads_.push_back({function, l.isA(), loadPiece});
  return loadPiece;
}

// Whether pieces can be loaded in one access: a constant, or the result of a test at run time, which is
// uniform across the workgroup. Tensors that do not begin at a multiple of 16 bytes break a rule
// (TensorFunction::promised), but the code for pieces that are not aligned is there anyway.
Bool PieceOperands::mayBeWide(const TensorFunction& t, const std::vector<Id>& numbers) {
  if (!t.wide || m_.def(t.wide) == nullptr || m_.def(t.wideTest) == nullptr)
    return Bool(code_, code_.globals.boolean(false));
  if (returnsTrue(m_, t.wideTest, numbers)) return Bool(code_, code_.globals.boolean(true));
  const Id boolean = code_.globals.typeBool();
  return Bool(code_, code_.make<op::FunctionCall>(boolean, {.function = t.wideTest, .arguments = numbers}));
}

// Calls a function that loads the invocation's piece with this number.
Id PieceOperands::loadPiece(const SoftwareLayout& l, Id function, const std::vector<Id>& numbers,
                            const UInt& number) {
  const UInt chunk = number / roundsOfChunk(l), round = number % roundsOfChunk(l);
  const Place place = placeOf(l, round);
  const UInt piece = chunk * plan_.piecesInChunk + place.within, along = piece * l.inPiece();
  std::vector<Id> arguments{l.isA() ? place.line : along, l.isA() ? along : place.line};
  arguments.insert(arguments.end(), numbers.begin(), numbers.end());
  const Id words = buffer_.typeWords();
  return code_.make<op::FunctionCall>(words, {.function = function, .arguments = arguments});
}

// Loads the pieces in a loop, in which they stay values. Without it, drivers keep the addresses of all
// elements in registers during the module's own loop.
std::vector<Id> PieceOperands::loadInTurn(const SoftwareLayout& l, Id function,
                                          const std::vector<Id>& numbers) {
  const Id words = buffer_.typeWords(), boolean = code_.globals.typeBool(),
           conditions = code_.globals.typeVector(boolean, 4), none = code_.globals.undef(words);
  const UInt count = code_.u32(l.rowsHeld);
  if (l.rowsHeld == 1) {
    const UInt first = code_.u32(0);
    return {loadPiece(l, function, numbers, first)};
  }
  const std::vector<Id> undefined(l.rowsHeld, none);
  return loop(code_, count, Unroll::No, undefined, [&](const UInt& number, std::vector<Id>& pieces) {
    const Id piece = loadPiece(l, function, numbers, number);
    for (uint32_t n = 0; n < l.rowsHeld; ++n) {
      const Bool isIt = equal(number, n);
      const std::vector<Word> each(4, isIt);
      const Id condition = code_.make<op::CompositeConstruct>(conditions, {.constituents = each});
      pieces[n] =
          code_.make<op::Select>(words, {.condition = condition, .object1 = piece, .object2 = pieces[n]});
    }
  });
}

bool PieceOperands::load(const Instruction& i) {
  const SoftwareLayout& l = *plan_.of(i.type);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  const TensorFunction* t = tensorFunction(options_, call.func());
  if (t == nullptr) return refuse(Refusal::Unsupported, "an operand that no tensor load makes");
  std::vector<Id> numbers;
  for (const Id number : call.operands()) numbers.push_back(number);
  const Bool wide = mayBeWide(*t, numbers);
  const Instruction* known = code_.globals.definition(wide);
  const bool straight = known != nullptr && l.rowsHeld <= kStraightPieces;
  ComponentResult result(code_, l, !straight);
  const Id function = t->function, wideFunction = t->wide;
  const auto loadWide = [&] {
    walk_.repeat(l.rowsHeld, l.rowsHeld <= kStraightPieces, [&](const UInt& number) {
      result.setElement(number, loadPiece(l, wideFunction, numbers, number));
    });
  };
  const auto loadElements = [&] {
    const Id byElements = loadByElements(l, function, numbers);
    if (l.rowsHeld <= kStraightPieces) {
      const std::vector<Id> pieces = loadInTurn(l, byElements, numbers);
      for (uint32_t n = 0; n < l.rowsHeld; ++n) {
        const UInt number = code_.u32(n);
        result.setElement(number, pieces[n]);
      }
      return;
    }
    walk_.repeat(l.rowsHeld, false, [&](const UInt& number) {
      result.setElement(number, loadPiece(l, byElements, numbers, number));
    });
  };
  if (known != nullptr) {
    known->op() == spv::Op::OpConstantTrue ? loadWide() : loadElements();
  } else {
    const Bool notWide = !wide;
    ifThen(code_, wide, loadWide);
    ifThen(code_, notWide, loadElements);
  }
  result.finish(i.result, false);
  note("a load of a " + describe(l.of), std::to_string(l.rowsHeld) + " loads of 16 bytes by each invocation");
  return true;
}

ProductOperand PieceOperands::operandOf(const Product& p, bool isA) {
  using Bit = spv::CooperativeMatrixOperandsMask;
  ProductOperand o;
  o.layout = isA ? p.a : p.b;
  o.isSigned = p.is(isA ? Bit::MatrixASignedComponentsKHR : Bit::MatrixBSignedComponentsKHR);
  o.laneAcross = isA ? p.lane.row : p.lane.column;
  o.lanesAcross = isA ? p.result->rowLanes : p.result->columnLanes;
  o.heldAcross = isA ? p.result->rowsHeld : p.result->columnsHeld;
  o.together = p.staging.togetherA;
  o.read.vector = kPieceBits / 32;
  o.read.stride = 1;
  const uint32_t line = p.staging.strideA / o.read.vector;
  o.read.vectorStride = o.lanesAcross * line;
  o.write = o.read;
  o.write.vectorStride = line;
  const UInt area = buffer_.sharedBase(*p.result, o.read.vector);
  o.write.origin = area + (isA ? 0 : p.staging.baseB / o.read.vector);
  o.read.origin = o.write.origin + o.laneAcross * line;
  return o;
}

// A piece of 16-bit floats as two vectors of 32-bit ones. Word by word, because SPIRV-Cross writes no GLSL
// for a bit cast of two words to four halves.
std::vector<Id> PieceOperands::widen(const Product& p, const ProductOperand& o, Id piece) {
  const Id u32 = code_.globals.typeU32(), words = buffer_.typeWords();
  const Id halves = code_.globals.typeVector(o.layout->of.component, 2);
  const Id four = code_.globals.typeVector(p.sum, 4);
  std::vector<Id> vectors;
  for (uint32_t n = 0; n < 2; ++n) {
    std::vector<Id> pairs;
    for (uint32_t k = 0; k < 2; ++k) {
      const Id word = code_.extract(u32, piece, {2 * n + k});
      const Id pair = code_.make<op::Bitcast>(halves, {word});
      pairs.push_back(sums_.toSum(p, *o.layout, o.isSigned, pair, 2));
    }
    const Id wide = code_.make<op::CompositeConstruct>(four, {.constituents = pairs});
    vectors.push_back(code_.make<op::Bitcast>(words, {wide}));
  }
  return vectors;
}

void PieceOperands::stage(const Product& p, const ProductOperand& o, const ComponentSource& from,
                          const UInt& chunk) {
  const SoftwareLayout& l = *o.layout;
  const uint32_t rounds = roundsOfChunk(l), vectors = p.staging.widens ? 2 : 1;
  const bool straight = rounds <= kStraightPieces && code_.globals.constantValue(chunk).has_value();
  walk_.repeat(rounds, straight, [&](const UInt& round) {
    const Place place = placeOf(l, round);
    const UInt number = chunk * rounds + round;
    const auto store = [&] {
      const UInt at = o.write.origin + place.line * o.write.vectorStride + place.within * vectors;
      const Id piece = from.element(number);
      if (!p.staging.widens) return buffer_.storeVector(at, piece);
      const std::vector<Id> wide = widen(p, o, piece);
      for (uint32_t n = 0; n < vectors; ++n) {
        const UInt position = at + n;
        buffer_.storeVector(position, wide[n]);
      }
    };
    if (Id(place.exists))
      ifThen(code_, place.exists, store);
    else
      store();
  });
}

// The numbers or words in a vector.
std::vector<Id> PieceOperands::split(const Product& p, const ProductOperand& o, Id vector) {
  const Id u32 = code_.globals.typeU32();
  const Id component = p.staging.widens ? p.sum : o.layout->of.component;
  const uint32_t inWord = p.staging.widens ? 1 : 32 / o.layout->of.componentBits;
  const Id type = code_.globals.typeNumbers(component, inWord);
  std::vector<Id> factors;
  for (uint32_t n = 0; n < kPieceBits / 32; ++n) {
    const Id word = code_.extract(u32, vector, {n});
    if (p.packing() == Packing::Bytes) {
      factors.push_back(word);
      continue;
    }
    const Id numbers = code_.make<op::Bitcast>(type, {word});
    if (p.packing() == Packing::Pairs || inWord == 1) {
      factors.push_back(numbers);
      continue;
    }
    for (uint32_t k = 0; k < inWord; ++k) factors.push_back(code_.extract(component, numbers, {k}));
  }
  return factors;
}

std::vector<std::vector<Id>> PieceOperands::loadFactors(const Product& p, const ProductOperand& o,
                                                        const UInt& position, uint32_t first,
                                                        uint32_t count) {
  const bool isA = o.layout == p.a;
  std::vector<std::vector<Id>> factors;
  for (uint32_t held = first; held < first + count; ++held) {
    UInt at = position + held * o.read.vectorStride;
    if (!isA && p.result->isMasked() && held + 1 == o.heldAcross) {
      // Invocations without a column beyond the others read the first one.
      const UInt column = o.laneAcross + held * o.lanesAcross, line = column * o.write.vectorStride;
      const UInt zero = code_.u32(0), used = select(column < o.layout->of.columns, line, zero);
      const UInt own = o.laneAcross * o.write.vectorStride, begin = position - own;
      at = begin + used;
    }
    const std::vector<Id> line = split(p, o, buffer_.loadVector(at));
    factors.resize(line.size());
    for (size_t k = 0; k < line.size(); ++k) factors[k].push_back(line[k]);
  }
  return factors;
}

}  // namespace coopc::spirv::lower
