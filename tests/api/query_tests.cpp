// Queries: the cursor's place is marked by `|` in each text.
#include <algorithm>
#include <set>
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

TEST_CASE("the name of an included file ends at its quote") {
  const auto writesName = [](const char* text) {
    const Asked a(text);
    return a.query.completionsAt(a.query.main(), a.at).includePath;
  };
  CHECK(writesName("#version 450\n#include \"a|\n"));
  CHECK(writesName("#version 450\n#include <a.h|\n"));
  CHECK_FALSE(writesName("#version 450\n#include \"a.h\" // no|te\n"));
  CHECK_FALSE(writesName("#version 450\n#include <a.h> |\n"));
}

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

TEST_CASE("layout qualifiers are those of what is declared") {
  const Asked input("layout(|) in;\nvoid main() {}\n"),
      block("layout(|) uniform B { int x; };\nvoid main() {}\n"),
      member("layout(binding = 0) buffer B { layout(|) int x; };\nvoid main() {}\n"),
      constant("layout(|) const int N = 1;\nvoid main() {}\n"), unfinished("layout(binding = 0, |\n");
  CHECK(offers(input, "local_size_x"));
  CHECK_FALSE(offers(input, "binding"));
  CHECK(offers(block, "push_constant"));
  CHECK(offers(block, "rgba32f"));  // nothing says yet that it is not an image
  CHECK_FALSE(offers(block, "local_size_x"));
  CHECK(offers(member, "offset"));
  CHECK_FALSE(offers(member, "binding"));
  CHECK(offers(constant, "constant_id"));
  CHECK_FALSE(offers(constant, "offset"));
  CHECK(offers(unfinished, "set"));
  CHECK(offers(unfinished, "local_size_x"));
}

