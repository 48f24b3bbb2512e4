// Matrices in shared memory: the eight canonical layouts of the PTX ISA (9.7.16.3.3), which its asynchronous
// matrix instructions read, and what the leading dimension and stride dimension byte offsets mean in each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cute.hpp"

namespace coopc::layout {

/// Which dimension is contiguous: K, or the other one (M of operand A, N of operand B).
enum class Major : uint8_t { K, MN };

/// Numbered as in the descriptor's field.
enum class SwizzleMode : uint8_t {
  None = 0,            ///< also called interleaved
  Bytes128Atom32 = 1,  ///< 128 bytes in atoms of 32; no canonical layout describes it
  Bytes128 = 2,
  Bytes64 = 4,
  Bytes32 = 6,
};

/// Chunks of 16 bytes that a swizzle permutes: 1 for None, otherwise the swizzle's bytes / 16.
constexpr uint32_t swizzleChunks(SwizzleMode mode) {
  switch (mode) {
    case SwizzleMode::None: return 1;
    case SwizzleMode::Bytes32: return 2;
    case SwizzleMode::Bytes64: return 4;
    default: return 8;
  }
}

/// Swizzle<0,4,3> to Swizzle<3,4,3>. Refused for Bytes128Atom32.
constexpr Answer<Swizzle> swizzleOf(SwizzleMode mode) {
  switch (mode) {
    case SwizzleMode::None: return Swizzle{0, 4, 3};
    case SwizzleMode::Bytes32: return Swizzle{1, 4, 3};
    case SwizzleMode::Bytes64: return Swizzle{2, 4, 3};
    case SwizzleMode::Bytes128: return Swizzle{3, 4, 3};
    default: return Rule::DecodeOnly;
  }
}
/// The reverse.
constexpr Answer<SwizzleMode> swizzleModeOf(const Swizzle& swizzle) {
  constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::Bytes32, SwizzleMode::Bytes64,
                                    SwizzleMode::Bytes128};
  if (swizzle.bits > 3 || swizzle.base != 4 || swizzle.shift != 3)
    return {Rule::SwizzleUnknown, {swizzle.bits, swizzle.base, swizzle.shift}};
  return kModes[swizzle.bits];
}

/// The parameters of a canonical layout. Its first mode is the matrix's MN dimension, its second one K.
struct Canonical {
  Major major = Major::K;
  SwizzleMode mode = SwizzleMode::None;
  uint32_t elementBits = 16;
  uint32_t m = 1;  ///< repeating patterns across rows
  /// repeating patterns across columns; a K-major pattern, the 8x2 tile, is two 16-byte columns wide
  uint32_t k = 1;
  /// LBO; not used by K-major swizzled layouts, where it is assumed to be 1 (in units of 16 bytes)
  uint64_t leadingBytes = 0;
  uint64_t strideBytes = 0;  ///< SBO

  constexpr bool operator==(const Canonical&) const = default;
  /// T = 128 / element bits: elements of a 16-byte chunk. The layout of a matrix of 128-bit elements is the
  /// one with T = 1.
  constexpr uint32_t elementsPerChunk() const { return 128 / elementBits; }
  constexpr bool usesLeadingOffset() const { return major == Major::MN || mode == SwizzleMode::None; }
  /// Whether there are several repetitions at the distance of the offset. If not, no address depends on it.
  constexpr bool leadingRepeats() const {
    return major == Major::K ? mode == SwizzleMode::None : (mode == SwizzleMode::None ? k : m) > 1;
  }
  constexpr bool strideRepeats() const {
    return (major == Major::MN && mode != SwizzleMode::None ? k : m) > 1;
  }
};

/// The row of the table, in CuTe's notation with T, m, k, LBO and SBO (in elements) as the document prints
/// it.
std::string_view canonicalText(Major major, SwizzleMode mode);
/// The units between which each offset is the distance, in the document's words for 128-bit elements.
std::string_view leadingOffsetMeaning(Major major, SwizzleMode mode);
std::string_view strideOffsetMeaning(Major major, SwizzleMode mode);

/// The smallest offsets without overlap: the matrix is packed pattern by pattern, rows first.
constexpr Canonical packOffsets(Canonical c) {
  const uint64_t pattern = 8 * 16 * swizzleChunks(c.mode);
  if (c.mode == SwizzleMode::None) {
    c.strideBytes = pattern;
    c.leadingBytes = pattern * c.m;
  } else if (c.major == Major::K) {
    c.leadingBytes = 0;
    c.strideBytes = pattern;
  } else {
    c.leadingBytes = pattern;
    c.strideBytes = pattern * c.m;
  }
  return c;
}

/// The layout, with strides in elements. Refused if 128 is not a multiple of the element's bits, or an offset
/// is not a multiple of 16 bytes.
Answer<cute::SwizzledLayout> canonicalLayout(const Canonical& c);

/// "2k = 4 columns ...": rows of a K-major layout with a swizzle are as far apart as the swizzle is wide, so
/// that more columns than that overlap with the next row. The document prints such a layout as an example
/// (K-major, 32B swizzling and tf32).
std::optional<Broken> checkWidth(const Canonical& c);

/// The parameters of a canonical layout, or what is not canonical about a layout. The layout counts as a
/// function from (row, column) to bytes: its first mode is the rows, the others are the columns, and neither
/// the nesting of modes nor the notation of the swizzle matters. A layout that overlaps can be canonical. An
/// offset on which no address depends is taken from a packed matrix, whatever the strides of modes of one
/// element say. Up to kMaxEnumerated elements.
Answer<Canonical> canonicalOf(const cute::SwizzledLayout& layout, uint32_t elementBits);

/// Which canonical form a layout is closest to: MN-major if its first two rows are adjacent in memory.
Major nearestMajor(const cute::SwizzledLayout& layout);

[[deprecated("use checkWidth()")]] inline std::optional<Broken> widthBroken(const Canonical& c) {
  return checkWidth(c);
}

}  // namespace coopc::layout
