// The 64-bit descriptor of a matrix in shared memory (PTX ISA 9.7.16.3): its fields, their encoding, and the
// restrictions of its absolute address mode. Offsets and addresses are bytes here; the fields hold them in
// units of 16 bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "shared_memory.hpp"

namespace coopc::layout {

/// The matrix instructions that read a descriptor: wgmma (fourth generation of tensor cores) or tcgen05
/// (fifth), which the document describes. The version in bits 46 to 48 is not in the document; it comes from
/// the ISA's tables of descriptors.
enum class Generation : uint8_t { Fourth = 4, Fifth = 5 };
constexpr uint32_t versionOf(Generation generation) { return generation == Generation::Fifth ? 1 : 0; }

struct SharedMemoryDescriptor {
  uint32_t address = 0;        ///< bits [0, 14)
  uint32_t leadingOffset = 0;  ///< bits [16, 30): LBO, or the address of the second chunk of K
  uint32_t strideOffset = 0;   ///< bits [32, 46): SBO
  uint32_t version = 0;        ///< bits [46, 49): versionOf() its generation
  uint32_t baseOffset = 0;     ///< bits [49, 52)
  /// Bit 52: the leading dimension stride is an absolute address.
  bool leadingIsAbsolute = false;
  SwizzleMode swizzle = SwizzleMode::None;  ///< bits [61, 64)
  /// Bits that the document does not name, at their places. They are kept, and not checked.
  uint64_t otherBits = 0;

