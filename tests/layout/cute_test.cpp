// The algebra of layouts: examples by hand, and the definitions over thousands of random layouts, coordinate
// by coordinate. For a refusal, a search over all shapes and strides must find no layout.
#include "layout/cute.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "layout/notation.hpp"
#include "tests/support/random.hpp"

using namespace coopc::layout;
using cute::Layout;
using cute::Mode;

namespace {

Layout layoutOf(std::string_view text) {
  const Answer<cute::SwizzledLayout> parsed = parseLayout(text);
  INFO(text << ": " << (parsed ? "" : message(parsed.broken())));
  REQUIRE(parsed);
  return parsed->layout;
}

std::string text(const Answer<Layout>& answer) { return answer ? print(*answer) : message(answer.broken()); }

// The address by the definition: the inner product of the colexicographic coordinate and the stride, over the
// tree.
int64_t byDefinition(const cute::Tuple& shape, const cute::Tuple& stride, int64_t& coordinate) {
  if (shape.leaf) {
    const int64_t digit = coordinate % shape.number;
    coordinate /= shape.number;
    return digit * stride.number;
  }
  int64_t address = 0;
  for (size_t i = 0; i < shape.items.size(); ++i)
    address += byDefinition(shape.items[i], stride.items[i], coordinate);
  return address;
}
int64_t byDefinition(const Layout& l, int64_t coordinate) {
  return byDefinition(l.shape(), l.stride(), coordinate);
}

// Whether a layout has these values. Searches all ordered factorizations of their number; the strides follow
// from them.
bool anyLayout(const std::vector<int64_t>& values) {
  const auto count = static_cast<int64_t>(values.size());
  std::vector<Mode> modes;
  const auto matches = [&]() {
    for (int64_t c = 0; c < count; ++c) {
      int64_t rest = c;
      int64_t address = 0;
      for (const Mode& mode : modes) {
        address += rest % mode.extent * mode.stride;
        rest /= mode.extent;
      }
      if (address != values[static_cast<size_t>(c)]) return false;
    }
    return true;
  };
  const auto search = [&](auto& self, int64_t step) -> bool {
    if (step == count) return matches();
    for (int64_t extent = 2; extent <= count / step; ++extent) {
      if (count / step % extent != 0) continue;
      modes.push_back({extent, values[static_cast<size_t>(step)]});
      if (self(self, step * extent)) return true;
      modes.pop_back();
    }
    return false;
  };
  return search(search, 1);
}

class Random : public coopc::tests::Twister {
 public:
  using Twister::Twister;
  // A layout of up to `modes` modes, nested at random.
  Layout layout(int64_t modes, int64_t maxExtent, int64_t maxStride) {
    std::vector<cute::Tuple> shape;
    std::vector<cute::Tuple> stride;
    const int64_t count = pick(1, modes);
    for (int64_t i = 0; i < count; ++i) {
      shape.emplace_back(pick(1, maxExtent));
      stride.emplace_back(pick(0, maxStride));
    }
    if (count > 2 && pick(0, 1) == 0) {
      shape = {cute::Tuple({shape[0], shape[1]}), shape[2]};
      stride = {cute::Tuple({stride[0], stride[1]}), stride[2]};
    }
    if (shape.size() == 1) return *Layout::make(shape[0], stride[0]);
    return *Layout::make(cute::Tuple(shape), cute::Tuple(stride));
  }
  // A layout that reaches each address below its size once.
  Layout bijective() {
    std::vector<Mode> modes(static_cast<size_t>(pick(1, 4)));
    std::vector<size_t> order(modes.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), engine());
    int64_t stride = 1;
    for (const size_t i : order) {
      modes[i] = {pick(1, 5), stride};
      stride *= modes[i].extent;
    }
    return Layout::flat(modes);
  }
};

}  // namespace

