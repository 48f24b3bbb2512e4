// The table of canonical layouts, instantiated from a template of eight rows. A layout is recognized by
// comparing it, element by element, with the instance of the same size and offsets.
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
  return std::nullopt;
}

// A layout as a function from (row, column) to the bit at which an element starts. Elements of less than a
// byte share one, which a swizzle moves as a whole.
class BitTable {
 public:
  BitTable(const cute::SwizzledLayout& layout, uint32_t elementBits)
      : layout_(layout), elementBits_(elementBits), rows_(layout.layout.mode(0).size()) {}

  int64_t rows() const { return rows_; }
  int64_t columns() const { return layout_.layout.size() / rows_; }
  uint64_t at(int64_t row, int64_t column) const {
    const uint64_t bit = static_cast<uint64_t>(layout_.layout(row + column * rows_)) * elementBits_;
    return swizzleBit(layout_.swizzle, bit);
  }
  // The coordinate that `swizzle` maps to at(): swizzles are their own inverses.
  uint64_t before(const Swizzle& swizzle, int64_t row, int64_t column) const {
    return swizzleBit(swizzle, at(row, column));
  }

 private:
  static uint64_t swizzleBit(const Swizzle& swizzle, uint64_t bit) { return swizzle(bit / 8) * 8 + bit % 8; }

  const cute::SwizzledLayout& layout_;
  uint32_t elementBits_;
  int64_t rows_;
};

// The canonical layout of this majorness and swizzle that is the same function as the table, or the first
// difference.
Answer<Canonical> matchCanonical(const BitTable& table, Canonical c) {
  const int64_t t = c.elementsPerChunk();
  const int64_t chunks = swizzleChunks(c.mode);
  const bool plain = c.mode == SwizzleMode::None;
  const int64_t patternRows = c.major == Major::K ? 8 : t * chunks;
  const int64_t patternColumns = c.major == Major::K ? 2 * t : 8;
  if (table.rows() % patternRows != 0) return {Rule::CanonicalRows, {table.rows(), patternRows}};
  if (table.columns() % patternColumns != 0)
    return {Rule::CanonicalColumns, {table.columns(), patternColumns}};
  c.m = static_cast<uint32_t>(table.rows() / patternRows);
  c.k = static_cast<uint32_t>(table.columns() / patternColumns);
  c = packOffsets(c);
  // Reads the offsets from the first element of the first repetition: rows repeat at (patternRows, 0),
  // columns at (0, patternColumns), but those within the 8x2 tile at (0, T).
  const Swizzle swizzle = *swizzleOf(c.mode);
  struct Offset {
    bool repeats;
    int64_t row;
    int64_t column;
    uint64_t* bytes;
  };
  const bool strideByRows = c.major == Major::K || plain;
  const Offset offsets[] = {
      {c.leadingRepeats(), strideByRows ? 0 : patternRows,
       c.major == Major::K ? t : (strideByRows ? patternColumns : 0), &c.leadingBytes},
      {c.strideRepeats(), strideByRows ? patternRows : 0, strideByRows ? 0 : patternColumns, &c.strideBytes}};
  for (const Offset& offset : offsets) {
    if (!offset.repeats) continue;
    const uint64_t bits = table.before(swizzle, offset.row, offset.column);
    if (bits % 128 != 0) return {Rule::OffsetAlignment, {static_cast<int64_t>(bits / 8)}};
    *offset.bytes = bits / 8;
  }
  const Answer<cute::SwizzledLayout> canonical = canonicalLayout(c);
  if (!canonical) return canonical.broken();
  const BitTable expected(*canonical, c.elementBits);
  for (int64_t column = 0; column < table.columns(); ++column) {
    for (int64_t row = 0; row < table.rows(); ++row) {
      const uint64_t is = table.at(row, column);
      const uint64_t wanted = expected.at(row, column);
      if (is != wanted)
        return {Rule::CanonicalPlace,
                {row, column, static_cast<int64_t>(is / 8), static_cast<int64_t>(wanted / 8)}};
    }
  }
  return c;
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

std::optional<Broken> checkWidth(const Canonical& c) {
  const uint32_t chunks = swizzleChunks(c.mode);
  if (c.major == Major::MN || c.mode == SwizzleMode::None || 2 * uint64_t{c.k} <= chunks) return std::nullopt;
  return Broken{Rule::SwizzleWidth, {int64_t{2} * c.k, chunks, int64_t{chunks} * 16}};
}

Major nearestMajor(const cute::SwizzledLayout& layout) {
  return layout.layout.mode(0).size() > 1 && layout.layout(1) == 1 ? Major::MN : Major::K;
}

Answer<Canonical> canonicalOf(const cute::SwizzledLayout& layout, uint32_t elementBits) {
  if (elementBits == 0 || elementBits > 128 || 128 % elementBits != 0)
    return {Rule::ElementBits, {elementBits}};
  if (layout.layout.size() > cute::kMaxEnumerated)
    return {Rule::TooManyToEnumerate, {layout.layout.size(), cute::kMaxEnumerated}};
  const BitTable table(layout, elementBits);
  const Major nearest = nearestMajor(layout);
  const Major other = nearest == Major::K ? Major::MN : Major::K;
  // The swizzle that is written comes first, so that a difference is one from its form.
  const Answer<SwizzleMode> own = swizzleModeOf(layout.swizzle);
  std::optional<Broken> difference;
  if (!own) difference = own.broken();
  std::vector<SwizzleMode> modes;
  if (own) modes.push_back(*own);
  for (const SwizzleMode mode :
       {SwizzleMode::None, SwizzleMode::Bytes32, SwizzleMode::Bytes64, SwizzleMode::Bytes128}) {
    if (!own || mode != *own) modes.push_back(mode);
  }
  for (const SwizzleMode mode : modes) {
    for (const Major major : {nearest, other}) {
      Canonical c;
      c.major = major;
      c.mode = mode;
      c.elementBits = elementBits;
      const Answer<Canonical> found = matchCanonical(table, c);
      if (found) return found;
      if (!difference) difference = found.broken();
    }
  }
  return *difference;
}

}  // namespace coopc::layout
