// Fixes of diagnostics that many lines show: conversions, and what GLSL had before.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/query.hpp"

namespace {

// Edits do not overlap, and are in the order of the text.
std::string mended(const coopc::Query& query, const coopc::Fix& fix) {
  std::string text(query.text(query.main()));
  for (size_t n = fix.edits.size(); n-- > 0;)
    text.replace(fix.edits[n].at.begin, fix.edits[n].at.end - fix.edits[n].at.begin, fix.edits[n].text);
  return text;
}

coopc::Options optionsOf(coopc::Stage stage) {
  coopc::Options options;
  options.stage = stage;
  return options;
}

// A line with an error, and the line after each of its fixes.
struct Line {
  const char* line;
  std::vector<std::string> mended;
};

// The number of fixes, each of which must leave a text without errors.
size_t tryLines(const std::string& head, const std::vector<Line>& lines, const std::string& end) {
  size_t fixed = 0;
  const coopc::Options options = optionsOf(coopc::Stage::Fragment);
  for (const Line& line : lines) {
    const coopc::Query query(head + line.line + end, "test.frag", options);
    INFO(line.line << '\n' << query.result().messages);
    CHECK(query.result().errorCount == 1);
    std::vector<std::string> found;
    for (const coopc::Fix& fix : query.fixes(0)) {
      const std::string text = mended(query, fix);
      found.push_back(text.substr(head.size(), text.size() - head.size() - end.size()));
      const coopc::Query right(text, "test.frag", options);
      INFO(text << right.result().messages);
      CHECK(right.result().errorCount == 0);
      ++fixed;
    }
    CHECK(found == line.mended);
  }
  return fixed;
}

// The text after the first fix of each diagnostic that has one, until there is none.
std::string mendAll(std::string text, coopc::Stage stage, std::vector<std::string>& titles) {
  for (size_t turns = 0; turns < 20; ++turns) {
    const coopc::Query query(text, "test", optionsOf(stage));
    std::vector<coopc::Fix> fixes;
    for (size_t n = 0; n < query.result().diagnostics.size() && fixes.empty(); ++n) fixes = query.fixes(n);
    if (fixes.empty()) return text;
    titles.push_back(fixes[0].title);
    text = mended(query, fixes[0]);
  }
  return text;
}

size_t errorsOf(const std::string& text, coopc::Stage stage) {
  const coopc::Query query(text, "test", optionsOf(stage));
  UNSCOPED_INFO(text << query.result().messages);
  return query.result().errorCount;
}

}  // namespace

