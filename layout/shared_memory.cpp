// The table of canonical layouts, instantiated and recognised. Both directions go through one template of eight rows, so that they
// cannot disagree.
#include "layout/shared_memory.hpp"

#include <iterator>

namespace coopc::layout {
namespace {

using cute::Layout;
using cute::Tuple;

// A number of a canonical layout: known, or a parameter.
enum class Parameter : uint8_t { Fixed, M, TwoK, K, Leading, Stride };
struct Leaf {
  Parameter extentIs;
  int64_t extent;  // of Fixed
  Parameter strideIs;
  int64_t stride;
};

struct Template {
  // K-major: ((0,1),(2,3)). MN-major: ((0,1,2),(3,4)).
  Leaf leaves[5];
  size_t first;  // leaves of the first mode
  size_t count;
};

Template templateOf(Major major, SwizzleMode mode, int64_t t) {
  using P = Parameter;
  const int64_t chunks = swizzleChunks(mode);
  const bool plain = mode == SwizzleMode::None;
  if (major == Major::K) {
    // ((8,m),(T,2k)):((cT,SBO),(1,T)), and LBO for the last T without a swizzle.
    return {{{P::Fixed, 8, P::Fixed, chunks * t},
             {P::M, 0, P::Stride, 0},
             {P::Fixed, t, P::Fixed, 1},
             {P::TwoK, 0, plain ? P::Leading : P::Fixed, t},
             {}},
            2,
            4};
  }
  // ((T,c,m),(8,k)):((1,T,LBO),(cT,SBO)), with LBO and SBO exchanged without a swizzle.
  return {{{P::Fixed, t, P::Fixed, 1},
           {P::Fixed, chunks, P::Fixed, t},
           {P::M, 0, plain ? P::Stride : P::Leading, 0},
           {P::Fixed, 8, P::Fixed, chunks * t},
           {P::K, 0, plain ? P::Leading : P::Stride, 0}},
          3,
          5};
}

std::optional<Broken> forbids(const Canonical& c) {
  if (c.elementBits == 0 || c.elementBits > 128 || 128 % c.elementBits != 0)
    return Broken{Rule::ElementBits, {c.elementBits}};
  if (c.m == 0 || c.k == 0) return Broken{Rule::RepeatZero, {c.m, c.k}};
  if (c.usesLeadingOffset() && c.leadingBytes % 16 != 0)
    return Broken{Rule::OffsetAlignment, {static_cast<int64_t>(c.leadingBytes)}};
  if (c.strideBytes % 16 != 0) return Broken{Rule::OffsetAlignment, {static_cast<int64_t>(c.strideBytes)}};
  const uint32_t chunks = swizzleChunks(c.mode);
  if (c.major == Major::K && c.mode != SwizzleMode::None && c.k > chunks / 2)
    return Broken{Rule::SwizzleWidth, {int64_t{2} * c.k, chunks, int64_t{chunks} * 16}};
  return std::nullopt;
}

struct Row {
  std::string_view layout;
  std::string_view leading;
  std::string_view stride;
};
constexpr std::string_view kColumns8x2 = "from the first column to the second column of the 8x2 tile";
constexpr std::string_view kNotUsed = "not used, assumed to be 1";
constexpr std::string_view kRows8 = "from the first 8 rows to the next 8 rows";
constexpr std::string_view kColumns8 = "from the first 8 columns to the next 8 columns";
constexpr std::string_view kSwizzleRows =
    "from the first (swizzle bytes / 16) rows to the next (swizzle bytes / 16) rows";
// By major and by the swizzle's B.
constexpr Row kRows[2][4] = {
    {{"((8,m),(T,2k)):((1T,SBO),(1,LBO))", kColumns8x2, kRows8},
     {"((8,m),(T,2k)):((2T,SBO),(1,T))", kNotUsed, kRows8},
     {"((8,m),(T,2k)):((4T,SBO),(1,T))", kNotUsed, kRows8},
     {"((8,m),(T,2k)):((8T,SBO),(1,T))", kNotUsed, kRows8}},
    {{"((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))", kColumns8, "from the first row to the next row"},
     {"((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))", kSwizzleRows, kColumns8},
     {"((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))", kSwizzleRows, kColumns8},
     {"((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))", kSwizzleRows, kColumns8}}};

static_assert(std::size(kRows) == static_cast<size_t>(Major::MN) + 1);

const Row& rowOf(Major major, SwizzleMode mode) {
  static constexpr Row kNone{};
  const Answer<Swizzle> swizzle = swizzleOf(mode);
  return swizzle ? kRows[static_cast<size_t>(major)][swizzle->bits] : kNone;
}

}  // namespace

std::string_view canonicalText(Major major, SwizzleMode mode) { return rowOf(major, mode).layout; }
std::string_view leadingOffsetMeaning(Major major, SwizzleMode mode) { return rowOf(major, mode).leading; }
std::string_view strideOffsetMeaning(Major major, SwizzleMode mode) { return rowOf(major, mode).stride; }

Answer<cute::SwizzledLayout> canonicalLayout(const Canonical& c) {
  const Answer<Swizzle> swizzle = swizzleOf(c.mode);
  if (!swizzle) return swizzle.broken();
  if (const auto broken = forbids(c)) return *broken;
  const Template form = templateOf(c.major, c.mode, c.elementsPerChunk());
  const auto numberOf = [&](Parameter is, int64_t fixed) -> int64_t {
    switch (is) {
      case Parameter::M: return c.m;
      case Parameter::TwoK: return int64_t{2} * c.k;
      case Parameter::K: return c.k;
      // 16 bytes are a whole number of elements.
      case Parameter::Leading: return static_cast<int64_t>(c.leadingBytes / 16) * c.elementsPerChunk();
      case Parameter::Stride: return static_cast<int64_t>(c.strideBytes / 16) * c.elementsPerChunk();
      default: return fixed;
    }
  };
  std::vector<Tuple> shape[2];
  std::vector<Tuple> stride[2];
  for (size_t i = 0; i < form.count; ++i) {
    const size_t mode = i < form.first ? 0 : 1;
    shape[mode].emplace_back(numberOf(form.leaves[i].extentIs, form.leaves[i].extent));
    stride[mode].emplace_back(numberOf(form.leaves[i].strideIs, form.leaves[i].stride));
  }
  const auto pair = [](std::vector<Tuple>* modes) {
    return Tuple(std::vector<Tuple>{Tuple(std::move(modes[0])), Tuple(std::move(modes[1]))});
  };
  Answer<Layout> layout = Layout::make(pair(shape), pair(stride));
  if (!layout) return layout.broken();
  return cute::SwizzledLayout{*swizzle, *std::move(layout)};
}

Answer<Canonical> canonicalOf(const cute::SwizzledLayout& layout, uint32_t elementBits) {
  const Answer<SwizzleMode> mode = swizzleModeOf(layout.swizzle);
  if (!mode) return mode.broken();
  if (elementBits == 0 || elementBits > 128 || 128 % elementBits != 0)
    return {Rule::ElementBits, {elementBits}};
  const Tuple& shape = layout.layout.shape();
  if (shape.leaf || shape.items.size() != 2 || shape.items[0].leaf || shape.items[1].leaf)
    return Rule::NotCanonical;
  Canonical c;
  c.mode = *mode;
  c.elementBits = elementBits;
  c.major = shape.items[0].items.size() == 2 ? Major::K : Major::MN;
  const Template form = templateOf(c.major, c.mode, c.elementsPerChunk());
  const std::vector<cute::Mode>& modes = layout.layout.modes();
  if (shape.items[0].items.size() != form.first || shape.items[1].items.size() != form.count - form.first ||
      modes.size() != form.count)
    return Rule::NotCanonical;
  // Element and byte offsets fit in 40 bits.
  const auto bytes = [&](int64_t elements) { return static_cast<uint64_t>(elements) * elementBits / 8; };
  for (size_t i = 0; i < form.count; ++i) {
    const Leaf& leaf = form.leaves[i];
    const auto [extent, stride] = modes[i];
    const auto position = static_cast<int64_t>(i) + 1;
    switch (leaf.extentIs) {
      case Parameter::Fixed:
        if (extent != leaf.extent) return {Rule::CanonicalExtent, {position, extent, leaf.extent}};
        break;
      case Parameter::TwoK:
        if (extent % 2 != 0) return {Rule::CanonicalOddColumns, {position, extent}};
        c.k = static_cast<uint32_t>(std::min<int64_t>(extent / 2, UINT32_MAX));
        break;
      case Parameter::M: c.m = static_cast<uint32_t>(std::min<int64_t>(extent, UINT32_MAX)); break;
      default: c.k = static_cast<uint32_t>(std::min<int64_t>(extent, UINT32_MAX)); break;
    }
    switch (leaf.strideIs) {
      case Parameter::Fixed:
        // A mode with a single coordinate may have any stride.
        if (extent > 1 && stride != leaf.stride)
          return {Rule::CanonicalStride, {position, stride, leaf.stride}};
        break;
      case Parameter::Leading: c.leadingBytes = bytes(stride); break;
      default: c.strideBytes = bytes(stride); break;
    }
    if (leaf.strideIs != Parameter::Fixed && stride % c.elementsPerChunk() != 0)
      return {Rule::OffsetAlignment, {static_cast<int64_t>(bytes(stride))}};
  }
  if (const auto broken = forbids(c)) return *broken;
  return c;
}

}  // namespace coopc::layout
