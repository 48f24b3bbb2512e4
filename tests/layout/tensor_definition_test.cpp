// Tensor addressing against a second implementation: the pseudo-code of GL_NV_cooperative_matrix2, section
// "Cooperative Matrix Functions", transcribed function by function from the text alone, and compared over
// thousands of random layouts and views. Also each step of layout/tensor.hpp by itself.
//
// The text errs in two places, which the transcription marks: in MirrorRepeat it says `dim`, the loop's
// counter, for the dimension's size (SPV_NV_tensor_addressing has it right), and the sum clipRowOffset +
// clipRowSpan wraps for the initial span of 0xFFFFFFFF.
#include <array>
#include <tuple>

#include <catch2/catch_test_macros.hpp>

#include "layout/tensor.hpp"
#include "tests/support/random.hpp"

using namespace coopc::layout;

namespace {

namespace text {

constexpr uint32_t MAX_DIM = 5;
using Coord = std::array<uint32_t, MAX_DIM>;

struct Layout {
  uint32_t LDim;
  ClampMode clampMode;
  uint32_t blockSize[MAX_DIM];
  uint32_t layoutDimension[MAX_DIM];
  uint32_t stride[MAX_DIM];
  int32_t offset[MAX_DIM];
  uint32_t span[MAX_DIM];
};
struct View {
  uint32_t VDim;
  bool hasDimensions;
  uint32_t permutation[MAX_DIM];
  uint32_t viewDimension[MAX_DIM];
  uint32_t viewStride[MAX_DIM];
  uint32_t clipRowOffset, clipRowSpan, clipColOffset, clipColSpan;
};

// Thrown for "terminate index calculation", and for results that the text leaves undefined.
struct Terminated {
  Outcome outcome;
};

int64_t opSMod(int64_t value, int64_t divisor) {
  if (divisor == 0) throw Terminated{Outcome::Undefined};
  const int64_t remainder = value % divisor;
  return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}
uint32_t mod(uint32_t value, uint32_t divisor) {
  if (divisor == 0) throw Terminated{Outcome::Undefined};
  return value % divisor;
}

uint32_t matrixCoordToLinear(uint32_t row, uint32_t col, uint32_t N) {
  uint32_t index = row * N + col;
  return index;
}

uint32_t matrixCoordToLinear(const View& v, uint32_t row, uint32_t col, uint32_t N) {
  // The text's sums have 32 bits, but are not meant to wrap.
  if (row < v.clipRowOffset || row >= uint64_t{v.clipRowOffset} + v.clipRowSpan || col < v.clipColOffset ||
      col >= uint64_t{v.clipColOffset} + v.clipColSpan) {
    throw Terminated{Outcome::Skipped};
  }
  row -= v.clipRowOffset;
  col -= v.clipColOffset;
  uint32_t width = std::min(N, v.clipColSpan);
  uint32_t index = row * width + col;
  return index;
}

Coord linearToViewCoord(const Layout& t, const View& v, uint32_t index) {
  const auto& dimensions = v.hasDimensions ? v.viewDimension : t.span;
  Coord viewCoord{};
  for (int32_t dim = static_cast<int32_t>(v.VDim) - 1; dim >= 0; --dim) {
    uint32_t i = v.permutation[dim];
    viewCoord[i] = mod(index, dimensions[i]);
    index /= dimensions[i];
  }
  return viewCoord;
}

uint32_t viewCoordToLinear(const Layout& t, const View& v, const Coord& viewCoord) {
  Coord stride{};
  if (v.hasDimensions) {
    for (uint32_t dim = 0; dim < v.VDim; ++dim) stride[dim] = v.viewStride[dim];
  } else {
    // set stride to match t.span
    stride[v.VDim - 1] = 1;
    for (int32_t dim = static_cast<int32_t>(v.VDim) - 2; dim >= 0; --dim) {
      const auto d = static_cast<size_t>(dim);
      stride[d] = stride[d + 1] * t.span[d + 1];
    }
  }
  uint32_t index = 0;
  for (int32_t dim = static_cast<int32_t>(v.VDim) - 1; dim >= 0; --dim)
    index += viewCoord[static_cast<size_t>(dim)] * stride[static_cast<size_t>(dim)];
  return index;
}

Coord linearToSpanCoord(const Layout& t, uint32_t index) {
  Coord spanCoord{};
  for (int32_t dim = static_cast<int32_t>(t.LDim) - 1; dim >= 0; --dim) {
    spanCoord[static_cast<size_t>(dim)] = mod(index, t.span[dim]);
    index /= t.span[dim];
  }
  return spanCoord;
}

std::tuple<Coord, Coord> spanCoordToTensorCoord(const Layout& t, const Coord& spanCoord, bool isStore) {
  Coord blockCoord{};
  Coord coordInBlock{};
  for (uint32_t dim = 0; dim <= t.LDim - 1; ++dim) {
    auto c = static_cast<int32_t>(spanCoord[dim] + static_cast<uint32_t>(t.offset[dim]));
    if (c < 0 || static_cast<uint32_t>(c) >= t.layoutDimension[dim]) {
      ClampMode clampMode = t.clampMode;
      // For stores, other than Undefined, everything is treated as "discard"
      if (isStore && clampMode != ClampMode::Undefined) clampMode = ClampMode::Constant;
      const int64_t size = t.layoutDimension[dim];
      // remainders are computed as defined in OpSMod
      switch (clampMode) {
        case ClampMode::Undefined: throw Terminated{Outcome::Undefined};
        case ClampMode::Constant: throw Terminated{isStore ? Outcome::Discarded : Outcome::ClampValue};
        case ClampMode::ClampToEdge:
          c = static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(c, 0), size - 1));
          break;
        case ClampMode::Repeat: c = static_cast<int32_t>(opSMod(c, size)); break;
        case ClampMode::MirrorRepeat:
          c = static_cast<int32_t>(opSMod(c, 2 * size - 2));
          // The text says (c >= dim) ? (2*dim-2-c) : c.
          c = c >= size ? static_cast<int32_t>(2 * size - 2 - c) : c;
          break;
      }
    }
    coordInBlock[dim] = mod(static_cast<uint32_t>(c), t.blockSize[dim]);
    blockCoord[dim] = static_cast<uint32_t>(c) / t.blockSize[dim];
  }
  return {blockCoord, coordInBlock};
}

