// Block layouts against an independent implementation of the rules: random blocks of scalars, vectors,
// matrices, arrays and structures, each packing, both major orders. The reference works on separate trees of
// types, not on the program.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/program/block_layout.hpp"
#include "tests/frontend/parse_support.hpp"

using namespace coopc::frontend;
using coopc::tests::Parsed;

namespace {

// A type as the reference sees it.
struct Tree {
  enum Kind { Number, Matrix, Array, Record } kind = Number;
  uint32_t bytes = 4, rows = 1, columns = 1, count = 0;
  std::string name;
  std::vector<Tree> parts;  // Array: one; Record: members
};

struct Extent {
  uint64_t size, align;
};

uint64_t up(uint64_t v, uint64_t a) { return (v + a - 1) / a * a; }

enum class Rules { Std140, Std430, Scalar };

Extent numbers(uint32_t bytes, uint32_t n, Rules rules) {
  // 7.6.2.2, rules 1 to 3: N, 2N, 4N.
  uint64_t align = bytes;
  if (rules != Rules::Scalar && n == 2) align = 2 * bytes;
  if (rules != Rules::Scalar && n > 2) align = 4 * bytes;
  return {uint64_t{bytes} * n, align};
}

Extent repeatExtent(Extent e, uint64_t n, Rules rules) {
  // Rule 4: the stride is the element's size rounded up to its alignment, in std140 to that of a vec4 as
  // well.
  if (rules == Rules::Std140) e.align = up(e.align, 16);
  // GL_EXT_scalar_block_layout: what follows begins after the last unit that the array takes, so its last
  // element is not padded.
  if (rules == Rules::Scalar) return {up(e.size, e.align) * (n - 1) + e.size, e.align};
  return {up(e.size, e.align) * n, e.align};
}

Extent extent(const Tree& t, Rules rules, bool rowMajor) {
  switch (t.kind) {
    case Tree::Number: return numbers(t.bytes, t.rows, rules);
    case Tree::Matrix:
      // Rules 5 and 7: an array of the columns, or of the rows.
      return rowMajor ? repeatExtent(numbers(t.bytes, t.columns, rules), t.rows, rules)
                      : repeatExtent(numbers(t.bytes, t.rows, rules), t.columns, rules);
    case Tree::Array: return repeatExtent(extent(t.parts[0], rules, rowMajor), t.count, rules);
    case Tree::Record: {
      // Rule 9, and the scalar layout's rule 5 (no padding after the last member).
      Extent r{0, 1};
      for (const Tree& m : t.parts) {
        const Extent e = extent(m, rules, rowMajor);
        r.size = up(r.size, e.align) + e.size;
        r.align = std::max(r.align, e.align);
      }
      if (rules == Rules::Std140) r.align = up(r.align, 16);
      if (rules != Rules::Scalar) r.size = up(r.size, r.align);
      return r;
    }
  }
  return {0, 1};
}

struct Generator {
  std::mt19937 random;
  std::string structs;
  uint32_t structCount = 0;

  uint32_t pick(uint32_t n) { return random() % n; }

  Tree type(uint32_t depth) {
    Tree t;
    switch (pick(depth > 0 ? 8 : 5)) {
      case 0:
      case 1:
      case 2: {
        static const struct {
          const char *scalar, *vector;
          uint32_t bytes;
        } kinds[] = {{"float", "vec", 4},     {"int", "ivec", 4},         {"double", "dvec", 8},
                     {"uint8_t", "u8vec", 1}, {"float16_t", "f16vec", 2}, {"int64_t", "i64vec", 8},
                     {"bool", "bvec", 4}};
        const auto& k = kinds[pick(7)];
        t.bytes = k.bytes;
        t.rows = 1 + pick(4);
        t.name = t.rows == 1 ? k.scalar : k.vector + std::to_string(t.rows);
        return t;
      }
      case 3:
      case 4:
        t.kind = Tree::Matrix;
        t.bytes = pick(2) ? 4 : 8;
        t.columns = 2 + pick(3);
        t.rows = 2 + pick(3);
        t.name = (t.bytes == 8 ? "dmat" : "mat") + std::to_string(t.columns) + "x" + std::to_string(t.rows);
        return t;
      case 5:
      case 6: {
        t.kind = Tree::Array;
        t.count = 1 + pick(4);
        t.parts.push_back(type(depth - 1));
        // The outermost size is written first.
        const std::string& inner = t.parts[0].name;
        const size_t bracket = std::min(inner.find('['), inner.size());
        t.name = inner.substr(0, bracket) + "[" + std::to_string(t.count) + "]" + inner.substr(bracket);
        return t;
      }
      default: {
        t.kind = Tree::Record;
        const uint32_t n = 1 + pick(4);
        std::string members;
        for (uint32_t i = 0; i < n; ++i) {
          t.parts.push_back(type(depth - 1));
          members += t.parts.back().name + " m" + std::to_string(i) + "; ";
        }
        t.name = "T" + std::to_string(structCount++);
        structs += "struct " + t.name + " { " + members + "};\n";
        return t;
      }
    }
  }
};

}  // namespace

TEST_CASE("member offsets of random blocks follow the rules") {
  Generator g{std::mt19937(20240607), {}, 0};
  const struct {
    Rules rules;
    const char* layout;
  } packings[] = {{Rules::Std140, "std140"}, {Rules::Std430, "std430"}, {Rules::Scalar, "scalar"}};
  for (int round = 0; round < 200; ++round) {
    g.structs.clear();
    std::vector<Tree> members;
    std::string body;
    for (uint32_t i = 0, n = 1 + g.pick(6); i < n; ++i) {
      members.push_back(g.type(3));
      body += members.back().name + " x" + std::to_string(i) + "; ";
    }
    for (const auto& packing : packings)
      for (const bool rowMajor : {false, true}) {
        const std::string text =
            "#extension GL_EXT_scalar_block_layout : require\n"
            "#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
            g.structs + "layout(" + packing.layout + (rowMajor ? ", row_major" : ", column_major") +
            ", binding = 0) buffer Block { " + body + "};\nvoid main() {}\n";
        Parsed p(text);
        INFO(text);
        REQUIRE(p.ids() == "");
        const auto stored = p.program.membersOf(p.structure("Block"));
        REQUIRE(stored.size() == members.size());
        uint64_t end = 0;
        for (size_t i = 0; i < members.size(); ++i) {
          const Extent e = extent(members[i], packing.rules, rowMajor);
          end = up(end, e.align);
          CHECK(stored[i].offset == end);
          end += e.size;
        }
      }
  }
}

TEST_CASE("sizes saturate instead of wrapping") {
  Parsed p(
      "struct A { vec4 x[65536]; }; struct B { A x[65536]; }; struct C { B x[65536]; }; struct D { C "
      "x[65536]; };\n"
      "struct E { D x[65536]; };\n"
      "layout(binding = 0) buffer Block { E e; } block;\nvoid main() {}\n");
  CHECK(p.ids() == "block-too-large");
}

TEST_CASE("structs nested in pairs are laid out in linear time") {
  std::string text = "struct S0 { float a; };\n";
  for (int i = 1; i < 28; ++i) {
    const std::string inner = "S" + std::to_string(i - 1);
    text += "struct S" + std::to_string(i) + " { " + inner + " a, b; };\n";
  }
  Parsed p(text + "layout(binding = 0) buffer Block { S27 s; float after; } block;\nvoid main() {}\n");
  REQUIRE(p.ids() == "");
  CHECK(p.program.membersOf(p.structure("Block"))[1].offset == uint64_t{4} << 27);
}
