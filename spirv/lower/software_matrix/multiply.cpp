// Multiply-add. An invocation computes its K x U components of the result as a register tile: for each k it
// reads the K elements of A and the U elements of B in its rows and columns, and adds K U products. A and B
// pass through workgroup memory, converted to the type of the sums, in chunks of k if they do not fit. If
// there is too little workgroup memory, they pass by shuffles.
//
// Sums are 32-bit floats for floats of up to 32 bits, otherwise integers or floats of the width of the widest
// matrix: "the internal precision of floating-point operations is defined by the client API", and the low
// bits of integers are right whatever the order and width (SPV_KHR_cooperative_matrix,
// OpCooperativeMatrixMulAddKHR).
//
// Two kinds of products have packed arithmetic (Packing). If all matrices have 16-bit floats, sums are pairs
// of them in neighboring columns: they take half the registers of 32-bit floats, and devices multiply and
// add two at once. Such sums are rounded after each product. If both fit into registers, they start with 0
// and C is added at the end: the sum of many multiply-adds is then rounded once for each of them, as in
// matrix units. 8-bit integers are multiplied four at a time if the device has dot products of them.
#include "spirv/lower/software_matrix/multiply.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

namespace {

// Up to this many components of an operand are written to workgroup memory without a loop.
constexpr uint32_t kStraightStaging = 64;
// The most products in the body of the loop over k after the driver has unrolled it. It determines how many k
// the body handles: a device can read the operands of the next k while it computes the products of one.
constexpr uint32_t kProductsInBody = 256;
// The registers that the device with the fewest has, Apple's M1; others hold more subgroups at once with
// fewer. Besides values, its compiler needs about 20 (advice/processor.cpp, ownRegisters and slackRegisters),
// and counts in steps of 8.
constexpr uint32_t kFewestRegisters = 128, kOtherRegisters = 24;
// The most registers for sums and operands in pieces in that body, if drivers load all of A first.
constexpr uint32_t kRegistersInBody = kFewestRegisters - kOtherRegisters;
// The limit kStraightStaging for drivers that do not unroll loops. A CPU driver makes a loop of each memory
// access, and the time to compile these grows with the square of their number. The loop over k then handles
// one k at a time.
constexpr uint32_t kStraightStagingRolled = 2;

}  // namespace

// Adds the products for one k, or word. One operand consists of vectors, like the sums, the other one of
// single numbers.
void Products::addLines(const Product& p, const std::vector<Id>& vectors, const std::vector<Id>& numbers,
                        std::vector<Id>& sums) {
  for (uint32_t line = 0; line < p.lines(); ++line) {
    const Id number = numbers[line];
    Id repeated;  // the number as a vector
    for (uint32_t n = 0; n < p.vectorsInLine(); ++n) {
      Id& sum = sums[line * p.vectorsInLine() + n];
      const uint32_t size = p.sizeOf(n);
      if (size == 1) {
        sum = sums_.addProduct(p, p.down ? vectors[n] : number, p.down ? number : vectors[n], sum);
        continue;
      }
      const Id type = code_.globals.typeVector(p.sum, size);
      Id product;
      if (p.real) {
        product = code_.make<op::VectorTimesScalar>(type, {.vector = vectors[n], .scalar = number});
      } else {
        if (!repeated || size != p.width) {
          const std::vector<Word> parts(size, number);
          repeated = code_.make<op::CompositeConstruct>(type, {.constituents = parts});
        }
        product = code_.make<op::IMul>(type, {vectors[n], repeated});
      }
      sum = code_.make<op::Binary>(p.real ? spv::Op::OpFAdd : spv::Op::OpIAdd, type, {sum, product});
    }
  }
}

