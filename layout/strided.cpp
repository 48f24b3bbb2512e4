// Plain loads as tensor loads: one dimension for the lines, one for the components of a line.
#include "layout/strided.hpp"

#include <algorithm>
#include <limits>

namespace coopc::layout {
namespace {

Broken makeMisaligned(const StridedMatrix& m, uint64_t alignment) {
  return {Rule::StridedAlignment,
          {static_cast<int64_t>(uint64_t{m.offset} * m.elementBytes),
           static_cast<int64_t>(uint64_t{m.stride} * m.elementBytes), static_cast<int64_t>(alignment)}};
}

bool isAligned(const StridedMatrix& m, uint64_t alignment) {
  return alignment == 0 || (uint64_t{m.offset} * m.elementBytes % alignment == 0 &&
                            uint64_t{m.stride} * m.elementBytes % alignment == 0);
}

}  // namespace

Answer<StridedTensor> tensorOf(const StridedMatrix& m, Access access) {
  if (m.memoryLayout != MemoryLayout::RowMajor && m.memoryLayout != MemoryLayout::ColumnMajor)
    return {Rule::StridedMemoryLayout, {static_cast<int64_t>(m.memoryLayout)}};
  if (access == Access::Store && m.stride == 0) return Rule::StridedStoreStride;
  if (!isAligned(m, m.componentBytes)) return makeMisaligned(m, m.componentBytes);
  const bool byRows = m.memoryLayout == MemoryLayout::RowMajor;
  const uint32_t lines = byRows ? m.rows : m.columns;
  const uint32_t inLine = byRows ? m.columns : m.rows;
  const uint64_t stride = m.componentBytes == 0 ? 0 : uint64_t{m.stride} * m.elementBytes / m.componentBytes;
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  if (stride > kMost || (lines != 0 && (lines - 1) * stride + inLine > kMost))
    return {Rule::StridedTooLarge, {lines, static_cast<int64_t>(stride)}};
  StridedTensor t;
  t.layout = *createTensorLayout(2);
  t.layout = setStride(setDimension(t.layout, {lines, inLine}), {static_cast<uint32_t>(stride), 1});
  if (!byRows) t.view = *createTensorView(2, false, {1, 0});
  t.base = m.componentBytes == 0 ? 0 : uint64_t{m.offset} * m.elementBytes / m.componentBytes;
  return t;
}

std::optional<Broken> checkAlignment(const StridedMatrix& m) {
  const uint64_t line =
      uint64_t{m.memoryLayout == MemoryLayout::RowMajor ? m.columns : m.rows} * m.componentBytes;
  const uint64_t alignment = std::min<uint64_t>(16, line);
  if (isAligned(m, alignment)) return std::nullopt;
  return makeMisaligned(m, alignment);
}

}  // namespace coopc::layout
