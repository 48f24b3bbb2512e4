// The operands of a multiplication in workgroup memory: how an invocation writes its components, as words
// that are ready to multiply, and how it reads the words for its sums. MultiplyStaging describes their
// layout.
#include "spirv/lower/software_matrix/product_staging.hpp"

#include <algorithm>
#include <numeric>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

namespace {

// How many components of a late operand an iteration loads. More would hide more of their latency, and take
// more registers.
constexpr uint32_t kLoadsInFlight = 16;

// How many components a staged word has.
uint32_t inWord(const Product& p) {
  return p.packing() == Packing::Bytes ? 4 : p.packing() == Packing::Halves ? 2 : 1;
}

}  // namespace

ProductOperand ProductStaging::operandOf(const Product& p, bool isA) {
  using Bit = spv::CooperativeMatrixOperandsMask;
  ProductOperand o;
  const SoftwareLayout& l = isA ? *p.a : *p.b;
  o.layout = &l;
  o.together = isA ? p.staging.togetherA : p.staging.togetherB;
  o.isSigned = p.is(isA ? Bit::MatrixASignedComponentsKHR : Bit::MatrixBSignedComponentsKHR);
  if (isA) {
    o.laneAlong = p.lane.column, o.lanesAlong = l.columnLanes, o.heldAlong = l.columnsHeld, o.stepAlong = 1;
    o.laneAcross = p.lane.row, o.lanesAcross = l.rowLanes, o.heldAcross = l.rowsHeld,
    o.stepAcross = l.columnsHeld;
  } else {
    o.laneAlong = p.lane.row, o.lanesAlong = l.rowLanes, o.heldAlong = l.rowsHeld,
    o.stepAlong = l.columnsHeld;
    o.laneAcross = p.lane.column, o.lanesAcross = l.columnLanes, o.heldAcross = l.columnsHeld,
    o.stepAcross = 1;
  }
  o.wordsAlong = p.packing() == Packing::Bytes ? o.heldAlong / 4 : o.heldAlong;
  o.wordsAcross = isA ? p.staging.rows : p.staging.columns;
  if (p.staging.words == 0) return o;
  const uint32_t stride = isA ? p.staging.strideA : p.staging.strideB;
  o.read.vector = isA ? p.staging.vectorA : p.staging.vectorB;
  o.write.vector = o.together > 1 && !p.staging.interleaved ? 1 : o.read.vector;
  for (ProductOperand::Place* place : {&o.read, &o.write}) {
    // Neighboring lanes across have neighboring vectors. Numbers that are written one by one to vectors are
    // neighbors.
    const bool inVector = o.together > 1 && place->vector == 1;
    const uint32_t size = inVector ? 4 : p.staging.wordsPerElement;
    place->stride = stride / place->vector;
    place->vectorStride = inVector ? 1 : o.lanesAcross * size;
    const UInt area = buffer_.sharedBase(*p.result, place->vector);
    place->origin = area + (isA ? 0 : p.staging.baseB / place->vector) + o.laneAcross * size;
  }
  if (!p.staging.interleaved) o.written = writePlaceOf(o, o.laneAlong);
  return o;
}

// The position at which an invocation writes its words for a k.
UInt ProductStaging::writePlaceOf(const ProductOperand& o, const UInt& k) {
  const UInt stride = code_.u32(o.write.stride), together = code_.u32(o.together);
  const UInt line = o.write.origin + k / together * stride;
  if (o.together == 1) return line;
  const UInt within = k % together;
  return line + within * o.wordsAcross;
}

