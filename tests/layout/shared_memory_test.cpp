// Canonical layouts of matrices in shared memory (PTX ISA 9.7.16.3), swizzles, and descriptors: the
// document's printed examples and each of its concepts by name, with properties over all parameters of small
// range.
#include "layout/shared_memory.hpp"

#include <array>
#include <random>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/notation.hpp"

using namespace coopc::layout;

namespace {

constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::Bytes32, SwizzleMode::Bytes64,
                                  SwizzleMode::Bytes128};
constexpr Major kMajors[] = {Major::K, Major::MN};

cute::SwizzledLayout parseText(std::string_view text) {
  const Answer<cute::SwizzledLayout> layout = parseLayout(text);
  INFO(text);
  REQUIRE(layout);
  return *layout;
}

// An example as the document prints it.
struct Printed {
  const char* layout;
  uint32_t elementBits;
  Canonical parameters;
  uint32_t encodedLeading;
  uint32_t encodedStride;
};
const Printed kAgreeing[] = {
    {"Swizzle<0,4,3> o ((8,2),(4,4)):((4,32),(1,64))",
     32,
     {Major::K, SwizzleMode::None, 32, 2, 2, 64 * 4, 32 * 4},
     16,
     8},
    {"Swizzle<0,4,3> o ((8,1,2),(8,2)):((1,8,64),(8,128))",
     16,
     {Major::MN, SwizzleMode::None, 16, 2, 2, 128 * 2, 64 * 2},
     16,
     8},
    {"Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256))",
     16,
     {Major::MN, SwizzleMode::Bytes32, 16, 2, 2, 128 * 2, 256 * 2},
     16,
     32},
    {"Swizzle<2,4,3> o ((8,4,2),(8,2)):((1,8,256),(32,512))",
     16,
     {Major::MN, SwizzleMode::Bytes64, 16, 2, 2, 256 * 2, 512 * 2},
     32,
     64},
};

// Each canonical layout of small parameters, with the offsets of a packed matrix.
template <class F>
uint32_t forEachCanonical(F f) {
  uint32_t count = 0;
  for (const Major major : kMajors) {
    for (const SwizzleMode mode : kModes) {
      for (const uint32_t bits : {4u, 8u, 16u, 32u, 64u}) {
        for (uint32_t m = 1; m <= 4; ++m) {
          for (uint32_t k = 1; k <= 4; ++k) {
            const Canonical c = packOffsets({major, mode, bits, m, k, 0, 0});
            const Answer<cute::SwizzledLayout> layout = canonicalLayout(c);
            REQUIRE(layout);
            // Layouts whose rows overlap have a separate test.
            const bool tooWide =
                major == Major::K && mode != SwizzleMode::None && 2 * k > swizzleChunks(mode);
            REQUIRE(checkWidth(c).has_value() == tooWide);
            if (tooWide) continue;
            ++count;
            f(c, *layout);
          }
        }
      }
    }
  }
  return count;
}

int64_t at(const cute::SwizzledLayout& l, int64_t row, int64_t column) {
  const Answer<int64_t> address = l.layout.at(std::array<int64_t, 2>{row, column});
  REQUIRE(address);
  return *address;
}

}  // namespace

TEST_CASE("shared memory: four of the five printed examples agree") {
  uint32_t examples = 0;
  for (const Printed& example : kAgreeing) {
    INFO(example.layout);
    const cute::SwizzledLayout layout = parseText(example.layout);
    const Answer<Canonical> c = canonicalOf(layout, example.elementBits);
    INFO((c ? "" : message(c.broken())));
    REQUIRE(c);
    CHECK(*c == example.parameters);
    CHECK(packOffsets(*c) == *c);
    CHECK(c->elementsPerChunk() == 128 / example.elementBits);
    const Answer<cute::SwizzledLayout> back = canonicalLayout(*c);
    REQUIRE(back);
    CHECK(back->layout == layout.layout);
    CHECK(back->swizzle == layout.swizzle);
    CHECK_FALSE(cute::whyNotInjective(layout.layout));
    const Answer<uint64_t> bits = encode(descriptorOf(*c, 0));
    REQUIRE(bits);
    CHECK((*bits >> 16 & 0x3FFF) == example.encodedLeading);
    CHECK((*bits >> 32 & 0x3FFF) == example.encodedStride);
    ++examples;
  }
  CHECK(examples == 4);
}

