// Tensor addressing, step by step as in the pseudo-code of GL_NV_cooperative_matrix2: matrix coordinate ->
// linear index in the view -> view coordinate -> linear index in the span -> span coordinate -> tensor
// coordinate -> linear index in the tensor. Where the pseudo-code errs, a comment says what is done instead.
#include "layout/tensor.hpp"

#include <algorithm>
#include <limits>

namespace coopc::layout {
namespace {

// Strides count blocks. The sum dimension + block - 1 could wrap, so it is not computed.
uint32_t ceilDiv(uint32_t value, uint32_t divisor) {
  if (divisor == 0) return 0;
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// Splits `index` into the digits of a mixed-radix number, innermost dimension last in `order`. None for a
// radix of zero, whose remainder is undefined.
std::optional<Coord> splitIndex(uint32_t index, uint32_t dims, const Coord& radix, const Coord* permutation) {
  Coord digits{};
  for (uint32_t dim = dims; dim-- > 0;) {
    const uint32_t i = permutation != nullptr ? (*permutation)[dim] : dim;
    if (radix[i] == 0) return std::nullopt;
    digits[i] = index % radix[i];
    index /= radix[i];
  }
  return digits;
}

// OpSMod by a positive divisor: the result lies in [0, divisor).
int64_t floorMod(int64_t value, int64_t divisor) {
  const int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

enum class Bound { Inside, Outside, Undefined };

// Applies the clamp mode to one coordinate. 64-bit arithmetic: `2 * dimension - 2` and `dimension - 1` as
// signed numbers must not wrap for dimensions of 2^31 and above.
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
      // The pseudo-code reflects about `dim`, the loop's counter, where the dimension's size is meant. With
      // one element the modulus would be 0; the only coordinate is 0.
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

// Clamps each dimension of a span coordinate and divides it into blocks: `take(dim, unclamped, coordinate,
// block, inBlock)` is called for each, from the outermost on, until the calculation ends.
template <class Take>
Outcome eachDimension(const TensorLayout& t, const Coord& spanCoord, Access access, const Take& take) {
  // "For stores, other than Undefined, everything is treated as discard."
  const bool discard = access == Access::Store && t.clampMode != ClampMode::Undefined;
  const ClampMode mode = discard ? ClampMode::Constant : t.clampMode;
  for (uint32_t dim = 0; dim < t.dim; ++dim) {
    const auto unclamped = static_cast<int32_t>(spanCoord[dim] + static_cast<uint32_t>(t.offset[dim]));
    int64_t c = unclamped;
    switch (clampCoord(c, t.dimension[dim], mode)) {
      case Bound::Undefined: return Outcome::Undefined;
      case Bound::Outside: return discard ? Outcome::Discarded : Outcome::ClampValue;
      case Bound::Inside: break;
    }
    if (t.blockSize[dim] == 0) return Outcome::Undefined;
    const auto inside = static_cast<uint32_t>(c);
    take(dim, unclamped, inside, inside / t.blockSize[dim], inside % t.blockSize[dim]);
  }
  return Outcome::Element;
}

}  // namespace

Answer<TensorLayout> createTensorLayout(uint32_t dim, ClampMode mode) {
  if (dim < 1 || dim > kMaxDim) return {Rule::TensorDimensions, {dim}};
  if (mode > ClampMode::MirrorRepeat) return {Rule::TensorClampMode, {static_cast<uint32_t>(mode)}};
  TensorLayout t;
  t.dim = dim;
  t.clampMode = mode;
  return t;
}

Answer<TensorView> createTensorView(uint32_t dim, bool hasDimensions, const Coord& permutation) {
  if (dim < 1 || dim > kMaxDim) return {Rule::TensorDimensions, {dim}};
  TensorView v;
  v.dim = dim;
  v.hasDimensions = hasDimensions;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < dim; ++i) {
    if (permutation[i] >= dim || (seen >> permutation[i] & 1) != 0)
      return {Rule::TensorPermutation, {i, permutation[i], dim}};
    seen |= 1u << permutation[i];
    v.permutation[i] = permutation[i];
  }
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
    // Signed overflow is undefined in C++. Unsigned addition gives the bits that a device computes.
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

std::optional<Coord> viewCoordAt(const TensorLayout& t, const TensorView& v, uint32_t index) {
  return splitIndex(index, v.dim, v.hasDimensions ? v.dimension : t.span, &v.permutation);
}

uint32_t spanIndexAt(const TensorLayout& t, const TensorView& v, const Coord& viewCoord) {
  uint32_t index = 0;
  if (v.hasDimensions) {
    for (uint32_t dim = 0; dim < v.dim; ++dim) index += viewCoord[dim] * v.stride[dim];
    return index;
  }
  // Strides that match the span.
  uint32_t stride = 1;
  for (uint32_t dim = v.dim; dim-- > 0;) {
    index += viewCoord[dim] * stride;
    stride *= t.span[dim];
  }
  return index;
}

std::optional<Coord> spanCoordAt(const TensorLayout& t, uint32_t spanIndex) {
  return splitIndex(spanIndex, t.dim, t.span, nullptr);
}

TensorPosition tensorPositionAt(const TensorLayout& t, const Coord& spanCoord, Access access) {
  TensorPosition position;
  position.outcome =
      eachDimension(t, spanCoord, access,
                    [&](uint32_t dim, int32_t unclamped, uint32_t c, uint32_t block, uint32_t inBlock) {
                      position.unclamped[dim] = unclamped;
                      position.tensorCoord[dim] = c;
                      position.blockCoord[dim] = block;
                      position.coordInBlock[dim] = inBlock;
                    });
  return position;
}

uint32_t elementIndexAt(const TensorLayout& t, const Coord& blockCoord) {
  uint32_t index = 0;
  for (uint32_t dim = 0; dim < t.dim; ++dim) index += blockCoord[dim] * t.stride[dim];
  return index;
}

Trace traceElement(const TensorLayout& t, const TensorView* view, uint32_t row, uint32_t col,
                   uint32_t columns, Access access) {
  Trace trace;
  trace.linear = matrixIndex(row, col, columns);
  trace.spanIndex = trace.linear;
  if (view != nullptr) {
    trace.linear = clippedIndex(*view, row, col, columns);
    trace.spanIndex.reset();
    if (!trace.linear) {
      trace.outcome = Outcome::Skipped;
      return trace;
    }
    trace.viewCoord = viewCoordAt(t, *view, *trace.linear);
    if (!trace.viewCoord) return trace;
    trace.spanIndex = spanIndexAt(t, *view, *trace.viewCoord);
  }
  trace.spanCoord = spanCoordAt(t, *trace.spanIndex);
  if (!trace.spanCoord) return trace;
  trace.position = tensorPositionAt(t, *trace.spanCoord, access);
  trace.outcome = trace.position->outcome;
  if (trace.outcome == Outcome::Element) trace.index = elementIndexAt(t, trace.position->blockCoord);
  return trace;
}

Mapping mapElement(const TensorLayout& t, const TensorView* view, uint32_t row, uint32_t col,
                   uint32_t columns, Access access) {
  // The steps of traceElement() without its intermediate results, because references compute millions of
  // elements.
  Mapping result;
  uint32_t index = matrixIndex(row, col, columns);
  if (view != nullptr) {
    const std::optional<uint32_t> clipped = clippedIndex(*view, row, col, columns);
    if (!clipped) {
      result.outcome = Outcome::Skipped;
      return result;
    }
    const std::optional<Coord> viewCoord = viewCoordAt(t, *view, *clipped);
    if (!viewCoord) return result;
    index = spanIndexAt(t, *view, *viewCoord);
  }
  const std::optional<Coord> coord = spanCoordAt(t, index);
  if (!coord) return result;
  result.outcome = eachDimension(t, *coord, access,
                                 [&](uint32_t dim, int32_t, uint32_t, uint32_t block, uint32_t inBlock) {
                                   result.coordInBlock[dim] = inBlock;
                                   result.blockCoord[dim] = block;
                                   result.index += block * t.stride[dim];
                                 });
  return result;
}

std::optional<Broken> checkStride(const TensorLayout& t) {
  for (uint32_t i = t.dim - 1; i-- > 0;) {
    const uint64_t least = uint64_t{t.stride[i + 1]} * ceilDiv(t.dimension[i + 1], t.blockSize[i + 1]);
    if (t.stride[i] < least)
      return Broken{Rule::TensorStride, {i, t.stride[i], static_cast<int64_t>(least), i + 1}};
  }
  return std::nullopt;
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