// Reads components of an operand that the invocation holds: at `along`, the group with number `group`, each
// of `count` components across. Returns a component, or a vector of several.
Id ProductStaging::gatherHeld(const ProductOperand& o, const ComponentSource& from, NamedUInt along,
                              NamedUInt group, uint32_t count) {
  if (from.isLate()) return makeLate(o, from, along, group, count);
  // Elements of the array are parts of the group, or each has one component of it.
  const uint32_t packed = o.layout->packed;
  const bool inElement = o.stepAcross == 1;
  const uint32_t each = inElement && count > 1 ? packed : 1, inGroup = count / each;
  const uint32_t stepsAcross = inElement ? 1 : o.stepAcross / packed;
  const UInt size = code_.u32(packed), stepAlong = code_.u32(inElement ? o.stepAlong / each : 1);
  const UInt number = inElement ? UInt(along) : UInt(along / size);
  const UInt part = inElement ? UInt(along) : UInt(along % size);
  const UInt line = number * stepAlong, stepAcross = code_.u32(stepsAcross);
  const UInt first = group * inGroup;
  std::vector<Word> parts;
  for (uint32_t n = 0; n < inGroup; ++n) {
    const UInt across = first + n;
    // Padding of the last group is never used.
    const std::optional<uint32_t> known = code_.globals.constantValue(across);
    if (n > 0 && known && *known * each >= o.heldAcross) {
      parts.push_back(parts[0]);
      continue;
    }
    const UInt index = line + across * stepAcross;
    if (!inElement && packed > 1)
      parts.push_back(from.at(index, part));
    else
      parts.push_back(each == 1 ? from.at(index) : from.element(index));
  }
  if (inGroup == 1) return parts[0].id();
  const Id type = code_.globals.typeVector(o.layout->of.component, count);
  return code_.make<op::CompositeConstruct>(type, {.constituents = parts});
}

// The same for an operand that is loaded here.
Id ProductStaging::makeLate(const ProductOperand& o, const ComponentSource& from, NamedUInt along,
                            NamedUInt group, uint32_t count) {
  const UInt first = group * count;
  std::vector<Word> parts;
  for (uint32_t n = 0; n < count; ++n) {
    const UInt across = first + n;
    const std::optional<uint32_t> known = code_.globals.constantValue(across);
    if (n > 0 && known && *known >= o.heldAcross) {
      parts.push_back(parts[0]);
      continue;
    }
    parts.push_back(o.layout->isA() ? from.make(across, along) : from.make(along, across));
  }
  if (count == 1) return parts[0].id();
  const Id type = code_.globals.typeVector(o.layout->of.component, count);
  return code_.make<op::CompositeConstruct>(type, {.constituents = parts});
}

// An invocation holds the k of a group this many components apart: see MultiplyStaging.
uint32_t ProductStaging::strideAlong(const Product& p, const ProductOperand& o) const {
  return std::lcm(p.a->columnLanes, p.b->rowLanes) / o.lanesAlong;
}

// The number of the first component of an invocation's group number `group`, of `size` k each.
UInt ProductStaging::firstAlong(const Product& p, const ProductOperand& o, const UInt& group, uint32_t size) {
  const uint32_t stride = strideAlong(p, o);
  const UInt step = code_.u32(stride), block = group / step, within = group % step;
  return block * (size * stride) + within;
}

// The bits of a value of up to 32 bits that is staged.
Id ProductStaging::asWord(const Product& p, Id value) {
  const Id u32 = code_.globals.typeU32();
  return p.staged == u32 ? value : code_.make<op::Bitcast>(u32, {value});
}

// Builds the invocation's word of an operand at (`along`, `across`).
Id ProductStaging::makeFactor(const Product& p, const ProductOperand& o, const ComponentSource& from,
                              NamedUInt along, NamedUInt across) {
  if (p.packing() == Packing::One) {
    const Id value = gatherHeld(o, from, along, across, 1);
    return sums_.toSum(p, *o.layout, o.isSigned, value, 1);
  }
  if (p.packing() == Packing::Halves) {
    const Id halves = gatherHeld(o, from, along, across, 2);
    return code_.make<op::Bitcast>(p.staged, {halves});
  }
  const UInt first = firstAlong(p, o, along, 4);
  const uint32_t stride = strideAlong(p, o);
  std::vector<Word> parts;
  for (uint32_t n = 0; n < 4; ++n) {
    const UInt number = first + n * stride;
    parts.push_back(gatherHeld(o, from, number, across, 1));
  }
  const Id vector = code_.globals.typeVector(o.layout->of.component, 4);
  const Id word = code_.make<op::CompositeConstruct>(vector, {.constituents = parts});
  return code_.make<op::Bitcast>(p.staged, {word});
}