uint32_t tensorCoordToLinear(const Layout& t, const Coord& blockCoord) {
  uint32_t index = 0;
  for (uint32_t dim = 0; dim <= t.LDim - 1; ++dim) index += blockCoord[dim] * t.stride[dim];
  return index;
}

Mapping matrixCoordToTensorElement(const Layout& t, const View* v, uint32_t row, uint32_t col, uint32_t N,
                                   bool isStore) {
  Mapping result;
  try {
    uint32_t index = 0;
    if (v == nullptr) {
      index = matrixCoordToLinear(row, col, N);
    } else {
      index = matrixCoordToLinear(*v, row, col, N);
      const Coord viewCoord = linearToViewCoord(t, *v, index);
      index = viewCoordToLinear(t, *v, viewCoord);
    }
    const Coord spanCoord = linearToSpanCoord(t, index);
    std::tie(result.blockCoord, result.coordInBlock) = spanCoordToTensorCoord(t, spanCoord, isStore);
    result.index = tensorCoordToLinear(t, result.blockCoord);
    result.outcome = Outcome::Element;
  } catch (const Terminated& end) {
    result = Mapping{};
    result.outcome = end.outcome;
  }
  return result;
}

}  // namespace text

// The same state for both implementations, set by the operations of each.
struct State {
  TensorLayout layout;
  text::Layout textLayout{};
  bool viewed = false;
  TensorView view;
  text::View textView{};
  uint32_t rows = 0;
  uint32_t columns = 0;
};

using Random = coopc::tests::Twister;

