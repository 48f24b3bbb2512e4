// Tensor addressing, step by step as in the pseudo-code of GL_NV_cooperative_matrix2: matrix coordinate -> linear
// index in the view -> view coordinate -> linear index in the span -> span coordinate -> tensor coordinate -> linear
// index in the tensor. Where the pseudo-code errs, a comment says what is done instead.
#include "layout/tensor.hpp"

#include <algorithm>
#include <limits>

namespace coopc::layout {
namespace {

// Strides count blocks. The sum dimension + block - 1 could wrap, so it is not formed.
uint32_t ceilDiv(uint32_t value, uint32_t divisor) {
  if (divisor == 0) return 0;
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// Splits `index` into the digits of a mixed-radix number, innermost dimension last in `order`.
// Returns false for a radix of zero, whose remainder is undefined.
bool splitIndex(uint32_t index, uint32_t dims, const Coord& radix, const Coord* permutation, Coord& digits) {
  digits = Coord{};
  for (uint32_t dim = dims; dim-- > 0;) {
    const uint32_t i = permutation != nullptr ? (*permutation)[dim] : dim;
    if (radix[i] == 0) return false;
    digits[i] = index % radix[i];
    index /= radix[i];
  }
  return true;
}

// OpSMod by a positive divisor: the result lies in [0, divisor).
int64_t floorMod(int64_t value, int64_t divisor) {
  const int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

enum class Bound { Inside, Outside, Undefined };

// Applies the clamp mode to one coordinate. 64-bit arithmetic: `2 * dimension - 2` and `dimension - 1` as signed
// numbers must not wrap for dimensions of 2^31 and above.
Bound clampCoord(int64_t& c, uint32_t dimension, ClampMode mode) {
  if (c >= 0 && c < static_cast<int64_t>(dimension)) return Bound::Inside;
  if (mode == ClampMode::Undefined) return Bound::Undefined;
  if (mode == ClampMode::Constant) return Bound::Outside;
  const int64_t size = dimension;
  if (size == 0) return Bound::Undefined;
  switch (mode) {
    case ClampMode::ClampToEdge: c = std::min(std::max<int64_t>(c, 0), size - 1); return Bound::Inside;
    case ClampMode::Repeat: c = floorMod(c, size); return Bound::Inside;
    case ClampMode::MirrorRepeat:
      // The pseudo-code reflects about `dim`, the loop's counter; the dimension's size is meant. With one element
      // its modulus would be 0: the only coordinate there is, is 0.
      if (size == 1) {
        c = 0;
      } else {
        c = floorMod(c, 2 * size - 2);
        if (c >= size) c = 2 * size - 2 - c;
      }
      return Bound::Inside;
    default: return Bound::Undefined;
  }
}

// The view's part: (row, col) -> linear index in the span. Outcome::Element means that the calculation goes on.
Outcome matrixToSpanIndex(const TensorLayout& t, const TensorView& v, uint32_t row, uint32_t col,
                          uint32_t columns, uint32_t& index) {
  // Offset plus span is formed in 64 bits: the spans start at 0xFFFFFFFF, so the 32-bit sum of the pseudo-code would
  // wrap as soon as an offset is set.
  const auto outside = [](uint32_t at, uint32_t offset, uint32_t span) {
    return at < offset || at >= uint64_t{offset} + span;
  };
  if (outside(row, v.clipRowOffset, v.clipRowSpan) || outside(col, v.clipColOffset, v.clipColSpan)) {
    return Outcome::Skipped;
  }
  const uint32_t width = std::min(columns, v.clipColSpan);
  const uint32_t linear = (row - v.clipRowOffset) * width + (col - v.clipColOffset);

  Coord viewCoord;
  if (!splitIndex(linear, v.dim, v.hasDimensions ? v.dimension : t.span, &v.permutation, viewCoord)) {
    return Outcome::Undefined;
  }

  Coord stride = v.stride;
  if (!v.hasDimensions) {
    stride = Coord{};
    stride[v.dim - 1] = 1;
    for (uint32_t dim = v.dim - 1; dim-- > 0;) stride[dim] = stride[dim + 1] * t.span[dim + 1];
  }
  index = 0;
  for (uint32_t dim = 0; dim < v.dim; ++dim) index += viewCoord[dim] * stride[dim];
  return Outcome::Element;
}

}  // namespace

std::optional<TensorLayout> createTensorLayout(uint32_t dim, ClampMode mode) {
  if (dim < 1 || dim > kMaxDim || static_cast<uint32_t>(mode) > 4) return std::nullopt;
  TensorLayout t;
  t.dim = dim;
  t.clampMode = mode;
  return t;
}

std::optional<TensorView> createTensorView(uint32_t dim, bool hasDimensions, const Coord& permutation) {
  if (dim < 1 || dim > kMaxDim) return std::nullopt;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < dim; ++i) {
    if (permutation[i] >= dim || (seen >> permutation[i] & 1) != 0) return std::nullopt;
    seen |= 1u << permutation[i];
  }
  TensorView v;
  v.dim = dim;
  v.hasDimensions = hasDimensions;
  for (uint32_t i = 0; i < dim; ++i) v.permutation[i] = permutation[i];
  return v;
}

TensorLayout setBlockSize(TensorLayout t, const Coord& blockSize) {
  std::copy_n(blockSize.begin(), t.dim, t.blockSize.begin());
  return t;
}

TensorLayout setDimension(TensorLayout t, const Coord& dimension) {
  uint32_t stride = 1;
  for (uint32_t i = t.dim; i-- > 0;) {
    t.dimension[i] = dimension[i];
    t.span[i] = dimension[i];
    t.offset[i] = 0;
    t.stride[i] = stride;
    stride *= ceilDiv(dimension[i], t.blockSize[i]);
  }
  return t;
}

TensorLayout setStride(TensorLayout t, const Coord& stride) {
  std::copy_n(stride.begin(), t.dim, t.stride.begin());
  return t;
}

TensorLayout slice(TensorLayout t, const SignedCoord& offset, const Coord& span) {
  for (uint32_t i = 0; i < t.dim; ++i) {
    // Signed overflow is not defined in C++; the sum of the bits is, and is what a device computes.
    t.offset[i] = static_cast<int32_t>(static_cast<uint32_t>(t.offset[i]) + static_cast<uint32_t>(offset[i]));
    t.span[i] = span[i];
  }
  return t;
}

TensorLayout setClampValue(TensorLayout t, uint32_t value) {
  t.clampValue = value;
  return t;
}

TensorView setViewDimension(TensorView v, const Coord& dimension) {
  uint32_t stride = 1;
  for (uint32_t i = v.dim; i-- > 0;) {
    v.dimension[i] = dimension[i];
    v.stride[i] = stride;
    stride *= dimension[i];
  }
  return v;
}

TensorView setViewStride(TensorView v, const Coord& stride) {
  std::copy_n(stride.begin(), v.dim, v.stride.begin());
  return v;
}

TensorView setViewClip(TensorView v, uint32_t rowOffset, uint32_t rowSpan, uint32_t colOffset,
                       uint32_t colSpan) {
  v.clipRowOffset = rowOffset;
  v.clipRowSpan = rowSpan;
  v.clipColOffset = colOffset;
  v.clipColSpan = colSpan;
  return v;
}

Mapping mapElement(const TensorLayout& t, const TensorView* view, uint32_t row, uint32_t col,
                   uint32_t columns, Access access) {
  Mapping result;
  uint32_t index = row * columns + col;
  if (view != nullptr) {
    result.outcome = matrixToSpanIndex(t, *view, row, col, columns, index);
    if (result.outcome != Outcome::Element) return result;
  }

  Coord spanCoord;
  result.outcome = Outcome::Undefined;
  if (!splitIndex(index, t.dim, t.span, nullptr, spanCoord)) return result;

  // "For stores, other than Undefined, everything is treated as discard."
  const bool discard = access == Access::Store && t.clampMode != ClampMode::Undefined;
  const ClampMode mode = discard ? ClampMode::Constant : t.clampMode;
  for (uint32_t dim = 0; dim < t.dim; ++dim) {
    int64_t c = static_cast<int32_t>(spanCoord[dim] + static_cast<uint32_t>(t.offset[dim]));
    switch (clampCoord(c, t.dimension[dim], mode)) {
      case Bound::Undefined: return result;
      case Bound::Outside: result.outcome = discard ? Outcome::Discarded : Outcome::ClampValue; return result;
      case Bound::Inside: break;
    }
    if (t.blockSize[dim] == 0) return result;
    const auto inside = static_cast<uint32_t>(c);
    result.coordInBlock[dim] = inside % t.blockSize[dim];
    result.blockCoord[dim] = inside / t.blockSize[dim];
    result.index += result.blockCoord[dim] * t.stride[dim];
  }
  result.outcome = Outcome::Element;
  return result;
}

uint64_t storageExtent(const TensorLayout& t) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  uint64_t extent = 1;
  for (uint32_t i = 0; i < t.dim; ++i) {
    const uint32_t blocks = ceilDiv(t.dimension[i], t.blockSize[i]);
    if (blocks == 0) return 0;
    const uint64_t last = uint64_t{blocks - 1} * t.stride[i];
    extent = last > kMost - extent ? kMost : extent + last;
  }
  return extent;
}

}  // namespace coopc::layout