// Builds vector `row` of the invocation's words across.
Id ProductStaging::makeFactors(const Product& p, const ProductOperand& o, const ComponentSource& from,
                               NamedUInt along, NamedUInt row) {
  const Id words = buffer_.typeWords();
  if (p.packing() == Packing::One) {
    const Id components = gatherHeld(o, from, along, row, 4);
    const Id sums = sums_.toSum(p, *o.layout, o.isSigned, components, 4);
    return p.sum == code_.globals.typeU32() ? sums : code_.make<op::Bitcast>(words, {sums});
  }
  const UInt first = row * 4;
  std::vector<Word> parts;
  for (uint32_t n = 0; n < 4; ++n) {
    const UInt word = first + n;
    // Padding of the last vector is never used.
    const std::optional<uint32_t> known = code_.globals.constantValue(word);
    const bool padding = known && *known >= o.wordsAcross;
    parts.push_back(padding ? parts[0].id() : makeFactor(p, o, from, along, word));
  }
  return code_.make<op::CompositeConstruct>(words, {.constituents = parts});
}

// Writes an invocation's components of an operand for one k, from `line` + `away` on: two numbers, so that
// the known parts of an address become one constant.
void ProductStaging::stageRows(const Product& p, const ProductOperand& o, const ComponentSource& from,
                               NamedUInt along, NamedUInt line, NamedUInt away, bool straight) {
  const UInt vectorStride = code_.u32(o.write.vectorStride);
  const uint32_t vector = o.write.vector, rows = (o.wordsAcross + vector - 1) / vector;
  const bool full = o.wordsAcross % vector == 0 && (p.packing() != Packing::Halves || o.heldAcross % 2 == 0);
  const bool few = from.isLate() ? rows * vector * inWord(p) <= kLoadsInFlight : rows <= 4;
  walk_.repeat(rows, straight || !full || few, unrollOf(from), [&](const UInt& row) {
    const UInt at = line + (away + row * vectorStride);
    if (vector == 1)
      storeSum(p, at, makeFactor(p, o, from, along, row));
    else
      buffer_.storeVector(at, makeFactors(p, o, from, along, row));
  });
}

// The same in a loop, for a late operand: a vector has at most 16 components (kLoadsInFlight).
Id ProductStaging::makeLateInterleavedFactors(const Product& p, const ProductOperand& o,
                                              const ComponentSource& from, NamedUInt along,
                                              const UInt& number) {
  const UInt stride = code_.u32(strideAlong(p, o)), first = number * 4;
  std::vector<Word> words;
  for (uint32_t n = 0; n < 4; ++n) {
    const UInt word = first + n;
    const UInt k = word / o.wordsAcross, held = along + k * stride, across = word % o.wordsAcross;
    const Id factor = makeFactor(p, o, from, held, across);
    words.push_back(asWord(p, factor));
  }
  const Id four = buffer_.typeWords();
  return code_.make<op::CompositeConstruct>(four, {.constituents = words});
}

// Builds vector `number` of the words for `together` k; the first k is component `along` of the invocation.
Id ProductStaging::gatherInterleavedFactors(const Product& p, const ProductOperand& o,
                                            const ComponentSource& from, NamedUInt along, uint32_t number) {
  const uint32_t stride = strideAlong(p, o);
  const auto component = [&](uint32_t k) { return UInt(along + k * stride); };
  if (o.wordsAcross >= 4) {
    const uint32_t inOne = o.wordsAcross / 4;
    const UInt held = component(number / inOne), row = code_.u32(number % inOne);
    return makeFactors(p, o, from, held, row);
  }
  std::vector<Word> words;
  for (uint32_t word = 4 * number; word < 4 * number + 4; ++word) {
    const UInt held = component(word / o.wordsAcross), across = code_.u32(word % o.wordsAcross);
    const Id factor = makeFactor(p, o, from, held, across);
    words.push_back(asWord(p, factor));
  }
  const Id four = buffer_.typeWords();
  return code_.make<op::CompositeConstruct>(four, {.constituents = words});
}