void randomLayout(Random& random, ClampMode mode, State& s) {
  const uint32_t dim = random.pick(1, 5);
  text::Layout& t = s.textLayout;
  t.LDim = dim;
  t.clampMode = mode;
  s.layout = *createTensorLayout(dim, mode);
  Coord block{};
  Coord dimension{};
  const bool blocks = random.one(3);
  for (uint32_t i = 0; i < dim; ++i) {
    block[i] = blocks ? random.pick(1, 4) : 1;
    dimension[i] = random.pick(1, dim > 3 ? 5 : 12);
  }
  // setTensorLayoutBlockSizeNV, setTensorLayoutDimensionNV
  s.layout = setDimension(setBlockSize(s.layout, block), dimension);
  uint32_t stride = 1;
  for (uint32_t i = dim; i-- > 0;) {
    t.blockSize[i] = block[i];
    t.layoutDimension[i] = dimension[i];
    t.span[i] = dimension[i];
    t.offset[i] = 0;
    t.stride[i] = stride;
    stride *= dimension[i] / block[i] + (dimension[i] % block[i] != 0 ? 1 : 0);
  }
  if (random.one(4)) {
    // setTensorLayoutStrideNV
    Coord strides{};
    for (uint32_t i = 0; i < dim; ++i) {
      strides[i] = t.stride[i] * 2 + random.pick(0, 3);
      t.stride[i] = strides[i];
    }
    s.layout = setStride(s.layout, strides);
  }
  for (uint32_t slices = random.pick(0, 2); slices > 0; --slices) {
    // sliceTensorLayoutNV
    SignedCoord offset{};
    Coord span{};
    for (uint32_t i = 0; i < dim; ++i) {
      offset[i] = random.pick(-9, 9);
      span[i] = random.pick(random.one(60) ? 0 : 1, 6);
      t.offset[i] += offset[i];
      t.span[i] = span[i];
    }
    s.layout = slice(s.layout, offset, span);
  }
}

void randomView(Random& random, State& s) {
  text::View& v = s.textView;
  // A view without its own dimensions reads the layout's spans, so it must not have more dimensions than the
  // layout.
  const bool has = random.one(2);
  const uint32_t dim = random.pick(1, has ? 5 : s.layout.dim);
  Coord permutation{0, 1, 2, 3, 4};
  for (uint32_t i = dim; i > 1; --i) std::swap(permutation[i - 1], permutation[random.pick(0, i - 1)]);
  s.view = *createTensorView(dim, has, permutation);
  v = {dim, has, {}, {}, {}, 0, 0xFFFFFFFFu, 0, 0xFFFFFFFFu};
  for (uint32_t i = 0; i < dim; ++i) v.permutation[i] = permutation[i];
  if (has) {
    // setTensorViewDimensionsNV
    Coord dimension{};
    for (uint32_t i = 0; i < dim; ++i) dimension[i] = random.pick(random.one(60) ? 0 : 1, 5);
    uint32_t stride = 1;
    for (uint32_t i = dim; i-- > 0;) {
      v.viewDimension[i] = dimension[i];
      v.viewStride[i] = stride;
      stride *= dimension[i];
    }
    s.view = setViewDimension(s.view, dimension);
    if (random.one(3)) {
      // setTensorViewStrideNV
      Coord strides{};
      for (uint32_t i = 0; i < dim; ++i) v.viewStride[i] = strides[i] = random.pick(0, 9);
      s.view = setViewStride(s.view, strides);
    }
  }
  if (random.one(3)) {
    // setTensorViewClipNV
    v.clipRowOffset = random.pick(0, 3);
    v.clipRowSpan = random.one(3) ? 0xFFFFFFFFu : random.pick(0, 8);
    v.clipColOffset = random.pick(0, 3);
    v.clipColSpan = random.one(3) ? 0xFFFFFFFFu : random.pick(0, 8);
    s.view = setViewClip(s.view, v.clipRowOffset, v.clipRowSpan, v.clipColOffset, v.clipColSpan);
  }
}

constexpr ClampMode kModes[] = {ClampMode::Undefined, ClampMode::Constant, ClampMode::ClampToEdge,
                                ClampMode::Repeat, ClampMode::MirrorRepeat};

bool same(const Mapping& a, const Mapping& b) {
  if (a.outcome != b.outcome) return false;
  return a.outcome != Outcome::Element ||
         (a.index == b.index && a.blockCoord == b.blockCoord && a.coordInBlock == b.coordInBlock);
}

TensorLayout layoutOf(uint32_t dim, const Coord& dimension, ClampMode mode = ClampMode::Undefined) {
  return setDimension(*createTensorLayout(dim, mode), dimension);
}

}  // namespace

