// The generator of random blocks; see random_blocks.hpp.
#include "tests/generated/random_blocks.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "tests/support/random.hpp"

namespace coopc::tests {

namespace {

struct Number {
  std::string_view scalar, vector, matrix;  // the part of the names before sizes; empty: no such type
  int bytes;
  // Expressions for the low and the high word of a number's bits.
  std::string_view low, high;
};
constexpr std::array kNumbers{
    Number{"float", "vec", "mat", 4, "floatBitsToUint(@)", ""},
    Number{"uint", "uvec", "", 4, "@", ""},
    Number{"int", "ivec", "", 4, "uint(@)", ""},
    Number{"double", "dvec", "dmat", 8, "unpackDouble2x32(@).x", "unpackDouble2x32(@).y"},
    Number{"uint64_t", "u64vec", "", 8, "uint(@)", "uint(@ >> 32)"},
    Number{"int64_t", "i64vec", "", 8, "uint(@)", "uint(@ >> 32)"},
    Number{"float16_t", "f16vec", "f16mat", 2, "uint(float16BitsToUint16(@))", ""},
    Number{"uint16_t", "u16vec", "", 2, "uint(@)", ""},
    Number{"int16_t", "i16vec", "", 2, "uint(@)", ""},
    Number{"uint8_t", "u8vec", "", 1, "uint(@)", ""},
    Number{"int8_t", "i8vec", "", 1, "uint(@)", ""},
};

enum class Kind { Storage, Uniform, PushConstant, Reference };

// A type and the places of its numbers.
struct Place {
  std::string path;  // after the name of what has the type
  const Number* number;
};
struct Type {
  std::string name;
  std::string dimensions;  // after the declared name
  std::vector<Place> places;
  bool matrices = false;
};

constexpr size_t kWordsOfBuffer = 16384;
constexpr size_t kPushConstants = 32;  // words
constexpr size_t kPlacesOfPushConstants = 8;
constexpr size_t kPlacesOfBlock = 200;

std::string text(size_t n) { return std::to_string(n); }

std::string replaceStars(std::string_view pattern, const std::string& by) {
  std::string out;
  for (const char c : pattern) out += c == '@' ? by : std::string(1, c);
  return out;
}

class Blocks {
 public:
  Blocks(uint64_t seed, std::string name)
      : random_{(seed + 5) * 0x9E3779B97F4A7C15u ^ 0xB10C},
        name_(std::move(name)),
        references_(seed % 2 == 1) {}

  std::vector<RandomFile> files() {
    for (int n = 0; n < kBlocksOfProgram; ++n) block(size_t(n));
    return {{name_ + ".comp", shader()}, {name_ + ".toml", description()}};
  }

 private:
  size_t below(size_t n) { return random_.below(n); }
  bool chance(uint32_t percent) { return random_.below(100) < percent; }

  // ------------------------------------------------------------------------------------------------ types

  // `most`: the largest number of places.
  Type numbers(size_t most) {
    const Number& n = kNumbers[below(kNumbers.size())];
    Type t;
    const size_t form = below(8);
    if (form == 0 && !n.matrix.empty() && most >= 16) {
      const size_t columns = 2 + below(3), rows = 2 + below(3);
      t.name = std::string(n.matrix) + text(columns) + "x" + text(rows);
      t.matrices = true;
      for (size_t c = 0; c < columns; ++c)
        for (size_t r = 0; r < rows; ++r) t.places.push_back({"[" + text(c) + "][" + text(r) + "]", &n});
    } else if (form < 5 && most >= 4) {
      const size_t size = 2 + below(3);
      t.name = std::string(n.vector) + text(size);
      for (size_t c = 0; c < size; ++c) t.places.push_back({"[" + text(c) + "]", &n});
    } else {
      t.name = n.scalar;
      t.places.push_back({"", &n});
    }
    return t;
  }