// Writes everything that the invocation holds of an operand: see MultiplyStaging.
void ProductStaging::stageInterleaved(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                      bool straight) {
  const uint32_t stride = strideAlong(p, o), vectors = o.together * o.wordsAcross / 4;
  const UInt step = code_.u32(stride), lanes = code_.u32(o.lanesAlong),
             distance = code_.u32(stride * o.lanesAlong);
  const UInt lineStride = code_.u32(o.write.stride), own = o.write.origin + o.laneAlong * lineStride;
  uint32_t batch = 1;  // vectors of a late operand in an iteration
  while (vectors % (2 * batch) == 0 && 2 * batch * 4 * inWord(p) <= kLoadsInFlight) batch *= 2;
  walk_.repeat(o.wordsAlong / o.together, straight, unrollOf(from), [&](const UInt& number) {
    const UInt block = number / step, within = number % step;
    const UInt line = own + (block * distance + within * lanes) * lineStride;
    const UInt along = firstAlong(p, o, number, o.together);
    if (from.isLate()) {
      walk_.repeat(vectors / batch, false, Unroll::No, [&](const UInt& batchNumber) {
        const UInt first = batchNumber * batch, vectorStride = code_.u32(o.write.vectorStride);
        for (uint32_t k = 0; k < batch; ++k) {
          const UInt n = first + k, at = line + n * vectorStride;
          buffer_.storeVector(at, makeLateInterleavedFactors(p, o, from, along, n));
        }
      });
      return;
    }
    for (uint32_t n = 0; n < vectors; ++n) {
      const UInt at = line + n * o.write.vectorStride;
      buffer_.storeVector(at, gatherInterleavedFactors(p, o, from, along, n));
    }
  });
}

// Writes the invocation's components of an operand's chunk.
void ProductStaging::stageOperand(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                  NamedUInt chunk, bool straight) {
  if (p.staging.interleaved) return stageInterleaved(p, o, from, straight);
  const uint32_t perChunk = std::max(1u, p.staging.chunk / o.lanesAlong);
  const UInt count = code_.u32(perChunk), step = code_.u32(o.lanesAlong), held = code_.u32(o.wordsAlong);
  const UInt next = code_.u32(o.lanesAlong / o.together * o.write.stride);
  // If a chunk covers only part of a component of all lanes, the lanes whose k is in the chunk write.
  if (p.staging.chunk < o.lanesAlong) {
    const UInt length = code_.u32(p.staging.chunk), begin = chunk * length;
    const UInt along = begin / step, k = o.laneAlong - begin % step;
    ifThen(code_, k < length, [&] {
      const UInt line = writePlaceOf(o, k), none = code_.u32(0);
      stageRows(p, o, from, along, line, none, straight);
    });
    return;
  }
  const auto stageLine = [&](const UInt& n) {
    const UInt along = chunk * count + n, away = n * next;
    const bool awayIsKnown = code_.globals.constantValue(away).has_value();
    const auto stageAll = [&] {
      const UInt none = code_.u32(0), line = awayIsKnown ? o.written : UInt(o.written + away);
      stageRows(p, o, from, along, line, awayIsKnown ? away : none, straight);
    };
    if (const auto known = code_.globals.constantValue(along)) {
      if (*known < o.wordsAlong) stageAll();
    } else if (perChunk * p.staging.chunks > o.wordsAlong) {
      ifThen(code_, along < held, stageAll);
    } else {
      stageAll();
    }
  };
  if (!from.isLate()) return walk_.repeat(perChunk, straight, stageLine);
  uint32_t batch = 1;
  const uint32_t inLine = o.wordsAcross * inWord(p);
  while (perChunk % (2 * batch) == 0 && 2 * batch * inLine <= kLoadsInFlight) batch *= 2;
  const UInt size = code_.u32(batch);
  walk_.repeat(perChunk / batch, false, Unroll::No, [&](const UInt& number) {
    const UInt first = number * size;
    walk_.repeat(batch, true, [&](const UInt& within) { stageLine(first + within); });
  });
}

