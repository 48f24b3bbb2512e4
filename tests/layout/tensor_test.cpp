// Tensor addressing: values computed by hand from the pseudo-code of GL_NV_cooperative_matrix2, and
// properties over many sizes against formulas that do not use the pseudo-code's steps.
#include "layout/tensor.hpp"

#include <algorithm>
#include <random>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::layout;

namespace {

TensorLayout layoutOf(uint32_t dim, const Coord& dimension, ClampMode mode = ClampMode::Undefined) {
  return setDimension(*createTensorLayout(dim, mode), dimension);
}

Mapping load(const TensorLayout& t, uint32_t row, uint32_t col, uint32_t columns,
             const TensorView* v = nullptr) {
  return mapElement(t, v, row, col, columns, Access::Load);
}

// The element of a one-dimensional tensor of `size` elements that coordinate `c` of a load reaches.
Mapping oneDimensional(int32_t c, uint32_t size, ClampMode mode, Access access = Access::Load) {
  const TensorLayout t = slice(layoutOf(1, {size}, mode), {c}, {1});
  return mapElement(t, nullptr, 0, 0, 1, access);
}

}  // namespace

TEST_CASE("tensor: creation checks dimensions, clamp mode and permutation") {
  CHECK_FALSE(createTensorLayout(0));
  CHECK_FALSE(createTensorLayout(6));
  CHECK_FALSE(createTensorLayout(2, static_cast<ClampMode>(5)));
  CHECK_FALSE(createTensorView(0));
  CHECK_FALSE(createTensorView(6));
  CHECK_FALSE(createTensorView(2, false, {0, 0}));
  CHECK_FALSE(createTensorView(2, false, {0, 2}));
  CHECK_FALSE(createTensorView(3, false, {1, 2, 3}));
  CHECK(createTensorView(3, false, {1, 2, 0}));

  const auto t = createTensorLayout(5, ClampMode::Repeat);
  REQUIRE(t);
  CHECK(t->blockSize == Coord{1, 1, 1, 1, 1});
  CHECK(t->dimension == Coord{});
  CHECK(t->stride == Coord{});
  CHECK(t->span == Coord{});
  CHECK(t->clampValue == 0);
  const auto v = createTensorView(5);
  REQUIRE(v);
  CHECK(v->permutation == Coord{0, 1, 2, 3, 4});
  CHECK(v->clipRowSpan == 0xFFFFFFFFu);
  CHECK(v->clipColOffset == 0);
  CHECK(v->clipRowOffset == 0);
  CHECK(v->clipColSpan == 0xFFFFFFFFu);
  CHECK_FALSE(v->hasDimensions);
  CHECK_FALSE(TensorView{}.hasDimensions);
}

TEST_CASE("tensor: every operation returns a changed copy and leaves the rest as it was") {
  const TensorLayout t = *createTensorLayout(2, ClampMode::Constant);
  CHECK(setBlockSize(t, {2, 4}).blockSize == Coord{2, 4, 1, 1, 1});
  CHECK(setDimension(t, {3, 5}).dimension == Coord{3, 5});
  CHECK(setStride(t, {7, 1}).stride == Coord{7, 1});
  CHECK(slice(slice(t, {1, -2}, {3, 3}), {1, 1}, {2, 2}).offset == SignedCoord{2, -1});
  CHECK(t.dimension == Coord{});
  CHECK(t.offset == SignedCoord{});
  const TensorView v = *createTensorView(2, true);
  CHECK(setViewDimension(v, {3, 5}).stride == Coord{5, 1});
  CHECK(setViewStride(v, {1, 3}).stride == Coord{1, 3});
  const TensorView clipped = setViewClip(v, 1, 2, 3, 4);
  CHECK(clipped.clipRowOffset == 1);
  CHECK(clipped.clipRowSpan == 2);
  CHECK(clipped.clipColOffset == 3);
  CHECK(clipped.clipColSpan == 4);
  CHECK(v.clipRowSpan == 0xFFFFFFFFu);
}

TEST_CASE("tensor: the clamp value is the layout's, and changes no address") {
  const TensorLayout t = slice(layoutOf(1, {5}, ClampMode::Constant), {3}, {4});
  const TensorLayout seven = setClampValue(t, 7);
  CHECK(t.clampValue == 0);
  CHECK(seven.clampValue == 7);
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK(load(seven, i, 0, 1).outcome == (i < 2 ? Outcome::Element : Outcome::ClampValue));
    CHECK(load(seven, i, 0, 1).outcome == load(t, i, 0, 1).outcome);
    CHECK(load(seven, i, 0, 1).index == load(t, i, 0, 1).index);
  }
}

