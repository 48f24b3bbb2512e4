// Plain loads and stores of cooperative matrices: rows, or columns, at a fixed stride in an array
// (OpCooperativeMatrixLoadKHR and StoreKHR of SPV_KHR_cooperative_matrix; coopMatLoad and coopMatStore). Each
// is also a tensor load, by a layout of two dimensions and, where columns are contiguous, a view that
// exchanges them: tensorOf() makes these, so that the functions for tensors apply here as well.
#pragma once

#include <cstdint>
#include <optional>

#include "rule.hpp"
#include "tensor.hpp"

namespace coopc::layout {

/// Numbered as in SPIR-V's Cooperative Matrix Layout and gl_CooperativeMatrixLayout*.
enum class MemoryLayout : uint32_t { RowMajor = 0, ColumnMajor = 1 };

struct StridedMatrix {
  MemoryLayout memoryLayout = MemoryLayout::RowMajor;
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t componentBytes = 4;
  /// The size of the array's elements, scalars or vectors: the unit of `offset` and `stride`. Independent of
  /// the matrix's components.
  uint32_t elementBytes = 4;
  uint32_t offset = 0;
  uint32_t stride = 0;
};

/// The byte of an element, from the array's first: "elements (row,*) ... are taken in order from contiguous
/// locations starting at buf[element + row*stride]", and the same with columns.
constexpr uint64_t stridedByte(const StridedMatrix& m, uint32_t row, uint32_t column) {
  const bool byRows = m.memoryLayout == MemoryLayout::RowMajor;
  const uint64_t line = byRows ? row : column;
  const uint64_t inLine = byRows ? column : row;
  return (m.offset + line * m.stride) * m.elementBytes + inLine * m.componentBytes;
}

/// The same as a tensor whose elements are the matrix's components.
struct StridedTensor {
  TensorLayout layout;
  std::optional<TensorView> view;  ///< for a column-major matrix
  uint64_t base = 0;               ///< components from the start of the array to the start of the matrix
};

/// Refuses a memory layout that is neither of the two, a store with stride 0, an offset or stride that is not
/// a whole number of components (strided.alignment, below), and lines that start at or beyond component 2^32,
/// the limit of a tensor's indices.
Answer<StridedTensor> tensorOf(const StridedMatrix& m, Access access);

/// Pointer and stride "must be aligned to at least the lesser of 16 bytes or the natural alignment of a row
/// or column".
std::optional<Broken> checkAlignment(const StridedMatrix& m);

[[deprecated("use checkAlignment()")]] inline std::optional<Broken> alignmentBroken(const StridedMatrix& m) {
  return checkAlignment(m);
}

}  // namespace coopc::layout