TEST_CASE("directives are completed: versions, pragmas, macros that are defined from the start") {
  const auto names = [](std::string text) {
    const size_t at = text.find('|');
    text.erase(at, 1);
    const coopc::Query query(text, "test.comp");
    std::vector<std::string> all;
    for (const auto& item : query.completionsAt(query.main(), uint32_t(at)).items) all.push_back(item.name);
    return all;
  };
  const auto has = [](const std::vector<std::string>& all, std::string_view name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  for (const char* version : {"450", "460", "310 es"})
    CHECK(has(names("#version |\nvoid main() {}\n"), version));
  for (const char* pragma : {"once", "optimize(on)", "use_storage_buffer", "shader_stage(compute)"})
    CHECK(has(names("#version 450\n#pragma |\nvoid main() {}\n"), pragma));
  for (const char* line : {"#ifdef |", "#if defined(|)", "#elif |", "#if A && |"}) {
    INFO(line);
    const std::vector<std::string> all =
        names("#version 450\n#define MINE 1\n" + std::string(line) + "\n#endif\nvoid main() {}\n");
    for (const char* name : {"MINE", "VULKAN", "__VERSION__", "GL_KHR_cooperative_matrix"})
      CHECK(has(all, name));
    CHECK_FALSE(has(all, "sin"));
    CHECK_FALSE(has(all, "vec3"));
    CHECK(has(all, "defined") == (std::string(line) != "#ifdef |"));
  }
  CHECK(has(names("#version 450\n#extension |\nvoid main() {}\n"), "all"));
  CHECK(names("#version 450\n#extension GL_KHR_cooperative_matrix |\nvoid main() {}\n").empty());
}

TEST_CASE("functions are completed with calls, and what is offered can be asked about") {
  const Asked a(
      "#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : require\n"
      "// Halves.\nfloat halved(float value, const in int times) { return value; }\nvoid main() {\n  |\n}\n");
  std::vector<std::string> calls;
  for (const auto& item : a.query.completionsAt(a.query.main(), a.at).items)
    if (item.name == "halved" || item.name == "mix" || item.name == "barrier" ||
        item.name == "coopMatLoadTensorNV")
      calls.push_back(item.call);
  std::sort(calls.begin(), calls.end());
  CHECK(calls ==
        std::vector<std::string>{"barrier()", "coopMatLoadTensorNV(m, buf, elementOffset, layout)",
                                 "coopMatLoadTensorNV(m, buf, elementOffset, layout, decodeFunc)",
                                 "coopMatLoadTensorNV(m, buf, elementOffset, layout, view)",
                                 "coopMatLoadTensorNV(m, buf, elementOffset, layout, view, decodeFunc)",
                                 "halved(value, times)", "mix(x, y, a)"});
  const auto mix = a.query.offered(a.query.main(), a.at, "mix");
  REQUIRE(mix);
  CHECK(mix->signature.find("genFType mix(genFType x, genFType y, float a)") != std::string::npos);
  CHECK_FALSE(mix->documentation.empty());
  const auto halved = a.query.offered(a.query.main(), a.at, "halved");
  REQUIRE(halved);
  CHECK(halved->documentation == "Halves.");
  CHECK_FALSE(a.query.offered(a.query.main(), a.at, "nothing"));
}

TEST_CASE("functions of textures and images have prototypes") {
  coopc::Options options;
  options.stage = coopc::Stage::Fragment;
  const std::string head =
      "#version 450\nlayout(binding = 0) uniform sampler2D s;\nlayout(location = 0) out vec4 o;\nvoid main() "
      "{ o = ";
  const coopc::Query query(head + "texture(s, vec2(0.0)); }\n", "test.frag", options);
  const auto symbol = query.symbolAt(query.main(), uint32_t(head.size() + 1));
  REQUIRE(symbol);
  CHECK(symbol->signature.find("gvec4 texture(gsampler sampler, vec P)") == 0);
  CHECK(symbol->type == "gvec4");
}

TEST_CASE("constructors have the members or components as parameters") {
  const Asked structure("struct S { int a; float b[2]; };\nvoid main() { S s = S(1, |\n}\n");
  const auto forms = structure.query.callAt(structure.query.main(), structure.at);
  REQUIRE(forms.forms.size() == 1);
  CHECK(forms.forms[0].label == "S(int a, float[2] b)");
  CHECK(forms.parameter == 1);
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

TEST_CASE("members of blocks in descriptor heaps have offsets in words where the device decides") {
  const Asked a(
      "#extension GL_EXT_structured_descriptor_heap : require\n"
      "layout(buffer_type) uniform Data { uint n; };\nstruct Pair { texture2D image; Data data; };\n"
      "resourceheap H { uint count; texture2D image; float scale; Pair pairs[2]; layout(offset = 256) float "
      "x; "
      "layout(descriptor_size = 32) Data data; vec2 last; Data more[]; } h;\nvoid main() {}\n|");
  std::vector<std::string> offsets;
  for (const coopc::OutlineItem& item : a.query.outline(a.query.main()))
    if (item.info.container == "H") offsets.push_back(item.info.heapOffset);
  CHECK(offsets == std::vector<std::string>{"0", "4, rounded up to the size of texture2D",
                                            "the end of `image`, rounded up to 4",
                                            "the end of `scale`, rounded up to the largest alignment in Pair",
                                            "256", "288", "320", "328, rounded up to the size of Data"});
  const auto hints = a.query.hints(a.query.main(), 0, uint32_t(a.query.text(a.query.main()).size()));
  REQUIRE(!hints.empty());
  CHECK(hints.back().text == "offset 328, rounded up to the size of Data");
  // A block without descriptors has numbers.
  const Asked plain(
      "#extension GL_EXT_structured_descriptor_heap : require\n"
      "resourceheap H { uint count; vec3 | position; } h;\nvoid main() {}\n");
  const auto member = plain.query.symbolAt(plain.query.main(), plain.at + 1);
  REQUIRE(member);
  REQUIRE(member->layout);
  CHECK(member->layout->offset == 4);
  CHECK(member->heapOffset.empty());
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

namespace {

// The text of a place.
std::string at(const coopc::Query& query, const coopc::TextRange& range) {
  return std::string(query.text(range.file).substr(range.begin, range.end - range.begin));
}

// The text with a diagnostic's fix applied.
std::string mended(const coopc::Query& query, const coopc::Fix& fix) {
  std::string text(query.text(query.main()));
  for (size_t n = fix.edits.size(); n-- > 0;)
    text.replace(fix.edits[n].at.begin, fix.edits[n].at.end - fix.edits[n].at.begin, fix.edits[n].text);
  return text;
}

// The text after its first diagnostic's first fix, which must be there and have this title.
std::string mend(const std::string& text, std::string_view title, const coopc::Options& options = {}) {
  const coopc::Query query(text, "test.comp", options);
  const std::vector<coopc::Fix> fixes = query.fixes(0);
  REQUIRE(fixes.size() == 1);
  CHECK(fixes[0].title == title);
  return mended(query, fixes[0]);
}

bool compiles(const std::string& text, const coopc::Options& options = {}) {
  const coopc::Query query(text, "test.comp", options);
  INFO(query.result().messages << text);
  CHECK(query.result().ok);
  return query.result().ok;
}

}  // namespace

TEST_CASE("hints name the parameters of calls and the offsets of members") {
  const Asked a(
      "layout(binding = 0) buffer B { float a; vec4 b; } b;\nfloat scaled(float value, float factor) { "
      "return value * "
      "factor; }\nvoid main() {\n  float factor = 2.0;\n  b.a = scaled(1.0, factor);|\n}\n");
  const std::string text(a.query.text(a.query.main()));
  const auto hints = a.query.hints(a.query.main(), 0, uint32_t(text.size()));
  REQUIRE(hints.size() == 3);
  CHECK(hints[0].kind == coopc::Hint::Kind::Parameter);
  CHECK(hints[0].text == "value:");  // `factor` says it already
  CHECK(hints[0].offset == text.find("1.0, factor"));
  CHECK(hints[1].kind == coopc::Hint::Kind::Layout);
  CHECK(hints[1].text == "offset 0");
  CHECK(hints[2].text == "offset 16, 12 bytes of padding before");
  CHECK(hints[2].offset == text.find(" } b;"));
  CHECK(a.query.hints(a.query.main(), 0, 20).empty());
}

TEST_CASE("hints give the sizes of arrays and the shapes of matrices that names decide") {
  const std::string text =
      "#version 460\n#extension GL_KHR_cooperative_matrix : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n"
      "layout(local_size_x = 32) in;\nconst int N = 4;\nlayout(constant_id = 0) const int K = 16;\n"
      "shared float tile[N * 2][3];\nfloat table[] = float[](1.0, 2.0);\nfloat plain[5];\n"
      "void main() {\n"
      "  coopmat<float, gl_ScopeSubgroup, (2 * N), K, gl_MatrixUseA> a[N], b;\n"
      "  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> c;\n}\n";
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  const coopc::Query query(text, "test.comp", options);
  REQUIRE(query.result().ok);
  const auto hints = query.hints(query.main(), 0, uint32_t(text.size()));
  const std::pair<const char*, const char*> expected[] = {
      {"][3];", "= 8"},
      {"] = float[]", "2"},
      {" a[N], b", "8\u00d716 by default"},
      {"], b;", "= 4"},
  };
  REQUIRE(hints.size() == std::size(expected));
  for (size_t n = 0; n < hints.size(); ++n) {
    INFO(n);
    CHECK(hints[n].kind == coopc::Hint::Kind::Size);
    CHECK(hints[n].offset == text.find(expected[n].first));
    CHECK(hints[n].text == expected[n].second);
  }
}

TEST_CASE("a use of a macro says what it expands to") {
  const auto expansion = [](const char* text) {
    const Asked a(text);
    const auto info = a.query.symbolAt(a.query.main(), a.at);
    REQUIRE(info);
    CHECK(info->kind == coopc::NameKind::Macro);
    return info->value;
  };
  constexpr const char* kMacros =
      "#define N 4\n#define TWICE(x) ((x) * 2)\n#define JOIN(a, b) a ## b\n#define NONE\n";
  const auto inMain = [&](const char* text) {
    return expansion((std::string(kMacros) + "void main() {\n  int ab = 1;\n  " + text + "\n}\n").c_str());
  };
  CHECK(inMain("int x = |N;") == "4");
  CHECK(inMain("int x = |TWICE(N + ab);") == "((4 + ab) * 2)");
  CHECK(inMain("int x = TWICE(|N + ab);") == "4");
  CHECK(inMain("int x = |JOIN(a, b);") == "ab");
  CHECK(inMain("int x = |JOIN(1, 2);").empty());  // what is joined is not in a text
  CHECK(inMain("|NONE int x = 1;").empty());
  CHECK(expansion("#define M 2\n#if |M > 1\nvoid main() {}\n#endif\n").empty());
  CHECK(expansion("#define |M 2\nvoid main() {}\n").empty());
}

TEST_CASE("tokens are highlighted by what they mean") {
  const Asked a(
      "#define N 4\n// It says.\nstruct S { float x; };\nconst float k = 1.5;\nvoid f(S s) { float y = s.x * "
      "k + "
      "sin(float(N)); }\nvoid main() {|}\n");
  using Kind = coopc::HighlightToken::Kind;
  const auto tokens = a.query.highlight(a.query.main());
  size_t seen = 0;
  const auto is = [&](std::string_view word, Kind kind, bool declaration, bool readonly, bool builtin) {
    for (const auto& t : tokens)
      if (at(a.query, t.at) == word && t.kind == kind && t.declaration == declaration &&
          t.readonly == readonly && t.builtin == builtin)
        return ++seen != 0;
    return false;
  };
  CHECK(is("define", Kind::Keyword, false, false, false));
  CHECK(is("N", Kind::Macro, true, false, false));
  CHECK(is("N", Kind::Macro, false, false, false));
  CHECK(is("// It says.", Kind::Comment, false, false, false));
  CHECK(is("struct", Kind::Keyword, false, false, false));
  CHECK(is("S", Kind::Type, true, false, false));
  CHECK(is("S", Kind::Type, false, false, false));
  CHECK(is("float", Kind::Type, false, false, true));
  CHECK(is("x", Kind::Member, true, false, false));
  CHECK(is("k", Kind::Variable, true, true, false));
  CHECK(is("1.5", Kind::Number, false, false, false));
  CHECK(is("f", Kind::Function, true, false, false));
  CHECK(is("s", Kind::Parameter, false, false, false));
  CHECK(is("sin", Kind::Function, false, false, true));
  CHECK(seen == 14);
  // In order, and none over another.
  for (size_t n = 1; n < tokens.size(); ++n) CHECK(tokens[n - 1].at.end <= tokens[n].at.begin);
}

TEST_CASE("an outline has what a file declares, members below their structures") {
  const Asked a(
      "struct S { float x; int y; };\nlayout(binding = 0) buffer B { uint n; } b;\nint f(int p) { int local "
      "= p; "
      "return local; }\n|void main() {}\n");
  const auto items = a.query.outline(a.query.main());
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back((item.parent < items.size() ? items[item.parent].info.name + "." : "") + item.info.name);
  CHECK(names == std::vector<std::string>{"S", "S.x", "S.y", "B", "B.n", "b", "f", "main"});
  REQUIRE(items.size() == 8);
  CHECK(items[6].info.kind == coopc::NameKind::Function);
  CHECK(at(a.query, items[6].range) == "int f(int p) { int local = p; return local; }");
}

TEST_CASE("folds are blocks, comments of several lines and inactive groups") {
  const Asked a("/* one\ntwo */\n#if 0\nint gone;\n#endif\nvoid main() {\n  if (true) { }\n}|\n");
  const std::vector<coopc::TextRange> folds = a.query.folds(a.query.main());
  REQUIRE(folds.size() == 3);
  CHECK(at(a.query, folds[0]) == "{\n  if (true) { }\n}");
  CHECK(at(a.query, folds[1]) == "/* one\ntwo */");
  CHECK(at(a.query, folds[2]) == "\nint gone;");
}

TEST_CASE("diagnostics have places in their files, and so have their notes") {
  coopc::Options options;
  options.include = [](std::string_view name, bool, std::string_view, uint32_t) {
    return std::optional(coopc::Include{std::string(name), "int twice = missing;\n"});
  };
  const std::string text =
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"a.h\"\n#line 100 \nint "
      "twice;\n"
      "void main() { none(); }\n";
  const coopc::Query query(text, "test.comp", options);
  const auto places = query.diagnosticPlaces();
  const auto& diagnostics = query.result().diagnostics;
  REQUIRE(places.size() == 3);
  REQUIRE(diagnostics.size() == 3);
  CHECK(query.files()[places[0].at.file] == "a.h");
  CHECK(at(query, places[0].at) == "missing");
  CHECK(places[1].at.file == query.main());
  CHECK(at(query, places[1].at) == "twice");
  REQUIRE(places[1].notes.size() == 1);
  CHECK(query.files()[places[1].notes[0].file] == "a.h");
  CHECK(places[1].notes[0].begin == 4);
  CHECK(diagnostics[2].line == 101);  // as #line says
  CHECK(places[2].at.begin == text.find("none"));
}

TEST_CASE("an incomplete member access is understood after a token that is missing") {
  const std::string head = "struct S { float height; };\nvoid main() {\n  S s; int n;\n  ";
  for (const char* line : {"int a = 1\n  s.|", "n = 1\n  s.h|;", "n = 1 s.|", "break\n  s.|;",
                           "n = (1\n  s.|", "switch (n) { case 1 s.|; }", "n = 1\n  n = n\n  s.|"}) {
    const Asked a(head + line + "\n}\nfloat later() { return 1.0; }\n");
    INFO(line);
    CHECK(offers(a, "height"));
    CHECK_FALSE(offers(a, "later"));
  }
  // At the end of the text, where a `}` is missing as well.
  CHECK(offers(Asked(head + "int a = 1\n s.|"), "height"));
}

TEST_CASE("a name that no text has in one piece everywhere is not renamed") {
  const Asked joined("#define JOIN(a, b) a ## b\nvoid main() {\n  int |ab = 1;\n  int c = JOIN(a, b);\n}\n");
  CHECK_FALSE(joined.query.renameFault(joined.query.main(), joined.at, "other").empty());
  CHECK(joined.query.renameFault(joined.query.main(), joined.at + 14, "other").empty());  // `c`
  const Asked split("void main() {\n  int |value = 1;\n  int c = val\\\nue;\n}\n");
  CHECK_FALSE(split.query.renameFault(split.query.main(), split.at, "other").empty());
}

TEST_CASE("a rename that would change a meaning is refused") {
  const std::string head =
      "#define M 3\n#define USE r + q\nstruct S { int m; int n; };\nlayout(binding = 0) buffer B { int r; "
      "int q; };\n"
      "int g;\nint fun(int x) { return x; }\nfloat fun(vec2 x) { return x.x; }\n";
  const auto fault = [&](std::string_view text, std::string_view name) {
    const Asked a(head + std::string(text) + "\n");
    return a.query.renameFault(a.query.main(), a.at, name);
  };
  const std::pair<const char*, const char*> refused[] = {
      {"void main() { int |loc = 1; r = loc; }", "r"},            // a member of a nameless block
      {"void main() { int |loc = 1; r = loc + USE; }", "q"},      // one that a macro names
      {"void main() { int |loc = 1; r = max(loc, 2); }", "max"},  // a built-in function that is called
      {"void main() { S s; s.|m = 1; r = s.m; }", "M"},           // a macro
      {"void main() { |r = 1; }", "g"},                           // a variable at the same scope
      {"void main() { int |loc = 1; { int h = 2; r = loc + h; } }", "h"},
      {"void |f(int x) {} void main() { f(1); r = fun(1); }", "fun"},
  };
  for (const auto& [text, name] : refused) {
    INFO(text << " -> " << name);
    CHECK_FALSE(fault(text, name).empty());
  }
  const std::pair<const char*, const char*> allowed[] = {
      {"void main() { int |loc = 1; r = loc; }", "m"},    // a member's name
      {"void main() { int |loc = 1; r = loc; }", "max"},  // a function that nothing calls
      {"void main() { |r = USE; }", "longer_name"},
      {"void main() { S s; s.|m = s.n; }", "g"},
      {"void main() { r = |M; }", "N"},
      {"void main() { r = f|un(1) + int(fun(vec2(1))); }", "k"},
  };
  for (const auto& [text, name] : allowed) {
    INFO(text << " -> " << name);
    CHECK(fault(text, name).empty());
  }
  // In an included file, which is included twice.
  coopc::Options options;
  options.include = [](std::string_view name, bool, std::string_view, uint32_t) {
    return std::optional(
        coopc::Include{std::string(name), "T NAME(T value) { return value + value; }\nint both;\n"});
  };
  const std::string text =
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#define T int\n#define NAME "
      "one\n#include \"a.h\"\n"
      "#undef NAME\n#define NAME two\n#define both other\n#include \"a.h\"\nvoid main() { one(two(1)); }\n";
  const coopc::Query query(text, "test.comp", options);
  REQUIRE(query.result().ok);
  REQUIRE(query.files().size() == 3);
  CHECK(query.renameFault(1, 11, "number").empty());
  CHECK_FALSE(query.renameFault(1, 11, "T").empty());
}

TEST_CASE("the parameters of a macro have places, and names of their own") {
  const Asked a(
      "int item;\n#define GET(it|em, other) ((item) + \\\n  item * #other item##1)\n#define PLAIN item\nvoid "
      "main() { item = 1; "
      "}\n");
  const auto info = a.query.symbolAt(a.query.main(), a.at);
  REQUIRE(info);
  CHECK(info->kind == coopc::NameKind::Parameter);
  CHECK(info->name == "item");
  CHECK(at(a.query, info->declaration) == "item");
  const auto places = a.query.occurrences(a.query.main(), a.at);
  REQUIRE(places.size() == 4);
  CHECK(places[0].declaration);
  CHECK(places[0].at == info->declaration);
  for (const auto& place : places) CHECK(at(a.query, place.at) == "item");
  CHECK(a.query.occurrences(a.query.main(), places[3].at.begin).size() == 4);
  CHECK(a.query.renameFault(a.query.main(), a.at, "thing").empty());
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "other").empty());
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "a b").empty());
  // The variable of the same name is a different symbol.
  const std::string text(a.query.text(a.query.main()));
  CHECK(a.query.occurrences(a.query.main(), uint32_t(text.find("item;"))).size() == 2);
  const Asked body("#define GET(a, b) (a + sq|rt(b))\nvoid main() { float x = GET(1.0, 2.0); }\n");
  CHECK(body.query.symbolAt(body.query.main(), body.at)->kind == coopc::NameKind::BuiltinFunction);
}

