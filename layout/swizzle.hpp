// Swizzles of byte addresses: Swizzle<B,M,S> of CuTe, as the PTX ISA's canonical layouts for shared memory
// use it.
#pragma once

#include <cstdint>

#include "rule.hpp"

namespace coopc::layout {

/// Swizzle<B,M,S>: the B bits from bit M + S up are XORed onto the B bits from bit M up. It acts on byte
/// addresses, not on element indices: with M = 4 it moves whole 16-byte chunks.
struct Swizzle {
  uint32_t bits = 0;   ///< B
  uint32_t base = 4;   ///< M
  uint32_t shift = 3;  ///< S

  constexpr bool operator==(const Swizzle&) const = default;

  /// out = a ^ ((a & Y) >> S), where Y is B ones from bit M + S up. A checked swizzle is a bijection, and its
  /// own inverse.
  constexpr uint64_t operator()(uint64_t byteAddress) const {
    const uint64_t mask = ((uint64_t{1} << bits) - 1) << (base + shift);
    return byteAddress ^ (byteAddress & mask) >> shift;
  }
};

/// Whether this is a swizzle: the bits that are read and those that are written must be disjoint, and lie
/// within 63 bits.
constexpr Answer<Swizzle> checkedSwizzle(uint32_t bits, uint32_t base, uint32_t shift) {
  if (uint64_t{bits} + base + shift > 63) return {Rule::SwizzleBits, {bits, base, shift}};
  if (shift < bits) return {Rule::SwizzleOverlap, {bits, base, shift}};
  return Swizzle{bits, base, shift};
}

}  // namespace coopc::layout