TEST_CASE("cute: shapes and strides, nested") {
  const Layout l = layoutOf("((2,3),(4,2)):((1,8),(2,24))");
  CHECK(l.size() == 48);
  CHECK(l.cosize() == 1 + 1 + 16 + 6 + 24);
  CHECK(l.rank() == 2);
  CHECK(print(l.mode(0)) == "(2,3):(1,8)");
  // Coordinate (3, 5): ((1, 1), (1, 1)).
  CHECK(*l.at(std::array<int64_t, 2>{3, 5}) == 1 + 8 + 2 + 24);
  CHECK(l(3 + 5 * 6) == 1 + 8 + 2 + 24);
  CHECK(message(l.at(std::array<int64_t, 2>{6, 0}).broken()) ==
        "coordinate 6 is outside a layout of 6 coordinates");
}

TEST_CASE("cute: a layout is the inner product of coordinate and stride") {
  Random random(1);
  uint64_t coordinates = 0;
  uint64_t wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    const Layout l = random.layout(4, 7, 50);
    int64_t largest = 0;
    for (int64_t c = 0; c < l.size(); ++c, ++coordinates) {
      const int64_t address = byDefinition(l, c);
      largest = std::max(largest, address);
      wrong += l(c) == address ? 0 : 1;
    }
    wrong += l.cosize() == largest + 1 ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(coordinates > 100000);
}

TEST_CASE("cute: notation is read and printed") {
  for (const char* same : {"1:0", "8:1", "(4,8):(8,1)", "((8,2),(4,2)):((8,64),(1,4))", "(2,(1,6)):(1,(6,2))",
                           "(((2,2),3),4):(((1,2),4),12)"}) {
    CHECK(print(layoutOf(same)) == same);
  }
  CHECK(print(layoutOf(" ( 4 , 8 ) : ( 8 , 1 ) ")) == "(4,8):(8,1)");
  CHECK(print(layoutOf("(_4,_8):(_8,_1)")) == "(4,8):(8,1)");
  CHECK(print(layoutOf("(4,(2,3))")) == "(4,(2,3)):(1,(4,8))");
  CHECK(print(*parseLayout("Swizzle<2,4,3> o (8,64):(64,1)")) == "Swizzle<2,4,3> o (8,64):(64,1)");
  CHECK(print(*parseLayout("Sw<3,4,3>o(8,64):(64,1)")) == "Swizzle<3,4,3> o (8,64):(64,1)");
  CHECK(print(*parseLayout("Swizzle<0,4,3> o 8:1")) == "8:1");
}

TEST_CASE("cute: what cannot be read is refused with the character") {
  const std::pair<const char*, Rule> wrong[] = {
      {"", Rule::Syntax},
      {"(4,8", Rule::Syntax},
      {"(4,8):", Rule::Syntax},
      {"(4,8):(1,4)x", Rule::Syntax},
      {"()", Rule::Syntax},
      {"(4,-8)", Rule::Syntax},
      {"Swizzle<1,4> o 8:1", Rule::Syntax},
      {"Swizzle<1,4,3> 8:1", Rule::Syntax},
      {"Swizzle<4,4,3> o 8:1", Rule::SwizzleOverlap},
      {"Swizzle<40,4,40> o 8:1", Rule::SwizzleBits},
      {"(4,8):4", Rule::NotCongruent},
      {"(4,8):(1,(4,2))", Rule::NotCongruent},
      {"(4,0):(1,4)", Rule::ShapePositive},
      {"99999999999999999999:1", Rule::LayoutTooLarge},
      {"(1000000000,1000000000):(1,1)", Rule::LayoutTooLarge},
      {"4:1099511627776", Rule::LayoutTooLarge},
      {"(1048576,1048577)", Rule::LayoutTooLarge},
      {"((((((((((((((((((1))))))))))))))))))", Rule::TooDeep},
  };
  for (const auto& [bad, rule] : wrong) {
    INFO(bad);
    const Answer<cute::SwizzledLayout> parsed = parseLayout(bad);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.broken().rule == rule);
  }
  CHECK(message(parseLayout("(4,8):(1,4)x").broken()) == "the text cannot be read from character 12 on");
  CHECK(Layout::make(cute::Tuple(4), cute::Tuple(-1)).broken().rule == Rule::StrideNegative);
  CHECK(message(parseLayout("Swizzle<64,4,70> o 8:1").broken()) == "Swizzle<64,4,64> reaches beyond bit 63");
}