// Adds the products for the vectors of operands in pieces at two places in workgroup memory.
void Products::addPieces(const Product& p, const ProductOperand& a, const ProductOperand& b,
                         const UInt& lineA, const UInt& lineB, std::vector<Id>& sums) {
  const auto left = pieces_.loadFactors(p, a, lineA, 0, a.heldAcross);
  // One or two columns at a time, which takes fewer registers than all of them.
  for (uint32_t first = 0; first < b.heldAcross; first += p.width) {
    const uint32_t count = std::min(p.width, b.heldAcross - first);
    const auto right = pieces_.loadFactors(p, b, lineB, first, count);
    for (size_t k = 0; k < left.size(); ++k) {
      const Id factor = sums_.joinInVectors(p, p.sum, right[k])[0];
      for (uint32_t row = 0; row < a.heldAcross; ++row) {
        Id& sum = sums[row * p.vectorsInLine() + first / p.width];
        if (count == 1) {
          sum = sums_.addProduct(p, left[k][row], factor, sum);
          continue;
        }
        const Id type = code_.globals.typeVector(p.sum, count), number = left[k][row];
        const Id product = code_.make<op::VectorTimesScalar>(type, {.vector = factor, .scalar = number});
        sum = code_.make<op::FAdd>(type, {sum, product});
      }
    }
  }
}

// Adds the products for `count` values of k.
void Products::addProducts(const Product& p, const ProductOperand& a, const ProductOperand& b,
                           const UInt& count, std::vector<Id>& sums) {
  const uint32_t atOnce = p.staging.together();  // steps along K
  const Id component = p.packing() == Packing::Bytes ? p.staged : p.sum;
  const auto add = [&](const UInt& lineA, const UInt& lineB, std::vector<Id>& to) {
    if (p.staging.pieces) return addPieces(p, a, b, lineA, lineB, to);
    const auto left = staging_.loadFactors(p, a, lineA, atOnce),
               right = staging_.loadFactors(p, b, lineB, atOnce);
    for (uint32_t k = 0; k < atOnce; ++k) {
      const std::vector<Id> numbers =
          sums_.splitVectors(p, p.down ? right[k] : left[k], component, p.lines());
      addLines(p, p.down ? left[k] : right[k], numbers, to);
    }
  };
  const auto lineOf = [&](const ProductOperand& o, NamedUInt first, NamedUInt number, NamedUInt step) {
    const UInt size = code_.u32(atOnce / o.together * o.read.stride) * step;
    return UInt(first + number * size);
  };
  // Adds the products of `batches` times `atOnce` steps along K, from `lineA` and `lineB` on.
  const auto addAll = [&](NamedUInt lineA, NamedUInt lineB, NamedUInt batches, Unroll unroll,
                          std::vector<Id>& to) {
    const UInt one = code_.u32(1);
    to = loop(code_, batches, unroll, to, [&](const UInt& number, std::vector<Id>& carried) {
      const UInt ofA = lineOf(a, lineA, number, one), ofB = lineOf(b, lineB, number, one);
      add(ofA, ofB, carried);
    });
  };
  const UInt batches = count / atOnce;
  // For small tiles, the driver should unroll some k, but not all, so that its code stays small.
  uint32_t each = 1;
  // Instructions that multiply, and registers of operands in pieces.
  const uint32_t work = p.sums() * atOnce / (p.staging.pieces ? p.productsAtOnce() : 1);
  const uint32_t read = p.staging.pieces ? (p.staging.rows + p.width) * p.staging.vectorA : 0;
  const std::optional<uint32_t> known = code_.globals.constantValue(batches);
  const auto fits = [&](uint32_t unrolled) {
    return work * unrolled <= kProductsInBody &&
           (read == 0 || p.sums() + read * unrolled <= kRegistersInBody);
  };
  if (options_.unroll == Unroll::Yes && known) {
    while (each < *known && *known % (2 * each) == 0 && fits(2 * each)) each *= 2;
  }
  if (each == 1) return addAll(a.read.origin, b.read.origin, batches, Unroll::No, sums);
  if (each == known) return addAll(a.read.origin, b.read.origin, batches, Unroll::Yes, sums);
  const UInt step = code_.u32(each), rounds = code_.u32(*known / each);
  sums = loop(code_, rounds, Unroll::No, sums, [&](const UInt& round, std::vector<Id>& carried) {
    const UInt lineA = lineOf(a, a.read.origin, round, step), lineB = lineOf(b, b.read.origin, round, step);
    addAll(lineA, lineB, step, Unroll::Yes, carried);
  });
}