  constexpr bool operator==(const SharedMemoryDescriptor&) const = default;
};

namespace detail {

struct Field {
  uint32_t low;
  uint32_t end;
  constexpr uint64_t mask() const { return ((uint64_t{1} << (end - low)) - 1) << low; }
  constexpr uint64_t of(uint64_t bits) const { return (bits & mask()) >> low; }
  constexpr bool holds(uint64_t value) const { return value >> (end - low) == 0; }
};
inline constexpr Field kAddress{0, 14};
inline constexpr Field kLeading{16, 30};
inline constexpr Field kStride{32, 46};
inline constexpr Field kVersion{46, 49};
inline constexpr Field kBaseOffset{49, 52};
inline constexpr Field kAbsolute{52, 53};
inline constexpr Field kSwizzle{61, 64};
inline constexpr uint64_t kNamedBits = kAddress.mask() | kLeading.mask() | kStride.mask() | kVersion.mask() |
                                       kBaseOffset.mask() | kAbsolute.mask() | kSwizzle.mask();

}  // namespace detail

/// Encodes a descriptor. Refuses addresses and offsets that are not multiples of 16 or too large, and swizzle
/// mode 1, which can only be decoded.
constexpr Answer<uint64_t> encode(const SharedMemoryDescriptor& d) {
  if (d.swizzle == SwizzleMode::Bytes128Atom32) return Rule::DecodeOnly;
  if (d.address % 16 != 0) return {Rule::AddressAlignment, {d.address}};
  if (d.leadingIsAbsolute && d.leadingOffset % 16 != 0) return {Rule::AddressAlignment, {d.leadingOffset}};
  for (const uint32_t offset : {d.leadingOffset, d.strideOffset}) {
    if (offset % 16 != 0) return {Rule::OffsetAlignment, {offset}};
  }
  struct Part {
    detail::Field field;
    uint64_t value;
  };
  const Part parts[] = {{detail::kAddress, d.address >> 4},
                        {detail::kLeading, d.leadingOffset >> 4},
                        {detail::kStride, d.strideOffset >> 4},
                        {detail::kVersion, d.version},
                        {detail::kBaseOffset, d.baseOffset},
                        {detail::kAbsolute, d.leadingIsAbsolute ? 1u : 0u},
                        {detail::kSwizzle, static_cast<uint64_t>(d.swizzle)}};
  uint64_t bits = d.otherBits & ~detail::kNamedBits;
  for (const Part& part : parts) {
    if (!part.field.holds(part.value))
      return {Rule::FieldRange, {part.field.low, part.field.end, static_cast<int64_t>(part.value)}};
    bits |= part.value << part.field.low;
  }
  return bits;
}

/// Decodes a descriptor. Refuses swizzle modes 3, 5 and 7.
constexpr Answer<SharedMemoryDescriptor> decode(uint64_t bits) {
  const uint64_t mode = detail::kSwizzle.of(bits);
  if (mode == 3 || mode == 5 || mode == 7) return {Rule::SwizzleModeInvalid, {static_cast<int64_t>(mode)}};
  SharedMemoryDescriptor d;
  d.address = static_cast<uint32_t>(detail::kAddress.of(bits)) << 4;
  d.leadingOffset = static_cast<uint32_t>(detail::kLeading.of(bits)) << 4;
  d.strideOffset = static_cast<uint32_t>(detail::kStride.of(bits)) << 4;
  d.version = static_cast<uint32_t>(detail::kVersion.of(bits));
  d.baseOffset = static_cast<uint32_t>(detail::kBaseOffset.of(bits));
  d.leadingIsAbsolute = detail::kAbsolute.of(bits) != 0;
  d.swizzle = static_cast<SwizzleMode>(mode);
  d.otherBits = bits & ~detail::kNamedBits;
  return d;
}

/// The transpose bits of the instruction descriptor: bit 15 of operand A, bit 16 of operand B. Set for
/// MN-major operands.
inline constexpr uint32_t kTransposeA = 1u << 15;
inline constexpr uint32_t kTransposeB = 1u << 16;
constexpr uint32_t transposeBits(Major a, Major b) {
  return (a == Major::MN ? kTransposeA : 0) | (b == Major::MN ? kTransposeB : 0);
}

/// Checks the restrictions of the absolute address mode (9.7.16.3.1.2.1) on a descriptor and the instruction
/// descriptor. No value if all hold, or if the leading dimension stride is an offset.
constexpr std::optional<Broken> checkRestrictions(const SharedMemoryDescriptor& d, uint32_t instruction) {
  if (!d.leadingIsAbsolute) return std::nullopt;
  if (d.swizzle != SwizzleMode::Bytes128)
    return Broken{Rule::AbsoluteSwizzle, {static_cast<int64_t>(d.swizzle)}};
  if ((instruction & (kTransposeA | kTransposeB)) != 0)
    return Broken{Rule::AbsoluteMajor, {instruction >> 15 & 1, instruction >> 16 & 1}};
  if (d.baseOffset != 0) return Broken{Rule::AbsoluteBase, {d.baseOffset}};
  return std::nullopt;
}

/// The rule that keeps a generation's instructions from taking a descriptor, if there is one: each generation
/// needs its version, and the fourth has no absolute addresses and no atoms of 32 bytes.
constexpr std::optional<Broken> checkGeneration(const SharedMemoryDescriptor& d, Generation generation) {
  if (d.version != versionOf(generation))
    return Broken{Rule::DescriptorVersion,
                  {d.version, static_cast<int64_t>(generation), versionOf(generation)}};
  if (generation == Generation::Fourth && (d.leadingIsAbsolute || d.swizzle == SwizzleMode::Bytes128Atom32))
    return Broken{Rule::FourthGeneration, {d.leadingIsAbsolute ? 1 : 0, static_cast<int64_t>(d.swizzle)}};
  return std::nullopt;
}

/// The descriptor of a canonical layout at `address`. An unused leading offset is encoded as 1, which is the
/// value that the document assumes.
constexpr SharedMemoryDescriptor descriptorOf(const Canonical& c, uint32_t address,
                                              Generation generation = Generation::Fifth) {
  SharedMemoryDescriptor d;
  // encode() refuses what does not fit.
  const auto field = [](uint64_t bytes) {
    return static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xFFFFFFF0));
  };
  d.version = versionOf(generation);
  d.address = address;
  d.leadingOffset = c.usesLeadingOffset() ? field(c.leadingBytes) : 16;
  d.strideOffset = field(c.strideBytes);
  d.swizzle = c.mode;
  return d;
}

/// A 48-byte slice along K of rows of 128 bytes. Where the slice would cross the end of the row, the
/// remainder is a second chunk elsewhere, to which the absolute address mode points.
struct Chunks48 {
  uint32_t firstBytes = 48;
  uint32_t secondBytes = 0;  ///< 0: the slice is one chunk, and does not need an absolute address
};
/// `start`: the byte within the row at which the slice begins.
constexpr Answer<Chunks48> chunks48(uint32_t start) {
  if (start % 16 != 0 || start >= 128) return {Rule::ChunkAligned, {start}};
  const uint32_t first = std::min(48u, 128 - start);
  return Chunks48{first, 48 - first};
}

[[deprecated("use checkRestrictions()")]] constexpr std::optional<Broken> restrictionBroken(
    const SharedMemoryDescriptor& d, uint32_t instruction) {
  return checkRestrictions(d, instruction);
}
[[deprecated("use checkGeneration()")]] constexpr std::optional<Broken> generationBroken(
    const SharedMemoryDescriptor& d, Generation generation) {
  return checkGeneration(d, generation);
}

}  // namespace coopc::layout
