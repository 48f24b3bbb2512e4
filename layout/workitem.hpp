// How a matrix is distributed over the work-items of a subgroup or workgroup: which work-item holds element
// (row, column), as which component of its vector, and the reverse.
//
// The layouts are described in the Tiny Tensor Compiler's document "Coopmatrix layout", in its newer and its
// older text, and a generalization of both to any number of rows. All have one form: the matrix is cut into
// blocks of I rows, padded to J columns, and read as a tensor A* of the shape (I, K1, J, K2) whose linear
// index L(i, k1, j, k2) = i + k1 I + j I K1 + k2 I K1 J is assigned to the S work-items in turn: component v
// of work-item p is element L^-1(p + v S). Sizes are elements throughout.
//
// Both texts say that matrices A of small components are "VNNI transformed", and mean different things. In
// the newer one, omega adjacent columns become the channels of one 32-bit entry, and entries are dealt
// out in place of elements. In the older one, a permutation within each block moves elements between
// work-items.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include "rule.hpp"

namespace coopc::layout {

/// The use of a matrix, which determines its layout.
enum class Use : uint8_t { Accumulator, A, B };

/// The text that defines the layout.
enum class Scheme : uint8_t {
  /// "Coopmatrix layout", newer text. M and S are powers of two. Matrices A of small components are packed by
  /// channels.
  TinyTcNewer,
  /// "Coopmatrix layout", older text. S is a power of two; M is a multiple of S (accumulator, A) or a power
  /// of two (B). The transform of matrices A moves elements between work-items. The text contradicts itself
  /// on J of accumulators and A: N by its definition, N rounded up to whole channels in its pseudo-code. Here
  /// it is rounded up, since the transform of A needs that.
  TinyTcOlder,
  /// Any M and S: I = gcd(M, S). Where M and S are powers of two, this is TinyTcNewer without packing.
  AnyRows,
};

/// omega: operands of a 32-bit channel, max(1, 4 / size), of components of `size` bytes.
constexpr uint32_t operandsPerChannel(uint32_t componentBytes) { return std::max(1u, 4u / componentBytes); }
/// omega_b: max(1, 2 / size), which is 2 only for bytes. Matrix B is interleaved by it, and not by omega.
constexpr uint32_t blocksInterleaved(uint32_t componentBytes) { return std::max(1u, 2u / componentBytes); }

struct WorkItemRequest {
  Scheme scheme = Scheme::TinyTcNewer;
  Use use = Use::Accumulator;
  uint32_t rows = 0;            ///< M
  uint32_t columns = 0;         ///< N
  uint32_t workItems = 0;       ///< S: of the subgroup, or of the whole workgroup
  uint32_t componentBytes = 4;  ///< size(ty): 1, 2, 4 or 8
};

/// A layout's numbers. The letters are the document's.
struct WorkItemLayout {
  WorkItemRequest of;
  uint32_t blockRows = 0;      ///< I
  uint32_t paddedColumns = 0;  ///< J: at least N
  uint32_t blocks = 0;         ///< K = M / I = K1 K2
  uint32_t innerBlocks = 0;    ///< K1: blocks that vary faster than the column
  uint32_t outerBlocks = 0;    ///< K2
  /// The length of each work-item's vector: V = I K J / S, rounded up to whole entries where channels are
  /// packed.
  uint32_t components = 0;
  /// omega if matrix A is packed or transformed by it, otherwise 1.
  uint32_t channelOperands = 1;
  /// Some components are padding: J > N.
  bool needsMask = false;

