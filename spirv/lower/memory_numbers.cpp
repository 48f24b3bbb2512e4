// Components in memory whose numbers have another width: see memory_numbers.hpp.
#include "spirv/lower/memory_numbers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kMostInVector = 4;  // there are no vectors of eight

Id bitcast(Code& c, NamedId type, NamedId value) { return c.make<op::Bitcast>(type, {value}); }

// Combines `parts`, the lowest first, into a value of type `whole`. Eight 8-bit parts are combined by way of
// two 32-bit words.
Id join(Code& c, NamedId whole, NamedId part, std::span<const Id> parts) {
  if (parts.size() > kMostInVector) {
    const Id u32 = c.globals.typeU32();
    std::vector<Id> words;
    for (size_t n = 0; n < parts.size(); n += kMostInVector)
      words.push_back(join(c, u32, part, parts.subspan(n, kMostInVector)));
    return join(c, whole, u32, words);
  }
  const Id vector = c.globals.typeVector(part, uint32_t(parts.size()));
  const std::vector<Word> operands(parts.begin(), parts.end());
  const Id together = c.make<op::CompositeConstruct>(vector, {.constituents = operands});
  return bitcast(c, whole, together);
}

std::vector<Id> split(Code& c, NamedId whole, NamedId part, uint32_t count) {
  std::vector<Id> parts;
  if (count > kMostInVector) {
    const Id u32 = c.globals.typeU32();
    for (const Id word : split(c, whole, u32, count / kMostInVector)) {
      const std::vector<Id> four = split(c, word, part, kMostInVector);
      parts.insert(parts.end(), four.begin(), four.end());
    }
    return parts;
  }
  const Id vector = c.globals.typeVector(part, count), apart = bitcast(c, vector, whole);
  for (uint32_t n = 0; n < count; ++n) parts.push_back(c.extract(part, apart, {n}));
  return parts;
}

// `whole`, of type `type`, with `value` as component `n` of its `count` components.
Id replace(Code& c, NamedId type, NamedId whole, NamedId value, uint32_t count, uint32_t n) {
  const Id part = c.globals.typeOf(value), vector = c.globals.typeVector(part, count),
           apart = bitcast(c, vector, whole);
  const Id changed =
      c.make<op::CompositeInsert>(vector, {.object = value, .composite = apart, .indexes = {n}});
  return bitcast(c, type, changed);
}

}  // namespace

Id joinNumbers(Code& c, const MemoryNumbers& m, std::span<const Id> numbers) {
  if (numbers.size() > 1) return join(c, m.component, m.number, numbers);
  return m.number == m.component ? numbers[0] : bitcast(c, m.component, numbers[0]);
}

std::vector<Id> splitComponent(Code& c, const MemoryNumbers& m, NamedId component) {
  if (m.numbers() > 1) return split(c, component, m.number, m.numbers());
  return {m.number == m.component ? Id(component) : bitcast(c, m.number, component)};
}

Id extractComponent(Code& c, const MemoryNumbers& m, NamedId number, NamedUInt part) {
  const uint32_t count = m.components();
  if (count == 1) return joinNumbers(c, m, std::array{Id(number)});
  Id word = number;
  UInt within = part;
  if (count > kMostInVector) {
    const Id u32 = c.globals.typeU32(), words = c.globals.typeVector(u32, count / kMostInVector);
    const Id apart = bitcast(c, words, number);
    const UInt which = part / kMostInVector;
    word = c.make<op::VectorExtractDynamic>(u32, {.vector = apart, .index = which});
    within = part % kMostInVector;
  }
  const Id vector = c.globals.typeVector(m.component, std::min(count, kMostInVector));
  const Id components = bitcast(c, vector, word);
  return c.make<op::VectorExtractDynamic>(m.component, {.vector = components, .index = within});
}

Id joinComponents(Code& c, const MemoryNumbers& m, std::span<const Id> components) {
  return join(c, m.number, m.component, components);
}

Id replaceComponent(Code& c, const MemoryNumbers& m, NamedId number, NamedId component, uint32_t part) {
  const uint32_t count = m.components();
  if (count <= kMostInVector) return replace(c, m.number, number, component, count, part);
  const Id u32 = c.globals.typeU32(), words = c.globals.typeVector(u32, count / kMostInVector);
  const Id apart = bitcast(c, words, number), word = c.extract(u32, apart, {part / kMostInVector});
  const Id changed = replace(c, u32, word, component, kMostInVector, part % kMostInVector);
  const Id together = c.make<op::CompositeInsert>(
      words, {.object = changed, .composite = apart, .indexes = {part / kMostInVector}});
  return bitcast(c, m.number, together);
}

void storeComponentAtomically(Code& c, const MemoryNumbers& m, NamedId pointer, spv::StorageClass storage,
                              NamedUInt part, NamedId component) {
  const Id u32 = c.globals.typeU32(), zero = c.globals.null(m.component);
  std::vector<Id> components(m.components(), zero);
  components[0] = component;
  const Id low = join(c, u32, m.component, components);
  const UInt width = c.u32(m.componentBits), mask = c.u32(uint32_t((uint64_t{1} << m.componentBits) - 1));
  const UInt shift = part * width;
  const Id ours = c.make<op::ShiftLeftLogical>(u32, {.base = low, .shift = shift});
  const Id field = c.make<op::ShiftLeftLogical>(u32, {.base = mask, .shift = shift});
  const Id others = c.make<op::Not>(u32, {field});
  // In the Vulkan memory model, Device scope needs a capability.
  const auto scope = storage == spv::StorageClass::Workgroup ? spv::Scope::Workgroup
                     : c.shared.isVulkanModel()              ? spv::Scope::QueueFamily
                                                             : spv::Scope::Device;
  const Id within = c.u32(uint32_t(scope)), relaxed = c.u32(0);
  for (const auto& [opcode, bits] :
       {std::pair(spv::Op::OpAtomicAnd, others), std::pair(spv::Op::OpAtomicOr, ours)}) {
    const Id operand = m.number == u32 ? bits : bitcast(c, m.number, bits);
    c.make<op::AtomicAnd>(opcode, m.number,
                          {.pointer = pointer, .memory = within, .semantics = relaxed, .value = operand});
  }
}

}  // namespace coopc::spirv::lower