TEST_CASE("fixes convert values that do not convert by themselves, or change the declared type") {
  const std::string head =
      "#version 450\nlayout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 o;\n"
      "struct S { int a; float b; };\nint whole(int x) { return x; }\nint whole(int x, uint y) { return x; "
      "}\n"
      "vec3 pick(vec3 a, int b) { return a; }\nint count;\nint next() { return ++count; }\nvoid main() {\n"
      "  int i = 1;\n  uint u = 1u;\n  float f = 1.0;\n  double d = 1.0;\n  bool r = true;\n  vec2 p;\n"
      "  vec3 q;\n  ivec2 n;\n  int list[2];\n  ";
  const std::vector<Line> lines = {
      {"int k = 1.5;", {"int k = int(1.5);", "float k = 1.5;"}},
      {"int k = f + 1.5, l = 2;", {"int k = int(f + 1.5), l = 2;"}},
      {"const int k = 2.0;", {"const int k = int(2.0);", "const float k = 2.0;"}},
      {"highp int k = (f + 1.5) * 2.0;",
       {"highp int k = int((f + 1.5) * 2.0);", "highp float k = (f + 1.5) * 2.0;"}},
      {"int k = (f + 1.5);", {"int k = int(f + 1.5);", "float k = (f + 1.5);"}},
      {"int k = /* half */ f /* of it */;",
       {"int k = /* half */ int(f) /* of it */;", "float k = /* half */ f /* of it */;"}},
      {"for (int k = 0.5; r;) {}", {"for (int k = int(0.5); r;) {}", "for (float k = 0.5; r;) {}"}},
      {"bool k = i;", {"bool k = bool(i);", "int k = i;"}},
      {"float k = d;", {"float k = float(d);", "double k = d;"}},
      {"vec3 k = 1.0;", {"vec3 k = vec3(1.0);", "float k = 1.0;"}},
      {"vec3 k = v;", {"vec3 k = v.xyz;", "vec4 k = v;"}},
      {"vec3 k = v * 2.0;", {"vec3 k = (v * 2.0).xyz;", "vec4 k = v * 2.0;"}},
      {"ivec3 k = v;", {"ivec3 k = ivec3(v);", "vec4 k = v;"}},
      {"mat3 k = mat4(1.0);", {"mat3 k = mat3(mat4(1.0));", "mat4 k = mat4(1.0);"}},
      {"int k[2] = int[](1.5, 2);", {"int k[2] = int[](int(1.5), 2);"}},
      {"int k[2] = {1, f + 1};", {"int k[2] = {1, int(f + 1)};"}},
      {"int k[2] = 1;", {}},
      {"S k = S(1.5, 2);", {"S k = S(int(1.5), 2);"}},
      {"S k = {max(f, 2.0), 2};", {"S k = {int(max(f, 2.0)), 2};"}},
      {"S k = 1;", {"int k = 1;"}},
      {"i = f;", {"i = int(f);"}},
      {"i = r ? f : 2.0;", {"i = int(r ? f : 2.0);"}},
      {"if (r) i = -f; else i = 2;", {"if (r) i = int(-f); else i = 2;"}},
      {"for (; r; i = f, ++i) {}", {"for (; r; i = int(f), ++i) {}"}},
      {"list[0] = v.x;", {"list[0] = int(v.x);"}},
      {"n = p.yx;", {"n = ivec2(p.yx);"}},
      {"q = -v;", {"q = (-v).xyz;"}},
      {"q = vec2(1.0);", {}},
      {"i = (i, f);", {"i = int((i, f));"}},
      {"whole(1.5);", {"whole(int(1.5));"}},
      {"whole(1, 1.5 + f);", {"whole(1, uint(1.5 + f));"}},
      {"i = whole(whole(f, 2u));", {"i = whole(whole(int(f), 2u));"}},
      {"q = pick(q, f * 2.0);", {"q = pick(q, int(f * 2.0));"}},
      {"q = pick(v, 1.5);", {"q = pick(v.xyz, int(1.5));"}},
      {"q = pick(q);", {}},
      {"q = pick(q, list);", {}},
      {"i *= 1.5;", {"i = int(i * 1.5);"}},
      {"n += v.xy;", {"n = ivec2(n + v.xy);"}},
      {"list[i] -= f + 1.0;", {"list[i] = int(list[i] - (f + 1.0));"}},
      {"list[next()] -= 1.5;", {}},  // next() must not be called twice
      {"if (r) i /= f; else ++i;", {"if (r) i = int(i / f); else ++i;"}},
      {"list[f] = 1;", {"list[int(f)] = 1;"}},
      {"switch (f + 1.0) { case 1: break; }", {"switch (int(f + 1.0)) { case 1: break; }"}},
      {"switch (i) { case 1.5: break; }", {"switch (i) { case int(1.5): break; }"}},
      {"if (i) {}", {"if (i != 0) {}"}},
      {"while (u & 1u) {}", {"while ((u & 1u) != 0u) {}"}},
      {"do {} while (f);", {"do {} while (f != 0.0);"}},
      {"for (; d;) {}", {"for (; d != 0.0;) {}"}},
      {"if (p) {}", {}},
      {"r = !i;", {"r = !(i != 0);"}},
      {"r = !n.x && r;", {"r = !(n.x != 0) && r;"}},
      {"r = !whole(1);", {"r = !(whole(1) != 0);"}},
      {"r = !(f + 1.0);", {"r = !((f + 1.0) != 0.0);"}},
      {"r = !p;", {}},
      {"r = i && r;", {"r = i != 0 && r;"}},
      {"r = r && list[0] || r;", {"r = r && list[0] != 0 || r;"}},
      {"r = r || f * 2.0;", {"r = r || (f * 2.0) != 0.0;"}},
      {"r = i && u;", {"r = i != 0 && u != 0u;"}},
      {"if (r ^^ (i & 1)) {}", {"if (r ^^ (i & 1) != 0) {}"}},
      {"r = p && r;", {}},
      // An assignment's value may be another assignment, and ++ is part of an operand.
      {"i = f = 1.5;", {}},
      {"i *= f = 1.5;", {}},
      {"i = f += 1.5;", {}},
      {"int k = f = 2.0;", {}},
      {"r = !i++;", {}},
      {"if (i == 1 && i = 2) {}", {}},
      {"if (i = 2 && i == 1) {}", {}},
  };
  CHECK(tryLines(head, lines, "\n}\n") == 65);
}