TEST_CASE("tensor: a byte offset counts the array's elements, then the tensor's") {
  CHECK(byteOffsetAt(0, 2, 5, 2) == 10);
  CHECK(byteOffsetAt(8, 2, 5, 2) == 26);
  // With a decode function, structures of 18 bytes after an array of 4-byte elements.
  CHECK(byteOffsetAt(4, 4, 3, 18) == 70);
  CHECK(byteOffsetAt(0xFFFFFFFFull, 4, 0xFFFFFFFFu, 16) == 0xFFFFFFFFull * 20);
}

TEST_CASE("tensor: dimensions set packed strides, spans and offsets") {
  const TensorLayout t = slice(layoutOf(3, {4, 5, 6}), {1, 1, 1}, {2, 2, 2});
  CHECK(t.stride == Coord{30, 6, 1});
  CHECK(t.span == Coord{2, 2, 2});
  CHECK(t.offset == SignedCoord{1, 1, 1});
  const TensorLayout again = setDimension(t, {4, 5, 6});
  CHECK(again.span == Coord{4, 5, 6});
  CHECK(again.offset == SignedCoord{});
}

TEST_CASE("tensor: strides count blocks, rounded up") {
  // ceil(33 / 32) = 2 blocks per row, ceil(5 / 2) = 3 rows of blocks.
  const TensorLayout t = setDimension(setBlockSize(*createTensorLayout(3), {1, 2, 32}), {7, 5, 33});
  CHECK(t.stride == Coord{6, 2, 1});
  CHECK(storageExtent(t) == 42);
  // 2^32 - 1 + 2 - 1 wraps, the quotient must not.
  const TensorLayout large = setDimension(setBlockSize(*createTensorLayout(2), {1, 2}), {1, 0xFFFFFFFFu});
  CHECK(large.stride == Coord{0x80000000u, 1});
  // Setting the block size later does not change the strides.
  CHECK(setBlockSize(layoutOf(2, {8, 64}), {1, 32}).stride == Coord{64, 1});
}

TEST_CASE("tensor: a slice of a row-major matrix, by hand") {
  // A 4 x 3 part at (10, 20) of a 100 x 50 tensor: element (2, 1) is at (12, 21) = 12 * 50 + 21.
  const TensorLayout t = slice(layoutOf(2, {100, 50}), {10, 20}, {4, 3});
  const Mapping m = load(t, 2, 1, 3);
  CHECK(m.outcome == Outcome::Element);
  CHECK(m.index == 621);
  CHECK(m.blockCoord == Coord{12, 21});
  CHECK(m.coordInBlock == Coord{});
}

TEST_CASE("tensor: slices add their offsets and may be negative") {
  TensorLayout t = slice(layoutOf(1, {10}, ClampMode::Constant), {-3}, {8});
  CHECK(t.offset[0] == -3);
  CHECK(load(t, 0, 2, 8).outcome == Outcome::ClampValue);
  CHECK(load(t, 0, 3, 8).index == 0);
  t = slice(t, {5}, {8});
  CHECK(t.offset[0] == 2);
  CHECK(load(t, 0, 0, 8).index == 2);
  CHECK(load(t, 0, 7, 8).index == 9);
  // The sum wraps in 32 bits, as on a device.
  t = slice(slice(t, {INT32_MAX - 2}, {8}), {1}, {8});
  CHECK(t.offset[0] == INT32_MIN);
}

TEST_CASE("tensor: a matrix wider than the span continues in the next row of the span") {
  // The span is 2 x 4; the matrix 1 x 8 reads it as one row.
  const TensorLayout t = slice(layoutOf(2, {10, 10}), {1, 1}, {2, 4});
  CHECK(load(t, 0, 3, 8).index == 14);
  CHECK(load(t, 0, 4, 8).index == 21);
  // Past the span, the remainder of the outermost dimension starts over.
  CHECK(load(t, 1, 0, 8).index == 11);
}

TEST_CASE("tensor: clamp to edge") {
  for (int32_t c = -9; c < 15; ++c) {
    const Mapping m = oneDimensional(c, 5, ClampMode::ClampToEdge);
    CHECK(m.outcome == Outcome::Element);
    CHECK(m.index == static_cast<uint32_t>(c < 0 ? 0 : c > 4 ? 4 : c));
  }
}