TEST_CASE("nothing is offered in a number, nor as the name of what is declared") {
  for (const char* text :
       {"void main() {\n  float x = 1.|;\n}\n", "void main() {\n  float x = 2.5e|;\n}\n",
        "void main() {\n  int x = 0x1F|;\n}\n", "struct |\nvoid main() {}\n", "struct Na|\nvoid main() {}\n",
        "#define |\nvoid main() {}\n", "#define NA|\nvoid main() {}\n", "#define F(a|\nvoid main() {}\n",
        "void ma|\n", "void main() {\n  float a|;\n}\n", "float f(const in vec3 |) {}\nvoid main() {}\n",
        "struct S { float16_t |\n};\nvoid main() {}\n",
        "struct S { int a; };\nvoid main() {\n  S s|;\n}\n"}) {
    const Asked a(text);
    INFO(text);
    CHECK(a.query.completionsAt(a.query.main(), a.at).items.empty());
  }
  CHECK(offers(Asked("#define F(a) |\nvoid main() {}\n"), "max"));
  CHECK(offers(Asked("#define F |\nvoid main() {}\n"), "max"));
  CHECK(offers(Asked("void main() {\n  float x = 1.0 + |;\n}\n"), "max"));
  CHECK(offers(Asked("void main() {\n  float x = float(|);\n}\n"), "max"));
  CHECK(offers(Asked("struct S { int a; };\nvoid main() {\n  S(|\n}\n"), "max"));
  CHECK(offers(Asked("const |\nvoid main() {}\n"), "vec3"));
}