// The same with the sums in an array and each factor read when it is needed, for tiles that do not fit into
// registers.
void Products::addProductsInMemory(const Product& p, const ProductOperand& a, const ProductOperand& b,
                                   const UInt& count, Id sums) {
  const auto factor = [&](const ProductOperand& o, const UInt& k, const UInt& held) -> Id {
    const UInt stride = code_.u32(o.read.stride), vector = code_.u32(o.read.vector),
               vectorStride = code_.u32(o.read.vectorStride);
    const UInt at = o.read.origin + k * stride + held / vector * vectorStride;
    if (o.read.vector == 1) return staging_.loadSum(p, at);
    const UInt within = held % vector;
    const Id word = buffer_.loadWord(at, within);
    return p.staged == code_.globals.typeU32() ? word : code_.make<op::Bitcast>(p.staged, {word});
  };
  loop(code_, count, Unroll::No, [&](const UInt& k) {
    const UInt rows = code_.u32(a.heldAcross), columns = code_.u32(b.heldAcross);
    loop(code_, rows, Unroll::No, [&](const UInt& w) {
      const Id left = factor(a, k, w);
      loop(code_, columns, Unroll::No, [&](const UInt& u) {
        const Id right = factor(b, k, u);
        const Pointer sum = code_.access(spv::StorageClass::Function, p.sum, sums, {w * columns + u});
        sum.store(sums_.addProduct(p, left, right, sum.load()));
      });
    });
  });
}

// The number of k in the chunk.
UInt Products::chunkLength(const Product& p, const UInt& chunk) {
  const uint32_t inner = p.staging.inner, length = p.staging.chunk;
  if (p.staging.chunks == 1) return code_.u32(inner);
  const UInt whole = code_.u32(length);
  if (inner % length == 0) return whole;
  const UInt left = inner - chunk * whole;
  return select(left < whole, left, whole);
}

// An operand's components, converted, in an array.
Id Products::convertArray(const Product& p, const ProductOperand& o, Id value) {
  const Id array = code_.globals.typeArray(p.sum, o.layout->components()),
           variable = code_.localVariable(array);
  const ComponentSource from(code_, *o.layout, value, o.layout->components() > kStraightStaging);
  walk_.repeat(o.layout->components(), o.layout->components() <= kStraightStaging, [&](const UInt& index) {
    const Id component = from.at(index), converted = sums_.toSum(p, *o.layout, o.isSigned, component, 1);
    code_.access(spv::StorageClass::Function, p.sum, variable, {index}).store(converted);
  });
  return variable;
}

// The components of an operand that this invocation needs for one k, from the invocation with the same lane
// across that holds k. The component's number is the same in all invocations.
std::vector<Id> Products::shuffleFactors(const Product& p, const ProductOperand& o, Id array, const UInt& k) {
  const SoftwareLayout& l = *o.layout;
  const UInt lanes = code_.u32(o.lanesAlong), lane = k % lanes, along = k / lanes;
  const bool isA = o.layout == p.a;
  const UInt &row = isA ? o.laneAcross : lane, &column = isA ? lane : o.laneAcross;
  const UInt &slow = l.columnsFirst ? row : column, &fast = l.columnsFirst ? column : row;
  const UInt owner = slow * (l.columnsFirst ? l.columnLanes : l.rowLanes) + fast;
  const UInt first = along * o.stepAlong;
  const Id scope = code_.u32(uint32_t(spv::Scope::Subgroup));
  std::vector<Id> factors;
  for (uint32_t held = 0; held < o.heldAcross; ++held) {
    const UInt index = first + held * o.stepAcross;
    const Id value = code_.access(spv::StorageClass::Function, p.sum, array, {index}).load();
    factors.push_back(code_.make<op::GroupNonUniformShuffle>(
        p.sum, {.execution = scope, .value = value, .invocationId = owner}));
  }
  return factors;
}

void Products::addShuffledProducts(const Product& p, const ProductOperand& a, const ProductOperand& b,
                                   std::vector<Id>& sums) {
  code_.preamble.capability(spv::Capability::GroupNonUniform);
  code_.preamble.capability(spv::Capability::GroupNonUniformShuffle);
  const Id left = convertArray(p, a, p.valueA), right = convertArray(p, b, p.valueB);
  const Id inner = code_.u32(p.a->of.columns);
  sums = loop(code_, inner, options_.unroll, sums, [&](const UInt& k, std::vector<Id>& carried) {
    const std::vector<Id> x = shuffleFactors(p, a, left, k), y = shuffleFactors(p, b, right, k);
    const std::vector<Id> vectors = sums_.joinInVectors(p, p.sum, p.down ? x : y);
    addLines(p, vectors, p.down ? y : x, carried);
  });
}

