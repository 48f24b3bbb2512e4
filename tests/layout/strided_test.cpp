// Plain loads of matrices, checked by hand and against their definition, and the equivalent tensor loads.
#include "layout/strided.hpp"

#include <cstdint>
#include <optional>
#include <random>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::layout;

TEST_CASE("strided: rows or columns at a stride, by hand") {
  // float16_t[]: rows of 8 halves, 20 apart, from 40 on.
  const StridedMatrix rows{MemoryLayout::RowMajor, 4, 8, 2, 2, 40, 20};
  CHECK(stridedByte(rows, 0, 0) == 80);
  CHECK(stridedByte(rows, 0, 7) == 94);
  CHECK(stridedByte(rows, 1, 0) == 120);
  CHECK(stridedByte(rows, 3, 5) == 80 + 3 * 40 + 10);
  StridedMatrix columns = rows;
  columns.memoryLayout = MemoryLayout::ColumnMajor;
  CHECK(stridedByte(columns, 1, 0) == 82);
  CHECK(stridedByte(columns, 0, 1) == 120);
  CHECK(stridedByte(columns, 3, 5) == 80 + 5 * 40 + 6);
  // A load may use the same line for all rows.
  StridedMatrix same = rows;
  same.stride = 0;
  CHECK(stridedByte(same, 3, 5) == stridedByte(same, 0, 5));
}

TEST_CASE("strided: offset and stride count the array's elements, the matrix its components") {
  // uvec4[] with rows of 16 halves and one uvec4 of padding: offset 6, stride 3.
  const StridedMatrix m{MemoryLayout::RowMajor, 16, 16, 2, 16, 6, 3};
  CHECK(stridedByte(m, 0, 0) == 96);
  CHECK(stridedByte(m, 0, 1) == 98);
  CHECK(stridedByte(m, 2, 0) == 96 + 2 * 48);
  const Answer<StridedTensor> t = tensorOf(m, Access::Load);
  REQUIRE(t);
  CHECK(t->base == 48);
  CHECK(t->layout.stride[0] == 24);
  CHECK_FALSE(checkAlignment(m));
  // uint8_t[] with rows of halves: offset and stride are bytes, and half a component is none.
  CHECK(tensorOf({MemoryLayout::RowMajor, 4, 4, 2, 1, 8, 24}, Access::Load)->layout.stride[0] == 12);
  const Answer<StridedTensor> odd = tensorOf({MemoryLayout::RowMajor, 4, 4, 2, 1, 8, 25}, Access::Load);
  REQUIRE_FALSE(odd);
  CHECK(odd.broken().rule == Rule::StridedAlignment);
  CHECK(message(odd.broken()) ==
        "the matrix starts at byte 8 of its array, with a stride of 25 bytes: both must be multiples of 2");
}

TEST_CASE("strided: components of one byte, and of none") {
  const Answer<StridedTensor> bytes = tensorOf({MemoryLayout::RowMajor, 4, 4, 1, 1, 8, 25}, Access::Load);
  REQUIRE(bytes);
  CHECK(bytes->base == 8);
  CHECK(bytes->layout.stride[0] == 25);
  // A matrix without rows is not too large at any stride.
  CHECK(tensorOf({MemoryLayout::RowMajor, 0, 4, 4, 4, 0, 4}, Access::Load));
  // Components without a size must not cause a division by zero.
  const Answer<StridedTensor> none = tensorOf({MemoryLayout::RowMajor, 4, 4, 0, 4, 8, 25}, Access::Load);
  REQUIRE(none);
  CHECK(none->base == 0);
  CHECK(none->layout.stride[0] == 0);
}

TEST_CASE("strided: what is not given is a row-major matrix of words from the start, its lines all one") {
  StridedMatrix m;
  m.rows = 2;
  m.columns = 3;
  CHECK(stridedByte(m, 0, 2) == 8);
  CHECK(stridedByte(m, 1, 2) == 8);
}

TEST_CASE("strided: pointer and stride are aligned to 16 bytes or to a shorter line") {
  // Rows of 8 bytes: 8 is enough.
  CHECK_FALSE(checkAlignment({MemoryLayout::RowMajor, 16, 4, 2, 2, 4, 12}));
  CHECK(checkAlignment({MemoryLayout::ColumnMajor, 16, 4, 2, 2, 4, 12})->numbers[2] == 16);
  CHECK(checkAlignment({MemoryLayout::RowMajor, 16, 4, 2, 2, 2, 12})->numbers[2] == 8);
  CHECK(checkAlignment({MemoryLayout::RowMajor, 16, 4, 2, 2, 4, 10})->numbers[1] == 20);
}

TEST_CASE("strided: the tensor of a plain load has its bytes, over thousands of sizes") {
  std::mt19937 random(11);
  const auto upTo = [&](uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random); };
  uint32_t compared = 0;
  uint32_t refused = 0;
  for (uint32_t round = 0; round < 4000; ++round) {
    StridedMatrix m;
    m.memoryLayout = static_cast<MemoryLayout>(upTo(1));
    m.rows = 1 + upTo(16);
    m.columns = 1 + upTo(16);
    m.componentBytes = 1u << upTo(3);
    m.elementBytes = 1u << upTo(4);
    m.offset = upTo(50);
    m.stride = upTo(40);
    const Access access = upTo(1) != 0 ? Access::Store : Access::Load;
    const Answer<StridedTensor> t = tensorOf(m, access);
    const bool whole = m.offset * m.elementBytes % m.componentBytes == 0 &&
                       m.stride * m.elementBytes % m.componentBytes == 0;
    REQUIRE(bool(t) == (whole && (access == Access::Load || m.stride != 0)));
    if (!t) {
      ++refused;
      continue;
    }
    for (uint32_t row = 0; row < m.rows; ++row) {
      for (uint32_t column = 0; column < m.columns; ++column) {
        const Mapping at =
            mapElement(t->layout, t->view ? &*t->view : nullptr, row, column, m.columns, access);
        REQUIRE(at.outcome == Outcome::Element);
        REQUIRE(byteOffsetAt(t->base, m.componentBytes, at.index, m.componentBytes) ==
                stridedByte(m, row, column));
      }
    }
    ++compared;
  }
  CHECK(compared > 2000);
  CHECK(refused > 500);
}

TEST_CASE("strided: numbers and elements have four bytes unless others are given") {
  StridedMatrix m;
  m.offset = 3;
  m.stride = 10;
  CHECK(stridedByte(m, 0, 0) == 12);
  CHECK(stridedByte(m, 2, 5) == 3 * 4 + 2 * 40 + 5 * 4);
  m.memoryLayout = MemoryLayout::ColumnMajor;
  CHECK(stridedByte(m, 2, 5) == 3 * 4 + 5 * 40 + 2 * 4);
}