TEST_CASE("fixes mend the text") {
  const std::string head = "#version 450\nlayout(local_size_x = 1) in;\n";
  CHECK(compiles(mend(head + "void main() {\n  float x = 1.0\n  x += 1.0;\n}\n", "Insert `;`")));
  CHECK(compiles(mend(head + "void main() {\n  float x = (1.0;\n}\n", "Insert `)`")));
  CHECK(compiles(mend(head + "void main() {\n  float x = lerp(1.0, 2.0, 0.5);\n}\n", "Replace by `mix`")));
  CHECK(compiles(mend(head + "void main() { float16_t x; }\n",
                      "Add `#extension GL_EXT_shader_explicit_arithmetic_types_float16`")));
  CHECK(compiles(
      mend(head + "layout(constant_id = 3) const int N = 2;\nlayout(binding = N) buffer B { int x; };\nvoid "
                  "main() {}\n",
           "Freeze `N` at its default")));
  CHECK(compiles(mend(head + "struct S { int x; }\nvoid main() {}\n", "Insert `;`")));
  CHECK(compiles(mend(head + "void main() {\n  int x;\n", "Insert `}`")));
  CHECK(compiles(mend("layout(local_size_x = 1) in;\nvoid main() {}\n", "Add `#version 460`")));
  CHECK(compiles(mend(head + "layout(binding = 0) buffer B { uint x; } b[4];\nvoid main() { "
                             "b[nonuniformEXT(gl_GlobalInvocationID.x)].x = 1u; }\n",
                      "Add `#extension GL_EXT_nonuniform_qualifier`")));
  // Nothing is offered where a macro made the text.
  const coopc::Query query(head + "#define F float x = 1.0 x += 1.0;\nvoid main() {\n  F\n}\n", "test.comp");
  REQUIRE(query.result().diagnostics.size() == 1);
  CHECK(query.fixes(0).empty());
  CHECK(query.fixes(1).empty());
  // Nor is an extension that a directive already requires, but the compiler does not support.
  const coopc::Query directive(
      "#version 430\n#extension GL_KHR_cooperative_matrix : require\nvoid main() {}\n", "test.comp");
  REQUIRE(directive.result().diagnostics.size() >= 1);
  CHECK(directive.fixes(0).empty());
}

namespace {

// A line with a call of HLSL and what its fixes make of the line.
struct HlslLine {
  const char* line;
  std::vector<std::string> mended;
};

constexpr const char kHlslHead[] =
    "#version 450\nlayout(location = 0) in vec4 v;\nlayout(location = 1) in float t;\n"
    "layout(binding = 0) uniform U { mat4 m; mat3 n; mat4x3 w; vec3 u; dvec2 d; };\n"
    "layout(binding = 1) buffer B { uint count; };\nlayout(binding = 2) uniform sampler2D s;\n"
    "layout(location = 0) out vec4 o;\nfloat next() { return 1.0; }\nvoid main() {\n"
    "  float a, b;\n  uint old;\n  int i;\n  vec4 p;\n  vec3 q;\n  dvec2 e;\n  bool r;\n  mat3 k;\n  mat4x3 "
    "l;\n";

}  // namespace

TEST_CASE("fixes write calls of HLSL's functions as GLSL does") {
  const HlslLine lines[] = {
      {"a = saturate(t);", {"a = clamp(t, 0.0, 1.0);"}},
      {"p = saturate(v + p) * 2.0;", {"p = clamp(v + p, 0.0, 1.0) * 2.0;"}},
      {"e = saturate(d);", {"e = clamp(d, 0.0lf, 1.0lf);"}},
      {"p = mul(m, v);", {"p = m * v;", "p = v * m;"}},
      {"a = mul(m, v + p).x;", {"a = (m * (v + p)).x;", "a = ((v + p) * m).x;"}},
      {"q = mul(w, v);", {"q = w * v;"}},  // a vector of four before it has the wrong size
      {"p = mul(w, u);", {"p = u * w;"}},
      {"a = 2.0 / mul(u, q);", {"a = 2.0 / dot(u, q);"}},
      {"p = -mul(t, v);", {"p = -(t * v);"}},
      {"a = fmod(t, 2.0);", {"a = t - 2.0 * trunc(t / 2.0);", "a = mod(t, 2.0);"}},
      {"a = 3.0 * fmod(t + b, -b);",
       {"a = 3.0 * ((t + b) - (-b) * trunc((t + b) / (-b)));", "a = 3.0 * mod(t + b, -b);"}},
      {"a = fmod(next(), 2.0);", {"a = mod(next(), 2.0);"}},  // is not called twice
      {"a = b / rcp(t + b);", {"a = b / (1.0 / (t + b));"}},
      {"a = b + rcp(t);", {"a = b + 1.0 / t;"}},
      {"a = log10(t);", {"a = log2(t) * 0.30103;"}},
      {"r = isfinite(t);", {"r = !(isnan(t) || isinf(t));"}},
      {"r = all(isfinite(u));", {"r = all(not(bvec3(uvec3(isnan(u)) | uvec3(isinf(u)))));"}},
      {"sincos(t, a, b);", {"a = sin(t); b = cos(t);"}},
      {"clip(t - 0.5);", {"if ((t - 0.5) < 0.0) discard;"}},
      {"clip(v);", {"if (any(lessThan(v, vec4(0.0)))) discard;"}},
      {"InterlockedAdd(count, 1u, old);", {"old = atomicAdd(count, 1u);"}},
      {"if (r) InterlockedAdd(count, 1u, old);", {"if (r) old = atomicAdd(count, 1u);"}},
      {"InterlockedAdd(count, 1u);", {"atomicAdd(count, 1u);"}},
      {"if (r) { InterlockedAdd(count, 1, i); }", {"if (r) { i = int(atomicAdd(count, uint(1))); }"}},
      {"do InterlockedAdd(count, 1u, old); while (r);", {"do (old = atomicAdd(count, 1u)); while (r);"}},
      {"for (; r; InterlockedAdd(count, 1u, old)) {}", {"for (; r; (old = atomicAdd(count, 1u))) {}"}},
      {"switch (i) { case 1: InterlockedMax(count, old, old); break; }",
       {"switch (i) { case 1: (old = atomicMax(count, old)); break; }"}},
      {"if (r) InterlockedCompareStore(count, 1u, 2u);", {"if (r) atomicCompSwap(count, 1u, 2u);"}},
      {"if (r) InterlockedCompareStore(count, 1, 2u);", {"if (r) atomicCompSwap(count, uint(1), 2u);"}},
      {"if (r) InterlockedAdd(v, 1u, old);", {}},  // not memory that GLSL's atomics accept
      {"if (r) InterlockedAdd(count, 1u, old, 1u);", {}},
      {"InterlockedCompareExchange(count, 1u, 2u, old);", {"old = atomicCompSwap(count, 1u, 2u);"}},
      {"k = float3x3(u, u, u);", {"k = transpose(mat3(u, u, u));", "k = mat3(u, u, u);"}},
      {"l = float3x4(v, v, v);", {"l = transpose(mat3x4(v, v, v));"}},
      {"p = tex2Dlod(s, v);", {"p = textureLod(s, v.xy, v.w);"}},
      {"p = tex2D(s, v.xy);", {"p = texture(s, v.xy);"}},
      {"a = f16tof32(count);", {"a = unpackHalf2x16(count).x;"}},
      {"old = f32tof16(t);", {"old = packHalf2x16(vec2(t, 0.0));"}},
      {"AllMemoryBarrierWithGroupSync();", {}},  // no barrier in fragment shaders
      {"a = ddx_fine(t);", {"a = dFdxFine(t);"}},
  };
  size_t fixed = 0;
  coopc::Options options;
  options.stage = coopc::Stage::Fragment;
  for (const HlslLine& hlsl : lines) {
    const std::string before = std::string(kHlslHead) + "  ", behind = "\n}\n";
    const coopc::Query query(before + hlsl.line + behind, "test.frag", options);
    INFO(hlsl.line << '\n' << query.result().messages);
    REQUIRE(query.result().errorCount == 1);
    std::vector<std::string> found;
    for (const coopc::Fix& fix : query.fixes(0)) {
      const std::string text = mended(query, fix);
      found.push_back(text.substr(before.size(), text.size() - before.size() - behind.size()));
      const coopc::Query right(text, "test.frag", options);
      INFO(text << right.result().messages);
      CHECK(right.result().errorCount == 0);
      ++fixed;
    }
    CHECK(found == hlsl.mended);
  }
  CHECK(fixed == 42);
  // In a compute shader, with values of 16 bits; and no call of a macro.
  const std::string head =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
      "layout(local_size_x = 1) in;\nvoid main() {\n  f16vec2 h;\n";
  CHECK(compiles(
      mend(head + "  h = saturate(h);\n}\n", "Replace by `clamp(h, float16_t(0.0), float16_t(1.0))`")));
  CHECK(compiles(mend(head + "  h = rcp(h);\n}\n", "Replace by `float16_t(1.0) / h`")));
  CHECK(compiles(
      mend(head + "  AllMemoryBarrierWithGroupSync();\n}\n", "Replace by `memoryBarrier(); barrier();`")));
  const coopc::Query product(head + "  mat4 m; vec4 v = mul(m, vec4(0.0));\n}\n", "test.comp");
  const std::vector<coopc::Fix> both = product.fixes(0);
  REQUIRE(both.size() == 2);
  CHECK(both[0].title == "Replace by `m * vec4(0.0)`, if GLSL's matrices are HLSL's");
  CHECK(both[1].title == "Replace by `vec4(0.0) * m`, if GLSL's columns are HLSL's rows");
  const coopc::Query macro(head + "#define SAT(x) saturate(x)\n  float x = SAT(2.0);\n}\n", "test.comp");
  CHECK(macro.fixes(0).empty());
}