TEST_CASE("tensor: repeat takes remainders with the divisor's sign") {
  // -1 is the last element: OpSMod, not OpSRem.
  CHECK(oneDimensional(-1, 5, ClampMode::Repeat).index == 4);
  CHECK(oneDimensional(-5, 5, ClampMode::Repeat).index == 0);
  CHECK(oneDimensional(-6, 5, ClampMode::Repeat).index == 4);
  CHECK(oneDimensional(5, 5, ClampMode::Repeat).index == 0);
  CHECK(oneDimensional(12, 5, ClampMode::Repeat).index == 2);
}

TEST_CASE("tensor: mirror repeat reflects about the first and last element") {
  // 0 1 2 3 4 3 2 1 | 0 1 2 ...
  constexpr uint32_t kWave[] = {0, 1, 2, 3, 4, 3, 2, 1};
  for (int32_t c = -40; c < 40; ++c) {
    const Mapping m = oneDimensional(c, 5, ClampMode::MirrorRepeat);
    CHECK(m.outcome == Outcome::Element);
    CHECK(m.index == kWave[((c % 8) + 8) % 8]);
  }
}

TEST_CASE("tensor: mirror repeat of one and two elements") {
  for (int32_t c = -5; c < 6; ++c) {
    CHECK(oneDimensional(c, 1, ClampMode::MirrorRepeat).outcome == Outcome::Element);
    CHECK(oneDimensional(c, 1, ClampMode::MirrorRepeat).index == 0);
    CHECK(oneDimensional(c, 2, ClampMode::MirrorRepeat).index == static_cast<uint32_t>(c & 1));
  }
}

TEST_CASE("tensor: mirror repeat uses the dimension's own size, not the dimension's number") {
  const TensorLayout t = slice(layoutOf(2, {3, 6}, ClampMode::MirrorRepeat), {0, 6}, {1, 1});
  // Coordinate 6 of 6 reflects to 4.
  CHECK(load(t, 0, 0, 1).index == 4);
}

TEST_CASE("tensor: out of bounds: undefined, constant, stores") {
  CHECK(oneDimensional(5, 5, ClampMode::Undefined).outcome == Outcome::Undefined);
  CHECK(oneDimensional(5, 5, ClampMode::Undefined, Access::Store).outcome == Outcome::Undefined);
  CHECK(oneDimensional(5, 5, ClampMode::Constant).outcome == Outcome::ClampValue);
  CHECK(oneDimensional(-1, 5, ClampMode::Constant).outcome == Outcome::ClampValue);
  for (const ClampMode mode :
       {ClampMode::Constant, ClampMode::ClampToEdge, ClampMode::Repeat, ClampMode::MirrorRepeat}) {
    CHECK(oneDimensional(5, 5, mode, Access::Store).outcome == Outcome::Discarded);
    CHECK(oneDimensional(-1, 5, mode, Access::Store).outcome == Outcome::Discarded);
    CHECK(oneDimensional(4, 5, mode, Access::Store).index == 4);
  }
}

TEST_CASE("tensor: out of bounds in an outer dimension is decided before the inner ones") {
  const TensorLayout t = slice(layoutOf(2, {4, 4}, ClampMode::Constant), {4, 0}, {1, 4});
  CHECK(load(t, 0, 0, 4).outcome == Outcome::ClampValue);
}

TEST_CASE("tensor: block coordinates and coordinates in the block, by hand") {
  // 8 x 96 elements in blocks of 2 x 32: 3 blocks per row of blocks.
  TensorLayout t = setDimension(setBlockSize(*createTensorLayout(2), {2, 32}), {8, 96});
  CHECK(t.stride == Coord{3, 1});
  t = slice(t, {3, 40}, {4, 32});
  // (1, 30) is element (4, 70): block (2, 2), inside it (0, 6); 2 * 3 + 2 = 8.
  const Mapping m = load(t, 1, 30, 32);
  CHECK(m.outcome == Outcome::Element);
  CHECK(m.blockCoord == Coord{2, 2});
  CHECK(m.coordInBlock == Coord{0, 6});
  CHECK(m.index == 8);
}

TEST_CASE("tensor: explicit strides") {
  const TensorLayout t = setStride(layoutOf(2, {4, 6}), {100, 2});
  CHECK(load(t, 3, 5, 6).index == 310);
  CHECK(storageExtent(t) == 311);
}