TEST_CASE("fixes convert a function's result, and leave alone what a macro made or what is only stored") {
  // A function's result has fixes, and so has a number in ESSL, which has no implicit conversions. Text that
  // a macro made has none.
  const auto result = [](const char* text) {
    const coopc::Query query(text, "test.comp");
    std::vector<std::string> found;
    for (const coopc::Fix& fix : query.fixes(0)) found.push_back(mended(query, fix));
    return found;
  };
  CHECK(result("#version 450\nint f(float x) { return x * 2.0; }\nvoid main() {}\n") ==
        std::vector<std::string>{"#version 450\nint f(float x) { return int(x * 2.0); }\nvoid main() {}\n",
                                 "#version 450\nfloat f(float x) { return x * 2.0; }\nvoid main() {}\n"});
  CHECK(result("#version 310 es\nvoid main() { highp float x = 1; }\n") ==
        std::vector<std::string>{"#version 310 es\nvoid main() { highp float x = 1.0; }\n",
                                 "#version 310 es\nvoid main() { highp int x = 1; }\n"});
  // Types that are only stored here are not converted by constructors either.
  const std::string stored =
      "#version 450\n#extension GL_EXT_shader_16bit_storage : require\nlayout(binding = 0) buffer B { "
      "float16_t h; };\n";
  CHECK(result((stored + "void main() { double x = 1.0; x = h; }\n").c_str()).empty());
  CHECK(result((stored + "void main() { int i = h; }\n").c_str()).empty());
  CHECK(result("#version 450\n#define X 1.5\nvoid main() { int x = X; }\n").empty());
  CHECK(result("#version 450\n#define SET(x) int x = 1.5\nvoid main() { SET(y); }\n").empty());
  CHECK(result("#version 450\nvoid main() { int x =\n#ifdef A\n1;\n#else\n1.5;\n#endif\n}\n").size() <= 2);
}

TEST_CASE("no token is offered where HLSL's or C++'s words are what is wrong") {
  for (const char* line : {"layout(location = 0) in vec3 p : POSITION;", "float f(float &x) { return x; }",
                           "layout(binding = 0) uniform sampler2D s : register(s0);"}) {
    const coopc::Query query(std::string("#version 450\n") + line + "\nvoid main() {}\n", "test.frag",
                             optionsOf(coopc::Stage::Fragment));
    INFO(query.result().messages);
    CHECK(query.result().errorCount >= 1);
    for (size_t n = 0; n < query.result().diagnostics.size(); ++n) CHECK(query.fixes(n).empty());
  }
}

TEST_CASE("fixes write numbers of ESSL, which has no implicit conversions") {
  const std::string head =
      "#version 310 es\nprecision highp float;\nlayout(location = 0) out vec4 o;\nlayout(location = 0) in "
      "vec4 v;\n"
      "void main() {\n  float f = v.x;\n  int i = 1;\n  vec3 p;\n  ivec2 n;\n  bool r;\n  ";
  const std::vector<Line> lines = {
      {"f = max(f, 0);", {"f = max(f, 0.0);"}},
      {"f = clamp(f, 0, 1);", {"f = clamp(f, 0.0, 1.0);"}},
      {"f = sqrt(2);", {"f = sqrt(2.0);"}},
      {"p = mix(p, v.xyz, i);", {"p = mix(p, v.xyz, float(i));"}},
      {"f = dot(v.xy, n);", {"f = dot(v.xy, vec2(n));"}},
      {"f = max(f, r);", {}},
      {"f = f * 2;", {"f = f * 2.0;"}},
      {"f = f * -2;", {"f = f * -2.0;"}},
      {"f = 1 / f;", {"f = 1.0 / f;"}},
      {"p = v.xyz * i;", {"p = v.xyz * float(i);"}},
      {"o.xy = v.xy * n;", {"o.xy = v.xy * vec2(n);"}},
      {"f = n.x * f;", {"f = float(n.x) * f;"}},
      {"f = (i + 1) * f;", {"f = float(i + 1) * f;"}},
      {"f += 1;", {"f += 1.0;"}},
      {"r = f > 0;", {"r = f > 0.0;"}},
      {"f = f + i * 2;", {}},  // the product is the operand
      {"f = i * 2 + f;", {}},
      {"f = f + 2 * i;", {}},
      {"f = 1 + 2 + f;", {}},
      {"f = r ? f : 1;", {"f = r ? f : 1.0;"}},
      {"f = r ? 1 : f;", {"f = r ? 1.0 : f;"}},
  };
  CHECK(tryLines(head, lines, "\n}\n") == 16);
  std::vector<std::string> titles;
  const std::string text = mendAll(head + "f = f + 2 + 3 * f;\n}\n", coopc::Stage::Fragment, titles);
  CHECK(text.ends_with("  f = f + 2.0 + 3.0 * f;\n}\n"));
}