TEST_CASE(
    "shared memory: the printed example of K-major, 32-byte swizzling and tf32 overlaps, and is diagnosed") {
  const cute::SwizzledLayout layout = parseText("Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4))");
  CHECK(layout.layout.size() == 256);
  CHECK(*cute::distinctAddresses(layout.layout) == 136);
  CHECK(message(*cute::whyNotInjective(layout.layout)) == "coordinates 1 and 128 share the address 8");
  // Its parameters are those that the document prints next to it.
  const Canonical printed{Major::K, SwizzleMode::Bytes32, 32, 2, 2, 0, 64 * 4};
  CHECK(*canonicalOf(layout, 32) == printed);
  CHECK(canonicalLayout(printed)->layout == layout.layout);
  CHECK(message(*checkWidth(printed)) ==
        "2k = 4 columns of 16 bytes are more than the 2 that lie between two rows of a 32-byte swizzle: rows "
        "overlap");
  // With k = 1, this layout has the document's other parameters.
  const cute::SwizzledLayout right = parseText("Swizzle<1,4,3> o ((8,2),(4,2)):((8,64),(1,4))");
  CHECK(*canonicalOf(right, 32) == Canonical{Major::K, SwizzleMode::Bytes32, 32, 2, 1, 0, 64 * 4});
  CHECK(*cute::distinctAddresses(right.layout) == 128);
  const Answer<uint64_t> bits = encode(descriptorOf(*canonicalOf(right, 32), 0));
  REQUIRE(bits);
  CHECK((*bits >> 16 & 0x3FFF) == 1);
  CHECK((*bits >> 32 & 0x3FFF) == 16);
  CHECK_FALSE(checkWidth(*canonicalOf(right, 32)));
}

TEST_CASE("shared memory: K-major layouts overlap exactly where they are wider than their swizzle") {
  uint32_t layouts = 0;
  for (const SwizzleMode mode : {SwizzleMode::Bytes32, SwizzleMode::Bytes64, SwizzleMode::Bytes128}) {
    for (const uint32_t bits : {8u, 16u, 32u, 64u}) {
      for (uint32_t m = 1; m <= 3; ++m) {
        for (uint32_t k = 1; k <= 6; ++k, ++layouts) {
          const Canonical c = packOffsets({Major::K, mode, bits, m, k, 0, 0});
          const cute::SwizzledLayout layout = *canonicalLayout(c);
          REQUIRE(checkWidth(c).has_value() == cute::whyNotInjective(layout.layout).has_value());
          REQUIRE(*canonicalOf(layout, bits) == c);
        }
      }
    }
  }
  CHECK(layouts == 3 * 4 * 3 * 6);
}

TEST_CASE("shared memory: the layouts that the document does not print") {
  // K-major 64B and 128B of tf32, MN-major 128B of bf16: the offsets of packed matrices.
  CHECK(packOffsets({Major::K, SwizzleMode::Bytes64, 32, 2, 2, 0, 0}).strideBytes == 512);
  CHECK(packOffsets({Major::K, SwizzleMode::Bytes128, 32, 2, 4, 0, 0}).strideBytes == 1024);
  const Canonical c = packOffsets({Major::MN, SwizzleMode::Bytes128, 16, 2, 2, 0, 0});
  CHECK(c.leadingBytes == 1024);
  CHECK(c.strideBytes == 2048);
  CHECK(print(*canonicalLayout(c)) == "Swizzle<3,4,3> o ((8,8,2),(8,2)):((1,8,512),(64,1024))");
}

TEST_CASE("shared memory: the eight canonical layouts, injective and recognized") {
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout& layout) {
    INFO(print(layout) << " of " << c.elementBits << " bits");
    const Answer<Canonical> back = canonicalOf(layout, c.elementBits);
    REQUIRE(back);
    REQUIRE(*back == c);
    REQUIRE_FALSE(cute::whyNotInjective(layout.layout));
    // Layouts are packed, except K-major ones that do not fill their swizzle's width.
    const bool full = c.major == Major::MN || c.mode == SwizzleMode::None || 2 * c.k == swizzleChunks(c.mode);
    REQUIRE((layout.layout.cosize() == layout.layout.size()) == full);
    // If whole patterns of the swizzle are filled, swizzling permutes the bytes.
    std::set<uint64_t> bytes;
    for (int64_t i = 0; i < layout.layout.size(); ++i) bytes.insert(layout.byteAddress(i, c.elementBits));
    REQUIRE(static_cast<int64_t>(bytes.size()) ==
            layout.layout.size() * (c.elementBits < 8 ? c.elementBits : 8) / 8);
  });
  // 2 majors x 4 modes x 5 sizes x 16, less the K-major ones that are too wide: 3, 2, 0 of 4 values of k.
  CHECK(count == 640 - 5 * 4 * (3 + 2));
}