TEST_CASE("tensor: two implementations agree over random layouts, views, clips, blocks and clamp modes") {
  Random random(1);
  uint32_t layouts = 0;
  uint64_t outcomes[5] = {};
  uint64_t wrong = 0;
  uint64_t mirroredOnce = 0;
  for (const ClampMode mode : kModes) {
    for (int round = 0; round < 3000; ++round, ++layouts) {
      State s;
      randomLayout(random, mode, s);
      s.viewed = random.one(2);
      if (s.viewed) randomView(random, s);
      s.rows = random.pick(1, 8);
      s.columns = random.pick(1, 12);
      for (const Access access : {Access::Load, Access::Store}) {
        for (uint32_t row = 0; row < s.rows; ++row) {
          for (uint32_t col = 0; col < s.columns; ++col) {
            const Mapping a = mapElement(s.layout, s.viewed ? &s.view : nullptr, row, col, s.columns, access);
            const Mapping b = text::matrixCoordToTensorElement(s.textLayout, s.viewed ? &s.textView : nullptr,
                                                               row, col, s.columns, access == Access::Store);
            ++outcomes[static_cast<size_t>(a.outcome)];
            // For a mirrored dimension of one element, the text's modulus is 0. layout/ takes the only
            // coordinate.
            if (mode == ClampMode::MirrorRepeat && b.outcome == Outcome::Undefined &&
                a.outcome == Outcome::Element) {
              bool one = false;
              for (uint32_t i = 0; i < s.layout.dim; ++i) one = one || s.layout.dimension[i] == 1;
              wrong += one ? 0 : 1;
              ++mirroredOnce;
              continue;
            }
            wrong += same(a, b) ? 0 : 1;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(layouts == 15000);
  CHECK(outcomes[static_cast<size_t>(Outcome::Element)] > 300000);
  CHECK(outcomes[static_cast<size_t>(Outcome::Skipped)] > 50000);
  CHECK(outcomes[static_cast<size_t>(Outcome::ClampValue)] > 40000);
  CHECK(outcomes[static_cast<size_t>(Outcome::Discarded)] > 50000);
  CHECK(outcomes[static_cast<size_t>(Outcome::Undefined)] > 50000);
  CHECK(mirroredOnce > 1000);
}

TEST_CASE("tensor: the steps one after the other are the whole map") {
  Random random(2);
  uint32_t layouts = 0;
  uint64_t wrong = 0;
  for (const ClampMode mode : kModes) {
    for (int round = 0; round < 1000; ++round, ++layouts) {
      State s;
      randomLayout(random, mode, s);
      s.viewed = random.one(2);
      if (s.viewed) randomView(random, s);
      const uint32_t columns = random.pick(1, 12);
      for (uint32_t element = 0; element < 24; ++element) {
        const Access access = random.one(2) ? Access::Load : Access::Store;
        const TensorView* view = s.viewed ? &s.view : nullptr;
        const uint32_t row = element / columns;
        const uint32_t col = element % columns;
        const Mapping whole = mapElement(s.layout, view, row, col, columns, access);
        const Trace trace = traceElement(s.layout, view, row, col, columns, access);
        Mapping stepped;
        const auto walk = [&]() {
          std::optional<uint32_t> index = matrixIndex(row, col, columns);
          if (view != nullptr) {
            index = clippedIndex(*view, row, col, columns);
            if (!index) return Outcome::Skipped;
            const std::optional<Coord> coord = viewCoordAt(s.layout, *view, *index);
            if (!coord) return Outcome::Undefined;
            index = spanIndexAt(s.layout, *view, *coord);
          }
          wrong += trace.spanIndex == index ? 0 : 1;
          const std::optional<Coord> span = spanCoordAt(s.layout, *index);
          if (!span) return Outcome::Undefined;
          const TensorPosition position = tensorPositionAt(s.layout, *span, access);
          if (position.outcome != Outcome::Element) return position.outcome;
          for (uint32_t i = 0; i < s.layout.dim; ++i) {
            wrong += position.blockCoord[i] * s.layout.blockSize[i] + position.coordInBlock[i] ==
                             position.tensorCoord[i]
                         ? 0
                         : 1;
          }
          stepped.blockCoord = position.blockCoord;
          stepped.coordInBlock = position.coordInBlock;
          stepped.index = elementIndexAt(s.layout, position.blockCoord);
          wrong += trace.index == stepped.index ? 0 : 1;
          return Outcome::Element;
        };
        stepped.outcome = walk();
        wrong += same(whole, stepped) && trace.outcome == whole.outcome ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(layouts == 5000);
}

TEST_CASE("tensor: the chain of one element, step by step") {
  // A view of 4 x 2 x 3 onto a span of 6 x 4 of a 10 x 9 tensor in blocks of 2 x 4, with the first row and
  // column clipped.
  TensorLayout t = setDimension(setBlockSize(*createTensorLayout(2, ClampMode::Repeat), {2, 4}), {10, 9});
  CHECK(t.stride == Coord{3, 1});
  t = slice(t, {8, -2}, {6, 4});
  const TensorView v =
      setViewClip(setViewDimension(*createTensorView(3, true, {2, 0, 1}), {4, 2, 3}), 1, 3, 1, 8);
  const Trace trace = traceElement(t, &v, 2, 6, 9, Access::Load);
  REQUIRE(trace.outcome == Outcome::Element);
  // (2 - 1) * 8 + (6 - 1)
  CHECK(trace.linear == 13u);
  // 13 in the order (dimension 2 of 3, dimension 0 of 4, dimension 1 of 2): digits 1, 2, 1.
  CHECK(trace.viewCoord == Coord{2, 1, 1});
  // 2 * 6 + 1 * 3 + 1
  CHECK(trace.spanIndex == 16u);
  CHECK(trace.spanCoord == Coord{4, 0});
  CHECK(trace.position->unclamped == SignedCoord{12, -2});
  CHECK(trace.position->tensorCoord == Coord{2, 7});
  CHECK(trace.position->blockCoord == Coord{1, 1});
  CHECK(trace.position->coordInBlock == Coord{0, 3});
  CHECK(trace.index == 4u);
  // 18 bytes a block, from element 8 of an array of 4-byte elements on.
  CHECK(byteOffsetAt(8, 4, *trace.index, 18) == 32 + 72);
  CHECK(traceElement(t, &v, 0, 6, 9, Access::Load).outcome == Outcome::Skipped);
  CHECK_FALSE(traceElement(t, &v, 0, 6, 9, Access::Load).spanIndex);
}

TEST_CASE("tensor: loads and stores differ out of bounds") {
  Random random(3);
  uint32_t compared = 0;
  for (const ClampMode mode : kModes) {
    for (int round = 0; round < 500; ++round) {
      State s;
      randomLayout(random, mode, s);
      for (uint32_t element = 0; element < 20; ++element, ++compared) {
        const Mapping load = mapElement(s.layout, nullptr, element, 0, 1, Access::Load);
        const Mapping store = mapElement(s.layout, nullptr, element, 0, 1, Access::Store);
        switch (store.outcome) {
          case Outcome::Element: REQUIRE(same(load, store)); break;
          case Outcome::Discarded:
            REQUIRE(mode != ClampMode::Undefined);
            REQUIRE(load.outcome == (mode == ClampMode::Constant ? Outcome::ClampValue : Outcome::Element));
            break;
          default: REQUIRE(load.outcome == Outcome::Undefined); break;
        }
      }
    }
  }
  CHECK(compared == 5 * 500 * 20);
}

TEST_CASE("tensor: what creation and strides refuse names the rule") {
  CHECK(message(createTensorLayout(6).broken()) == "6 dimensions are not in the range 1 to 5");
  CHECK(message(createTensorLayout(2, static_cast<ClampMode>(5)).broken()) ==
        "clamp mode 5 is not in the range 0 to 4");
  CHECK(message(createTensorView(3, false, {0, 1, 1}).broken()) ==
        "p2 = 1 does not make a permutation of the view's 3 dimensions");
  const TensorLayout t = layoutOf(3, {4, 5, 6});
  CHECK_FALSE(checkStride(t));
  CHECK_FALSE(checkStride(setStride(t, {40, 8, 1})));
  CHECK(message(*checkStride(setStride(t, {40, 9, 1}))) ==
        "stride 0 is 40, smaller than the 45 that dimension 1 needs");
  CHECK(message(*checkStride(setStride(t, {30, 6, 2}))) ==
        "stride 1 is 6, smaller than the 12 that dimension 2 needs");
  CHECK_FALSE(checkStride(layoutOf(1, {7})));
  CHECK_FALSE(checkBase(8, 2));
  CHECK(message(*checkBase(7, 2)) == "element offset 7 of 2 bytes each is not a multiple of 16 bytes");
}