  /// S / I: columns that one component of all work-items together covers.
  constexpr uint32_t columnStep() const { return of.workItems / blockRows; }
  /// I J / S = V / K: columns that a work-item holds of each of its rows.
  constexpr uint32_t columnsHeld() const { return components / blocks; }
  /// V = I K J / S, the text's number of components.
  constexpr uint32_t componentsByText() const {
    return static_cast<uint32_t>(uint64_t{of.rows} * paddedColumns / of.workItems);
  }
  /// Matrix A of the newer text, with omega channels in each 32-bit entry.
  constexpr bool isPacked() const { return of.scheme == Scheme::TinyTcNewer && channelOperands > 1; }
  /// Matrix A of the older text.
  constexpr bool isTransformed() const { return of.scheme == Scheme::TinyTcOlder && channelOperands > 1; }
  [[deprecated("use isPacked()")]] constexpr bool packed() const { return isPacked(); }
  [[deprecated("use isTransformed()")]] constexpr bool transformed() const { return isTransformed(); }
};

/// The layout for a request, or the rule that the request breaks.
constexpr Answer<WorkItemLayout> workItemLayout(const WorkItemRequest& r);

/// A position in A*.
struct TensorIndex {
  uint32_t i = 0;
  uint32_t k1 = 0;
  uint32_t j = 0;
  uint32_t k2 = 0;
  constexpr bool operator==(const TensorIndex&) const = default;
};

/// L(i, k1, j, k2).
constexpr uint64_t linearize(const WorkItemLayout& l, const TensorIndex& at) {
  const uint64_t block = uint64_t{l.blockRows} * l.innerBlocks;
  return at.i + uint64_t{at.k1} * l.blockRows + at.j * block + at.k2 * block * l.paddedColumns;
}

/// L^-1: the inverse of linearize().
constexpr TensorIndex delinearize(const WorkItemLayout& l, uint64_t linear) {
  TensorIndex at;
  at.i = static_cast<uint32_t>(linear % l.blockRows);
  linear /= l.blockRows;
  at.k1 = static_cast<uint32_t>(linear % l.innerBlocks);
  linear /= l.innerBlocks;
  at.j = static_cast<uint32_t>(linear % l.paddedColumns);
  at.k2 = static_cast<uint32_t>(linear / l.paddedColumns);
  return at;
}

/// The VNNI transform within a block of S rows, C'(i, j) = C(the result), and its inverse (older version,
/// matrix A). They are inverses of each other if `operands` divides both S and J.
struct BlockElement {
  uint32_t i = 0;
  uint32_t j = 0;
  constexpr bool operator==(const BlockElement&) const = default;
};
constexpr BlockElement vnni(uint32_t i, uint32_t j, uint32_t workItems, uint32_t operands) {
  return {i / operands + j % operands * (workItems / operands), i % operands + j / operands * operands};
}
constexpr BlockElement vnniInverse(uint32_t i, uint32_t j, uint32_t workItems, uint32_t operands) {
  return {i * operands % workItems + j % operands, i / (workItems / operands) + j / operands * operands};
}

/// An element of the matrix. `inside` is false in the zero padding (column >= N).
struct MatrixElement {
  uint32_t row = 0;
  uint32_t column = 0;
  bool inside = false;
  constexpr bool operator==(const MatrixElement&) const = default;
};

/// A component of a work-item's vector.
struct Owner {
  uint32_t workItem = 0;   ///< p
  uint32_t component = 0;  ///< v
  constexpr bool operator==(const Owner&) const = default;
};

/// A packed matrix A: entries of omega columns are dealt out as elements are in other layouts, by
/// L(i, j, k) = i + j I + k I J / omega (K1 is 1). So one work-item owns all channels of an entry, also where
/// I < S.
constexpr MatrixElement packedElementOf(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  const uint32_t operands = l.channelOperands;
  const uint64_t linear = p + uint64_t{v / operands} * l.of.workItems;
  const auto i = static_cast<uint32_t>(linear % l.blockRows);
  const uint64_t rest = linear / l.blockRows;
  // With one block, entries beyond the last one are padding: there may be fewer than work-items.
  const uint32_t entries = l.paddedColumns / operands;
  const auto k = static_cast<uint32_t>(l.blocks == 1 ? 0 : rest / entries);
  const auto j = static_cast<uint32_t>(rest - uint64_t{k} * entries) * operands + v % operands;
  return {i + k * l.blockRows, j, j < l.of.columns};
}
constexpr Owner packedOwnerOf(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  const uint32_t operands = l.channelOperands;
  const uint64_t entry = column / operands + uint64_t{l.paddedColumns / operands} * (row / l.blockRows);
  const uint64_t linear = row % l.blockRows + entry * l.blockRows;
  return {static_cast<uint32_t>(linear % l.of.workItems),
          static_cast<uint32_t>(linear / l.of.workItems) * operands + column % operands};
}

/// The element that work-item `p` (below S) holds as component `v` (below V): the combined closed form.
constexpr MatrixElement elementOf(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  if (l.isPacked()) return packedElementOf(l, p, v);
  // v = w1 + u K1 + w2 K1 (V / K)
  const uint32_t k1 = v % l.innerBlocks;
  const uint32_t u = v / l.innerBlocks % l.columnsHeld();
  const uint32_t k2 = v / l.innerBlocks / l.columnsHeld();
  uint32_t i = p % l.blockRows;
  uint32_t j = p / l.blockRows + u * l.columnStep();
  if (l.isTransformed()) {
    const BlockElement source = vnni(i, j, l.of.workItems, l.channelOperands);
    i = source.i;
    j = source.j;
  }
  return {i + (k1 + k2 * l.innerBlocks) * l.blockRows, j, j < l.of.columns};
}

/// The owner of element (row, column), where row < M and column < J.
constexpr Owner ownerOf(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  if (l.isPacked()) return packedOwnerOf(l, row, column);
  uint32_t i = row % l.blockRows;
  const uint32_t k = row / l.blockRows;
  uint32_t j = column;
  if (l.isTransformed()) {
    const BlockElement transformed = vnniInverse(i, j, l.of.workItems, l.channelOperands);
    i = transformed.i;
    j = transformed.j;
  }
  const uint32_t u = j / l.columnStep();
  return {i + j % l.columnStep() * l.blockRows,
          k % l.innerBlocks + l.innerBlocks * (u + k / l.innerBlocks * l.columnsHeld())};
}

/// ownerOf() and elementOf() for numbers that may be out of range.
constexpr Answer<Owner> checkedOwnerOf(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  if (row >= l.of.rows || column >= l.paddedColumns)
    return {Rule::OutsideMatrix, {row, column, l.of.rows, l.paddedColumns}};
  return ownerOf(l, row, column);
}
constexpr Answer<MatrixElement> checkedElementOf(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  if (p >= l.of.workItems || v >= l.components)
    return {Rule::OutsideWorkItem, {p, l.of.workItems, v, l.components}};
  return elementOf(l, p, v);
}

/// A position in A**, the tensor of the shape (omega, I, K1, ceil(J / omega), K2) that a packed matrix A is
/// stored as.
struct ChannelIndex {
  uint32_t channel = 0;  ///< c
  TensorIndex entry;     ///< its j counts entries of omega columns
  constexpr bool operator==(const ChannelIndex&) const = default;
};
constexpr ChannelIndex toChannels(const TensorIndex& at, uint32_t operands) {
  return {at.j % operands, {at.i, at.k1, at.j / operands, at.k2}};
}
constexpr TensorIndex fromChannels(const ChannelIndex& at, uint32_t operands) {
  return {at.entry.i, at.entry.k1, at.channel + at.entry.j * operands, at.entry.k2};
}

/// Where a packed matrix A stores an element: in bits [lowBit, lowBit + 8 size) of the work-item's 32-bit
/// entry `entry`. Channel 0 is the lowest: of two halves, even columns are in the low 16 bits.
struct PackedPlace {
  uint32_t workItem = 0;
  uint32_t entry = 0;  ///< below V / omega
  uint32_t lowBit = 0;
  constexpr bool operator==(const PackedPlace&) const = default;
};

/// Refused if nothing is packed.
constexpr Answer<PackedPlace> packedPlaceOf(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  const uint32_t operands = l.channelOperands;
  if (!l.isPacked()) return {Rule::NotPacked, {operandsPerChannel(l.of.componentBytes), l.of.columns}};
  const Answer<Owner> owner = checkedOwnerOf(l, row, column);
  if (!owner) return owner.broken();
  // The channel is the lowest digit of the component's number.
  return PackedPlace{owner->workItem, owner->component / operands,
                     owner->component % operands * 8 * l.of.componentBytes};
}

/// The axes that a transposed load exchanges.
enum class Transpose : uint8_t {
  None,
  ShapeAndStrides,  ///< as the pseudo-code of both texts does
  Everything,       ///< and the positions: rows of the matrix are columns of the tensor
};

/// The matrix in memory, as the load algorithm takes it: element (row, column) of the tensor is at
/// row stride[0] + column stride[1] elements, and the matrix starts at (position[0], position[1]).
struct MatrixMemory {
  int64_t position[2] = {0, 0};
  int64_t shape[2] = {0, 0};
  int64_t stride[2] = {0, 0};
  Transpose transpose = Transpose::None;
  bool rowsChecked = false;  ///< rows outside [0, shape[0]) give 0
  bool columnsChecked = false;
};

/// `m` as the untransposed algorithm reads it.
constexpr MatrixMemory normalize(MatrixMemory m) {
  if (m.transpose == Transpose::Everything) std::swap(m.position[0], m.position[1]);
  if (m.transpose != Transpose::None) {
    std::swap(m.shape[0], m.shape[1]);
    std::swap(m.stride[0], m.stride[1]);
  }
  m.transpose = Transpose::None;
  return m;
}

/// The element of memory from which component `v` of work-item `p` is loaded; no value if the component
/// becomes 0.
constexpr std::optional<int64_t> memoryIndexOf(const WorkItemLayout& l, const MatrixMemory& memory,
                                               uint32_t p, uint32_t v) {
  const MatrixMemory m = normalize(memory);
  const MatrixElement e = elementOf(l, p, v);
  const int64_t row = m.position[0] + e.row;
  const int64_t column = m.position[1] + e.column;
  if (!e.inside) return std::nullopt;
  if (m.rowsChecked && (row < 0 || row >= m.shape[0])) return std::nullopt;
  if (m.columnsChecked && (column < 0 || column >= m.shape[1])) return std::nullopt;
  return row * m.stride[0] + column * m.stride[1];
}

/// The load algorithm for one work-item; `result` has l.components components. It is the texts' pseudo-code,
/// with the row check moved out of the loop over columns; matrices A that are packed or transformed are
/// loaded by their definition. Where the older text's accumulator pads J, its pseudo-code reads columns from
/// N on; by its definition these are 0, as they are here.
template <class T>
constexpr void loadWorkItem(const WorkItemLayout& l, const MatrixMemory& memory, const T* base, uint32_t p,
                            T* result) {
  if (l.channelOperands > 1) {
    // The row can depend on the column here, so the check cannot be moved out of the loop.
    for (uint32_t v = 0; v < l.components; ++v) {
      const std::optional<int64_t> at = memoryIndexOf(l, memory, p, v);
      result[v] = at ? base[*at] : T{};
    }
    return;
  }
  const MatrixMemory m = normalize(memory);
  const uint32_t i0 = p % l.blockRows;
  const uint32_t j0 = p / l.blockRows;
  const uint32_t held = l.columnsHeld();
  for (uint32_t w1 = 0; w1 < l.innerBlocks; ++w1) {
    for (uint32_t w2 = 0; w2 < l.outerBlocks; ++w2) {
      const int64_t row = m.position[0] + i0 + int64_t{w1 + w2 * l.innerBlocks} * l.blockRows;
      const bool rowOk = !m.rowsChecked || (row >= 0 && row < m.shape[0]);
      for (uint32_t u = 0; u < held; ++u) {
        const uint32_t j = j0 + u * l.columnStep();
        const int64_t column = m.position[1] + j;
        const bool columnOk = !m.columnsChecked || (column >= 0 && column < m.shape[1]);
        const bool maskOk = !l.needsMask || j < l.of.columns;
        result[w1 + l.innerBlocks * (u + w2 * held)] =
            rowOk && columnOk && maskOk ? base[row * m.stride[0] + column * m.stride[1]] : T{};
      }
    }
  }
}

namespace detail {

constexpr bool powerOfTwo(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }
constexpr uint64_t roundUp(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/// The conditions of the scheme and the use on M and S.
constexpr std::optional<Broken> forbids(const WorkItemRequest& r) {
  if (r.rows == 0 || r.columns == 0 || r.workItems == 0)
    return Broken{Rule::EmptyMatrix, {r.rows, r.columns, r.workItems}};
  if (r.componentBytes > 8 || !powerOfTwo(r.componentBytes))
    return Broken{Rule::ComponentSize, {r.componentBytes}};
  if (r.scheme == Scheme::AnyRows) return std::nullopt;
  if (!powerOfTwo(r.workItems)) return Broken{Rule::SubgroupPowerOfTwo, {r.workItems}};
  if (r.scheme == Scheme::TinyTcNewer || r.use == Use::B) {
    if (!powerOfTwo(r.rows)) return Broken{Rule::RowsPowerOfTwo, {r.rows}};
    return std::nullopt;
  }
  if (r.rows % r.workItems != 0) return Broken{Rule::RowsMultipleOfSubgroup, {r.rows, r.workItems}};
  const uint32_t operands = operandsPerChannel(r.componentBytes);
  if (r.use == Use::A && r.workItems % operands != 0)
    return Broken{Rule::VnniDividesSubgroup, {operands, r.workItems}};
  return std::nullopt;
}

}  // namespace detail

constexpr Answer<WorkItemLayout> workItemLayout(const WorkItemRequest& r) {
  if (const std::optional<Broken> broken = detail::forbids(r)) return *broken;
  const uint32_t omega = operandsPerChannel(r.componentBytes);
  WorkItemLayout l;
  l.of = r;
  // For powers of two this is min(M, S), and for multiples of S it is S.
  l.blockRows = std::gcd(r.rows, r.workItems);
  l.blocks = r.rows / l.blockRows;
  // The smallest J >= N for which I J is a multiple of S. For a packed matrix, J is also a multiple of omega,
  // because omega divides N and both units are powers of two. The older text's pseudo-code rounds up to whole
  // channels.
  uint64_t unit = l.columnStep();
  if (r.scheme == Scheme::TinyTcNewer && r.use == Use::A && r.columns % omega == 0) {
    l.channelOperands = omega;
  } else if (r.scheme == Scheme::TinyTcOlder && r.use != Use::B) {
    if (r.use == Use::A) l.channelOperands = omega;
    unit = omega;
  }
  const uint64_t padded = detail::roundUp(r.columns, unit);
  if (padded > (uint64_t{1} << 31) / r.rows) return {Rule::MatrixTooLarge, {r.rows, r.columns}};
  l.paddedColumns = static_cast<uint32_t>(padded);
  l.innerBlocks = 1;
  if (r.use == Use::B) {
    // In the older version's order of B, all blocks are innermost. The newer one interleaves omega_b blocks
    // "if M/S > 1".
    l.innerBlocks =
        r.scheme == Scheme::TinyTcOlder ? l.blocks : std::gcd(blocksInterleaved(r.componentBytes), l.blocks);
  }
  l.outerBlocks = l.blocks / l.innerBlocks;
  l.components = l.componentsByText();
  if (l.isPacked()) l.components = static_cast<uint32_t>(detail::roundUp(l.components, omega));
  l.needsMask = padded > r.columns;
  return l;
}

}  // namespace coopc::layout