TEST_CASE("shared memory: T normalization") {
  // The matrix of 128-bit elements has T = 1, and its element (r, c) is the chunk at element (r, c T) or (r
  // T, c).
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout& layout) {
    Canonical wide = c;
    wide.elementBits = 128;
    const Answer<cute::SwizzledLayout> normalized = canonicalLayout(wide);
    REQUIRE(normalized);
    const int64_t t = c.elementsPerChunk();
    REQUIRE(t * c.elementBits == 128);
    const int64_t rows = normalized->layout.mode(0).size();
    const int64_t columns = normalized->layout.mode(1).size();
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column) {
        const bool k = c.major == Major::K;
        REQUIRE(at(*normalized, row, column) * t == at(layout, k ? row : row * t, k ? column * t : column));
      }
    }
  });
  CHECK(count == 540);
  CHECK(message(canonicalLayout({Major::K, SwizzleMode::None, 24, 1, 1, 128, 128}).broken()) ==
        "elements of 24 bits do not fill 128 bits: T = 128 / 24 is not a whole number");
}

TEST_CASE("shared memory: m and k") {
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout& layout) {
    const int64_t t = c.elementsPerChunk();
    const int64_t rows = layout.layout.mode(0).size();
    const int64_t columns = layout.layout.mode(1).size();
    if (c.major == Major::K) {
      REQUIRE(rows == 8 * c.m);
      REQUIRE(columns == 2 * c.k * t);
    } else {
      REQUIRE(rows == t * swizzleChunks(c.mode) * c.m);
      REQUIRE(columns == 8 * c.k);
    }
  });
  CHECK(count == 540);
  CHECK(canonicalLayout({Major::K, SwizzleMode::None, 16, 0, 1, 128, 128}).broken().rule == Rule::RepeatZero);
}

TEST_CASE("shared memory: the 8x2 tile") {
  // K-major: a pattern is 8 rows of two 16-byte columns. Without a swizzle its columns are 8 successive
  // chunks each.
  const cute::SwizzledLayout tile =
      *canonicalLayout(packOffsets({Major::K, SwizzleMode::None, 128, 1, 1, 0, 0}));
  CHECK(print(tile) == "((8,1),(1,2)):((1,8),(1,8))");
  for (int64_t row = 0; row < 8; ++row) {
    CHECK(at(tile, row, 0) == row);
    CHECK(at(tile, row, 1) == 8 + row);
  }
}

TEST_CASE("shared memory: what the leading dimension offset means") {
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout&) {
    Canonical wide = c;
    wide.elementBits = 128;
    const cute::SwizzledLayout l = *canonicalLayout(wide);
    const auto leading = static_cast<int64_t>(c.leadingBytes / 16);
    if (c.major == Major::K && c.mode == SwizzleMode::None) {
      // from the first column to the second column of the 8x2 tile
      REQUIRE(at(l, 0, 1) - at(l, 0, 0) == leading);
    } else if (c.major == Major::MN && c.mode == SwizzleMode::None) {
      // from the first 8 columns to the next 8 columns
      if (c.k > 1) REQUIRE(at(l, 0, 8) - at(l, 0, 0) == leading);
    } else if (c.major == Major::MN) {
      // from the first (swizzle bytes / 16) rows to the next
      if (c.m > 1) REQUIRE(at(l, swizzleChunks(c.mode), 0) - at(l, 0, 0) == leading);
    } else {
      // not used
      Canonical other = wide;
      other.leadingBytes += 4096;
      REQUIRE(canonicalLayout(other)->layout == l.layout);
    }
  });
  CHECK(count == 540);
  CHECK(leadingOffsetMeaning(Major::K, SwizzleMode::Bytes64) == "not used, assumed to be 1");
  CHECK(leadingOffsetMeaning(Major::MN, SwizzleMode::None) ==
        "from the first 8 columns to the next 8 columns");
}

TEST_CASE("shared memory: what the stride dimension offset means") {
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout&) {
    Canonical wide = c;
    wide.elementBits = 128;
    const cute::SwizzledLayout l = *canonicalLayout(wide);
    const auto stride = static_cast<int64_t>(c.strideBytes / 16);
    if (c.major == Major::K) {
      // from the first 8 rows to the next 8 rows
      if (c.m > 1) REQUIRE(at(l, 8, 0) - at(l, 0, 0) == stride);
    } else if (c.mode == SwizzleMode::None) {
      // from the first row to the next row
      if (c.m > 1) REQUIRE(at(l, 1, 0) - at(l, 0, 0) == stride);
    } else {
      // from the first 8 columns to the next 8 columns
      if (c.k > 1) REQUIRE(at(l, 0, 8) - at(l, 0, 0) == stride);
    }
  });
  CHECK(count == 540);
  CHECK(strideOffsetMeaning(Major::K, SwizzleMode::Bytes64) == "from the first 8 rows to the next 8 rows");
  CHECK(strideOffsetMeaning(Major::MN, SwizzleMode::None) == "from the first row to the next row");
}