// The factor that one line of an operand contributes to products with inner index k: a component converted to
// the type of the sums, or the word that begins with it.
Id Products::wholeFactor(const Product& p, const ProductOperand& o, const ComponentSource& from,
                         uint32_t across, uint32_t k) {
  const uint32_t number = across * p.a->of.columns + k;
  if (p.packing() == Packing::Bytes) {
    const Id four = from.element(code_.u32(number / 4));
    return code_.make<op::Bitcast>(p.staged, {four});
  }
  const Id value = from.at(code_.u32(number));
  return sums_.toSum(p, *o.layout, o.isSigned, value, 1);
}

void Products::addWholeLines(const Product& p, const ProductOperand& a, const ProductOperand& b,
                             std::vector<Id>& sums) {
  const ComponentSource fromA(code_, *p.a, p.valueA, false), fromB(code_, *p.b, p.valueB, false);
  const uint32_t step = p.packing() == Packing::Bytes ? 4 : 1;
  for (uint32_t k = 0; k < p.a->of.columns; k += step) {
    std::vector<Id> rows, columns;
    for (uint32_t w = 0; w < p.a->rowsHeld; ++w) rows.push_back(wholeFactor(p, a, fromA, w, k));
    for (uint32_t u = 0; u < p.b->columnsHeld; ++u) columns.push_back(wholeFactor(p, b, fromB, u, k));
    const std::vector<Id> vectors = sums_.joinInVectors(p, p.sum, p.down ? rows : columns);
    addLines(p, vectors, p.down ? columns : rows, sums);
  }
}

void Products::addStagedProducts(const Product& p, const ProductOperand& a, const ProductOperand& b,
                                 Id sumsArray, std::vector<Id>& sums) {
  const bool oneChunk = p.staging.chunks == 1;
  const uint32_t most = options_.unroll == Unroll::Yes ? kStraightStaging : kStraightStagingRolled;
  const bool lateA = plan_.late.contains(p.valueA), lateB = plan_.late.contains(p.valueB);
  const bool straightA = oneChunk && p.a->components() <= most && !lateA;
  const bool straightB = oneChunk && p.b->components() <= most && !lateB;
  const ComponentSource fromA =
      lateA ? elements_.lateSource(p.valueA) : ComponentSource(code_, *p.a, p.valueA, !straightA);
  const ComponentSource fromB =
      lateB ? elements_.lateSource(p.valueB) : ComponentSource(code_, *p.b, p.valueB, !straightB);
  const Id chunks = code_.u32(p.staging.chunks);
  const auto body = [&](const UInt& chunk, std::vector<Id>& carried) {
    if (p.staging.pieces) {
      pieces_.stage(p, a, fromA, chunk);
      pieces_.stage(p, b, fromB, chunk);
    } else {
      staging_.stageOperand(p, a, fromA, chunk, straightA);
      staging_.stageOperand(p, b, fromB, chunk, straightB);
    }
    buffer_.barrier(p.result->of.scope);
    const UInt count = chunkLength(p, chunk);
    if (sumsArray)
      addProductsInMemory(p, a, b, count, sumsArray);
    else
      addProducts(p, a, b, count, carried);
    buffer_.barrier(p.result->of.scope);
  };
  if (oneChunk) {
    body(code_.u32(0), sums);
  } else {
    // Without arrays, which a chunk would index, the loop stays one.
    sums = loop(code_, chunks, lateA && lateB ? Unroll::No : options_.unroll, sums, body);
  }
}

