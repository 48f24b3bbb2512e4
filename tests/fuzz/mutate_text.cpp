// Mutates GLSL text: changes tokens (tests/support/mutation.hpp), inserts productions of the grammar with
// names of the text where the grammar allows them, exchanges names, and copies groups in brackets.
#include <algorithm>
#include <cstring>
#include <optional>

#include "tests/fuzz/fuzz.hpp"
#include "tests/support/mutation.hpp"

namespace coopc::fuzz {
namespace {

using tests::Random;

// A production: $e expression, $t type, $i name of the text, $n number, $s statement, $d declaration, $w word
// of the language.
constexpr std::string_view kExpressions[] = {
    "$i",
    "$n",
    "($e)",
    "$e + $e",
    "$e - $e",
    "$e * $e",
    "$e / $e",
    "$e % $e",
    "$e << $e",
    "$e >> $e",
    "$e & $e",
    "$e ^ $e",
    "$e == $e",
    "$e < $e",
    "$e && $e",
    "$e ^^ $e",
    "$e ? $e : $e",
    "-$e",
    "!$e",
    "~$e",
    "++$i",
    "$i--",
    "$i = $e",
    "$i += $e",
    "$i <<= $e",
    "$i[$e]",
    "$i.x",
    "$i.xy",
    "$i.length()",
    "$t($e)",
    "$t($e, $e)",
    "$t[]($e, $e)",
    "{$e, $e}",
    "$i($e)",
    "$i($e, $e)",
    "$w($e)",
    "$w($e, $e)",
    "$w($e, $e, $e)",
    "$e, $e",
    "mix($e, $e, $e)",
    "texture($i, $e)",
    "imageLoad($i, $e)",
    "atomicAdd($i, $e)",
    "subgroupAdd($e)",
    "bitfieldExtract($e, $e, $e)",
    "coopMatMulAdd($i, $i, $i)",
};
constexpr std::string_view kStatements[] = {
    "$e;",
    "$t v = $e;",
    "$t v[$n] = $e;",
    "const $t v = $e;",
    "if ($e) $s",
    "if ($e) { $s } else { $s }",
    "for (int i = 0; i < $e; ++i) { $s }",
    "while ($e) { $s break; }",
    "do { $s } while ($e);",
    "switch ($e) { case $n: $s case $n: break; default: $s }",
    "{ $s $s }",
    "return;",
    "return $e;",
    "break;",
    "continue;",
    "discard;",
    "barrier();",
    "coopMatLoad($i, $i, $e, $e, 0);",
    "coopMatStore($i, $i, $e, $e, 0);",
    "$i[$e] = $e;",
    "$i.x = $e;",
};
constexpr std::string_view kDeclarations[] = {
    "$t g;\n",
    "const $t g = $e;\n",
    "shared $t g[$n];\n",
    "layout(constant_id = $n) const $t g = $e;\n",
    "layout(location = $n) in $t g;\n",
    "layout(location = $n) flat out $t g;\n",
    "layout(binding = $n) uniform sampler2D g;\n",
    "layout(binding = $n, rgba32f) uniform image2D g;\n",
    "layout(binding = $n) buffer B { $t m; $t n[]; } g;\n",
    "layout(binding = $n, std140) uniform B { $t m; $t n[$n]; };\n",
    "layout(push_constant) uniform P { $t m; } g;\n",
    "layout(buffer_reference) buffer R { $t m; R next; };\n",
    "struct S { $t m; $t n[$n]; };\n",
    "$t f($t a, inout $t b) { $s return $e; }\n",
    "void f($t a[$n]) { $s }\n",
    "void f();\n",
    "precise $t g;\n",
    "invariant $i;\n",
    "coopmat<$t, gl_ScopeSubgroup, $n, $n, gl_MatrixUseA> g;\n",
    "tensorLayoutNV<$n> g;\n",
    "layout(local_size_x = $n, local_size_y = $n) in;\n",
    "#define $i $e\n",
    "#define $i(a, b) a ## b $e\n",
    "#if $n\n$d#endif\n",
    "#extension $w : enable\n",
};
constexpr std::string_view kTypes[] = {"int",     "uint",       "float",       "bool",      "vec4",
                                       "ivec3",   "mat3x2",     "double",      "float16_t", "int64_t",
                                       "uint8_t", "f16vec4",    "u8vec4",      "uint16_t",  "void",
                                       "$i",      "bfloat16_t", "$t[$n]",      "dvec2",     "bvec2",
                                       "i64vec2", "mat4",       "floate4m3_t", "sampler2D", "$w"};
constexpr std::string_view kNumbers[] = {
    "0",   "1",    "2",    "3",     "16",    "31",         "32",
    "33",  "64",   "255",  "65536", "1u",    "0x7fffffff", "4294967295u",
    "-1",  "1.0",  "0.5f", "1e38",  "1.0hf", "1e308lf",    "9223372036854775807L",
    "0.0", "-0.0", "true", "false"};
constexpr int kDepth = 5;

bool isName(std::string_view token) {
  const char c = token[0];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct Text {
  std::vector<std::string_view> tokens;
  std::vector<std::string_view> names;
  Random& random;

  Text(std::string_view text, Random& r) : tokens(tests::cutTokens(text)), random(r) {
    for (const std::string_view token : tokens)
      if (isName(token)) names.push_back(token);
  }

  template <size_t N>
  std::string_view any(const std::string_view (&of)[N]) {
    return of[random.below(N)];
  }

  void expand(std::string_view production, std::string& out, int depth) {
    for (size_t i = 0; i < production.size(); ++i) {
      if (production[i] != '$' || i + 1 == production.size()) {
        out += production[i];
        continue;
      }
      const bool deep = depth >= kDepth;
      switch (production[++i]) {
        case 'e': expand(deep ? kExpressions[random.below(2)] : any(kExpressions), out, depth + 1); break;
        case 's': deep ? void(out += ';') : expand(any(kStatements), out, depth + 1); break;
        case 'd': deep ? void() : expand(any(kDeclarations), out, depth + 1); break;
        case 't': deep ? void(out += "int") : expand(any(kTypes), out, depth + 1); break;
        case 'n': out += any(kNumbers); break;
        case 'w': out += vocabulary()[random.below(vocabulary().size())]; break;
        default: out += names.empty() ? "v" : names[random.below(names.size())]; break;
      }
    }
  }

  // The end of the group that begins at `at` with an opening bracket, or at + 1.
  size_t groupEnd(size_t at) const {
    int open = 0;
    for (size_t i = at; i < tokens.size(); ++i) {
      const char c = tokens[i][0];
      if (c == '(' || c == '[' || c == '{') ++open;
      if ((c == ')' || c == ']' || c == '}') && --open <= 0) return i + 1;
      if (open == 0) break;
    }
    return at + 1;
  }

  // A random place for a declaration outside of functions, or for a statement inside one.
  std::optional<size_t> placeFor(bool outside) {
    std::vector<size_t> places;
    int depth = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const char c = tokens[i][0];
      if (c == '{') ++depth;
      if (c == '}') --depth;
      if (outside ? depth == 0 && (c == ';' || c == '\n') : depth > 0 && (c == '{' || c == ';'))
        places.push_back(i + 1);
    }
    if (places.empty()) return std::nullopt;
    return places[random.below(places.size())];
  }

  std::string joined(size_t from, size_t to) const {
    std::string out;
    for (size_t i = from; i < to; ++i) out += tokens[i];
    return out;
  }
  std::string replaced(size_t from, size_t to, std::string_view by) const {
    return joined(0, from) + std::string(by) + joined(to, tokens.size());
  }
};

std::string insertProduction(Text& text) {
  const size_t kind = text.random.below(4);
  std::string what;
  size_t from = 0, to = 0;
  if (kind <= 1) {
    const std::optional<size_t> place = text.placeFor(kind == 0);
    if (!place) return text.joined(0, text.tokens.size());
    from = to = *place;
    text.expand(kind == 0 ? "$d" : " $s", what, 0);
  } else {
    from = text.random.below(text.tokens.size());
    to = text.groupEnd(from);
    text.expand(kind == 2 ? "$e" : "$t", what, 1);
  }
  return text.replaced(from, to, what);
}

std::string copyGroup(Text& text) {
  std::vector<size_t> groups;
  for (size_t i = 0; i < text.tokens.size(); ++i)
    if (std::strchr("([{", text.tokens[i][0]) != nullptr) groups.push_back(i);
  if (groups.empty()) return text.joined(0, text.tokens.size());
  const size_t from = groups[text.random.below(groups.size())];
  const size_t over = groups[text.random.below(groups.size())];
  return text.replaced(over, text.random.below(3) == 0 ? over : text.groupEnd(over),
                       text.joined(from, text.groupEnd(from)));
}

// Replaces a name by another name or a word of the language, everywhere or in about a third of the places.
std::string exchangeNames(Text& text) {
  if (text.names.empty()) return text.joined(0, text.tokens.size());
  const std::string_view old = text.names[text.random.below(text.names.size())];
  const bool known = text.random.below(2) == 0;
  const std::string fresh = known ? vocabulary()[text.random.below(vocabulary().size())]
                                  : std::string(text.names[text.random.below(text.names.size())]);
  bool once = text.random.below(2) == 0;
  std::string out;
  for (const std::string_view token : text.tokens) {
    if (token == old && !(once && text.random.below(3) != 0)) {
      out += fresh;
    } else {
      out += token;
    }
  }
  return out;
}

}  // namespace

size_t mutateText(uint8_t* data, size_t size, size_t capacity, unsigned seed, size_t choices) {
  Random random(seed);
  const size_t behind = std::min(size, choices);
  const size_t kind = random.below(16);
  if (size == behind || kind == 0) return LLVMFuzzerMutate(data, size, capacity);
  if (kind == 1) {
    data[size - 1 - random.below(behind)] = uint8_t(random.next());
    return size;
  }
  std::string text(reinterpret_cast<const char*>(data), size - behind);
  const std::string chosen(reinterpret_cast<const char*>(data) + size - behind, behind);
  for (size_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
    Text cut(text, random);
    if (kind < 6)
      text = tests::mutate(text, vocabulary(), random);
    else if (kind < 12)
      text = insertProduction(cut);
    else if (kind < 14)
      text = copyGroup(cut);
    else
      text = exchangeNames(cut);
  }
  if (text.size() + behind > capacity) return LLVMFuzzerMutate(data, size, capacity);
  std::memcpy(data, text.data(), text.size());
  std::memcpy(data + text.size(), chosen.data(), behind);
  return text.size() + behind;
}

}  // namespace coopc::fuzz