TEST_CASE("cute: tuples nest as deep as the limit") {
  cute::Tuple shape(3);
  cute::Tuple stride(2);
  for (uint32_t depth = 1; depth <= cute::kMaxDepth + 1; ++depth) {
    shape = cute::Tuple(std::vector<cute::Tuple>{shape});
    stride = cute::Tuple(std::vector<cute::Tuple>{stride});
    const Answer<Layout> layout = Layout::make(shape, stride);
    CHECK(bool(layout) == (depth <= cute::kMaxDepth));
    if (layout) CHECK((*layout)(2) == 4);
    if (!layout) CHECK(layout.broken().rule == Rule::TooDeep);
  }
}

TEST_CASE("cute: coalesce") {
  CHECK(print(cute::coalesce(layoutOf("(2,(1,6)):(1,(6,2))"))) == "12:1");
  CHECK(print(cute::coalesce(layoutOf("(2,3):(1,4)"))) == "(2,3):(1,4)");
  CHECK(print(cute::coalesce(layoutOf("(1,1):(5,7)"))) == "1:0");
  Random random(2);
  uint32_t layouts = 0;
  for (int round = 0; round < 3000; ++round, ++layouts) {
    const Layout l = random.layout(4, 4, 8);
    const Layout c = cute::coalesce(l);
    REQUIRE(c.size() == l.size());
    for (int64_t i = 0; i < l.size(); ++i) REQUIRE(c(i) == l(i));
    REQUIRE(cute::coalesce(c) == c);
  }
  CHECK(layouts == 3000);
}

TEST_CASE("cute: values are a layout exactly where a search over all shapes finds one") {
  Random random(3);
  uint32_t layouts = 0;
  uint32_t others = 0;
  for (int round = 0; round < 20000; ++round) {
    // A third of the rounds each: random values of a small range, a layout's values with one changed, and a
    // layout's values.
    std::vector<int64_t> values;
    if (round % 3 == 0) {
      values.push_back(0);
      for (int64_t n = random.pick(0, 11); n > 0; --n) values.push_back(random.pick(0, 4));
    } else {
      const Layout l = random.layout(3, 4, 6);
      for (int64_t c = 0; c < l.size(); ++c) values.push_back(l(c));
      if (round % 3 == 1) {
        const size_t at = static_cast<size_t>(random.pick(0, l.size() - 1));
        values[at] = std::max<int64_t>(0, values[at] + random.pick(-2, 2));
      }
    }
    const Answer<Layout> found = cute::fit(values);
    const bool is = anyLayout(values);
    REQUIRE(static_cast<bool>(found) == is);
    if (found) {
      REQUIRE(found->size() == static_cast<int64_t>(values.size()));
      for (size_t c = 0; c < values.size(); ++c) REQUIRE((*found)(static_cast<int64_t>(c)) == values[c]);
    }
    ++(is ? layouts : others);
  }
  CHECK(layouts + others == 20000);
  CHECK(layouts > 7000);
  CHECK(others > 4000);
}