// False if the module is refused.
bool Products::readProduct(const Instruction& i, Product& p) {
  const op::CooperativeMatrixMulAddKHR product(m_, i);
  p.valueA = product.a(), p.valueB = product.b(), p.valueC = product.c();
  p.operands = uint32_t(product.cooperativeMatrixOperands());
  const MatrixType &a = p.a->of, &b = p.b->of, &c = p.c->of, &result = p.result->of;
  uint32_t reals = 0;
  for (const MatrixType* type : {&a, &b, &c, &result}) {
    reals += m_.def(type->component)->op() == spv::Op::OpTypeFloat ? 1 : 0;
    p.sumBits = std::max(p.sumBits, type->componentBits);
  }
  const bool sizes = a.rows == result.rows && b.columns == result.columns && a.columns == b.rows &&
                     c.rows == result.rows && c.columns == result.columns && a.scope == result.scope &&
                     b.scope == result.scope && c.scope == result.scope;
  using Use = spv::CooperativeMatrixUse;
  const bool uses = a.use == Use::MatrixAKHR && b.use == Use::MatrixBKHR &&
                    c.use == Use::MatrixAccumulatorKHR && result.use == Use::MatrixAccumulatorKHR;
  if (!sizes || !uses || (reals != 0 && reals != 4)) {
    refuse(Refusal::Unsupported,
           "a multiply-add of a " + describe(a) + " by a " + describe(b) + " to a " + describe(result));
    return false;
  }
  p.real = reals != 0;
  p.staging = plan_.planMultiply(*p.a, *p.b, *p.c, *p.result);
  // Shuffles exchange components, not words.
  if (p.staging.words == 0 && !p.a->whole) p.staging.packing = Packing::One;
  if (p.packing() == Packing::Halves) p.sumBits = 16;
  p.sum = p.real ? code_.globals.type<op::TypeFloat>({.width = p.sumBits})
                 : code_.globals.type<op::TypeInt>({.width = p.sumBits, .signedness = 0});
  const Id u32 = code_.globals.typeU32();
  p.staged = p.packing() == Packing::One ? p.sum : u32;
  // Devices multiply two halves at once.
  if (p.packing() != Packing::One || p.staging.pieces) p.width = p.packing() == Packing::Halves ? 2 : 1;
  // Vectors of sums lie along rows if elements of the arrays are parts of rows; otherwise in the direction
  // with fewer instructions for a k: two for each vector of sums, and one for each number of the operand that
  // is not used in vectors.
  const auto cost = [&](uint32_t lines, uint32_t inLine) {
    return lines * (1 + 2 * ((inLine + p.width - 1) / p.width));
  };
  const uint32_t rows = p.result->rowsHeld, columns = p.result->columnsHeld;
  p.down = p.result->packed == 1 && !p.staging.pieces && cost(columns, rows) < cost(rows, columns);
  if (p.staging.words == 0 && !p.a->whole && p.result->components() > kMostSumsInRegisters) {
    refuse(Refusal::Limit, "a multiply-add to a " + describe(result) +
                               " by shuffles: " + std::to_string(p.result->components()) +
                               " components in each invocation, lowering takes " +
                               std::to_string(kMostSumsInRegisters));
    return false;
  }
  return true;
}

// The components of an accumulator that are in a vector of sums.
Id Products::vectorOf(const Product& p, const SoftwareLayout& l, const ComponentSource& from, uint32_t line,
                      uint32_t vector) {
  const uint32_t size = p.sizeOf(vector), place = vector * p.width;
  const bool elements = !p.down && size % l.packed == 0;
  std::vector<Word> parts;
  for (uint32_t n = 0; n < size; n += elements ? l.packed : 1) {
    const uint32_t component = p.component(line, place + n);
    const UInt index = code_.u32(elements ? component / l.packed : component);
    parts.push_back(elements ? from.element(index) : from.at(index));
  }
  if (parts.size() == 1) return parts[0].id();
  const Id type = code_.globals.typeVector(l.of.component, size);
  return code_.make<op::CompositeConstruct>(type, {.constituents = parts});
}

// Sets the components of an accumulator that are in a vector of sums.
void Products::setVector(const Product& p, ComponentResult& result, uint32_t line, uint32_t vector,
                         Id value) {
  const SoftwareLayout& l = *p.result;
  const uint32_t size = p.sizeOf(vector), place = vector * p.width;
  const bool elements = !p.down && size % l.packed == 0;
  const uint32_t each = elements ? l.packed : 1;
  for (uint32_t n = 0; n < size; n += each) {
    const uint32_t component = p.component(line, place + n);
    const UInt index = code_.u32(component / each);
    const Id type = code_.globals.typeNumbers(l.of.component, each);
    Id part = value;
    if (each == 1 && size != 1)
      part = code_.extract(type, value, {n});
    else if (each != size)
      part =
          code_.make<op::VectorShuffle>(type, {.vector1 = value, .vector2 = value, .components = {n, n + 1}});
    if (elements)
      result.setElement(index, part);
    else
      result.set(index, part);
  }
}

