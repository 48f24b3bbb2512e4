// The operands of a multiplication in workgroup memory: where an invocation writes what it holds of them, as words that are ready to
// multiply, and how it reads what its sums need. MultiplyStaging says where they lie.
#include "spirv/lower/software_matrix/staging.hpp"

#include <algorithm>
#include <numeric>

namespace coopc::spirv::lower {

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
  o.write.vector = o.together > 1 && !p.staging.spread ? 1 : o.read.vector;
  for (ProductOperand::Place* place : {&o.read, &o.write}) {
    // Neighbouring lanes across have neighbouring vectors. Numbers that are written one by one to vectors are neighbours.
    const bool inVector = o.together > 1 && place->vector == 1;
    const uint32_t size = inVector ? 4 : p.staging.wordsPerElement;
    place->stride = stride / place->vector;
    place->apart = inVector ? 1 : o.lanesAcross * size;
    const Id area = buffer_.sharedBase(*p.result, place->vector);
    const Id behind = code_.u32(isA ? 0 : p.staging.baseB / place->vector), step = code_.u32(size);
    const Id begin = code_.add(area, behind), lane = code_.mul(o.laneAcross, step);
    place->origin = code_.add(begin, lane);
  }
  if (!p.staging.spread) o.written = writtenFor(o, o.laneAlong);
  return o;
}

// Where an invocation writes its words for a k.
Id ProductStaging::writtenFor(const ProductOperand& o, Id k) {
  const Id stride = code_.u32(o.write.stride), together = code_.u32(o.together);
  const Id vector = code_.div(k, together), away = code_.mul(vector, stride);
  const Id line = code_.add(o.write.origin, away);
  if (o.together == 1) return line;
  const Id within = code_.mod(k, together), words = code_.u32(o.wordsAcross);
  const Id before = code_.mul(within, words);
  return code_.add(line, before);
}

// Of an invocation's components of an operand that are number `along`, group number `group` of `count` across: a component or a
// vector.
Id ProductStaging::held(const ProductOperand& o, const ComponentSource& from, Id along, Id group,
                        uint32_t count) {
  // Elements of the array are parts of the group, or each has one component of it.
  const uint32_t packed = o.layout->packed;
  const bool inElement = o.stepAcross == 1;
  const uint32_t each = inElement && count > 1 ? packed : 1, inGroup = count / each;
  const uint32_t stepsAcross = inElement ? 1 : o.stepAcross / packed;
  const Id size = code_.u32(packed), stepAlong = code_.u32(inElement ? o.stepAlong / each : 1);
  const Id number = inElement ? along : code_.div(along, size);
  const Id part = inElement ? along : code_.mod(along, size);
  const Id line = code_.mul(number, stepAlong), stepAcross = code_.u32(stepsAcross);
  const Id groupSize = code_.u32(inGroup), first = code_.mul(group, groupSize);
  std::vector<Word> parts;
  for (uint32_t n = 0; n < inGroup; ++n) {
    const Id plus = code_.u32(n), across = code_.add(first, plus);
    // What pads the last group is never used.
    const std::optional<uint32_t> known = code_.constantValue(across);
    if (n > 0 && known && *known * each >= o.heldAcross) {
      parts.push_back(parts[0]);
      continue;
    }
    const Id away = code_.mul(across, stepAcross), index = code_.add(line, away);
    if (!inElement && packed > 1)
      parts.push_back(from.at(index, part));
    else
      parts.push_back(each == 1 ? from.at(index) : from.element(index));
  }
  if (inGroup == 1) return parts[0].id();
  const Id type = code_.typeVector(o.layout->of.component, count);
  return code_.op(spv::Op::OpCompositeConstruct, type, Operands(parts));
}

// An invocation holds the k of a group this many components apart: see MultiplyStaging.
uint32_t ProductStaging::apartAlong(const Product& p, const ProductOperand& o) const {
  return std::lcm(p.a->columnLanes, p.b->rowLanes) / o.lanesAlong;
}

// The number of the first component of an invocation's group number `group`, of `size` k each.
Id ProductStaging::firstAlong(const Product& p, const ProductOperand& o, Id group, uint32_t size) {
  const uint32_t apart = apartAlong(p, o);
  const Id step = code_.u32(apart), block = code_.div(group, step), within = code_.mod(group, step);
  const Id length = code_.u32(size * apart), start = code_.mul(block, length);
  return code_.add(start, within);
}

