// Components in memory whose numbers have another width: 16-bit floats in 32-bit integers, 32-bit floats in
// bytes. A number holds several components, or a component is several numbers, the lowest bits first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/lower/code.hpp"

namespace coopc::spirv::lower {

/// Both types are scalars of 8 to 64 bits; neither is more than eight times as wide as the other.
struct MemoryNumbers {
  Id number;  ///< the type of the memory's numbers
  uint32_t numberBits = 0;
  Id component;
  uint32_t componentBits = 0;

  /// Numbers in a component; 1 if numbers are as wide as components, or wider.
  uint32_t numbers() const { return componentBits > numberBits ? componentBits / numberBits : 1; }
  /// Components in a number; 1 if components are as wide as numbers, or wider.
  uint32_t components() const { return numberBits > componentBits ? numberBits / componentBits : 1; }
};

/// The component that consists of `numbers`, as many as m.numbers().
Id joinNumbers(Code& c, const MemoryNumbers& m, std::span<const Id> numbers);
/// The m.numbers() numbers of a component.
std::vector<Id> splitComponent(Code& c, const MemoryNumbers& m, NamedId component);

/// One of the m.components() components of a number; `part` may differ between invocations.
Id extractComponent(Code& c, const MemoryNumbers& m, NamedId number, NamedUInt part);
/// The number that consists of `components`, as many as m.components().
Id joinComponents(Code& c, const MemoryNumbers& m, std::span<const Id> components);
/// `number` with `component` in the place of one of its components.
Id replaceComponent(Code& c, const MemoryNumbers& m, NamedId number, NamedId component, uint32_t part);

/// Stores one of the components of a 32-bit integer in memory by two atomic operations, which do not change
/// the other bits: other invocations may be storing them.
void storeComponentAtomically(Code& c, const MemoryNumbers& m, NamedId pointer, spv::StorageClass storage,
                              NamedUInt part, NamedId component);

}  // namespace coopc::spirv::lower
