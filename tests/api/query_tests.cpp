// Queries: the cursor's place is marked by `|` in each text.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/query.hpp"

namespace {

constexpr const char kHead[] = "#version 450\nlayout(local_size_x = 1) in;\n";

struct Asked {
  uint32_t at;
  coopc::Query query;
  explicit Asked(std::string text) : Asked(split(kHead + std::move(text))) {}

 private:
  struct Split {
    std::string text;
    uint32_t at;
  };
  static Split split(std::string text) {
    const size_t at = text.find('|');
    text.erase(at, 1);
    return {std::move(text), uint32_t(at)};
  }
  explicit Asked(const Split& s) : at(s.at), query(s.text, "test.comp") {}
};

bool offers(const Asked& a, std::string_view name) {
  const auto items = a.query.completionsAt(a.query.main(), a.at).items;
  return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
}

}  // namespace

TEST_CASE("an incomplete member access keeps its operand") {
  const Asked a(
      "struct S { float height; uvec2 size; };\nvoid main() {\n  S s = S(1.0, uvec2(1));\n  s.|\n}\n");
  CHECK_FALSE(a.query.result().ok);
  CHECK(offers(a, "height"));
  CHECK(offers(a, "size"));
  CHECK_FALSE(offers(a, "main"));
  const Asked vector("void main() {\n  vec3 v = vec3(1.0);\n  float f = v.|;\n}\n");
  CHECK(offers(vector, "xyz"));
  CHECK_FALSE(offers(vector, "w"));
}

TEST_CASE("a place sees the names that are declared before it, in its scopes") {
  const Asked a(
      "#define COUNT 4\nfloat scale(float by) { int inside; return by; }\nvoid main() {\n  { int gone; }\n"
      "  int here = 1;\n  |\n  int later;\n}\n");
  for (const char* name :
       {"COUNT", "scale", "here", "main", "gl_GlobalInvocationID", "clamp", "vec4", "while"})
    CHECK(offers(a, name));
  for (const char* name : {"by", "inside", "gone", "later", "gl_FragCoord", "coopmat", "texture2DRect"})
    CHECK_FALSE(offers(a, name));
}

TEST_CASE("layout qualifiers and extensions are completed where they stand") {
  const Asked layout("layout(set = 0, |) buffer B { int x; };\nvoid main() {}\n");
  CHECK(offers(layout, "binding"));
  CHECK_FALSE(offers(layout, "main"));
  const Asked extension("#extension GL_|\nvoid main() {}\n");
  CHECK(offers(extension, "GL_KHR_cooperative_matrix"));
}

TEST_CASE("members of blocks have offsets") {
  const Asked a(
      "layout(std430, binding = 0) buffer B { float a; vec3 | position; } b;\nvoid main() { b.a = 1.0; }\n");
  const auto member = a.query.symbolAt(a.query.main(), a.at + 1);
  REQUIRE(member);
  REQUIRE(member->layout);
  CHECK(member->type == "vec3");
  CHECK(member->container == "B");
  CHECK(member->layout->offset == 16);
  CHECK(member->layout->size == 12);
  CHECK(member->layout->alignment == 16);
  CHECK(member->layout->padding == 12);
}

TEST_CASE("all places of a name are found, in macros too") {
  const Asked a(
      "// How much.\nfloat amount = 1.0;\n#define TWICE (amount * 2.0)\nvoid main() {\n  am|ount = TWICE;\n"
      "  { float amount = 3.0; amount += 1.0; }\n}\n");
  const auto symbol = a.query.symbolAt(a.query.main(), a.at);
  REQUIRE(symbol);
  CHECK(symbol->documentation == "How much.");
  CHECK(symbol->signature == "float amount");
  const auto places = a.query.occurrences(a.query.main(), a.at);
  REQUIRE(places.size() == 3);
  CHECK(places[0].declaration);
  CHECK(places[1].inMacro);
  CHECK(places[2].write);
  CHECK(a.query.renameFault(a.query.main(), a.at, "sum").empty());
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "vec4").empty());
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "a b").empty());
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "main").empty());
}

TEST_CASE("the call around a place, with the argument that is being written") {
  const Asked a(
      "float mixed(float first, int second) { return first; }\nvoid main() {\n  float x = mixed(1.0, |\n}\n");
  const auto call = a.query.callAt(a.query.main(), a.at);
  REQUIRE(call.forms.size() == 1);
  CHECK(call.forms[0].label == "float mixed(float first, int second)");
  CHECK(call.parameter == 1);
  const Asked builtin("void main() {\n  float x = clamp(1.0, |0.0, 2.0);\n}\n");
  const auto forms = builtin.query.callAt(builtin.query.main(), builtin.at);
  CHECK(forms.forms.size() >= 2);
  CHECK(forms.parameter == 1);
}

TEST_CASE("what is inactive, what folds, what encloses") {
  const Asked a("#if 0\nint gone;\n#endif\nvoid main() {\n  int x = (1 + |2);\n}\n");
  const auto inactive = a.query.inactive(a.query.main());
  REQUIRE(inactive.size() == 1);
  const std::string_view text = a.query.text(a.query.main());
  CHECK(text.substr(inactive[0].begin, inactive[0].end - inactive[0].begin) == "int gone;\n");
  CHECK(a.query.folds(a.query.main()).size() >= 1);
  const auto around = a.query.enclosing(a.query.main(), a.at);
  REQUIRE(around.size() >= 4);
  CHECK(text.substr(around[0].begin, around[0].end - around[0].begin) == "2");
  CHECK(text.substr(around[1].begin, around[1].end - around[1].begin) == "1 + 2");
}