TEST_CASE("cute: composition") {
  CHECK(text(cute::compose(layoutOf("(6,2):(8,2)"), layoutOf("(4,3):(3,1)"))) == "((2,2),3):((24,2),8)");
  CHECK(text(cute::compose(layoutOf("20:2"), layoutOf("(5,4):(4,1)"))) == "(5,4):(8,2)");
  CHECK(text(cute::compose(layoutOf("(10,2):(16,4)"), layoutOf("(5,4):(1,5)"))) == "(5,(2,2)):(16,(80,4))");
  // Two coordinates of B carry into the next mode of A together, although each alone does not.
  CHECK(
      text(cute::compose(layoutOf("(2,2):(1,10)"), layoutOf("(2,2):(1,1)"))) ==
      "no shape and stride give these addresses: coordinate 3 needs address 10, the strides before it say 2");
  // 0, 2, 8 are not multiples of a stride, nor is 3 a product.
  CHECK(
      text(cute::compose(layoutOf("(4,2):(1,8)"), layoutOf("3:2"))) ==
      "no shape and stride give these addresses: they rise evenly for 2 coordinates, which do not divide 3");
  CHECK(text(cute::compose(layoutOf("8:1"), layoutOf("4:3"))) ==
        "coordinate 3 of the right layout has address 9, outside the left layout's 8 coordinates");
}

TEST_CASE("cute: composition is R(c) = A(B(c)) wherever such a layout exists, and refused elsewhere") {
  Random random(4);
  uint32_t composed = 0;
  uint32_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = random.layout(3, 6, 12);
    const Layout b = random.layout(2, 4, 8);
    if (b.cosize() > a.size()) continue;
    const Answer<Layout> r = cute::compose(a, b);
    if (r) {
      ++composed;
      if (b.rank() > 1) REQUIRE(r->rank() == b.rank());
      REQUIRE(r->size() == b.size());
      for (int64_t c = 0; c < b.size(); ++c) REQUIRE((*r)(c) == byDefinition(a, byDefinition(b, c)));
      for (size_t i = 0; i < b.rank() && b.rank() > 1; ++i) REQUIRE(r->mode(i).size() == b.mode(i).size());
      continue;
    }
    ++refused;
    // There must be no layout of B's shape: either a single mode has none, or the modes' addresses do not add
    // up.
    bool exists = true;
    for (size_t i = 0; i < b.modes().size() && exists; ++i) {
      std::vector<int64_t> values;
      for (int64_t c = 0; c < b.modes()[i].extent; ++c)
        values.push_back(byDefinition(a, c * b.modes()[i].stride));
      exists = anyLayout(values);
    }
    for (int64_t c = 0; c < b.size() && exists; ++c) {
      int64_t rest = c;
      int64_t sum = 0;
      for (const Mode& mode : b.modes()) {
        sum += byDefinition(a, rest % mode.extent * mode.stride);
        rest /= mode.extent;
      }
      exists = sum == byDefinition(a, byDefinition(b, c));
    }
    REQUIRE_FALSE(exists);
  }
  CHECK(composed > 2000);
  CHECK(refused > 500);
}

TEST_CASE("cute: complement") {
  CHECK(text(cute::complement(layoutOf("4:1"), 24)) == "6:4");
  CHECK(text(cute::complement(layoutOf("6:4"), 24)) == "4:1");
  CHECK(text(cute::complement(layoutOf("(4,6):(1,4)"), 24)) == "1:0");
  CHECK(text(cute::complement(layoutOf("4:2"), 24)) == "(2,3):(1,8)");
  CHECK(text(cute::complement(layoutOf("(2,2):(1,6)"), 24)) == "(3,2):(2,12)");
  CHECK(text(cute::complement(layoutOf("4:1"), 10)) ==
        "10 addresses are not a multiple of 4, the extent of the layout");
  CHECK(text(cute::complement(layoutOf("(3,2):(2,3)"), 12)) ==
        "stride 3 is not a multiple of 6, the extent of the smaller strides, so the gaps are not a layout");
  CHECK(text(cute::complement(layoutOf("(2,2):(1,0)"), 8)) == "coordinates 0 and 2 share the address 0");
  Random random(5);
  uint32_t found = 0;
  uint32_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = random.layout(3, 4, 12);
    const int64_t size = random.pick(1, 96);
    const Answer<Layout> rest = cute::complement(a, size);
    if (!rest) {
      ++refused;
      continue;
    }
    ++found;
    const Layout both = cute::concatenate(a, *rest);
    REQUIRE(both.size() == size);
    std::set<int64_t> addresses;
    for (int64_t c = 0; c < size; ++c) addresses.insert(both(c));
    REQUIRE(addresses.size() == static_cast<size_t>(size));
    REQUIRE(*addresses.rbegin() == size - 1);
  }
  CHECK(found + refused == 20000);
  CHECK(found > 500);
}