TEST_CASE("tensor: a permuted view transposes, at all sizes") {
  const TensorView exchanged = *createTensorView(2, false, {1, 0});
  for (uint32_t rows = 1; rows <= 9; ++rows) {
    for (uint32_t columns = 1; columns <= 9; ++columns) {
      // Column-major memory: columns are the outer dimension.
      const TensorLayout t = layoutOf(2, {columns, rows});
      for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
          const Mapping m = load(t, row, column, columns, &exchanged);
          CHECK(m.outcome == Outcome::Element);
          CHECK(m.index == column * rows + row);
        }
      }
    }
  }
}

TEST_CASE("tensor: three dimensions permuted, by hand") {
  // Memory 2 x 3 x 4; the view walks dimension 1 outermost, then 2, then 0.
  const TensorView v = *createTensorView(3, false, {1, 2, 0});
  const TensorLayout t = layoutOf(3, {2, 3, 4});
  // Index 17 = (2, 0, 1) in (3, 4, 2): coordinate 1 is 2, coordinate 2 is 0, coordinate 0 is 1: 1*12 + 2*4 +
  // 0.
  CHECK(load(t, 17, 0, 1, &v).index == 20);
}

TEST_CASE("tensor: space to depth through a five-dimensional view") {
  for (const auto& [h, w, c] : {std::array<uint32_t, 3>{4, 4, 3}, {2, 6, 1}, {8, 2, 5}}) {
    const TensorLayout t = layoutOf(3, {h, w, c});
    const TensorView v =
        setViewDimension(*createTensorView(5, true, {0, 2, 1, 3, 4}), {h / 2, 2, w / 2, 2, c});
    CHECK(v.stride == Coord{2 * w * c, w * c, 2 * c, c, 1});
    for (uint32_t row = 0; row < h / 2 * (w / 2); ++row) {
      for (uint32_t column = 0; column < 4 * c; ++column) {
        const uint32_t y = row / (w / 2) * 2 + column / c / 2;
        const uint32_t x = row % (w / 2) * 2 + column / c % 2;
        CHECK(load(t, row, column, 4 * c, &v).index == (y * w + x) * c + column % c);
      }
    }
  }
}

TEST_CASE("tensor: a view's own strides") {
  // Every second element of 16: dimension 8, stride 2.
  const TensorView v = setViewStride(setViewDimension(*createTensorView(1, true), {8}), {2});
  const TensorLayout t = layoutOf(1, {16});
  for (uint32_t i = 0; i < 8; ++i) CHECK(load(t, i, 0, 1, &v).index == 2 * i);
  // A stride of 0 broadcasts.
  const TensorView same = setViewStride(v, {0});
  CHECK(load(t, 5, 0, 1, &same).index == 0);
}

TEST_CASE("tensor: clip skips and changes the shape of the rest") {
  // Rows 1..2 and columns 2..4 of a 4 x 8 matrix: six elements, three per row.
  const TensorView v = setViewClip(*createTensorView(2), 1, 2, 2, 3);
  const TensorLayout t = layoutOf(2, {2, 3});
  uint32_t inside = 0;
  for (uint32_t row = 0; row < 4; ++row) {
    for (uint32_t column = 0; column < 8; ++column) {
      const bool in = row >= 1 && row < 3 && column >= 2 && column < 5;
      for (const Access access : {Access::Load, Access::Store}) {
        const Mapping m = mapElement(t, &v, row, column, 8, access);
        CHECK(m.outcome == (in ? Outcome::Element : Outcome::Skipped));
        if (in) CHECK(m.index == (row - 1) * 3 + column - 2);
      }
      inside += in ? 1 : 0;
    }
  }
  CHECK(inside == 6);
}

TEST_CASE("tensor: the end of a clip does not wrap") {
  // The spans stay at 0xFFFFFFFF: offset + span exceeds 32 bits.
  const TensorView v = setViewClip(*createTensorView(2), 1, 0xFFFFFFFFu, 2, 0xFFFFFFFFu);
  const TensorLayout t = layoutOf(2, {4, 8});
  CHECK(load(t, 0, 7, 8, &v).outcome == Outcome::Skipped);
  CHECK(load(t, 3, 1, 8, &v).outcome == Outcome::Skipped);
  // The width stays min(N, span) = 8: (1, 2) becomes 0, (2, 3) becomes 9.
  CHECK(load(t, 1, 2, 8, &v).index == 0);
  CHECK(load(t, 2, 3, 8, &v).index == 9);
}

