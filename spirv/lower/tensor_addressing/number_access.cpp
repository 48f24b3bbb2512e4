// Loads and stores of one element of a tensor. Where numbers of the memory are wider than components, a load
// extracts the component, and a store changes its bits: by two atomic operations, or in turns between
// barriers (Access::turn). Where they are narrower, a component is several numbers.
#include "spirv/lower/tensor_addressing/number_access.hpp"

#include <algorithm>
#include <vector>

namespace coopc::spirv::lower::tensor {

namespace {

constexpr uint32_t kMostInVector = 4;  // there are no vectors of eight components

// The words of an operation on the memory: `words`, then the memory operands of one element.
std::vector<Word> withOperands(std::vector<Word> words, const MemoryOperands& operands, uint32_t alignment) {
  const std::vector<Word> more = memoryOperandsOfElement(operands, alignment);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
uint32_t alignmentOf(const Access& a) {
  return a.memory.kind == Memory::Kind::Physical ? a.memory.elementBytes : 0;
}

Id loadAt(FunctionBody& f, NamedId type, NamedUInt index) {
  const std::vector<Word> words = withOperands({f.pointerAt(index)}, f.a.operands, alignmentOf(f.a));
  return f.c.op(spv::Op::OpLoad, type, Operands(words));
}
void storeAt(FunctionBody& f, NamedUInt index, NamedId value) {
  const std::vector<Word> words = withOperands({f.pointerAt(index), value}, f.a.operands, alignmentOf(f.a));
  f.c.append(f.c.module().make(spv::Op::OpStore, Operands(words)));
}

Id bitcast(Code& c, NamedId type, NamedId value) { return c.op(spv::Op::OpBitcast, type, {value}); }

// A component that is a part of a number.
Id readPart(FunctionBody& f, NamedUInt index) {
  Code& c = f.c;
  const Memory& m = f.a.memory;
  const Id component = f.a.matrix.component;
  const uint32_t perNumber = m.unitBits / f.a.matrix.componentBits;
  const UInt count = c.u32(perNumber);
  const Id parts = c.typeVector(component, std::min(perNumber, kMostInVector));
  const UInt which = index / count;
  Id number = loadAt(f, m.unit, which);
  UInt part;
  if (perNumber > kMostInVector) {
    const Id u32 = c.typeU32(), words = c.typeVector(u32, perNumber / kMostInVector);
    const UInt four = c.u32(kMostInVector);
    const Id split = bitcast(c, words, number);
    const UInt within = index % count, word = within / four;
    number = c.op(spv::Op::OpVectorExtractDynamic, u32, {split, word});
    part = within % four;
  }
  const Id apart = bitcast(c, parts, number);
  if (perNumber <= kMostInVector) part = index % count;
  return c.op(spv::Op::OpVectorExtractDynamic, component, {apart, part});
}

// `number`, of the type `type`, with `value` as component `n` of its vector `several`.
Id withComponent(Code& c, NamedId number, NamedId type, NamedId several, NamedId value, uint32_t n) {
  const Id split = bitcast(c, several, number);
  const Id changed = c.op(spv::Op::OpCompositeInsert, several, {value, split, Word(n)});
  return bitcast(c, type, changed);
}

// A number of shared memory with `value` as its component of this turn.
Id withPart(FunctionBody& f, NamedId number, NamedId value, uint32_t perNumber) {
  Code& c = f.c;
  const Id unit = f.a.memory.unit, component = f.a.matrix.component, u32 = c.typeU32();
  if (perNumber <= kMostInVector) {
    const Id several = c.typeVector(component, perNumber);
    return withComponent(c, number, unit, several, value, f.a.turn);
  }
  const Id words = c.typeVector(u32, perNumber / kMostInVector);
  const Id several = c.typeVector(component, kMostInVector);
  const uint32_t at = f.a.turn / kMostInVector;
  const Id split = bitcast(c, words, number), word = c.extract(u32, split, {at});
  const Id changed = withComponent(c, word, u32, several, value, f.a.turn % kMostInVector);
  const Id together = c.op(spv::Op::OpCompositeInsert, words, {changed, split, Word(at)});
  return bitcast(c, unit, together);
}

// Changes a number in which no other invocation stores a component in this turn.
void writeInTurn(FunctionBody& f, NamedUInt index, NamedId value) {
  Code& c = f.c;
  const Memory& m = f.a.memory;
  const uint32_t perNumber = m.unitBits / f.a.matrix.componentBits;
  const UInt count = c.u32(perNumber), turn = c.u32(f.a.turn), place = index % count;
  const Bool ours = equal(place, turn);
  c.ifThen(ours, [&] {
    const UInt which = index / count;
    const Id pointer = f.pointerAt(which), before = c.loadShared(m.unit, pointer);
    const Id after = withPart(f, before, value, perNumber);
    MemoryOperands operands = f.a.operands;
    if (c.vulkanMemoryModel()) operands.mask |= uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
    const std::vector<Word> words = withOperands({pointer, after}, operands, 0);
    c.append(c.module().make(spv::Op::OpStore, Operands(words)));
  });
}

// Other invocations may store the other components of the same number, so its bits are changed by two atomic
// operations.
void writeAtomically(FunctionBody& f, NamedUInt index, NamedId value) {
  Code& c = f.c;
  const Memory& m = f.a.memory;
  const uint32_t bits = f.a.matrix.componentBits, perNumber = m.unitBits / bits;
  const UInt count = c.u32(perNumber), width = c.u32(bits);
  const Id parts = c.typeVector(f.a.matrix.component, perNumber);
  std::vector<Word> only{value};
  only.insert(only.end(), perNumber - 1, c.null(f.a.matrix.component));
  const Id low = c.op(spv::Op::OpCompositeConstruct, parts, Operands(only));
  const Id number = bitcast(c, m.unit, low);
  const UInt shift = index % count * width;
  const Id field = c.scalar(m.unit, (uint64_t{1} << bits) - 1);
  const Id moved = c.op(spv::Op::OpShiftLeftLogical, m.unit, {number, shift});
  const Id mask = c.op(spv::Op::OpShiftLeftLogical, m.unit, {field, shift});
  const Id others = c.op(spv::Op::OpNot, m.unit, {mask});
  const UInt which = index / count;
  const Id pointer = f.pointerAt(which);
  const Id scope = c.u32(uint32_t(spv::Scope::Workgroup)), relaxed = c.u32(0);
  c.op(spv::Op::OpAtomicAnd, m.unit, {pointer, scope, relaxed, others});
  c.op(spv::Op::OpAtomicOr, m.unit, {pointer, scope, relaxed, moved});
}

}  // namespace

Id readNumber(FunctionBody& f, NamedUInt index) {
  Code& c = f.c;
  const Memory& m = f.a.memory;
  const Id component = f.a.matrix.component;
  const uint32_t bits = f.a.matrix.componentBits;
  if (!m.unit) return loadAt(f, component, index);
  if (bits < m.unitBits) return readPart(f, index);
  if (bits == m.unitBits) {
    const Id number = loadAt(f, m.unit, index);
    return m.unit == component ? number : bitcast(c, component, number);
  }
  const uint32_t count = bits / m.unitBits;
  const UInt inComponent = c.u32(count);
  const Id parts = c.typeVector(m.unit, count);
  const UInt first = index * inComponent;
  std::vector<Word> numbers;
  for (uint32_t n = 0; n < count; ++n) {
    const UInt at = first + n;
    numbers.push_back(loadAt(f, m.unit, at));
  }
  const Id together = c.op(spv::Op::OpCompositeConstruct, parts, Operands(numbers));
  return bitcast(c, component, together);
}

void writeNumber(FunctionBody& f, NamedUInt index, NamedId value) {
  Code& c = f.c;
  const Memory& m = f.a.memory;
  const uint32_t bits = f.a.matrix.componentBits;
  if (!m.unit) return storeAt(f, index, value);
  if (bits < m.unitBits)
    return f.a.turn != kNone ? writeInTurn(f, index, value) : writeAtomically(f, index, value);
  if (bits == m.unitBits) {
    const Id number = m.unit == f.a.matrix.component ? Id(value) : bitcast(c, m.unit, value);
    return storeAt(f, index, number);
  }
  const uint32_t count = bits / m.unitBits;
  const UInt inComponent = c.u32(count);
  const Id parts = c.typeVector(m.unit, count);
  const UInt first = index * inComponent;
  const Id apart = bitcast(c, parts, value);
  for (uint32_t n = 0; n < count; ++n) {
    const UInt offset = c.u32(n);
    const Id number = c.extract(m.unit, apart, {n});
    const UInt at = first + offset;
    storeAt(f, at, number);
  }
}

}  // namespace coopc::spirv::lower::tensor