// The sums as values: they start with C, or with 0.
std::vector<Id> Products::makeFirstSums(const Product& p, const ComponentSource& addends) {
  const bool isSigned = p.is(spv::CooperativeMatrixOperandsMask::MatrixCSignedComponentsKHR);
  std::vector<Id> sums;
  for (uint32_t line = 0; line < p.lines(); ++line) {
    for (uint32_t n = 0; n < p.vectorsInLine(); ++n) {
      const uint32_t size = p.sizeOf(n);
      if (p.addsLast()) {
        const Id type = code_.globals.typeNumbers(p.sum, size);
        sums.push_back(size == 1 ? code_.globals.scalar(type, 0) : code_.globals.null(type));
      } else {
        const Id value = vectorOf(p, *p.c, addends, line, n);
        sums.push_back(sums_.toSum(p, *p.c, isSigned, value, size));
      }
    }
  }
  return sums;
}

// Adds C to sums as values, if that has not been done, and sets the components of the result.
void Products::finishSums(const Product& p, const ComponentSource& addends, const std::vector<Id>& sums,
                          ComponentResult& result) {
  const bool isSigned = p.is(spv::CooperativeMatrixOperandsMask::MatrixCSignedComponentsKHR);
  for (uint32_t line = 0; line < p.lines(); ++line) {
    for (uint32_t n = 0; n < p.vectorsInLine(); ++n) {
      const uint32_t size = p.sizeOf(n);
      Id sum = sums[line * p.vectorsInLine() + n];
      if (p.addsLast() && !p.saturates()) {
        const Id type = code_.globals.typeNumbers(p.sum, size), more = vectorOf(p, *p.c, addends, line, n);
        sum = code_.make<op::FAdd>(type, {sum, more});
      }
      if (!p.saturates()) {
        const Id value = sums_.fromSum(p, sum, size);
        setVector(p, result, line, n, value);
        continue;
      }
      for (uint32_t part = 0; part < size; ++part) {
        const UInt index = code_.u32(p.component(line, n * p.width + part));
        const Id more = addends.at(index), addend = sums_.toSum(p, *p.c, isSigned, more, 1);
        const Id one = size == 1 ? sum : code_.extract(p.sum, sum, {part});
        const Id total = sums_.addSaturating(p, one, addend), value = sums_.fromSum(p, total, 1);
        result.set(index, value);
      }
    }
  }
}

bool Products::multiplyAdd(const Instruction& i) {
  using Bit = spv::CooperativeMatrixOperandsMask;
  Product p;
  const op::CooperativeMatrixMulAddKHR product(m_, i);
  p.a = layoutOf(product.a()), p.b = layoutOf(product.b()), p.c = layoutOf(product.c());
  p.result = plan_.of(i.type);
  if (p.a == nullptr || p.b == nullptr || p.c == nullptr || p.result == nullptr) return false;
  if (!readProduct(i, p)) return true;
  const bool shared = p.staging.words != 0;
  p.lane = walk_.lane(*p.result);
  const auto operandOf = [&](bool isA) {
    return p.staging.pieces ? pieces_.operandOf(p, isA) : staging_.operandOf(p, isA);
  };
  const ProductOperand left = operandOf(true), right = operandOf(false);
  const bool saturating = p.saturates();
  const bool inMemory = shared && p.sums() > kMostSumsInRegisters;
  const uint32_t components = p.result->components();
  const ComponentSource addends(code_, *p.c, p.valueC, inMemory);
  const auto addend = [&](const UInt& index) {
    const Id value = addends.at(index);
    return sums_.toSum(p, *p.c, p.is(Bit::MatrixCSignedComponentsKHR), value, 1);
  };
  std::vector<Id> sums;
  Id array;
  if (inMemory) {
    const Id type = code_.globals.typeArray(p.sum, components), zero = code_.globals.scalar(p.sum, 0);
    array = code_.localVariable(type);
    walk_.repeat(components, false, [&](const UInt& index) {
      const Id value = saturating ? zero : addend(index);
      code_.access(spv::StorageClass::Function, p.sum, array, {index}).store(value);
    });
  } else {
    sums = makeFirstSums(p, addends);
  }
  if (p.a->whole)
    addWholeLines(p, left, right, sums);
  else if (shared)
    addStagedProducts(p, left, right, array, sums);
  else
    addShuffledProducts(p, left, right, sums);
  ComponentResult out(code_, *p.result, inMemory);
  if (inMemory) {
    walk_.repeat(components, false, [&](const UInt& index) {
      Id value = code_.access(spv::StorageClass::Function, p.sum, array, {index}).load();
      if (saturating) value = sums_.addSaturating(p, value, addend(index));
      out.set(index, sums_.fromSum(p, value, 1));
    });
  } else {
    finishSums(p, addends, sums, out);
  }
  out.finish(i.result, plan_.hasEqualColumns(i.result));
  noteProduct(p, inMemory);
  const double share = scalarShare(p);
  report_.scalarShare = report_.scalarShare == 0 ? share : std::min(report_.scalarShare, share);
  return true;
}