TEST_CASE("fixes write attribute and varying as the newer words of the stage, with locations") {
  using Titles = std::vector<std::string>;
  Titles titles;
  // The interface is as wide as its types: a matrix has a location for each column, an array for each
  // element.
  std::string text = mendAll(
      "#version 450\nlayout(location = 1) in vec2 other;\nattribute vec4 p;\nattribute mat4 m;\n"
      "attribute vec2 t, w;\nvarying highp vec2 uv[2];\ninvariant varying float x;\nvoid main() {\n"
      "  gl_Position = m * p; uv[0] = t + other; uv[1] = w; x = 1.0;\n}\n",
      coopc::Stage::Vertex, titles);
  CHECK(text ==
        "#version 450\nlayout(location = 1) in vec2 other;\nlayout(location = 2) in vec4 p;\n"
        "layout(location = 3) in mat4 m;\nlayout(location = 7) in vec2 t; layout(location = 8) in vec2 w;\n"
        "layout(location = 0) out highp vec2 uv[2];\ninvariant layout(location = 2) out float x;\n"
        "void main() {\n  gl_Position = m * p; uv[0] = t + other; uv[1] = w; x = 1.0;\n}\n");
  CHECK(errorsOf(text, coopc::Stage::Vertex) == 0);
  CHECK(titles == Titles{"Replace by `layout(location = 2) in`", "Replace by `layout(location = 3) in`",
                         "Replace by `layout(location = 7) in`", "Replace by `layout(location = 0) out`",
                         "Replace by `layout(location = 2) out`"});
  // A declaration that already has a location.
  titles.clear();
  CHECK(mendAll("#version 450\nlayout(location = 3) varying vec2 uv;\nvoid main() { uv = vec2(1.0); }\n",
                coopc::Stage::Vertex, titles) ==
        "#version 450\nlayout(location = 3) out vec2 uv;\nvoid main() { uv = vec2(1.0); }\n");
  // All at once, as an editor applies the fixes of a file.
  const std::string fragment =
      "#version 310 es\nprecision highp float;\nvarying vec2 uv[2];\nvarying float x;\n"
      "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(uv[0] + uv[1], x, 1.0); }\n";
  const coopc::Query query(fragment, "test.frag", optionsOf(coopc::Stage::Fragment));
  REQUIRE(query.result().diagnostics.size() == 2);
  coopc::Fix all;
  for (size_t n = 0; n < 2; ++n) {
    const std::vector<coopc::Fix> fixes = query.fixes(n);
    REQUIRE(fixes.size() == 1);
    all.edits.insert(all.edits.end(), fixes[0].edits.begin(), fixes[0].edits.end());
  }
  text = mended(query, all);
  CHECK(text.find("\nlayout(location = 0) in vec2 uv[2];\nlayout(location = 2) in float x;\n") !=
        std::string::npos);
  CHECK(errorsOf(text, coopc::Stage::Fragment) == 0);
  // In older versions, the first fix changes #version.
  titles.clear();
  text = mendAll("#version 120\nattribute vec4 p;\nvoid main() { gl_Position = p; }\n", coopc::Stage::Vertex,
                 titles);
  CHECK(text == "#version 460\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n");
  CHECK(errorsOf(text, coopc::Stage::Vertex) == 0);
  titles.clear();
  text = mendAll("#version 100\nattribute vec4 p;\nvoid main() { gl_Position = p; }\n", coopc::Stage::Vertex,
                 titles);
  CHECK(text == "#version 310 es\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n");
  CHECK(titles == Titles{"Make it `#version 310 es`", "Replace by `layout(location = 0) in`"});
  // No fix: stages that never had these words, a size that is not a number in the text, a declaration without
  // an end, a structure.
  for (const auto& [words, stage] : {std::pair{"varying float x;", coopc::Stage::Compute},
                                     std::pair{"attribute float x;", coopc::Stage::Fragment},
                                     std::pair{"varying float x[gl_MaxDrawBuffers];", coopc::Stage::Vertex},
                                     std::pair{"varying float x", coopc::Stage::Vertex},
                                     std::pair{"varying S x;", coopc::Stage::Vertex}}) {
    const coopc::Query none(std::string("#version 450\n") + words + "\n", "test", optionsOf(stage));
    INFO(words << none.result().messages);
    REQUIRE(none.result().diagnostics.size() >= 1);
    CHECK(none.result().diagnostics[0].id == "removed-keyword");
    CHECK(none.fixes(0).empty());
  }
}

