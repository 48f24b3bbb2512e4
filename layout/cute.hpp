// Layouts as nested shapes and strides in CuTe's sense, and their algebra.
//
// A layout maps coordinates to addresses: the inner product of coordinate and stride. Coordinates are counted
// colexicographically (the leftmost mode varies fastest), so a layout is also a function of one number below
// its size. Extents, strides and addresses count elements. Every operation is exact: it returns a layout R
// that does what its definition says for every coordinate, or an error that names a coordinate for which no
// layout can do it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rule.hpp"
#include "swizzle.hpp"

namespace coopc::layout::cute {

/// A number, or a tuple of these.
struct Tuple {
  int64_t number = 0;  ///< of a leaf
  std::vector<Tuple> items;
  bool leaf = true;

  Tuple() = default;
  Tuple(int64_t value) : number(value) {}
  explicit Tuple(std::vector<Tuple> values) : items(std::move(values)), leaf(false) {}
  bool operator==(const Tuple&) const = default;
};

/// A leaf: one extent of the shape with its stride.
struct Mode {
  int64_t extent = 1;
  int64_t stride = 0;
  constexpr bool operator==(const Mode&) const = default;
};

inline constexpr uint32_t kMaxDepth = 16;
/// Sizes and addresses are below this.
inline constexpr int64_t kMaxSize = int64_t{1} << 40;
/// Operations that enumerate all coordinates accept layouts up to this size.
inline constexpr int64_t kMaxEnumerated = int64_t{1} << 22;

/// A shape and a stride of the same form; extents are at least 1, strides at least 0.
class Layout {
 public:
  /// 1:0
  Layout() : Layout(Tuple(1), Tuple(0)) {}
  static Answer<Layout> make(Tuple shape, Tuple stride);
  /// Strides that make the layout compact, the leftmost mode fastest.
  static Answer<Layout> compact(Tuple shape);
  /// Makes a layout of valid modes: a leaf of one mode, a flat tuple of several, 1:0 of none.
  static Layout flat(const std::vector<Mode>& modes);

  const Tuple& shape() const { return shape_; }
  const Tuple& stride() const { return stride_; }
  /// The leaves from left to right.
  const std::vector<Mode>& modes() const { return modes_; }
  /// The number of modes on the top level: 1 for a leaf.
  size_t rank() const { return shape_.leaf ? 1 : shape_.items.size(); }
  Layout mode(size_t i) const;

  /// The number of coordinates.
  int64_t size() const { return size_; }
  /// One more than the largest address.
  int64_t cosize() const { return cosize_; }

  /// The address of a coordinate below size().
  int64_t operator()(int64_t coordinate) const {
    int64_t address = 0;
    for (const Mode& mode : modes_) {
      address += coordinate % mode.extent * mode.stride;
      coordinate /= mode.extent;
    }
    return address;
  }
  /// The same with one number for each mode of the top level: (row, column) of a layout of rank 2.
  Answer<int64_t> at(std::span<const int64_t> coordinates) const;

  bool operator==(const Layout& other) const { return shape_ == other.shape_ && stride_ == other.stride_; }

 private:
  friend Layout concatenate(const Layout& a, const Layout& b);
  Layout(Tuple shape, Tuple stride);

  Tuple shape_;
  Tuple stride_;
  std::vector<Mode> modes_;
  int64_t size_ = 1;
  int64_t cosize_ = 1;
};

/// (A, B): a layout of rank 2 whose modes are A and B.
Layout concatenate(const Layout& a, const Layout& b);

/// The same function with as few modes as possible, flat.
Layout coalesce(const Layout& a);

/// The flat layout with these addresses, coordinate by coordinate, or the reason why there is none.
Answer<Layout> fit(std::span<const int64_t> addresses);

/// A o B: R(c) = A(B(c)) on B's domain. R has B's shape, except that modes may become tuples. B's addresses
/// must be coordinates of A.
Answer<Layout> compose(const Layout& a, const Layout& b);

/// The layout that together with A covers the addresses [0, size) once each: (A, complement) is onto and
/// injective.
Answer<Layout> complement(const Layout& a, int64_t size);

/// The layout R with A(R(x)) = x and R(A(c)) = c. It exists where A reaches each address below its size once.
Answer<Layout> inverse(const Layout& a);

/// A divided into tiles B: A o (B, complement(B, size(A))). The first mode is the tile, the second one
/// enumerates the tiles.
Answer<Layout> divide(const Layout& a, const Layout& tile);

/// A repeated by B: (A, complement(A, ...) o B). The first mode is the tile A, the second one moves from one
/// repetition to the next as B does.
Answer<Layout> product(const Layout& a, const Layout& b);

/// Two coordinates with the same address, if there are any. For layouts of up to kMaxEnumerated coordinates.
std::optional<Broken> whyNotInjective(const Layout& a);

/// The number of different addresses. For layouts of up to kMaxEnumerated coordinates.
Answer<int64_t> distinctAddresses(const Layout& a);

/// A layout whose byte addresses are swizzled.
struct SwizzledLayout {
  Swizzle swizzle;
  Layout layout;

  /// Where the element at `coordinate` starts, in bytes; elements of less than a byte share one.
  uint64_t byteAddress(int64_t coordinate, uint32_t elementBits) const {
    return swizzle(static_cast<uint64_t>(layout(coordinate)) * elementBits / 8);
  }
};

}  // namespace coopc::layout::cute