TEST_CASE("shared memory: strides are elements in layouts and bytes in descriptors") {
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout& layout) {
    const SharedMemoryDescriptor d = descriptorOf(c, 0);
    // The last stride of the first mode for K-major; of the second one for MN-major, where a swizzle
    // exchanges the two.
    const cute::Tuple& strides = layout.layout.stride();
    const bool first = c.major == Major::K || c.mode == SwizzleMode::None;
    const int64_t elements = strides.items[first ? 0 : 1].items.back().number;
    REQUIRE(elements * c.elementBits == int64_t{8} * d.strideOffset);
  });
  CHECK(count == 540);
}

TEST_CASE("shared memory: a leading offset that is not used is assumed to be 1") {
  for (const SwizzleMode mode : {SwizzleMode::Bytes32, SwizzleMode::Bytes64, SwizzleMode::Bytes128}) {
    const Canonical c = packOffsets({Major::K, mode, 16, 2, 1, 0, 0});
    CHECK_FALSE(c.usesLeadingOffset());
    CHECK((*encode(descriptorOf(c, 0)) >> 16 & 0x3FFF) == 1);
  }
  CHECK(packOffsets({Major::K, SwizzleMode::None, 16, 2, 1, 0, 0}).usesLeadingOffset());
  CHECK(packOffsets({Major::MN, SwizzleMode::Bytes32, 16, 2, 1, 0, 0}).usesLeadingOffset());
}

TEST_CASE("shared memory: the rows of the table as printed") {
  CHECK(canonicalText(Major::MN, SwizzleMode::None) == "((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))");
  CHECK(canonicalText(Major::MN, SwizzleMode::Bytes128) == "((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))");
  CHECK(canonicalText(Major::K, SwizzleMode::None) == "((8,m),(T,2k)):((1T,SBO),(1,LBO))");
  CHECK(canonicalText(Major::K, SwizzleMode::Bytes64) == "((8,m),(T,2k)):((4T,SBO),(1,T))");
  CHECK(canonicalText(Major::K, SwizzleMode::Bytes128Atom32).empty());
  // Each row with its letters replaced is the layout.
  const uint32_t count = forEachCanonical([](const Canonical& c, const cute::SwizzledLayout& layout) {
    const int64_t t = c.elementsPerChunk();
    const auto elements = [&](uint64_t bytes) {
      return std::to_string(bytes / 16 * static_cast<uint64_t>(t));
    };
    const std::pair<std::string_view, std::string> letters[] = {
        {"LBO", elements(c.leadingBytes)}, {"SBO", elements(c.strideBytes)}, {"1T", std::to_string(t)},
        {"2T", std::to_string(2 * t)},     {"4T", std::to_string(4 * t)},    {"8T", std::to_string(8 * t)},
        {"2k", std::to_string(2 * c.k)},   {"T", std::to_string(t)},         {"m", std::to_string(c.m)},
        {"k", std::to_string(c.k)},
    };
    std::string text(canonicalText(c.major, c.mode));
    for (const auto& [letter, number] : letters) {
      for (size_t found; (found = text.find(letter)) != std::string::npos;)
        text.replace(found, letter.size(), number);
    }
    REQUIRE(print(layout.layout) == text);
  });
  CHECK(count == 540);
}

TEST_CASE("shared memory: what is not canonical is told apart") {
  const std::pair<const char*, const char*> wrong[] = {
      {"8:1", "8 rows are not a multiple of the 16 of a pattern"},
      {"((4,3),(8,2)):((8,32),(1,64))", "12 rows are not a multiple of the 8 of a pattern"},
      {"((8,2),(8,2)):((16,128),(1,64))",
       "element (1, 0) is at byte 32, but the canonical layout with the same offsets has it at byte 16"},
      {"((8,2),(8,3)):((8,128),(1,64))", "24 columns are not a multiple of the 16 of a pattern"},
      {"((8,2),(8,2)):((8,132),(1,64))", "a byte offset of 264 is not a multiple of 16"},
      {"Swizzle<2,3,3> o ((8,2),(8,2)):((8,128),(1,64))",
       "Swizzle<2,3,3> is not one of Swizzle<0,4,3>, <1,4,3>, <2,4,3>, <3,4,3>"},
      {"Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(8,256))",
       "element (0, 1) is at byte 16, but the canonical layout with the same offsets has it at byte 32"},
      // A third repetition that is not at twice the second one's offset.
      {"((8,2,2),(8,2)):((8,128,512),(1,64))",
       "element (16, 0) is at byte 1024, but the canonical layout with the same offsets has it at byte 512"},
  };
  for (const auto& [text, says] : wrong) {
    INFO(text);
    const Answer<Canonical> c = canonicalOf(parseText(text), text == std::string_view("8:1") ? 8 : 16);
    REQUIRE_FALSE(c);
    CHECK(message(c.broken()) == says);
  }
}