TEST_CASE("cute: a complement that is refused does not exist") {
  // All layouts of two modes within 24 addresses, against all candidates of up to three modes.
  uint32_t refused = 0;
  for (int64_t n0 = 2; n0 <= 3; ++n0) {
    for (int64_t d0 = 1; d0 <= 6; ++d0) {
      for (int64_t d1 = d0; d1 <= 6; ++d1) {
        const Layout a = Layout::flat({{n0, d0}, {2, d1}});
        constexpr int64_t kSize = 24;
        if (kSize % a.size() != 0 || cute::complement(a, kSize)) continue;
        ++refused;
        const int64_t size = kSize / a.size();
        bool exists = false;
        const auto covers = [&](const Layout& b) {
          uint32_t seen = 0;
          const Layout both = cute::concatenate(a, b);
          for (int64_t c = 0; c < kSize && both(c) < kSize; ++c) seen |= 1u << both(c);
          return seen == (1u << kSize) - 1;
        };
        for (int64_t m0 = 1; m0 <= size; ++m0) {
          if (size % m0 != 0) continue;
          for (int64_t m1 = 1; m1 <= size / m0; ++m1) {
            if (size / m0 % m1 != 0) continue;
            for (int64_t e0 = 1; e0 < kSize; ++e0) {
              for (int64_t e1 = 1; e1 < (m1 == 1 ? 2 : kSize); ++e1) {
                const int64_t m2 = size / m0 / m1;
                for (int64_t e2 = 1; e2 < (m2 == 1 ? 2 : kSize); ++e2)
                  exists = exists || covers(Layout::flat({{m0, e0}, {m1, e1}, {m2, e2}}));
              }
            }
          }
        }
        CHECK_FALSE(exists);
      }
    }
  }
  CHECK(refused > 10);
}

TEST_CASE("cute: inverse") {
  CHECK(text(cute::inverse(layoutOf("(4,8):(8,1)"))) == "(8,4):(4,1)");
  CHECK(text(cute::inverse(layoutOf("(4,8):(1,4)"))) == "32:1");
  CHECK(text(cute::inverse(layoutOf("(4,8):(1,5)"))) ==
        "no coordinate has address 4, so the 39 addresses have gaps and there is no inverse");
  CHECK(text(cute::inverse(layoutOf("(4,8):(1,2)"))) == "coordinates 2 and 4 share the address 2");
  Random random(6);
  uint32_t inverses = 0;
  for (int round = 0; round < 3000; ++round, ++inverses) {
    const Layout a = random.bijective();
    const Answer<Layout> r = cute::inverse(a);
    REQUIRE(r);
    REQUIRE(r->size() == a.size());
    for (int64_t c = 0; c < a.size(); ++c) {
      REQUIRE((*r)(a(c)) == c);
      REQUIRE(a((*r)(c)) == c);
    }
  }
  CHECK(inverses == 3000);
}

TEST_CASE("cute: an inverse exists exactly where each address below the size is reached once") {
  Random random(7);
  uint32_t with = 0;
  uint32_t without = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = random.layout(3, 4, 8);
    std::set<int64_t> addresses;
    for (int64_t c = 0; c < a.size(); ++c) addresses.insert(a(c));
    const bool once = static_cast<int64_t>(addresses.size()) == a.size() && a.cosize() == a.size();
    REQUIRE(static_cast<bool>(cute::inverse(a)) == once);
    REQUIRE(*cute::distinctAddresses(a) == static_cast<int64_t>(addresses.size()));
    const std::optional<Broken> shared = cute::whyNotInjective(a);
    REQUIRE(shared.has_value() == (static_cast<int64_t>(addresses.size()) != a.size()));
    if (shared) {
      REQUIRE(shared->numbers[0] != shared->numbers[1]);
      REQUIRE(a(shared->numbers[0]) == shared->numbers[2]);
      REQUIRE(a(shared->numbers[1]) == shared->numbers[2]);
    }
    ++(once ? with : without);
  }
  CHECK(with + without == 20000);
  CHECK(with > 500);
}