TEST_CASE("fixes declare the outputs of fragment shaders, and call the functions that read textures now") {
  const std::string head =
      "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(binding = 0) uniform sampler2D s;\n"
      "layout(binding = 1) uniform samplerCube c;\n";
  const auto mend = [&](const std::string& text) {
    std::vector<std::string> titles;
    return mendAll(head + text, coopc::Stage::Fragment, titles).substr(head.size());
  };
  std::vector<std::string> titles;
  const std::string color =
      mend("void main() { gl_FragColor = texture2D(s, uv); gl_FragColor.a = 0.5 * gl_FragColor.x; }\n");
  CHECK(color ==
        "layout(location = 0) out vec4 fragColor;\n"
        "void main() { fragColor = texture(s, uv); fragColor.a = 0.5 * fragColor.x; }\n");
  CHECK(errorsOf(head + color, coopc::Stage::Fragment) == 0);
  const std::string data = mend(
      "float fragData;\nvoid main() { gl_FragData[0] = textureCube(c, uv.xyx); gl_FragData[2] = vec4(1); "
      "}\n");
  CHECK(data ==
        "float fragData;\nlayout(location = 0) out vec4 fragData2[3];\n"
        "void main() { fragData2[0] = texture(c, uv.xyx); fragData2[2] = vec4(1); }\n");
  CHECK(errorsOf(head + data, coopc::Stage::Fragment) == 0);
  // Lines that end in CR. And more uses than one fix may change: no fix.
  CHECK(mendAll("#version 130\rvoid main() {}\r", coopc::Stage::Vertex, titles) ==
        "#version 460\rvoid main() {}\r");
  std::string many = head + "void main() {\n";
  for (size_t n = 0; n < 2000; ++n) many += "gl_FragColor = vec4(1);\n";
  const coopc::Query query(many + "}\n", "test.frag", optionsOf(coopc::Stage::Fragment));
  REQUIRE(query.result().errorCount > 1);
  for (size_t n = 0; n < query.result().diagnostics.size(); ++n) CHECK(query.fixes(n).empty());
  // No fix: another output already has the location, or the index is not a number in the text.
  for (const char* text : {"layout(location = 0) out vec4 o;\nvoid main() { gl_FragColor = vec4(1); }\n",
                           "void main() { int i = 1; gl_FragData[i] = vec4(1); }\n"})
    CHECK(mend(text) == text);
}