TEST_CASE("fixes write methods of HLSL's textures as GLSL does") {
  const std::string extension = "#extension GL_EXT_samplerless_texture_functions : require\n";
  const std::string version = "#version 460\n";
  const std::string head =
      "layout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 o;\n"
      "layout(binding = 0) uniform texture2D t;\nlayout(binding = 1) uniform texture2DArray layers[2];\n"
      "layout(binding = 2) uniform itexture3D deep;\nlayout(binding = 3) uniform textureCube cube;\n"
      "layout(binding = 4) uniform texture1D line;\nlayout(binding = 5) uniform texture2DMS many;\n"
      "layout(binding = 6) uniform textureBuffer texels;\nlayout(binding = 7) uniform sampler s;\n"
      "layout(binding = 8) uniform samplerShadow c;\nlayout(binding = 9) uniform sampler2D both;\n"
      "layout(binding = 10) uniform sampler2DShadow shadow;\nlayout(binding = 11, rgba8) uniform image2D "
      "img;\n"
      "layout(binding = 12) uniform textureCubeArray cubes;\n"
      "void main() {\n  vec4 p;\n  float a;\n  uint w, h;\n  int i;\n  ivec3 at;\n  ivec4 far;\n  uvec2 u;\n "
      " ivec4 n;\n  bool r;\n";
  const HlslLine lines[] = {
      {"p = t.Sample(s, v.xy);", {"p = texture(sampler2D(t, s), v.xy);"}},
      {"p = 2.0 * t.Sample(s, v.xy + 0.5, ivec2(1)).wzyx;",
       {"p = 2.0 * textureOffset(sampler2D(t, s), v.xy + 0.5, ivec2(1)).wzyx;"}},
      {"p = both.Sample(undeclared, v.xy);", {"p = texture(both, v.xy);"}},
      {"p = layers[1].SampleLevel(s, v.xyz, 2.0);",
       {"p = textureLod(sampler2DArray(layers[1], s), v.xyz, 2.0);"}},
      {"p = t.SampleBias(s, v.xy, 1.0, ivec2(0));",
       {"p = textureOffset(sampler2D(t, s), v.xy, ivec2(0), 1.0);"}},
      {"p = cube.SampleGrad(s, v.xyz, v.xyz, v.xyz);",
       {"p = textureGrad(samplerCube(cube, s), v.xyz, v.xyz, v.xyz);"}},
      {"a = t.SampleCmp(c, v.xy, v.z);", {"a = texture(sampler2DShadow(t, c), vec3(v.xy, v.z));"}},
      {"a = line.SampleCmp(c, v.x, v.z);", {"a = texture(sampler1DShadow(line, c), vec3(v.x, 0.0, v.z));"}},
      {"a = cubes.SampleCmp(c, v, 0.5);", {"a = texture(samplerCubeArrayShadow(cubes, c), v, 0.5);"}},
      {"a = shadow.SampleCmpLevelZero(s, v.xy, 0.5);", {"a = textureLod(shadow, vec3(v.xy, 0.5), 0.0);"}},
      {"a = layers[0].SampleCmpLevelZero(c, v.xyz, 0.5);",
       {"a = textureGrad(sampler2DArrayShadow(layers[0], c), vec4(v.xyz, 0.5), vec2(0.0), vec2(0.0));"}},
      {"p = t.Gather(s, v.xy);", {"p = textureGather(sampler2D(t, s), v.xy);"}},
      {"p = t.GatherBlue(s, v.xy, ivec2(1));",
       {"p = textureGatherOffset(sampler2D(t, s), v.xy, ivec2(1), 2);"}},
      {"p = t.GatherCmp(c, v.xy, 0.5);", {"p = textureGather(sampler2DShadow(t, c), v.xy, 0.5);"}},
      {"a = t.CalculateLevelOfDetail(s, v.xy);", {"a = textureQueryLod(sampler2D(t, s), v.xy).x;"}},
      {"p = both.Load(at);", {"p = texelFetch(both, at.xy, at.z);"}},
      {"p = t.Load(at);", {"p = texelFetch(t, at.xy, at.z);"}},
      {"n = deep.Load(far + 1);", {"n = texelFetch(deep, (far + 1).xyz, (far + 1).w);"}},
      {"p = t.Load(at, ivec2(1));", {"p = texelFetchOffset(t, at.xy, at.z, ivec2(1));"}},
      {"p = many.Load(at.xy, i);", {"p = texelFetch(many, at.xy, i);"}},
      {"p = texels.Load(w);", {"p = texelFetch(texels, int(w));"}},
      {"p = img.Load(u);", {"p = imageLoad(img, ivec2(u));"}},
      {"t.GetDimensions(w, h);", {"w = uint(textureSize(t, 0).x); h = uint(textureSize(t, 0).y);"}},
      {"both.GetDimensions(1u, w, a, i);",
       {"w = uint(textureSize(both, int(1u)).x); a = float(textureSize(both, int(1u)).y); i = "
        "textureQueryLevels(both);"}},
      {"if (r) line.GetDimensions(i);", {"if (r) i = textureSize(line, 0);"}},
      {"img.GetDimensions(w, h);", {"w = uint(imageSize(img).x); h = uint(imageSize(img).y);"}},
      {"if (r) t.GetDimensions(w, h);", {}},             // two statements
      {"p = t.Sample(c, v.xy);", {}},                    // compares without a reference
      {"p = t.Sample(int2(1), v.xy);", {}},              // no sampler
      {"a = cubes.SampleCmpLevelZero(c, v, 0.5);", {}},  // GLSL has no such function
  };
  size_t fixed = 0;
  coopc::Options options;
  options.stage = coopc::Stage::Fragment;
  for (const HlslLine& hlsl : lines) {
    const std::string before = head + "  ", behind = "\n}\n";
    const coopc::Query query(version + before + hlsl.line + behind, "test.frag", options);
    INFO(hlsl.line << '\n' << query.result().messages);
    REQUIRE(query.result().errorCount >= 1);
    std::vector<std::string> found;
    for (size_t n = 0; n < query.result().diagnostics.size(); ++n) {
      if (query.result().diagnostics[n].id != "no-such-method") continue;
      for (const coopc::Fix& fix : query.fixes(n)) {
        const std::string text = mended(query, fix);
        const size_t start = (text.find(extension) == std::string::npos ? 0 : extension.size()) +
                             version.size() + before.size();
        found.push_back(text.substr(start, text.size() - start - behind.size()));
        const coopc::Query right(text, "test.frag", options);
        INFO(text << right.result().messages);
        CHECK(right.result().errorCount == 0);
        ++fixed;
      }
    }
    CHECK(found == hlsl.mended);
  }
  CHECK(fixed == 26);
}

