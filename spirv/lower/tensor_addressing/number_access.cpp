// Loads and stores of one element of a tensor. If numbers of the memory are wider than components, a store
// changes the bits of the component by two atomic operations, or in turns between barriers
// (Access::storedPart).
#include "spirv/lower/tensor_addressing/number_access.hpp"

#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/memory_numbers.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

std::vector<Word> elementOperands(const Access& a) {
  const bool aligned = a.memory.kind == Memory::Kind::Physical;
  return memoryOperandsOfElement(a.operands, aligned ? a.memory.elementBytes : 0);
}

Id loadAt(FunctionBody& f, NamedId type, NamedUInt index) {
  return f.c.make<op::Load>(type, {.pointer = f.pointerAt(index), .memoryOperands = elementOperands(f.a)});
}
void storeAt(FunctionBody& f, NamedUInt index, NamedId value) {
  f.c.make<op::Store>(
      {.pointer = f.pointerAt(index), .object = value, .memoryOperands = elementOperands(f.a)});
}

MemoryNumbers numbersOf(const Access& a) {
  return {a.memory.unit, a.memory.unitBits, a.matrix.component, a.matrix.componentBits};
}

// Changes a number in which no other invocation stores a component in this turn.
void writeInTurn(FunctionBody& f, const MemoryNumbers& numbers, NamedUInt index, NamedId value) {
  Code& c = f.c;
  const UInt count = c.u32(numbers.components()), part = c.u32(f.a.storedPart), place = index % count;
  const Bool ours = equal(place, part);
  ifThen(c, ours, [&] {
    const UInt which = index / count;
    const Id pointer = f.pointerAt(which), before = c.shared.load(numbers.number, pointer);
    const Id after = replaceComponent(c, numbers, before, value, f.a.storedPart);
    MemoryOperands operands = f.a.operands;
    if (c.shared.isVulkanModel()) operands.mask |= uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
    c.make<op::Store>(
        {.pointer = pointer, .object = after, .memoryOperands = memoryOperandsOfElement(operands, 0)});
  });
}

}  // namespace

Id readNumber(FunctionBody& f, NamedUInt index) {
  if (!f.a.memory.unit) return loadAt(f, f.a.matrix.component, index);
  Code& c = f.c;
  const MemoryNumbers numbers = numbersOf(f.a);
  if (numbers.components() > 1) {
    const UInt count = c.u32(numbers.components()), which = index / count, part = index % count;
    const Id number = loadAt(f, numbers.number, which);
    return extractComponent(c, numbers, number, part);
  }
  const UInt first = index * numbers.numbers();
  std::vector<Id> parts;
  for (uint32_t n = 0; n < numbers.numbers(); ++n) {
    const UInt at = first + n;
    parts.push_back(loadAt(f, numbers.number, at));
  }
  return joinNumbers(c, numbers, parts);
}

void writeNumber(FunctionBody& f, NamedUInt index, NamedId value) {
  if (!f.a.memory.unit) return storeAt(f, index, value);
  Code& c = f.c;
  const MemoryNumbers numbers = numbersOf(f.a);
  if (numbers.components() > 1) {
    if (f.a.storedPart != kNone) return writeInTurn(f, numbers, index, value);
    const UInt count = c.u32(numbers.components()), which = index / count, part = index % count;
    const Id pointer = f.pointerAt(which);
    return storeComponentAtomically(c, numbers, pointer, f.a.memory.storage, part, value);
  }
  const UInt first = index * numbers.numbers();
  const std::vector<Id> parts = splitComponent(c, numbers, value);
  for (uint32_t n = 0; n < parts.size(); ++n) {
    const UInt at = first + n;
    storeAt(f, at, parts[n]);
  }
}

}  // namespace coopc::spirv::lower::tensor