void ProductStaging::storeSum(const Product& p, NamedUInt at, Id value) {
  buffer_.storeNumber(p.staged, std::max(p.sumBits, 32u), at, value);
}

Id ProductStaging::loadSum(const Product& p, const UInt& at) {
  return buffer_.loadNumber(p.staged, std::max(p.sumBits, 32u), at);
}

// Extracts some of four words as factors, in vectors.
std::vector<Id> ProductStaging::factorsIn(const Product& p, Id words, uint32_t first, uint32_t count) {
  const Id u32 = code_.globals.typeU32();
  std::vector<Id> factors;
  if (p.packing() == Packing::One) {
    Id bits = words;
    if (count == 1) {
      bits = code_.extract(u32, words, {first});
    } else if (count != 4) {
      const Id type = code_.globals.typeVector(u32, count);
      std::vector<uint32_t> picked;
      for (uint32_t n = 0; n < count; ++n) picked.push_back(first + n);
      bits = code_.make<op::VectorShuffle>(type, {.vector1 = words, .vector2 = words, .components = picked});
    }
    const Id type = code_.globals.typeNumbers(p.sum, count);
    factors.push_back(p.sum == u32 ? bits : code_.make<op::Bitcast>(type, {bits}));
    return factors;
  }
  const bool halves = p.packing() == Packing::Halves;
  for (uint32_t n = first; n < first + count; ++n) {
    const Id word = code_.extract(u32, words, {n});
    const Id pair = halves ? code_.globals.typeVector(p.sum, 2) : u32;
    factors.push_back(halves ? code_.make<op::Bitcast>(pair, {word}) : word);
  }
  return factors;
}

// Loads the words of an operand that this invocation needs for each of the next `steps` k, as vectors.
// `line`: the beginning of the words for the first k.
std::vector<std::vector<Id>> ProductStaging::loadFactors(const Product& p, const ProductOperand& o,
                                                         const UInt& line, uint32_t steps) {
  const bool halves = p.packing() == Packing::Halves;
  std::vector<std::vector<Id>> factors(steps);
  const auto place = [&](uint32_t k, uint32_t vector) {
    return UInt(line + (k / o.together * o.read.stride + vector * o.read.vectorStride));
  };
  std::vector<Id> loaded;  // of those together
  for (uint32_t k = 0; k < steps; ++k) {
    if (o.together > 1) {
      const uint32_t within = k % o.together;
      if (within == 0) loaded.clear();
      for (uint32_t n = 0; within == 0 && n < o.together * o.wordsAcross / 4; ++n) {
        loaded.push_back(buffer_.loadVector(place(k, n)));
      }
      for (uint32_t first = 0; first < o.wordsAcross; first += 4) {
        const uint32_t word = within * o.wordsAcross + first;
        const std::vector<Id> some =
            factorsIn(p, loaded[word / 4], word % 4, std::min(4u, o.wordsAcross - first));
        factors[k].insert(factors[k].end(), some.begin(), some.end());
      }
    } else if (o.read.vector == 1) {
      for (uint32_t n = 0; n < o.wordsAcross; ++n) {
        factors[k].push_back(loadSum(p, place(k, n)));
      }
      const Id pair = halves ? code_.globals.typeVector(p.sum, 2) : Id();
      if (!halves) factors[k] = sums_.joinInVectors(p, p.sum, factors[k]);
      for (Id& factor : factors[k]) factor = halves ? code_.make<op::Bitcast>(pair, {factor}) : factor;
    } else {
      for (uint32_t first = 0; first < o.wordsAcross; first += 4) {
        const Id words = buffer_.loadVector(place(k, first / 4));
        const std::vector<Id> some = factorsIn(p, words, 0, std::min(4u, o.wordsAcross - first));
        factors[k].insert(factors[k].end(), some.begin(), some.end());
      }
    }
  }
  return factors;
}

}  // namespace coopc::spirv::lower