// The bits of a value of up to 32 bits that is staged.
Id ProductStaging::asWord(const Product& p, Id value) {
  const Id u32 = code_.typeU32();
  return p.staged == u32 ? value : code_.op(spv::Op::OpBitcast, u32, {value});
}

// What the word of an operand that is number `along` and `across` of the invocation's words holds.
Id ProductStaging::factorOf(const Product& p, const ProductOperand& o, const ComponentSource& from, Id along,
                            Id across) {
  if (p.packing() == Packing::One) {
    const Id value = held(o, from, along, across, 1);
    return sums_.toSum(p, *o.layout, o.isSigned, value, 1);
  }
  if (p.packing() == Packing::Halves) {
    const Id halves = held(o, from, along, across, 2);
    return code_.op(spv::Op::OpBitcast, p.staged, {halves});
  }
  const Id first = firstAlong(p, o, along, 4);
  const uint32_t apart = apartAlong(p, o);
  std::vector<Word> parts;
  for (uint32_t n = 0; n < 4; ++n) {
    const Id plus = code_.u32(n * apart), number = code_.add(first, plus);
    parts.push_back(held(o, from, number, across, 1));
  }
  const Id vector = code_.typeVector(o.layout->of.component, 4);
  const Id word = code_.op(spv::Op::OpCompositeConstruct, vector, Operands(parts));
  return code_.op(spv::Op::OpBitcast, p.staged, {word});
}

// The words in vector `row` of those across.
Id ProductStaging::factorsOf(const Product& p, const ProductOperand& o, const ComponentSource& from, Id along,
                             Id row) {
  const Id words = buffer_.typeWords();
  if (p.packing() == Packing::One) {
    const Id components = held(o, from, along, row, 4);
    const Id sums = sums_.toSum(p, *o.layout, o.isSigned, components, 4);
    return p.sum == code_.typeU32() ? sums : code_.op(spv::Op::OpBitcast, words, {sums});
  }
  const Id four = code_.u32(4), first = code_.mul(row, four);
  std::vector<Word> parts;
  for (uint32_t n = 0; n < 4; ++n) {
    const Id plus = code_.u32(n), word = code_.add(first, plus);
    // What pads the last vector is never used.
    const std::optional<uint32_t> known = code_.constantValue(word);
    const bool padding = known && *known >= o.wordsAcross;
    parts.push_back(padding ? parts[0].id() : factorOf(p, o, from, along, word));
  }
  return code_.op(spv::Op::OpCompositeConstruct, words, Operands(parts));
}

// Writes what the invocation holds of an operand for one k, from `line` + `away` on: two numbers, so that the parts of an address that are
// known become one constant.
void ProductStaging::stageRows(const Product& p, const ProductOperand& o, const ComponentSource& from,
                               Id along, Id line, Id away, bool straight) {
  const Id apart = code_.u32(o.write.apart);
  const uint32_t vector = o.write.vector, rows = (o.wordsAcross + vector - 1) / vector;
  const bool full = o.wordsAcross % vector == 0 && (p.packing() != Packing::Halves || o.heldAcross % 2 == 0);
  walk_.repeat(rows, straight || !full || rows <= 4, [&](Id row) {
    const Id across = code_.mul(row, apart), further = code_.add(away, across);
    const Id at = code_.add(line, further);
    if (vector == 1) {
      const Id value = factorOf(p, o, from, along, row);
      return storeSum(p, at, value);
    }
    const Id value = factorsOf(p, o, from, along, row);
    buffer_.storeVector(at, value);
  });
}