TEST_CASE("tensor: a view with fewer dimensions than the layout reads the outer spans") {
  // VDim 1 over a 2 x 3 layout: coordinates modulo span[0] = 2, stride 1.
  const TensorView v = *createTensorView(1);
  const TensorLayout t = layoutOf(2, {2, 3});
  CHECK(load(t, 0, 0, 4, &v).index == 0);
  CHECK(load(t, 0, 1, 4, &v).index == 1);
  CHECK(load(t, 0, 2, 4, &v).index == 0);
}

TEST_CASE("tensor: a view with more dimensions than the layout and none of its own is undefined") {
  const TensorView v = *createTensorView(3);
  CHECK(load(layoutOf(2, {2, 3}), 0, 0, 4, &v).outcome == Outcome::Undefined);
}

TEST_CASE("tensor: zeros never trap") {
  CHECK(load(*createTensorLayout(2), 1, 1, 4).outcome == Outcome::Undefined);
  CHECK(load(slice(layoutOf(2, {4, 4}), {0, 0}, {0, 4}), 0, 0, 4).outcome == Outcome::Undefined);
  CHECK(load(setBlockSize(layoutOf(1, {4}), {0}), 0, 0, 4).outcome == Outcome::Undefined);
  CHECK(setDimension(setBlockSize(*createTensorLayout(2), {1, 0}), {4, 4}).stride == Coord{0, 1});
  CHECK(storageExtent(*createTensorLayout(3)) == 0);
  for (const ClampMode mode : {ClampMode::ClampToEdge, ClampMode::Repeat, ClampMode::MirrorRepeat}) {
    CHECK(oneDimensional(0, 0, mode).outcome == Outcome::Undefined);
  }
  CHECK(oneDimensional(0, 0, ClampMode::Constant).outcome == Outcome::ClampValue);
  const TensorView v = setViewDimension(*createTensorView(2, true), {0, 4});
  CHECK(load(layoutOf(2, {4, 4}), 0, 0, 4, &v).outcome == Outcome::Undefined);
}

TEST_CASE("tensor: sizes near the ends of 32 bits") {
  // A coordinate is a signed number: 0x80000000 is negative, whatever the dimension.
  TensorLayout t = layoutOf(1, {0xFFFFFFFFu}, ClampMode::ClampToEdge);
  CHECK(load(t, 0x7FFFFFFFu, 0, 1).index == 0x7FFFFFFFu);
  CHECK(load(t, 0x80000000u, 0, 1).index == 0);
  t = slice(layoutOf(1, {0x80000001u}, ClampMode::MirrorRepeat), {-1}, {1});
  CHECK(load(t, 0, 0, 1).index == 1);
  CHECK(storageExtent(setStride(layoutOf(2, {0xFFFFFFFFu, 0xFFFFFFFFu}), {0xFFFFFFFFu, 0xFFFFFFFFu})) ==
        0xFFFFFFFFFFFFFFFFu);
}

TEST_CASE("tensor: without a view, elements in bounds are where the slice says, for all dimensions") {
  std::mt19937 random(1);
  const auto pick = [&](uint32_t low, uint32_t high) { return low + random() % (high - low + 1); };
  for (int round = 0; round < 400; ++round) {
    const uint32_t dim = pick(1, 5);
    Coord block{1, 1, 1, 1, 1};
    Coord dimension{};
    Coord span{};
    SignedCoord offset{};
    uint32_t elements = 1;
    for (uint32_t i = 0; i < dim; ++i) {
      block[i] = pick(1, 4);
      dimension[i] = pick(1, 12);
      span[i] = pick(1, dimension[i]);
      offset[i] = static_cast<int32_t>(pick(0, dimension[i] - span[i]));
      elements *= span[i];
    }
    const TensorLayout t =
        slice(setDimension(setBlockSize(*createTensorLayout(dim, static_cast<ClampMode>(pick(0, 4))), block),
                           dimension),
              offset, span);
    // Walk the span with an odometer, innermost fastest.
    Coord at{};
    for (uint32_t linear = 0; linear < elements; ++linear) {
      uint32_t index = 0;
      Coord blockCoord{};
      Coord inBlock{};
      for (uint32_t i = 0; i < dim; ++i) {
        const uint32_t c = at[i] + static_cast<uint32_t>(offset[i]);
        blockCoord[i] = c / block[i];
        inBlock[i] = c % block[i];
        index = index * ((dimension[i] + block[i] - 1) / block[i]) + blockCoord[i];
      }
      const Mapping m =
          mapElement(t, nullptr, linear, 0, 1, random() % 2 == 0 ? Access::Load : Access::Store);
      REQUIRE(m.outcome == Outcome::Element);
      REQUIRE(m.index == index);
      REQUIRE(m.blockCoord == blockCoord);
      REQUIRE(m.coordInBlock == inBlock);
      REQUIRE(m.index < storageExtent(t));
      for (uint32_t i = dim; i-- > 0;) {
        if (++at[i] < span[i]) break;
        at[i] = 0;
      }
    }
  }
}