  Type structure(size_t most, int depth) {
    Type t;
    t.name = "S" + text(structs_++);
    std::string members;
    const size_t count = 1 + below(4);
    for (size_t k = 0; k < count; ++k) {
      const Type m = member(most / count, depth + 1);
      const std::string name = "m" + text(k);
      members += "  " + m.name + " " + name + m.dimensions + ";\n";
      t.matrices = t.matrices || m.matrices;
      for (const Place& p : m.places) t.places.push_back({"." + name + p.path, p.number});
    }
    types_ += "struct " + t.name + " {\n" + members + "};\n";
    return t;
  }

  Type member(size_t most, int depth) {
    const bool nested = depth < 3 && most >= 4 && chance(35);
    size_t count = 1;
    std::string dimensions;
    std::vector<size_t> sizes;
    while (sizes.size() < 2 && most / count >= 4 && chance(30)) {
      sizes.push_back(1 + below(3));
      count *= sizes.back();
    }
    Type element = nested ? structure(most / count, depth) : numbers(most / count);
    Type t;
    t.name = element.name;
    t.matrices = element.matrices;
    std::vector<std::string> indices{""};
    for (const size_t size : sizes) {
      dimensions += "[" + text(size) + "]";
      std::vector<std::string> next;
      for (const std::string& before : indices)
        for (size_t n = 0; n < size; ++n) next.push_back(before + "[" + text(n) + "]");
      indices = next;
    }
    t.dimensions = dimensions;
    for (const std::string& index : indices)
      for (const Place& p : element.places) t.places.push_back({index + p.path, p.number});
    return t;
  }

  // A qualifier that orders matrices by rows or by columns, if the type has any.
  std::string orderOf(const Type& t, uint32_t percent) {
    if (!t.matrices || !chance(percent)) return "";
    return chance(70) ? "layout(row_major) " : "layout(column_major) ";
  }

  // ----------------------------------------------------------------------------------------------- blocks

  void block(size_t n) {
    constexpr std::array kLayouts{"std140", "std430", "scalar"};
    const size_t chosen = below(10);
    Kind kind = chosen < 4 ? Kind::Storage : chosen < 7 || !references_ ? Kind::Uniform : Kind::Reference;
    if (n == 0 && !references_) kind = Kind::PushConstant;
    const std::string layout = kLayouts[below(3)];
    const std::string instance = "b" + text(n);
    const size_t most = kind == Kind::PushConstant ? kPlacesOfPushConstants : kPlacesOfBlock;
    std::string members;
    std::vector<Place> places;
    const size_t count = kind == Kind::PushConstant ? 2 : 2 + below(5);
    for (size_t k = 0; k < count; ++k) {
      const Type m = member(most / count, 0);
      const std::string name = "m" + text(k);
      const bool aligned = kind != Kind::PushConstant && chance(12);
      const std::string order = orderOf(m, 40);
      const std::string align = aligned ? "layout(align = " + text(8u << below(4)) + ") " : "";
      members += "  " + order + align + m.name + " " + name + m.dimensions + ";\n";
      for (const Place& p : m.places) places.push_back({instance + "." + name + p.path, p.number});
    }
    const bool writes = kind == Kind::Storage || kind == Kind::Reference;
    if (kind == Kind::Storage && chance(30)) {
      const Type m = chance(50) ? structure(20, 1) : numbers(20);
      members += "  " + orderOf(m, 40) + m.name + " open[];\n";
      for (size_t e = 0; e < 3; ++e)
        for (const Place& p : m.places)
          places.push_back({instance + ".open[" + text(e) + "]" + p.path, p.number});
    }
    declare(kind, n, layout + (chance(25) ? ", row_major" : ""), instance, members);
    for (const Place& p : places) writes ? write(p) : read(p);
  }