// Vector number `number` of the words for `together` k, the first of which is the component number `along`.
Id ProductStaging::spreadFactors(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                 Id along, uint32_t number) {
  const uint32_t apart = apartAlong(p, o);
  const auto component = [&](uint32_t k) {
    const Id plus = code_.u32(k * apart);
    return code_.add(along, plus);
  };
  if (o.wordsAcross >= 4) {
    const uint32_t inOne = o.wordsAcross / 4;
    const Id held = component(number / inOne), row = code_.u32(number % inOne);
    return factorsOf(p, o, from, held, row);
  }
  std::vector<Word> words;
  for (uint32_t word = 4 * number; word < 4 * number + 4; ++word) {
    const Id held = component(word / o.wordsAcross), across = code_.u32(word % o.wordsAcross);
    const Id factor = factorOf(p, o, from, held, across);
    words.push_back(asWord(p, factor));
  }
  const Id four = buffer_.typeWords();
  return code_.op(spv::Op::OpCompositeConstruct, four, Operands(words));
}

// All that the invocation holds of an operand: see MultiplyStaging.
void ProductStaging::stageSpread(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                 bool straight) {
  const uint32_t apart = apartAlong(p, o), vectors = o.together * o.wordsAcross / 4;
  const Id step = code_.u32(apart), lanes = code_.u32(o.lanesAlong),
           distance = code_.u32(apart * o.lanesAlong);
  const Id stride = code_.u32(o.write.stride);
  const Id away = code_.mul(o.laneAlong, stride), own = code_.add(o.write.origin, away);
  walk_.repeat(o.wordsAlong / o.together, straight, [&](Id number) {
    const Id block = code_.div(number, step), within = code_.mod(number, step);
    const Id before = code_.mul(block, distance), beside = code_.mul(within, lanes);
    const Id group = code_.add(before, beside), further = code_.mul(group, stride);
    const Id line = code_.add(own, further);
    const Id along = firstAlong(p, o, number, o.together);
    for (uint32_t n = 0; n < vectors; ++n) {
      const Id across = code_.u32(n * o.write.apart), at = code_.add(line, across);
      const Id value = spreadFactors(p, o, from, along, n);
      buffer_.storeVector(at, value);
    }
  });
}

// Writes the invocation's components of an operand's chunk.
void ProductStaging::stageOperand(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                  Id chunk, bool straight) {
  if (p.staging.spread) return stageSpread(p, o, from, straight);
  const uint32_t perChunk = std::max(1u, p.staging.chunk / o.lanesAlong);
  const Id count = code_.u32(perChunk), step = code_.u32(o.lanesAlong), held = code_.u32(o.wordsAlong);
  const Id next = code_.u32(o.lanesAlong / o.together * o.write.stride);
  // If a chunk covers only part of a component of all lanes, the lanes whose k is in the chunk write.
  if (p.staging.chunk < o.lanesAlong) {
    const Id length = code_.u32(p.staging.chunk), begin = code_.mul(chunk, length);
    const Id along = code_.div(begin, step), firstLane = code_.mod(begin, step);
    const Id k = code_.sub(o.laneAlong, firstLane), within = code_.less(k, length);
    code_.ifThen(within, [&] {
      const Id line = writtenFor(o, k), none = code_.u32(0);
      stageRows(p, o, from, along, line, none, straight);
    });
    return;
  }
  walk_.repeat(perChunk, straight, [&](Id n) {
    const Id firstAlong = code_.mul(chunk, count), along = code_.add(firstAlong, n);
    const Id away = code_.mul(n, next);
    const bool awayIsKnown = code_.constantValue(away).has_value();
    const auto stageAll = [&] {
      const Id none = code_.u32(0), line = awayIsKnown ? o.written : code_.add(o.written, away);
      stageRows(p, o, from, along, line, awayIsKnown ? away : none, straight);
    };
    if (const auto known = code_.constantValue(along)) {
      if (*known < o.wordsAlong) stageAll();
    } else if (perChunk * p.staging.chunks > o.wordsAlong) {
      const Id exists = code_.less(along, held);
      code_.ifThen(exists, stageAll);
    } else {
      stageAll();
    }
  });
}

void ProductStaging::storeSum(const Product& p, Id at, Id value) {
  const Id u32 = code_.typeU32();
  if (p.sumBits <= 32) {
    const Id bits = asWord(p, value);
    return buffer_.storeWord(at, bits);
  }
  const Id pair = code_.typeVector(u32, 2), bits = code_.op(spv::Op::OpBitcast, pair, {value});
  const Id one = code_.u32(1), next = code_.add(at, one);
  const Id low = code_.extract(u32, bits, {0}), high = code_.extract(u32, bits, {1});
  buffer_.storeWord(at, low);
  buffer_.storeWord(next, high);
}