TEST_CASE(
    "tensor: a permuted view reads the span in permuted order, for all permutations of up to four "
    "dimensions") {
  for (uint32_t dim = 1; dim <= 4; ++dim) {
    Coord permutation{0, 1, 2, 3, 4};
    const Coord dimension{2, 3, 4, 5};
    do {
      const TensorView v = *createTensorView(dim, false, permutation);
      const TensorLayout t = layoutOf(dim, dimension);
      uint32_t elements = 1;
      for (uint32_t i = 0; i < dim; ++i) elements *= dimension[i];
      Coord at{};  // by position in the permuted order
      for (uint32_t linear = 0; linear < elements; ++linear) {
        Coord coord{};
        for (uint32_t i = 0; i < dim; ++i) coord[permutation[i]] = at[i];
        uint32_t index = 0;
        for (uint32_t i = 0; i < dim; ++i) index = index * dimension[i] + coord[i];
        REQUIRE(load(t, linear, 0, 1, &v).index == index);
        for (uint32_t i = dim; i-- > 0;) {
          if (++at[i] < dimension[permutation[i]]) break;
          at[i] = 0;
        }
      }
    } while (std::next_permutation(permutation.begin(), permutation.begin() + dim));
  }
}

TEST_CASE("tensor: any state at all gives an answer without a trap") {
  std::mt19937 random(2);
  constexpr uint32_t kEdges[] = {0, 1, 2, 3, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  const auto any = [&]() {
    return random() % 3 == 0 ? static_cast<uint32_t>(random()) : kEdges[random() % 10];
  };
  const auto coord = [&]() { return Coord{any(), any(), any(), any(), any()}; };
  for (int round = 0; round < 200000; ++round) {
    TensorLayout t = *createTensorLayout(1 + random() % 5, static_cast<ClampMode>(random() % 5));
    t.blockSize = coord();
    t = setDimension(t, coord());
    if (random() % 2 == 0) t = setStride(t, coord());
    const Coord offset = coord();
    SignedCoord signedOffset{};
    for (uint32_t i = 0; i < kMaxDim; ++i) signedOffset[i] = static_cast<int32_t>(offset[i]);
    t = slice(t, signedOffset, coord());
    TensorView v = *createTensorView(1 + random() % 5, random() % 2 == 0);
    v = setViewDimension(v, coord());
    if (random() % 2 == 0) v = setViewClip(v, any(), any(), any(), any());
    const Mapping m = mapElement(t, random() % 2 == 0 ? &v : nullptr, any(), any(), any(),
                                 random() % 2 == 0 ? Access::Load : Access::Store);
    (void)storageExtent(t);
    if (m.outcome != Outcome::Element) continue;
    uint32_t index = 0;
    for (uint32_t i = 0; i < t.dim; ++i) {
      REQUIRE(m.coordInBlock[i] < t.blockSize[i]);
      index += m.blockCoord[i] * t.stride[i];
    }
    REQUIRE(m.index == index);
  }
}

// Programs may set only some members of the library's public structures.
TEST_CASE("tensor: layouts and views that nothing was set of") {
  const TensorLayout t;
  CHECK((t.dim == 1 && t.clampMode == ClampMode::Undefined && t.clampValue == 0));
  CHECK(t.blockSize == Coord{1, 1, 1, 1, 1});
  CHECK((t.dimension == Coord{} && t.stride == Coord{} && t.offset == SignedCoord{} && t.span == Coord{}));
  const TensorView v;
  CHECK((v.dim == 1 && !v.hasDimensions && v.permutation == Coord{0, 1, 2, 3, 4}));
  CHECK((v.dimension == Coord{} && v.stride == Coord{}));
  CHECK((v.clipRowOffset == 0 && v.clipRowSpan == 0xFFFFFFFFu));
  CHECK((v.clipColOffset == 0 && v.clipColSpan == 0xFFFFFFFFu));
}