TEST_CASE("cute: divide") {
  CHECK(text(cute::divide(layoutOf("16:3"), layoutOf("4:1"))) == "(4,4):(3,12)");
  CHECK(text(cute::divide(layoutOf("(4,2,3):(2,1,8)"), layoutOf("4:2"))) == "((2,2),(2,3)):((4,1),(2,8))");
  CHECK(text(cute::divide(layoutOf("10:1"), layoutOf("4:1"))) ==
        "10 addresses are not a multiple of 4, the extent of the layout");
  Random random(8);
  uint32_t divided = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = random.layout(3, 6, 20);
    const Layout tile = random.layout(2, 3, 6);
    const Answer<Layout> r = cute::divide(a, tile);
    if (!r) continue;
    ++divided;
    REQUIRE(r->rank() == 2);
    REQUIRE(r->size() == a.size());
    // The first mode is the tile, and together they reach what A reaches.
    for (int64_t c = 0; c < tile.size(); ++c) REQUIRE(r->mode(0)(c) == a(tile(c)));
    std::multiset<int64_t> before;
    std::multiset<int64_t> after;
    for (int64_t c = 0; c < a.size(); ++c) {
      before.insert(a(c));
      after.insert((*r)(c));
    }
    REQUIRE(before == after);
  }
  CHECK(divided > 500);
}

TEST_CASE("cute: product") {
  CHECK(text(cute::product(layoutOf("1:0"), layoutOf("3:1"))) == "(1,3):(0,1)");
  CHECK(text(cute::product(layoutOf("(2,2):(4,1)"), layoutOf("6:1"))) == "((2,2),(2,3)):((4,1),(2,8))");
  CHECK(text(cute::product(layoutOf("4:1"), layoutOf("(2,3):(3,1)"))) == "(4,(2,3)):(1,(12,4))");
  CHECK(text(cute::product(layoutOf("(3,2):(2,3)"), layoutOf("4:1"))) ==
        "stride 3 is not a multiple of 6, the extent of the smaller strides, so the gaps are not a layout");
  Random random(9);
  uint32_t products = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = random.layout(2, 4, 8);
    const Layout b = random.layout(2, 4, 4);
    const Answer<Layout> r = cute::product(a, b);
    if (!r) continue;
    ++products;
    REQUIRE(r->mode(0) == a);
    REQUIRE(r->mode(1).size() == b.size());
    // Repetitions of an injective layout overlap only where B repeats an address.
    std::set<std::pair<int64_t, int64_t>> pairs;
    std::set<int64_t> addresses;
    for (int64_t i = 0; i < a.size(); ++i) {
      for (int64_t j = 0; j < b.size(); ++j) {
        pairs.insert({i, b(j)});
        addresses.insert((*r)(i + j * a.size()));
      }
    }
    REQUIRE(addresses.size() == pairs.size());
  }
  CHECK(products > 500);
}

TEST_CASE("cute: enumeration has a limit that is named") {
  const Layout large = layoutOf("(4096,4096):(1,4096)");
  CHECK(message(*cute::whyNotInjective(large)) ==
        "16777216 coordinates are more than the 4194304 that are enumerated");
  CHECK(cute::compose(large, large).broken().rule == Rule::TooManyToEnumerate);
  // Addresses far apart are not a reason to refuse.
  CHECK(*cute::distinctAddresses(layoutOf("(4,4):(1,100000000000)")) == 16);
  CHECK(cute::whyNotInjective(layoutOf("(2,2,2):(1,100000000000,100000000000)")));
}