Id ProductStaging::loadSum(const Product& p, Id at) {
  const Id u32 = code_.typeU32();
  const Id word = buffer_.loadWord(at);
  if (p.staged == u32) return word;
  if (p.sumBits <= 32) return code_.op(spv::Op::OpBitcast, p.staged, {word});
  const Id one = code_.u32(1), next = code_.add(at, one), high = buffer_.loadWord(next),
           pair = code_.typeVector(u32, 2);
  const Id both = code_.op(spv::Op::OpCompositeConstruct, pair, {word, high});
  return code_.op(spv::Op::OpBitcast, p.staged, {both});
}

// Some of four words as factors, in vectors.
std::vector<Id> ProductStaging::factorsIn(const Product& p, Id words, uint32_t first, uint32_t count) {
  const Id u32 = code_.typeU32();
  std::vector<Id> factors;
  if (p.packing() == Packing::One) {
    Id bits = words;
    if (count == 1) {
      bits = code_.extract(u32, words, {first});
    } else if (count != 4) {
      const Id type = code_.typeVector(u32, count);
      std::vector<Word> picked{words, words};
      for (uint32_t n = 0; n < count; ++n) picked.push_back(first + n);
      bits = code_.op(spv::Op::OpVectorShuffle, type, Operands(picked));
    }
    const Id type = code_.typeNumbers(p.sum, count);
    factors.push_back(p.sum == u32 ? bits : code_.op(spv::Op::OpBitcast, type, {bits}));
    return factors;
  }
  const bool halves = p.packing() == Packing::Halves;
  for (uint32_t n = first; n < first + count; ++n) {
    const Id word = code_.extract(u32, words, {n});
    const Id pair = halves ? code_.typeVector(p.sum, 2) : u32;
    factors.push_back(halves ? code_.op(spv::Op::OpBitcast, pair, {word}) : word);
  }
  return factors;
}

// All that this invocation needs of an operand for each of the next `turn` k, in vectors. `line`: where the first one's words begin.
std::vector<std::vector<Id>> ProductStaging::stagedFactors(const Product& p, const ProductOperand& o, Id line,
                                                           uint32_t turn) {
  const bool halves = p.packing() == Packing::Halves;
  std::vector<std::vector<Id>> factors(turn);
  const auto place = [&](uint32_t k, uint32_t vector) {
    const Id further = code_.u32(k / o.together * o.read.stride + vector * o.read.apart);
    return code_.add(line, further);
  };
  std::vector<Id> loaded;  // of those together
  for (uint32_t k = 0; k < turn; ++k) {
    if (o.together > 1) {
      const uint32_t within = k % o.together;
      if (within == 0) loaded.clear();
      for (uint32_t n = 0; within == 0 && n < o.together * o.wordsAcross / 4; ++n) {
        const Id at = place(k, n);
        loaded.push_back(buffer_.loadVector(at));
      }
      for (uint32_t first = 0; first < o.wordsAcross; first += 4) {
        const uint32_t word = within * o.wordsAcross + first;
        const std::vector<Id> some =
            factorsIn(p, loaded[word / 4], word % 4, std::min(4u, o.wordsAcross - first));
        factors[k].insert(factors[k].end(), some.begin(), some.end());
      }
    } else if (o.read.vector == 1) {
      for (uint32_t n = 0; n < o.wordsAcross; ++n) {
        const Id at = place(k, n);
        factors[k].push_back(loadSum(p, at));
      }
      const Id pair = halves ? code_.typeVector(p.sum, 2) : Id();
      if (!halves) factors[k] = sums_.inVectors(p, p.sum, factors[k]);
      for (Id& factor : factors[k]) factor = halves ? code_.op(spv::Op::OpBitcast, pair, {factor}) : factor;
    } else {
      for (uint32_t first = 0; first < o.wordsAcross; first += 4) {
        const Id at = place(k, first / 4), words = buffer_.loadVector(at);
        const std::vector<Id> some = factorsIn(p, words, 0, std::min(4u, o.wordsAcross - first));
        factors[k].insert(factors[k].end(), some.begin(), some.end());
      }
    }
  }
  return factors;
}

}  // namespace coopc::spirv::lower