TEST_CASE("fixes add locations, bindings and flat") {
  struct Text {
    coopc::Stage stage;
    const char* text;
    const char* mended;
  };
  const std::string version = "#version 450\n";
  const Text texts[] = {
      {coopc::Stage::Vertex,
       "layout(location = 1) in mat3 m;\nin vec4 p;\nlayout(component = 0) out vec2 uv;\n"
       "void main() { gl_Position = m[0].xyzz + p; uv = p.xy; }\n",
       "layout(location = 1) in mat3 m;\nlayout(location = 4) in vec4 p;\n"
       "layout(location = 0, component = 0) out vec2 uv;\n"
       "void main() { gl_Position = m[0].xyzz + p; uv = p.xy; }\n"},
      // Arrays with an element for each vertex take the locations of one element.
      {coopc::Stage::Geometry,
       "layout(triangles) in;\nlayout(points, max_vertices = 1) out;\nlayout(location = 0) in vec4 a[];\n"
       "in vec4 b[];\nout Data { vec4 x; } data;\nvoid main() { data.x = a[0] + b[0]; EmitVertex(); }\n",
       "layout(triangles) in;\nlayout(points, max_vertices = 1) out;\nlayout(location = 0) in vec4 a[];\n"
       "layout(location = 1) in vec4 b[];\nlayout(location = 0) out Data { vec4 x; } data;\n"
       "void main() { data.x = a[0] + b[0]; EmitVertex(); }\n"},
      {coopc::Stage::Fragment,
       "layout(location = 0) in ivec2 a;\nlayout(location = 1) smooth in uint b;\n"
       "layout(location = 2) in Data { vec2 x; int y; } data;\nlayout(location = 0) out vec4 o;\n"
       "void main() { o = vec4(a, b, data.y); }\n",
       "flat layout(location = 0) in ivec2 a;\nlayout(location = 1) flat in uint b;\n"
       "layout(location = 2) in Data { vec2 x; flat int y; } data;\nlayout(location = 0) out vec4 o;\n"
       "void main() { o = vec4(a, b, data.y); }\n"},
      {coopc::Stage::Compute,
       "layout(local_size_x = 1) in;\nlayout(binding = 2) uniform sampler2D s;\n"
       "layout(set = 1, binding = 7) uniform sampler2D t;\nlayout(std430) buffer Data { float x[]; };\n"
       "uniform sampler2D u;\nvoid main() { x[0] = texture(s, vec2(x[1])).x + texture(u, vec2(x[2])).x; }\n",
       "layout(local_size_x = 1) in;\nlayout(binding = 2) uniform sampler2D s;\n"
       "layout(set = 1, binding = 7) uniform sampler2D t;\nlayout(binding = 3, std430) buffer Data { float "
       "x[]; };\n"
       "layout(binding = 4) uniform sampler2D u;\nvoid main() { x[0] = texture(s, vec2(x[1])).x + texture(u, "
       "vec2(x[2])).x; }\n"},
      // Members of blocks have locations too, and blocks an instance name.
      {coopc::Stage::Vertex,
       "out Data { layout(location = 0) vec4 x; layout(location = 1) mat2 y; };\nout vec4 z;\n"
       "uniform Camera { mat4 view; } camera;\nvoid main() { x = camera.view[0]; y = mat2(1.0); z = x; }\n",
       "out Data { layout(location = 0) vec4 x; layout(location = 1) mat2 y; };\n"
       "layout(location = 3) out vec4 z;\nlayout(binding = 0) uniform Camera { mat4 view; } camera;\n"
       "void main() { x = camera.view[0]; y = mat2(1.0); z = x; }\n"},
      // A declaration after the call of a macro, and two that a macro makes.
      {coopc::Stage::Vertex,
       "#define PLACED(n, t, x) layout(location = n) in t x;\nPLACED(2, vec4, a)\nin vec4 b;\n"
       "void main() { gl_Position = a + b; }\n",
       "#define PLACED(n, t, x) layout(location = n) in t x;\nPLACED(2, vec4, a)\n"
       "layout(location = 3) in vec4 b;\nvoid main() { gl_Position = a + b; }\n"},
      {coopc::Stage::Vertex,
       "#define IN(t, x) in t x;\nIN(vec4, a)\nIN(vec4, b)\nvoid main() { gl_Position = a + b; }\n",
       "#define IN(t, x) in t x;\nIN(vec4, a)\nIN(vec4, b)\nvoid main() { gl_Position = a + b; }\n"},
      // One layout() cannot give a location to each of several names.
      {coopc::Stage::Vertex, "in vec4 a, b;\nvoid main() { gl_Position = a + b; }\n",
       "in vec4 a, b;\nvoid main() { gl_Position = a + b; }\n"},
  };
  for (const Text& t : texts) {
    std::vector<std::string> titles;
    INFO(t.text);
    const std::string mended = mendAll(version + t.text, t.stage, titles);
    CHECK(mended == version + t.mended);
    if (std::string(t.text) != t.mended) CHECK(errorsOf(mended, t.stage) == 0);
  }
}

TEST_CASE("fixes make a remainder of floating-point values mod()") {
  const std::string head =
      "#version 450\nlayout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 o;\nvoid main() {\n"
      "  float f = v.x;\n  vec2 p = v.xy;\n  ";
  const std::vector<Line> lines = {
      {"f = f % 2.0;", {"f = mod(f, 2.0);"}},
      {"f = v.x + v.y % f;", {"f = v.x + mod(v.y, f);"}},
      {"f = v.x - v.y % f;", {"f = v.x - mod(v.y, f);"}},
      {"f = (f + 1.0) % max(f, 2.0) * 3.0;", {"f = mod((f + 1.0), max(f, 2.0)) * 3.0;"}},
      {"p = p % 2.0;", {"p = mod(p, 2.0);"}},
      {"p = p % p.yx;", {"p = mod(p, p.yx);"}},
      {"p %= f + 1.0;", {"p = mod(p, f + 1.0);"}},
      {"f = -v.y % f;", {}},       // (-v.y) % f
      {"f = v.x * v.y % f;", {}},  // (v.x * v.y) % f
  };
  CHECK(tryLines(head, lines, "\n}\n") == 7);
}