// A fit to the measurements in docs/records/nvidia-h200-lowered.md ("Plain code"). Their scalar shader has 8
// x 8 sums per invocation.
double Products::scalarShare(const Product& p) const {
  // More sums than fit into registers: with 256 of them the measured share was 0.16.
  constexpr double kMostRegisters = 192, kOfSpilled = 0.16;
  const uint32_t registersOfSum = p.sumBits > 32 ? 2 : 1;
  if (p.sums() * registersOfSum > kMostRegisters) return kOfSpilled;
  // Vectors that are read for a k. If lines are whole, the module reads operands itself and uses each of them
  // several times.
  constexpr double kReadsOfWholeLine = 0.2;
  const MultiplyStaging& s = p.staging;
  const auto reads = [&](uint32_t words, uint32_t together, uint32_t vector) {
    return double((words * together + vector - 1) / vector) * s.wordsPerElement / together;
  };
  const double read = p.a->whole ? kReadsOfWholeLine * (p.result->rowsHeld + p.result->columnsHeld) *
                                       p.sums() / p.result->components()
                      : s.pieces ? double(s.rows + s.columns) / s.togetherA * p.productsAtOnce()
                      : s.words == 0
                          ? p.a->rowsHeld + p.b->columnsHeld
                          : reads(s.rows, s.togetherA, s.vectorA) + reads(s.columns, s.togetherB, s.vectorB);
  // The time for each instruction that multiplies, relative to the scalar shader's for a product, and the
  // gain from computing several products at once.
  // A dot product of 16-bit floats has not been measured.
  constexpr double kOfMultiply = 1.1, kOfRead = 4.5, kGain[] = {1, 1.3, 1.5, 1.3};
  return kGain[size_t(p.packing())] / (kOfMultiply + kOfRead * read / p.sums());
}

void Products::noteProduct(const Product& p, bool inMemory) {
  const MatrixType &a = p.a->of, &b = p.b->of, &result = p.result->of;
  std::string into = std::string(p.a->whole ? "" : "a loop over k with ") + "a tile of " +
                     std::to_string(p.result->rowsHeld) + "x" + std::to_string(p.result->columnsHeld) +
                     (inMemory ? " sums in memory (more than registers hold), " : " sums in registers, ") +
                     (p.packing() == Packing::Halves  ? "two at a time, "
                      : p.packing() == Packing::Bytes ? "four k at a time, "
                      : p.packing() == Packing::Pairs ? "two k at a time, "
                                                      : "");
  if (p.a->whole)
    into += "operands in registers";
  else if (p.staging.words == 0)
    into += "operands by shuffles";
  else
    into += (p.staging.pieces ? "pieces of operands through " : "operands through ") +
            std::to_string(p.staging.words * 4) + " bytes of workgroup memory" +
            (p.result->of.scope == spv::Scope::Subgroup ? " of each subgroup" : "") +
            (p.staging.chunks > 1 ? " in " + std::to_string(p.staging.chunks) + " chunks" : "");
  note("multiply-add " + std::to_string(a.rows) + "x" + std::to_string(b.columns) + "x" +
           std::to_string(a.columns) + " of a " + describe(a) + " to a " + describe(result),
       std::move(into));
}

}  // namespace coopc::spirv::lower
