// Tensor addressing: the logical state of tensor layouts and views, and the calculation that maps an element
// (row, column) of a cooperative matrix to an element of a tensor in memory.
//
// The state and the operations follow SPV_NV_tensor_addressing ("Tensor Layout and View"); the
// calculation is the pseudo-code of GL_NV_cooperative_matrix2, section "Cooperative Matrix Functions". All
// arithmetic is 32-bit and wraps, as it does on a device, except where a comment says otherwise. Nothing here
// depends on GLSL, SPIR-V or Vulkan, and nothing here traps, whatever the numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rule.hpp"

namespace coopc::layout {

/// A layout or a view has 1 to 5 dimensions; dimension 0 is the outermost.
inline constexpr uint32_t kMaxDim = 5;

using Coord = std::array<uint32_t, kMaxDim>;
using SignedCoord = std::array<int32_t, kMaxDim>;

/// Numbered as in SPIR-V's Tensor Clamp Mode and gl_CooperativeMatrixClampMode*NV.
enum class ClampMode : uint32_t {
  Undefined = 0,
  Constant = 1,
  ClampToEdge = 2,
  Repeat = 3,
  MirrorRepeat = 4
};

/// The state of a tensorLayoutNV. Entries at and above `dim` are never read, except by a view without its own
/// dimensions that has more of them than its layout: such an entry counts as 0.
struct TensorLayout {
  uint32_t dim = 1;
  ClampMode clampMode = ClampMode::Undefined;
  Coord blockSize{1, 1, 1, 1, 1};
  Coord dimension{};     ///< in elements
  Coord stride{};        ///< in blocks (equal to elements when the block size is 1)
  SignedCoord offset{};  ///< in elements
  Coord span{};          ///< in elements
  uint32_t clampValue = 0;
};

/// The state of a tensorViewNV.
struct TensorView {
  uint32_t dim = 1;
  bool hasDimensions = false;
  Coord permutation{0, 1, 2, 3, 4};
  Coord dimension{};
  Coord stride{};
  uint32_t clipRowOffset = 0;
  uint32_t clipRowSpan = 0xFFFFFFFFu;
  uint32_t clipColOffset = 0;
  uint32_t clipColSpan = 0xFFFFFFFFu;
};

/// OpCreateTensorLayoutNV. Refused when `dim` is not in [1, 5] or the mode is not one of the five.
Answer<TensorLayout> createTensorLayout(uint32_t dim, ClampMode mode = ClampMode::Undefined);

/// OpCreateTensorViewNV. Refused when `dim` is not in [1, 5] or the first `dim` entries of `permutation` are
/// not a permutation of [0, dim).
Answer<TensorView> createTensorView(uint32_t dim, bool hasDimensions = false,
                                    const Coord& permutation = {0, 1, 2, 3, 4});

// Each returns a changed copy, as the instructions do, and reads the first `t.dim` entries of its arguments.

/// OpTensorLayoutSetBlockSizeNV. Strides that were set before keep their values.
TensorLayout setBlockSize(TensorLayout t, const Coord& blockSize);
/// OpTensorLayoutSetDimensionNV: dimensions and spans; offsets become 0; strides become packed, in blocks.
TensorLayout setDimension(TensorLayout t, const Coord& dimension);
/// OpTensorLayoutSetStrideNV.
TensorLayout setStride(TensorLayout t, const Coord& stride);
/// OpTensorLayoutSliceNV: `offset` is added to the offsets, spans are replaced.
TensorLayout slice(TensorLayout t, const SignedCoord& offset, const Coord& span);
/// OpTensorLayoutSetClampValueNV: a load out of bounds gives the low bits of this value.
TensorLayout setClampValue(TensorLayout t, uint32_t value);
/// OpTensorViewSetDimensionNV: dimensions, and packed strides.
TensorView setViewDimension(TensorView v, const Coord& dimension);
/// OpTensorViewSetStrideNV.
TensorView setViewStride(TensorView v, const Coord& stride);
/// OpTensorViewSetClipNV.
TensorView setViewClip(TensorView v, uint32_t rowOffset, uint32_t rowSpan, uint32_t colOffset,
                       uint32_t colSpan);

enum class Access { Load, Store };

enum class Outcome {
  /// The tensor's element `index` is read or written.
  Element,
  /// Outside the view's clip region: a load leaves the matrix element as it was, a store does nothing.
  Skipped,
  /// Out of bounds, load: the result is the layout's clamp value. A decode function is not called.
  ClampValue,
  /// Out of bounds, store with a clamp mode other than Undefined: nothing is written.
  Discarded,
  /// The text defines nothing: out of bounds with clamp mode Undefined, or a remainder by zero (a span, view
  /// dimension, block size or wrapped dimension of 0). `index` means nothing.
  Undefined,
};

/// The result of matrixCoordToTensorElement(WithView). `index` counts components, or structs when a decode
/// function is used, from the tensor's base; the coordinates are those that a decode function receives. All
/// three are meaningful for Outcome::Element only.
struct Mapping {
  Outcome outcome = Outcome::Undefined;
  uint32_t index = 0;
  Coord blockCoord{};
  Coord coordInBlock{};
};

/// The tensor element for (row, col) of a matrix with `columns` columns. `view` may be null.
Mapping mapElement(const TensorLayout& t, const TensorView* view, uint32_t row, uint32_t col,
                   uint32_t columns, Access access);

// The steps of that calculation, each by itself: (row, col) -> index in the matrix or in the view's clip
// region -> view coordinate -> index in the span -> span coordinate -> tensor coordinate, with block
// coordinate and coordinate in the block -> element index -> byte offset. The names in brackets are the
// pseudo-code's.

/// [matrixCoordToLinear, without a view]
constexpr uint32_t matrixIndex(uint32_t row, uint32_t col, uint32_t columns) { return row * columns + col; }

/// [matrixCoordToLinear, with a view] Nothing outside the clip region, where the load or store is skipped.
/// Offset plus span is formed in 64 bits: spans start at 0xFFFFFFFF, so the 32-bit sum of the pseudo-code
/// would wrap as soon as an offset is set.
constexpr std::optional<uint32_t> clippedIndex(const TensorView& v, uint32_t row, uint32_t col,
                                               uint32_t columns) {
  if (row < v.clipRowOffset || row >= uint64_t{v.clipRowOffset} + v.clipRowSpan || col < v.clipColOffset ||
      col >= uint64_t{v.clipColOffset} + v.clipColSpan)
    return std::nullopt;
  const uint32_t width = columns < v.clipColSpan ? columns : v.clipColSpan;
  return (row - v.clipRowOffset) * width + (col - v.clipColOffset);
}

/// [linearToViewCoord] Nothing where a dimension of the view is 0, whose remainder is undefined.
std::optional<Coord> viewCoordAt(const TensorLayout& t, const TensorView& v, uint32_t index);

/// [viewCoordToLinear] The index in the span.
uint32_t spanIndexAt(const TensorLayout& t, const TensorView& v, const Coord& viewCoord);

/// [linearToSpanCoord] Nothing where a span is 0.
std::optional<Coord> spanCoordAt(const TensorLayout& t, uint32_t spanIndex);

/// [spanCoordToTensorCoord] For Outcome::Element, all dimensions are meaningful; for other outcomes, only the
/// dimensions before the one that ended the calculation.
struct TensorPosition {
  Outcome outcome = Outcome::Undefined;
  SignedCoord unclamped{};  ///< span coordinate plus offset
  Coord tensorCoord{};      ///< after the clamp mode; in elements
  Coord blockCoord{};       ///< in blocks
  Coord coordInBlock{};
};
TensorPosition tensorPositionAt(const TensorLayout& t, const Coord& spanCoord, Access access);

/// [tensorCoordToLinear] In blocks (in elements where the block size is 1), from the tensor's base.
uint32_t elementIndexAt(const TensorLayout& t, const Coord& blockCoord);

/// The index times `indexBytes` (the size of the matrix's component type, or of the structure that a decode
/// function takes), counted from the buffer's first byte: `elementOffset` counts the array's elements of
/// `elementBytes` each.
constexpr uint64_t byteOffsetAt(uint64_t elementOffset, uint32_t elementBytes, uint32_t index,
                                uint32_t indexBytes) {
  return elementOffset * elementBytes + uint64_t{index} * indexBytes;
}

/// mapElement() with every intermediate result. Results after the step that ended the calculation are empty.
struct Trace {
  Outcome outcome = Outcome::Undefined;
  std::optional<uint32_t> linear;     ///< in the matrix, or in the view's clip region
  std::optional<Coord> viewCoord;     ///< with a view
  std::optional<uint32_t> spanIndex;  ///< equal to `linear` without a view
  std::optional<Coord> spanCoord;
  std::optional<TensorPosition> position;
  std::optional<uint32_t> index;
};
Trace traceElement(const TensorLayout& t, const TensorView* view, uint32_t row, uint32_t col,
                   uint32_t columns, Access access);

/// setTensorLayoutStrideNV: "s<i> must be at least s<i+1> * ceiling(dim<i+1> / blockSize[i+1])". The
/// innermost dimension that breaks it, if one does.
std::optional<Broken> checkStride(const TensorLayout& t);

/// "elementOffset multiplied by the size of T must be a multiple of 16B."
constexpr std::optional<Broken> checkBase(uint64_t elementOffset, uint32_t elementBytes) {
  if (elementOffset * elementBytes % 16 == 0) return std::nullopt;
  return Broken{Rule::TensorBase, {static_cast<int64_t>(elementOffset), elementBytes}};
}

/// One past the largest index that a coordinate inside the layout's dimensions can have, in blocks: the size
/// of the tensor's storage. 0 when a dimension or block size is 0. Not wrapped to 32 bits; saturates at
/// UINT64_MAX.
uint64_t storageExtent(const TensorLayout& t);

[[deprecated("use checkStride()")]] inline std::optional<Broken> strideBroken(const TensorLayout& t) {
  return checkStride(t);
}
[[deprecated("use checkBase()")]] constexpr std::optional<Broken> baseBroken(uint64_t elementOffset,
                                                                             uint32_t elementBytes) {
  return checkBase(elementOffset, elementBytes);
}

}  // namespace coopc::layout
