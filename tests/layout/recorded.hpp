// Recordings of a device's tensor loads and stores: the text that record/record_tensors.cpp writes on a
// device and that recorded_test.cpp compares with layout/. A case is a layout and a view, call by call, and
// the whole output as runs of numbers.
//
//   case NAME load|store|decode BYTES ROWS COLUMNS
//   layout DIM MODE
//   block, dimension, stride N...        slice OFFSET SPAN ...        clamp-value N        offset N
//   view DIM HAS-DIMENSIONS PERMUTATION...
//   view-dimension, view-stride N...     clip ROW ROWS COLUMN COLUMNS
//   got FIRST+STEP*COUNT ...
//   end
//
// A load's output is the matrix, row by row, and a store's the tensor's whole memory, component by component.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/tensor.hpp"

namespace coopc::tests {

enum class RecordedKind : uint8_t { Load, Store, Decode };

struct RecordedCase {
  std::string name;
  RecordedKind kind = RecordedKind::Load;
  uint32_t bytes = 4;  ///< of a component: 4, 2 or 1
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t dim = 1;
  layout::ClampMode mode = layout::ClampMode::Undefined;
  /// Empty: not set.
  std::vector<uint32_t> block, dimension, stride;
  std::vector<std::vector<int64_t>> slices;  ///< offset, span for each dimension
  std::optional<uint32_t> clampValue;
  uint32_t offset = 0;   ///< elementOffset, in components (in blocks for Decode)
  uint32_t viewDim = 0;  ///< 0: no view
  bool viewHasDimensions = false;
  std::vector<uint32_t> permutation, viewDimension, viewStride, clip;
  std::vector<uint32_t> got;
};

layout::TensorLayout layoutOf(const RecordedCase& c);
layout::TensorView viewOf(const RecordedCase& c);

/// Components (blocks for Decode) that the tensor's memory has, the offset included: whole units of 16 bytes.
uint32_t storageOf(const RecordedCase& c);

/// The initial value of component `i` of a load's memory or a store's matrix. Values differ as far as the
/// type allows, and 16-bit values are never NaN.
constexpr uint32_t contentAt(uint32_t bytes, uint32_t i) {
  return bytes == 4 ? i + 1 : bytes == 2 ? i % 30000 + 1 : i % 251 + 1;
}
/// A matrix before its load, and memory before a store.
constexpr uint32_t initialOf(uint32_t bytes) {
  return bytes == 4 ? 0xABCDEF01u : bytes == 2 ? 0x7BFFu : 254u;
}
constexpr uint32_t untouchedOf(uint32_t bytes) {
  return bytes == 4 ? 0xFFFFFFFFu : bytes == 2 ? 0xFFFFu : 0xFFu;
}
/// The decode function's return value: the block's number and the coordinates with which it was called.
constexpr uint32_t decodedValue(uint32_t content, uint32_t dim, const layout::Coord& block,
                                const layout::Coord& inBlock) {
  uint32_t value = content & 0xFFF;
  for (uint32_t i = 0; i < dim; ++i)
    value |= (block[i] & 7) << (12 + 3 * i) | (inBlock[i] & 7) << (21 + 3 * i);
  return value;
}

/// The whole output by the arithmetic of layout/, or nothing if the specification leaves a part of it
/// undefined.
std::optional<std::vector<uint32_t>> expectedOf(const RecordedCase& c);

std::string print(const RecordedCase& c);
/// The cases of a text. Lines that start with # are comments. On an error there are no cases, and `error`
/// names the line.
std::vector<RecordedCase> readRecording(std::string_view text, std::string& error);

}  // namespace coopc::tests