TEST_CASE("fixes make the signatures of functions right that matrix functions call") {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  std::string text =
      "#version 460\n#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : "
      "require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n#extension "
      "GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 32) in;\n"
      "layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;\n"
      "layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { uint8_t q[2]; };\n"
      "float16_t add(float a, const in float16_t b) { return float16_t(b); }\n"
      "float op(const in int, const in uint c, inout float x) { return 1.0; }\n"
      "float16_t decode(const in Block b, uint c[3], in uvec2 d) { return float16_t(0.0); }\n"
      "void main() {\n"
      "  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;\n"
      "  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> h;\n"
      "  coopMatReduceNV(m, m, gl_CooperativeMatrixReduceRowNV, add);\n"
      "  coopMatPerElementNV(m, m, op);\n"
      "  tensorLayoutNV<2> t = createTensorLayoutNV(2);\n"
      "  coopMatLoadTensorNV(h, data.x, 0, t, decode);\n}\n";
  std::vector<std::string> titles;
  while (titles.size() < 20) {
    const coopc::Query query(text, "test.comp", options);
    if (query.result().errorCount == 0) break;
    const std::vector<coopc::Fix> fixes = query.fixes(0);
    INFO(query.result().messages);
    REQUIRE(fixes.size() == 1);
    titles.push_back(fixes[0].title);
    text = mended(query, fixes[0]);
  }
  CHECK(titles ==
        std::vector<std::string>{
            "Qualify the parameters with `const in`", "Make it `const in float b`", "Return `float`",
            "Qualify the parameters with `const in`", "Make it `const in uint`",
            "Make it `float16_t decode(const in Block b, const in uint c[2], const in uint d[2])`"});
  CHECK(text.find("float add(const in float a, const in float b)") != std::string::npos);
  CHECK(text.find("float op(const in uint, const in uint c, const in float x)") != std::string::npos);
  CHECK(text.find("float16_t decode(const in Block b, const in uint c[2], const in uint d[2])") !=
        std::string::npos);
}

TEST_CASE("a decode function gets the parameters that it lacks") {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  const std::string head =
      "#version 460\n#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : "
      "require\n#extension GL_KHR_memory_scope_semantics : require\n#extension "
      "GL_EXT_shader_explicit_arithmetic_types : require\n#extension GL_EXT_buffer_reference : require\n"
      "layout(local_size_x = 32) in;\nlayout(binding = 0) buffer Data { float16_t x[]; } data;\n"
      "layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { uint8_t q[2]; };\n";
  const std::string tail =
      "void main() {\n  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> h;\n"
      "  tensorLayoutNV<3> t = createTensorLayoutNV(3);\n  coopMatLoadTensorNV(h, data.x, 0, t, "
      "decode);\n}\n";
  const coopc::Query query(head + "float decode(Block b) { return float16_t(0.0); }\n" + tail, "test.comp",
                           options);
  REQUIRE(query.result().errorCount == 1);
  const std::vector<coopc::Fix> fixes = query.fixes(0);
  REQUIRE(fixes.size() == 1);
  const std::string signature =
      "float16_t decode(const in Block b, const in uint blockCoord[3], const in uint coordInBlock[3])";
  CHECK(fixes[0].title == "Make it `" + signature + "`");
  const std::string right = mended(query, fixes[0]);
  CHECK(right.find("\n" + signature + " {") != std::string::npos);
  CHECK(coopc::Query(right, "test.comp", options).result().ok);
}

TEST_CASE("built-in names have uses, and a prototype's comment is its function's") {
  const Asked a(
      "// Twice.\nfloat f(float x);\nvoid main() { float s = s|in(1.0) + sin(2.0) + f(1.0); }\n// sin\n\n"
      "float f(float sin) { return sin; }\n");
  const auto places = a.query.occurrences(a.query.main(), a.at);
  REQUIRE(places.size() == 2);
  CHECK(places[0].at.contains(a.at));
  const auto text = a.query.text(a.query.main());
  const auto called = a.query.symbolAt(a.query.main(), uint32_t(text.find("f(1.0)")));
  REQUIRE(called);
  CHECK(called->documentation == "Twice.");
  CHECK_FALSE(a.query.renameFault(a.query.main(), a.at, "x").empty());
}

TEST_CASE("a name knows where the structure or block is declared that it is an object of") {
  const std::string text =
      "#version 450\nstruct S { float x; };\nstruct T { S inner[2]; };\n"
      "layout(binding = 0) buffer B { T t; } block;\nS made() { return block.t.inner[0]; }\n"
      "void main() { S local[3]; float f = made().x; }\n";
  const coopc::Query query(text, "test.comp");
  REQUIRE(query.result().ok);
  const std::pair<const char*, const char*> types[] = {{"local", "S {"},  {"inner[2]", "S {"},
                                                       {"block;", "B {"}, {"t; }", "T {"},
                                                       {"made()", "S {"}, {"T {", "T {"}};
  for (const auto& [name, type] : types) {
    const auto info = query.symbolAt(query.main(), uint32_t(text.find(name)));
    INFO(name);
    REQUIRE(info);
    CHECK(info->typeDeclaration.begin == text.find(type));
    CHECK(info->typeDeclaration.end == text.find(type) + 1);
  }
  for (const char* name : {"f = ", "x; };", "main"})
    CHECK_FALSE(query.symbolAt(query.main(), uint32_t(text.find(name)))->typeDeclaration.valid());
}