TEST_CASE("shared memory: elements have a size that divides 16 bytes") {
  for (const uint32_t bits : {0u, 3u, 48u, 256u}) {
    INFO(bits);
    CHECK(canonicalOf(parseText("(8,8):(1,8)"), bits).broken().rule == Rule::ElementBits);
  }
  // The default is one K-major pattern of halves without a swizzle.
  CHECK(Canonical{} == Canonical{Major::K, SwizzleMode::None, 16, 1, 1, 0, 0});
}

TEST_CASE("shared memory: offsets count 16 bytes, and comparing has a limit") {
  const Answer<cute::SwizzledLayout> odd =
      canonicalLayout({Major::MN, SwizzleMode::Bytes32, 16, 2, 2, 24, 256});
  REQUIRE_FALSE(odd);
  CHECK(message(odd.broken()) == "a byte offset of 24 is not a multiple of 16");
  // K-major layouts with a swizzle have no leading offset, whatever is written there.
  CHECK(canonicalLayout({Major::K, SwizzleMode::Bytes32, 16, 2, 1, 24, 256}));
  CHECK(canonicalOf(parseText("(4096,4096):(1,4096)"), 16).broken().rule == Rule::TooManyToEnumerate);
}

TEST_CASE("shared memory: canonical is what a layout does, not how it is written") {
  struct Case {
    const char* text;
    uint32_t bits;
    Canonical canonical;
  };
  const Case cases[] = {
      {"Swizzle<1,4,3> o (8,16):(16,1)", 16, {Major::K, SwizzleMode::Bytes32, 16, 1, 1, 0, 256}},
      {"Swizzle<3,4,3> o (8,64):(64,1)", 16, {Major::K, SwizzleMode::Bytes128, 16, 1, 4, 0, 1024}},
      {"(16,(4,4)):(4,(1,64))", 32, {Major::K, SwizzleMode::None, 32, 2, 2, 256, 128}},
      {"((8,2),(8,2),1):((8,128),(1,64),0)", 16, {Major::K, SwizzleMode::None, 16, 2, 1, 128, 256}},
      {"(8,8):(1,8)", 16, {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      // If nothing repeats by an offset, it is the one of a packed matrix, however the layout is written.
      {"((8,1,1),(8,1)):((1,8,320),(8,192))", 16, {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      {"((8,1,1),(8,1)):((1,8,321),(8,192))", 16, {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      {"Swizzle<1,4,3> o ((8,1),(8,2)):((16,8000),(1,8))",
       16,
       {Major::K, SwizzleMode::Bytes32, 16, 1, 1, 0, 256}},
      {"((8,1),(1,8,1)):((1,8),(320,8,192))", 16, {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      {"((8,1,1),((8,1))):((1,8,320),((8,192)))", 16, {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      // Bit 8 is never set, so that the wider swizzle is the narrower one.
      {"Swizzle<2,4,3> o (8,16):(16,1)", 16, {Major::K, SwizzleMode::Bytes32, 16, 1, 1, 0, 256}},
      // No bit above 6 is set: no swizzle moves anything.
      {"Swizzle<3,4,3> o ((8,1,1),(8,1)):((1,8,64),(8,64))",
       16,
       {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
      {"Swizzle<2,3,5> o ((8,1,1),(8,1)):((1,8,64),(8,64))",
       16,
       {Major::MN, SwizzleMode::None, 16, 1, 1, 128, 128}},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const Answer<Canonical> got = canonicalOf(parseText(c.text), c.bits);
    REQUIRE(got);
    CHECK(*got == c.canonical);
  }
}

TEST_CASE("shared memory: a layout's first step says which majorness it is closest to") {
  CHECK(nearestMajor(parseText("(2,8):(1,2)")) == Major::MN);
  CHECK(nearestMajor(parseText("(8,8):(8,1)")) == Major::K);
  CHECK(nearestMajor(parseText("(1,8):(0,1)")) == Major::K);
}

TEST_CASE("swizzle: a bijection of byte addresses that is its own inverse") {
  uint32_t swizzles = 0;
  for (uint32_t bits = 0; bits <= 4; ++bits) {
    for (uint32_t base = 0; base <= 5; ++base) {
      for (uint32_t shift = 0; shift <= 5; ++shift) {
        const Answer<Swizzle> s = checkedSwizzle(bits, base, shift);
        REQUIRE(static_cast<bool>(s) == (shift >= bits));
        if (!s) {
          CHECK(s.broken().rule == Rule::SwizzleOverlap);
          continue;
        }
        ++swizzles;
        std::vector<uint8_t> seen(size_t{1} << (bits + base + shift));
        for (uint64_t a = 0; a < seen.size(); ++a) {
          const uint64_t out = (*s)(a);
          REQUIRE(out < seen.size());
          REQUIRE(seen[out]++ == 0);
          REQUIRE((*s)(out) == a);
        }
      }
    }
  }
  CHECK(swizzles == 6 * (6 + 5 + 4 + 3 + 2));
  CHECK(message(checkedSwizzle(3, 4, 2).broken()) ==
        "Swizzle<3,4,2>: the 3 bits read and the 3 bits written overlap, since 2 < 3");
  CHECK(checkedSwizzle(1, 62, 3).broken().rule == Rule::SwizzleBits);
}

TEST_CASE("swizzle: it acts on byte addresses, not on element indices") {
  const cute::SwizzledLayout l = parseText("Swizzle<1,4,3> o ((8,2),(4,2)):((8,64),(1,4))");
  uint32_t byBytes = 0;
  uint32_t byIndex = 0;
  for (int64_t c = 0; c < l.layout.size(); ++c) {
    const auto index = static_cast<uint64_t>(l.layout(c));
    byBytes += l.byteAddress(c, 32) != index * 4 ? 1 : 0;
    byIndex += l.swizzle(index) != index ? 1 : 0;
  }
  CHECK(byBytes == 64);
  CHECK(byIndex == 0);
}

TEST_CASE("descriptor: every field is encoded in its bits and decoded") {
  SharedMemoryDescriptor d;
  d.address = 0x3FFF0;
  CHECK(*encode(d) == 0x3FFF);
  d = {};
  d.leadingOffset = 0x3FFF0;
  CHECK(*encode(d) == uint64_t{0x3FFF} << 16);
  d = {};
  d.strideOffset = 0x3FFF0;
  CHECK(*encode(d) == uint64_t{0x3FFF} << 32);
  d = {};
  d.version = 7;
  CHECK(*encode(d) == uint64_t{7} << 46);
  d = {};
  d.baseOffset = 7;
  CHECK(*encode(d) == uint64_t{7} << 49);
  d = {};
  d.leadingIsAbsolute = true;
  CHECK(*encode(d) == uint64_t{1} << 52);
  d = {};
  d.swizzle = SwizzleMode::Bytes32;
  CHECK(*encode(d) == uint64_t{6} << 61);
  d = {};
  d.otherBits = ~uint64_t{0};
  // Bits 14 and 15, 30 and 31, and 53 to 60.
  CHECK(*encode(d) == (uint64_t{3} << 14 | uint64_t{3} << 30 | uint64_t{0xFF} << 53));
}

TEST_CASE("descriptor: any bits are decoded and encoded again") {
  std::mt19937_64 random(1);
  uint32_t same = 0;
  uint32_t refused = 0;
  uint32_t decodeOnly = 0;
  for (int round = 0; round < 80000; ++round) {
    const uint64_t bits = random();
    const uint64_t mode = bits >> 61;
    const Answer<SharedMemoryDescriptor> d = decode(bits);
    if (mode == 3 || mode == 5 || mode == 7) {
      REQUIRE_FALSE(d);
      REQUIRE(d.broken().rule == Rule::SwizzleModeInvalid);
      ++refused;
      continue;
    }
    REQUIRE(d);
    const Answer<uint64_t> back = encode(*d);
    if (mode == 1) {
      REQUIRE(back.broken().rule == Rule::DecodeOnly);
      ++decodeOnly;
      continue;
    }
    REQUIRE(back);
    REQUIRE(*back == bits);
    ++same;
  }
  CHECK(same + refused + decodeOnly == 80000);
  CHECK(same > 35000);
  CHECK(refused > 25000);
  CHECK(decodeOnly > 5000);
}

TEST_CASE("descriptor: what does not fit its field is refused") {
  SharedMemoryDescriptor d;
  d.address = 8;
  CHECK(message(encode(d).broken()) == "address 8 is not a multiple of 16");
  d.address = 0x40000;
  CHECK(message(encode(d).broken()) == "bits [0, 14) do not hold 16384");
  d = {};
  d.strideOffset = 100;
  CHECK(message(encode(d).broken()) == "a byte offset of 100 is not a multiple of 16");
  d = {};
  d.version = 8;
  CHECK(message(encode(d).broken()) == "bits [46, 49) do not hold 8");
  d = {};
  d.baseOffset = 8;
  CHECK(message(encode(d).broken()) == "bits [49, 52) do not hold 8");
  d = {};
  d.leadingIsAbsolute = true;
  d.leadingOffset = 0x1008;
  CHECK(message(encode(d).broken()) == "address 4104 is not a multiple of 16");
}

TEST_CASE("descriptor: mode 1, 32-byte atoms, is decoded only") {
  const Answer<SharedMemoryDescriptor> d = decode(uint64_t{1} << 61);
  REQUIRE(d);
  CHECK(d->swizzle == SwizzleMode::Bytes128Atom32);
  CHECK(encode(*d).broken().rule == Rule::DecodeOnly);
  CHECK(swizzleOf(SwizzleMode::Bytes128Atom32).broken().rule == Rule::DecodeOnly);
  CHECK(canonicalLayout({Major::K, SwizzleMode::Bytes128Atom32, 16, 1, 1, 128, 128}).broken().rule ==
        Rule::DecodeOnly);
}

TEST_CASE("descriptor: the version of each generation") {
  const Canonical c = packOffsets({Major::K, SwizzleMode::Bytes128, 16, 2, 4, 0, 0});
  CHECK((*encode(descriptorOf(c, 0)) >> 46 & 7) == 1);
  CHECK((*encode(descriptorOf(c, 0, Generation::Fifth)) >> 46 & 7) == 1);
  CHECK((*encode(descriptorOf(c, 0, Generation::Fourth)) >> 46 & 7) == 0);
  uint32_t versions = 0;
  for (uint32_t version = 0; version < 8; ++version) {
    SharedMemoryDescriptor d;
    d.version = version;
    CHECK(checkGeneration(d, Generation::Fifth).has_value() == (version != 1));
    CHECK(checkGeneration(d, Generation::Fourth).has_value() == (version != 0));
    ++versions;
  }
  CHECK(versions == 8);
  CHECK(message(*checkGeneration({}, Generation::Fifth)) ==
        "bits 46 to 48 are 0, but instructions of generation 5 need 1");
  SharedMemoryDescriptor d;
  d.leadingIsAbsolute = true;
  CHECK(message(*checkGeneration(d, Generation::Fourth)) ==
        "bit 52 is 1 and the swizzle mode is 0: generation 4 has neither absolute addresses (bit 52) nor "
        "atoms of 32 "
        "bytes (mode 1)");
  d = {};
  d.swizzle = SwizzleMode::Bytes128Atom32;
  CHECK(checkGeneration(d, Generation::Fourth)->rule == Rule::FourthGeneration);
  // An offset that is longer than a field is refused, not cut.
  Canonical far = c;
  far.strideBytes = uint64_t{1} << 33;
  CHECK(encode(descriptorOf(far, 0)).broken().rule == Rule::FieldRange);
}

TEST_CASE("descriptor: the transpose bits") {
  CHECK(transposeBits(Major::K, Major::K) == 0);
  CHECK(transposeBits(Major::MN, Major::K) == 1u << 15);
  CHECK(transposeBits(Major::K, Major::MN) == 1u << 16);
  CHECK(transposeBits(Major::MN, Major::MN) == (1u << 15 | 1u << 16));
}

TEST_CASE("descriptor: relative offset mode and absolute address mode") {
  SharedMemoryDescriptor d;
  d.leadingOffset = 0x1230;
  CHECK_FALSE(decode(*encode(d))->leadingIsAbsolute);
  d.leadingIsAbsolute = true;
  const Answer<SharedMemoryDescriptor> back = decode(*encode(d));
  CHECK(back->leadingIsAbsolute);
  CHECK(back->leadingOffset == 0x1230);
}

TEST_CASE("descriptor: the restrictions of absolute address mode") {
  SharedMemoryDescriptor d;
  d.leadingIsAbsolute = true;
  d.swizzle = SwizzleMode::Bytes128;
  CHECK_FALSE(checkRestrictions(d, 0));
  // Only the swizzle of 128 bytes with atoms of 16.
  uint32_t modes = 0;
  for (const SwizzleMode mode :
       {SwizzleMode::None, SwizzleMode::Bytes128Atom32, SwizzleMode::Bytes64, SwizzleMode::Bytes32}) {
    d.swizzle = mode;
    CHECK(checkRestrictions(d, 0)->rule == Rule::AbsoluteSwizzle);
    ++modes;
  }
  CHECK(modes == 4);
  d.swizzle = SwizzleMode::Bytes128;
  // Only K-major.
  CHECK(message(*checkRestrictions(d, transposeBits(Major::MN, Major::K))) ==
        "an absolute leading dimension address needs K-major operands: transpose bits 1 and 0 of the "
        "instruction "
        "descriptor (bits 15 and 16) must be 0");
  CHECK(checkRestrictions(d, transposeBits(Major::K, Major::MN))->rule == Rule::AbsoluteMajor);
  // Other bits of the instruction descriptor do not matter.
  CHECK_FALSE(checkRestrictions(d, ~(kTransposeA | kTransposeB)));
  d.baseOffset = 1;
  CHECK(checkRestrictions(d, 0)->rule == Rule::AbsoluteBase);
  // None of this holds for relative offsets.
  d.leadingIsAbsolute = false;
  CHECK_FALSE(checkRestrictions(d, kTransposeA));
}

TEST_CASE("descriptor: a K of 48 bytes and its second chunk") {
  CHECK(chunks48(0)->firstBytes == 48);
  CHECK(chunks48(0)->secondBytes == 0);
  CHECK(chunks48(48)->secondBytes == 0);
  CHECK(chunks48(80)->secondBytes == 0);
  // The third slice of packed data would pass the row's end.
  CHECK(chunks48(96)->firstBytes == 32);
  CHECK(chunks48(96)->secondBytes == 16);
  CHECK(chunks48(112)->secondBytes == 32);
  CHECK(chunks48(8).broken().rule == Rule::ChunkAligned);
  CHECK(chunks48(128).broken().rule == Rule::ChunkAligned);
}

TEST_CASE("banks: accesses of 4, 8 and 16 bytes") {
  std::vector<uint64_t> addresses(32);
  const auto fill = [&](uint64_t stride) {
    for (size_t i = 0; i < addresses.size(); ++i) addresses[i] = i * stride;
  };
  fill(4);
  CHECK(*bankConflicts(addresses, 4) == BankReport{1, 1, 1});
  fill(8);
  CHECK(*bankConflicts(addresses, 4) == BankReport{1, 2, 2});
  CHECK(*bankConflicts(addresses, 8) == BankReport{2, 2, 1});
  fill(16);
  CHECK(*bankConflicts(addresses, 8) == BankReport{2, 4, 2});
  CHECK(*bankConflicts(addresses, 16) == BankReport{4, 4, 1});
  fill(128);
  CHECK(*bankConflicts(addresses, 4) == BankReport{1, 32, 32});
  CHECK(*bankConflicts(addresses, 16) == BankReport{4, 32, 8});
  CHECK(bankConflicts(addresses, 16)->conflicts() == 28);
  fill(0);
  CHECK(*bankConflicts(addresses, 4) == BankReport{1, 1, 1});
  fill(132);
  CHECK(*bankConflicts(addresses, 4) == BankReport{1, 1, 1});
  CHECK(message(bankConflicts(addresses, 8).broken()) ==
        "address 132 is not a multiple of the access's 8 bytes");
  CHECK(bankConflicts(addresses, 2).broken().rule == Rule::AccessBytes);
  CHECK(*bankConflicts({}, 4) == BankReport{0, 0, 0});
}

TEST_CASE("banks: a count by trying, over random accesses") {
  std::mt19937 random(1);
  uint32_t accesses = 0;
  for (int round = 0; round < 5000; ++round) {
    for (const uint32_t bytes : {4u, 8u, 16u}) {
      std::vector<uint64_t> addresses(1 + random() % 64);
      for (uint64_t& a : addresses) a = random() % 128 * bytes;
      uint32_t passes = 0;
      for (size_t start = 0; start < addresses.size(); start += 128 / bytes) {
        std::set<uint64_t> words[32];
        for (size_t i = start; i < std::min(addresses.size(), start + 128 / bytes); ++i) {
          for (uint64_t b = addresses[i]; b < addresses[i] + bytes; b += 4) words[b / 4 % 32].insert(b / 4);
        }
        size_t most = 0;
        for (const auto& bank : words) most = std::max(most, bank.size());
        passes += static_cast<uint32_t>(most);
      }
      REQUIRE(bankConflicts(addresses, bytes)->passes == passes);
      ++accesses;
    }
  }
  CHECK(accesses == 15000);
}

TEST_CASE("banks: a swizzle spreads a 16-byte column over all banks") {
  // 8 rows of one 16-byte column of a K-major layout that fills its swizzle take one pass with the swizzle.
  // Without it they take as many passes as rows share banks.
  for (const auto& [mode, plain] :
       {std::pair{SwizzleMode::Bytes32, 2u}, {SwizzleMode::Bytes64, 4u}, {SwizzleMode::Bytes128, 8u}}) {
    const uint32_t chunks = swizzleChunks(mode);
    const cute::SwizzledLayout l = *canonicalLayout(packOffsets({Major::K, mode, 16, 1, chunks / 2, 0, 0}));
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      std::array<uint64_t, 8> swizzled{};
      std::array<uint64_t, 8> straight{};
      for (uint32_t row = 0; row < 8; ++row) {
        straight[row] = static_cast<uint64_t>(at(l, row, chunk * 8)) * 2;
        swizzled[row] = l.swizzle(straight[row]);
      }
      CHECK(bankConflicts(swizzled, 16)->passes == 1);
      CHECK(bankConflicts(straight, 16)->passes == plain);
    }
  }
}