  void declare(Kind kind, size_t n, const std::string& layout, const std::string& instance,
               const std::string& members) {
    const std::string binding = "set = 0, binding = " + text(n + 1);
    const std::string body = " {\n" + members + "}";
    switch (kind) {
      case Kind::Storage:
        declarations_ += "layout(" + binding + ", " + layout + ") buffer B" + text(n) + body + " " + instance;
        break;
      case Kind::Uniform:
        declarations_ +=
            "layout(" + binding + ", " + layout + ") uniform B" + text(n) + body + " " + instance;
        break;
      case Kind::PushConstant:
        declarations_ += "layout(push_constant, " + layout + ") uniform B" + text(n) + body + " " + instance;
        break;
      case Kind::Reference:
        declarations_ +=
            "layout(buffer_reference, " + layout + ", buffer_reference_align = 64) buffer B" + text(n) + body;
        addresses_ += "  B" + text(n) + " " + instance + ";\n";
        statements_ += "  B" + text(n) + " " + instance + " = references." + instance + ";\n";
        break;
    }
    declarations_ += ";\n";
    if (kind == Kind::PushConstant) {
      for (size_t w = 0; w < kPushConstants; ++w)
        constants_ += "[[push-constant]]\ntype = \"u32\"\nvalue = " + text(0x01020304u * (w % 60 + 1)) + "\n";
      return;
    }
    const std::string buffer = "b" + text(n);
    buffers_ += "[[buffer]]\nname = \"" + buffer + "\"\n";
    if (kind == Kind::Reference) {
      buffers_ += "kind = \"address\"\n";
      constants_ += "[[push-constant]]\naddress = \"" + buffer + "\"\n";
    } else {
      buffers_ += "binding = " + text(n + 1) + "\n";
    }
    if (kind == Kind::Uniform) {
      buffers_ +=
          "kind = \"uniform\"\ntype = \"u32\"\ncount = 4096\nfill = { pattern = \"integers\", min = 0, max = "
          "4000000000, seed = " +
          text(n + 1 + random_.below(1000)) + " }\n";
    } else {
      buffers_ += "type = \"u32\"\ncount = " + text(kWordsOfBuffer) +
                  "\nfill = { pattern = \"zero\" }\nwritten = true\n";
    }
  }

  // Writes a different number to each place, as far as the type has enough numbers.
  void write(const Place& p) {
    const size_t most = p.number->bytes == 1 ? 127 : p.number->bytes == 2 ? 2047 : 1u << 20;
    statements_ +=
        "  " + p.path + " = " + std::string(p.number->scalar) + "(" + text(written_++ % most + 1) + ");\n";
  }
  void read(const Place& p) {
    for (const std::string_view bits : {p.number->low, p.number->high})
      if (!bits.empty())
        statements_ += "  result[" + text(results_++) + "] = " + replaceStars(bits, p.path) + ";\n";
  }

  std::string shader() const {
    std::string s =
        "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
        "#extension GL_EXT_scalar_block_layout : require\n#extension GL_EXT_shader_8bit_storage : require\n"
        "#extension GL_EXT_shader_16bit_storage : require\n#extension GL_EXT_buffer_reference : require\n"
        "layout(local_size_x = 1) in;\n"
        "layout(set = 0, binding = 0, std430) buffer Result { uint result[]; };\n";
    s += types_ + declarations_;
    if (!addresses_.empty())
      s += "layout(push_constant, std430) uniform References {\n" + addresses_ + "} references;\n";
    return s + "void main() {\n" + statements_ + "}\n";
  }

  std::string description() const {
    std::string s =
        "name = \"" + name_ + ": blocks\"\n[shader]\nsource = \"" + name_ + ".comp\"\n[dispatch]\n";
    s += "[[buffer]]\nname = \"results\"\nbinding = 0\ntype = \"u32\"\ncount = " + text(kWordsOfBuffer) +
         "\nfill = { pattern = \"zero\" }\nwritten = true\n";
    return s + buffers_ + constants_;
  }

  Xorshift random_;
  std::string name_;
  // A shader has one push-constant block: one of the random blocks, or the block with the addresses for
  // references. (Addresses cannot be in a buffer: buffers are compared, and addresses differ.)
  bool references_;
  size_t structs_ = 0, written_ = 0, results_ = 0;
  std::string types_, declarations_, addresses_, statements_;
  std::string buffers_, constants_;
};

}  // namespace

std::vector<RandomFile> randomBlocks(uint64_t seed, const std::string& name) {
  return Blocks(seed, name).files();
}

}  // namespace coopc::tests