TEST_CASE("keywords, layout qualifiers, directives and extensions say what they mean") {
  const std::string text =
      "#version 450\n#extension GL_KHR_cooperative_matrix : require\n"
      "layout(local_size_x = 64) in;\nlayout(binding = 0, std430) readonly buffer B { float x[]; };\n"
      "layout(binding = 1, rgba16_snorm) uniform image2D i;\nshared float y;\n#ifdef ONE\n#endif\n"
      "layout(binding = 2, shared) buffer C { float z; };\n"
      "void main() { coopmat<float, 3, 16, 16, 0> m; y = float(x.length()); if (y > 0.0) return; }\n";
  const coopc::Query query(text, "test.comp");
  const auto told = [&](const char* at, size_t after = 0) {
    const auto info = query.symbolAt(query.main(), uint32_t(text.find(at) + after));
    return info ? info->signature + ": " + info->documentation : std::string();
  };
  using coopc::NameKind;
  CHECK(told("version").starts_with("#version: The version of the language"));
  CHECK(told("#extension").starts_with("#extension: Switches an extension"));
  CHECK(told("GL_KHR_cooperative").starts_with("#extension GL_KHR_cooperative_matrix : require: "));
  CHECK(told("GL_KHR_cooperative").find("From #version 450") != std::string::npos);
  CHECK(told("GL_KHR_cooperative").find("SPIR-V 1.") != std::string::npos);
  CHECK(told("local_size_x").starts_with("layout(local_size_x = N): The number of invocations"));
  CHECK(told("std430").starts_with("layout(std430): "));
  CHECK(told("rgba16_snorm") ==
        "layout(rgba16_snorm): Images of four components of 16 bits: numbers in [-1, 1] (4.4.7).");
  CHECK(told("readonly").starts_with("readonly: "));
  CHECK(told("shared float").starts_with("shared: A variable that all invocations"));
  CHECK(told("shared) buffer").starts_with("layout(shared): A layout in memory"));
  CHECK(told("ifdef").starts_with("#ifdef: "));
  CHECK(told("coopmat<").starts_with("coopmat: GL_KHR_cooperative_matrix: A matrix"));
  CHECK(told("length()").starts_with("int length(): "));
  CHECK(told("if (y").starts_with("if: Runs one statement"));
  CHECK(told(" in;", 1).starts_with("in: An input"));
  CHECK(told("450").empty());
  CHECK(told("(y > ").empty());
}

// Asks for all completions of all stages, so that no word of the tables is left out.
TEST_CASE(
    "each keyword, layout qualifier, directive, built-in variable and extension that is offered has a text") {
  const coopc::Query extensions("#version 460\n#extension \nvoid main() {}\n", "test.comp");
  std::string head = "#version 460\n";
  size_t names = 0;
  for (const coopc::Completion& c : extensions.completionsAt(extensions.main(), 24).items) {
    if (c.kind != coopc::NameKind::Extension) continue;
    ++names;
    head += "#extension " + c.name + " : enable\n";
    const auto info = extensions.offered(extensions.main(), 24, c.name);
    INFO(c.name);
    REQUIRE(info);
    CHECK(info->documentation.find("\n\n") > 15);  // a text before the versions
  }
  CHECK(names > 180);
  std::set<std::string> words;
  for (const char* stage : {"vert", "tesc", "tese", "geom", "frag", "comp", "task", "mesh", "rgen", "rint",
                            "rahit", "rchit", "rmiss", "rcall"}) {
    coopc::Options options;
    REQUIRE(coopc::stageByName(stage, options.stage));
    const std::string text = head + "layout()\n#\nvoid main() {\n  \n}\n";
    const coopc::Query query(text, "test." + std::string(stage), options);
    for (const size_t at : {text.find("layout(") + 7, text.find("#\n") + 1, text.find("  \n") + 2})
      for (const coopc::Completion& c : query.completionsAt(query.main(), uint32_t(at)).items) {
        if (c.kind != coopc::NameKind::Keyword && c.kind != coopc::NameKind::LayoutQualifier &&
            c.kind != coopc::NameKind::Directive && c.kind != coopc::NameKind::BuiltinVariable)
          continue;
        if (!words.insert(c.name).second) continue;
        INFO(stage << ": " << c.name);
        const auto info = query.offered(query.main(), uint32_t(at), c.name);
        CHECK((info && info->documentation.size() > 20));
      }
  }
  CHECK(words.size() > 340);
}

// The brace that ends a scope may be the last token that any macro makes, or other such tokens may follow.
TEST_CASE("scopes that end in a macro") {
  const std::string text =
      "#define END }\n#define ID(x) x\nvoid f() {\n  int inner = 1;\nEND\nvoid g() {\n  int outer = |1;\n";
  for (const char* end : {"}\n", "  int y = ID(outer);\n}\n", "END\n"}) {
    const Asked a(text + end + "void main() {}\n");
    INFO(end);
    CHECK_FALSE(offers(a, "inner"));
    CHECK(offers(a, "f"));
  }
}

TEST_CASE("what encloses are parts of lists, calls and values, too") {
  const Asked a(
      "float f(float x, float y) { return x; }\nvoid main() {\n  float v = 1.0 + f(2.0 * |3.0, 4.0);\n}\n");
  const std::string_view text = a.query.text(a.query.main());
  std::vector<std::string> around;
  for (const coopc::TextRange& r : a.query.enclosing(a.query.main(), a.at))
    around.emplace_back(text.substr(r.begin, r.end - r.begin));
  REQUIRE(around.size() > 6);
  around.resize(7);
  CHECK(around == std::vector<std::string>{"3.0", "2.0 * 3.0", "2.0 * 3.0, 4.0", "(2.0 * 3.0, 4.0)",
                                           "f(2.0 * 3.0, 4.0)", "1.0 + f(2.0 * 3.0, 4.0)",
                                           "float v = 1.0 + f(2.0 * 3.0, 4.0);"});
}

TEST_CASE("inactive lines are highlighted as comments, and lines of comments fold together") {
  const Asked a("#if 0\n  int gone;\n#endif\n// one\n// two\nint x; // alone\n// three\nvoid main() {}|\n");
  const std::string_view text = a.query.text(a.query.main());
  std::vector<std::string> comments, folds;
  for (const auto& token : a.query.highlight(a.query.main()))
    if (token.kind == coopc::HighlightToken::Kind::Comment)
      comments.emplace_back(text.substr(token.at.begin, token.at.end - token.at.begin));
  CHECK(comments == std::vector<std::string>{"int gone;", "// one", "// two", "// alone", "// three"});
  for (const coopc::TextRange& r : a.query.folds(a.query.main()))
    folds.emplace_back(text.substr(r.begin, r.end - r.begin));
  CHECK(std::count(folds.begin(), folds.end(), "// one\n// two") == 1);
}

TEST_CASE("matrix functions have prototypes in signature help and hover") {
  const Asked a(
      "#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : require\n"
      "void main() {\n  coopMatLoadTensorNV(m, b, 0, l, |\n}\n");
  const auto call = a.query.callAt(a.query.main(), a.at);
  REQUIRE(call.forms.size() == 4);
  CHECK(call.parameter == 4);
  CHECK(call.active == 1);  // the first that takes five arguments
  const auto& form = call.forms[1];
  REQUIRE(form.parameters.size() == 5);
  CHECK(form.label.substr(form.parameters[4].first, form.parameters[4].second - form.parameters[4].first) ==
        "tensorView view");
  CHECK_FALSE(form.documentation.empty());
  CHECK(a.query.extensions() ==
        std::vector<std::string>{"GL_KHR_cooperative_matrix", "GL_NV_cooperative_matrix2"});
  const auto symbol = a.query.symbolAt(a.query.main(), a.at - 20);
  REQUIRE(symbol);
  CHECK(symbol->signature.find("void coopMatLoadTensorNV(inout coopmat m, ") == 0);
  CHECK_FALSE(symbol->documentation.empty());
}

TEST_CASE("each prototype that editors show is of a function, and each such function has one") {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  std::string head = "#version 460\n";
  for (const char* name :
       {"GL_KHR_cooperative_matrix", "GL_NV_cooperative_matrix2", "GL_NV_cooperative_matrix",
        "GL_EXT_cooperative_matrix_maintenance1", "GL_QCOM_cooperative_matrix_conversion",
        "GL_NV_cooperative_vector", "GL_ARM_tensors", "GL_EXT_debug_printf"})
    head += "#extension " + std::string(name) + " : require\n";
  head += "void main() {\n  ";
  size_t functions = 0, prototypes = 0, described = 0;
  std::set<std::string> seen;
  const coopc::Query whole(head + "\n}\n", "test.comp", options);
  for (const auto& item : whole.completionsAt(whole.main(), uint32_t(head.size())).items) {
    if (item.kind != coopc::NameKind::BuiltinFunction || !seen.insert(item.name).second) continue;
    const std::string text = head + item.name + "(\n}\n";
    const coopc::Query query(text, "test.comp", options);
    for (const coopc::CallForm& form :
         query.callAt(query.main(), uint32_t(head.size() + item.name.size() + 1)).forms) {
      INFO(form.label);
      CHECK(form.label != item.name + "(...)");
      if (form.documentation.empty()) continue;
      const bool clause = form.documentation.find("(8.") != std::string::npos ||
                          form.documentation.find("(GL_") != std::string::npos;
      ++(clause ? described : prototypes);
      CHECK(form.label.find(" " + item.name + "(") != std::string::npos);
      for (const auto& [begin, end] : form.parameters) CHECK(form.label.find_first_of(",)", begin) >= end);
    }
    ++functions;
  }
  CHECK(functions > 150);
  CHECK(prototypes == 46);
  CHECK(described == 159);
}

TEST_CASE("calls: who calls a function, and what it calls") {
  const Asked a(
      "int leaf(int x) { return x; }\nint middle(int x) { return leaf(x) + leaf(1); }\nint middle(float x) { "
      "return 0; }\n"
      "void main() { mid|dle(2); leaf(3); }\n");
  const auto callers = a.query.callers(a.query.main(), a.at);
  REQUIRE(callers.size() == 1);
  CHECK(callers[0].function.name == "main");
  REQUIRE(callers[0].sites.size() == 1);
  CHECK(callers[0].sites[0].contains(a.at));
  const auto callees = a.query.callees(a.query.main(), a.at);
  REQUIRE(callees.size() == 1);
  CHECK(callees[0].function.name == "leaf");
  CHECK(callees[0].function.signature == "int leaf(int x)");
  CHECK(callees[0].sites.size() == 2);
  CHECK(at(a.query, callees[0].range) == "int leaf(int x) { return x; }");
  const std::string text(a.query.text(a.query.main()));
  const auto main = uint32_t(text.find("main"));
  CHECK(a.query.callers(a.query.main(), main).empty());
  CHECK(a.query.callees(a.query.main(), main).size() == 2);
  CHECK(a.query.callers(a.query.main(), uint32_t(text.find("x) { return x"))).empty());
}

TEST_CASE("places beyond the end of a text have no answers") {
  for (const std::string text : {"", "/", "//", "/*", "#version 450\nvoid main() {} //"}) {
    const coopc::Query query(text, "test.comp");
    for (uint32_t beyond : {1u, 2u, 300u}) {
      const uint32_t offset = uint32_t(text.size()) + beyond;
      CHECK_FALSE(query.symbolAt(query.main(), offset));
      CHECK(query.occurrences(query.main(), offset).empty());
    }
  }
}

TEST_CASE("the arguments of a macro that is like a function") {
  const auto ask = [](const char* text) {
    const Asked a(text);
    return a.query.callAt(a.query.main(), a.at);
  };
  const auto nested =
      ask("// Mixes.\n#define MIX(a, second) ((a) + (second))\nfloat f(float x, float y) { return x; }\n"
          "void main() {\n  float x = MIX(f(1.0, 2.0), |\n}\n");
  REQUIRE(nested.forms.size() == 1);
  CHECK(nested.forms[0].label == "MIX(a, second)");
  CHECK(nested.forms[0].documentation == "Mixes.");
  CHECK(nested.forms[0].parameters == std::vector<std::pair<uint32_t, uint32_t>>{{4, 5}, {7, 13}});
  CHECK(nested.parameter == 1);
  // A complete call, in a list and over several lines.
  const auto complete =
      ask("#define ADD(a, b) a + b\nfloat f(float x, float y) { return x; }\n"
          "void main() {\n  float x = f(1.0, ADD(2.0,\n    3.|0));\n}\n");
  REQUIRE(complete.forms.size() == 1);
  CHECK(complete.forms[0].label == "ADD(a, b)");
  CHECK(complete.parameter == 1);
  // Around the macro: the function.
  const auto around =
      ask("#define ADD(a, b) a + b\nfloat f(float x, float y) { return x; }\n"
          "void main() {\n  float x = f(ADD(2.0, 3.0), |4.0);\n}\n");
  REQUIRE(around.forms.size() == 1);
  CHECK(around.forms[0].label == "float f(float x, float y)");
  CHECK(around.parameter == 1);
  // Another macro's body, a macro without parameters in its list, and brackets that commas are in.
  CHECK(ask("#define ONE() 1\n#define TWO ONE(|\n").forms.at(0).label == "ONE()");
  CHECK(ask("#define M(a, b) a\nvoid main() {\n  int x = M((1, 2), |\n").parameter == 1);
  // The definition itself, a name that is no longer defined, one that is defined later or has no list.
  CHECK(ask("#define M(a, |b) a\n").forms.empty());
  CHECK(ask("#define M(a) a\n#undef M\nvoid main() { M(| }\n").forms.empty());
  CHECK(ask("void main() { M(| }\n#define M(a) a\n").forms.empty());
  CHECK(ask("#define M 1\nvoid main() { M(| }\n").forms.empty());
  // In a statement after one that is not closed, and on the line after a directive with an open bracket.
  CHECK(ask("#define M(a) a\nvoid main() { M(1; int y = |2; }\n").forms.empty());
  CHECK(ask("#define M(a, b) a\n#define X M(\nfloat y = 1.0, |2.0;\n").forms.empty());
  // In brackets of an argument.
  const auto grouped = ask("#define ADD(a, b) a + b\nvoid main() { int x = ADD(1, (2 + |3)); }\n");
  REQUIRE(grouped.forms.size() == 1);
  CHECK(grouped.parameter == 1);
  // A call that is an argument ends there, and has its own parameters.
  const char* const argument =
      "#define ADD(a, b) ((a) + (b))\nfloat f(float q, float r) { return q; }\n"
      "void main() { float w = ADD(f(1.0, 2.0), 3.0);\n";
  CHECK(ask((std::string(argument) + "  w = 3.0 + (|2.0); }\n").c_str()).forms.empty());
}

TEST_CASE("completion in the body of a macro") {
  const Asked body("#define SCALED(amount) (am| * 2.0)\nvoid main() {}\n");
  for (const char* name : {"amount", "SCALED", "clamp", "vec4"}) CHECK(offers(body, name));
  CHECK(offers(Asked("#define A(first, second) \\\n  (fi|)\n"), "second"));
  CHECK_FALSE(offers(Asked("#define A(first) first\n#define B(x) fi|\n"), "first"));
  CHECK_FALSE(offers(Asked("#define A(first) first\nint x = fi|;\n"), "first"));
  // Members are those of the operand where the macro is used.
  const std::string head = "struct S { float height; uvec2 size; };\n";
  const Asked named(head +
                    "#define TOP s.|\nvoid main() {\n  S s = S(1.0, uvec2(1));\n  float x = TOP;\n}\n");
  CHECK(offers(named, "height"));
  CHECK_FALSE(offers(named, "main"));
  const Asked parameter(head +
                        "#define TOP(of) (of.|)\nvoid main() {\n  S s = S(1.0, uvec2(1));\n  float x = "
                        "TOP(s);\n}\n");
  CHECK(offers(parameter, "size"));
  const Asked begun(head +
                    "#define TOP(of) of.hei|ght\nS s;\nvec2 v;\nvoid main() { float x = TOP(s); TOP(v); }\n");
  CHECK(offers(begun, "height"));
  CHECK(offers(begun, "xy"));  // at the other use
  // In an argument of a macro.
  const Asked argument(head + "#define ONE(x) (x)\nvoid main() {\n  S s;\n  float x = ONE(s.|);\n}\n");
  CHECK(offers(argument, "height"));
  // No use: nothing is known.
  CHECK_FALSE(offers(Asked(head + "#define TOP(of) of.|\nvoid main() {}\n"), "height"));
}
