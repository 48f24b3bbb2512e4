// Shaders that the helper coopc-glslang compiles for the library, for OpenGL and with extensions that only
// glslang supports. Includes, options, diagnostics, and faults of the helper.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"
#include "coopc/coopc.hpp"

using namespace coopc;

namespace {

Options options(Stage stage) {
  Options o;
  o.stage = stage;
  o.targetEnv = TargetEnv::Vulkan1_3;
  o.glslangProgram = COOPC_GLSLANG_PROGRAM;
  o.output = Output::Assembly;
  if (o.glslangProgram.empty()) SKIP("no coopc-glslang: get glslang by ./setup glslang");
  return o;
}

// Options for a target that only the helper compiles for.
Options openGL(Stage stage) {
  Options o = options(stage);
  o.targetEnv = TargetEnv::OpenGL4_5;
  return o;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A shell script in a temporary file, which is removed with the object.
class Script {
 public:
  explicit Script(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "coopc-helper-XXXXXX").string()) {
    const std::string script = "#!/bin/sh\n" + text;
    const int file = mkstemp(path_.data());
    REQUIRE(file >= 0);
    REQUIRE(write(file, script.data(), script.size()) == static_cast<ssize_t>(script.size()));
    REQUIRE(fchmod(file, 0700) == 0);
    close(file);
  }
  ~Script() { unlink(path_.c_str()); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Sets an environment variable for the object's lifetime.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

// With everything before `main` in two lines.
#define GEOMETRY "#version 450\nlayout(points) in; layout(points, max_vertices = 1) out; "
constexpr char kGeometry[] = GEOMETRY "void main() {}\n";

// A geometry shader, compiled by a program that may not be a helper.
Result compiledBy(const std::string& program) {
  Options o;
  o.stage = Stage::Geometry;
  o.targetEnv = TargetEnv::OpenGL4_5;
  o.glslangProgram = program;
  return compile(kGeometry, "a.geom", o);
}

constexpr char kIncludes[] = GEOMETRY
    "\n#include \"color.glsl\"\nlayout(location = 0) out vec4 result;\n"
    "layout(binding = 2) uniform sampler2D image;\nvoid main() {\n  result = COLOR * texture(image, "
    "vec2(0));\n}\n";

}  // namespace

TEST_CASE("glslang: each stage becomes a module of it") {
  struct Row {
    Stage stage;
    const char* text;
    const char* model;
  };
  const Row rows[] = {
      {Stage::Vertex, "#version 450\nvoid main() { gl_Position = vec4(0); }\n", "Vertex"},
      {Stage::Fragment, "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n",
       "Fragment"},
      {Stage::Geometry,
       "#version 450\nlayout(triangles) in;\nlayout(points, max_vertices = 1) out;\nvoid main() { "
       "EmitVertex(); }\n",
       "Geometry"},
      {Stage::TessControl, "#version 450\nlayout(vertices = 3) out;\nvoid main() {}\n",
       "TessellationControl"},
      {Stage::TessEvaluation, "#version 450\nlayout(triangles) in;\nvoid main() {}\n",
       "TessellationEvaluation"},
      {Stage::Task,
       "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"
       "void main() { EmitMeshTasksEXT(1, 1, 1); }\n",
       "TaskEXT"},
      {Stage::Mesh,
       "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"
       "layout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() { SetMeshOutputsEXT(0, 0); "
       "}\n",
       "MeshEXT"},
      {Stage::RayGeneration, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
       "RayGenerationKHR"},
      {Stage::Intersection, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
       "IntersectionKHR"},
      {Stage::AnyHit, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n", "AnyHitKHR"},
      {Stage::ClosestHit, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
       "ClosestHitKHR"},
      {Stage::Miss, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n", "MissKHR"},
      {Stage::Callable, "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
       "CallableKHR"},
  };
  for (const Row& row : rows) {
    INFO(row.model);
    const Result r = compile(row.text, "a", options(row.stage));
    CHECK(r.messages.empty());
    REQUIRE(r.ok);
    CHECK(r.words[1] == 0x00010600u);
    CHECK(has(r.text, std::string("OpEntryPoint ") + row.model + " %main \"main\""));
    CHECK(r.diagnostics.empty());
  }
}

TEST_CASE("glslang: includes, macros, dependencies, debug information and optimization") {
  Options o = openGL(Stage::Geometry);
  int asked = 0;
  o.include = [&](std::string_view name, bool angled, std::string_view from,
                  uint32_t depth) -> std::optional<Include> {
    ++asked;
    CHECK(from == "dir/a.geom");
    CHECK(depth == 1);
    CHECK(!angled);
    if (name != "color.glsl") return std::nullopt;
    return Include{"dir/color.glsl", "#define COLOR vec4(RED, 0, 0, 1)\n"};
  };
  o.macros = {{"RED", "0.25", false}, {"GONE", "1", false}, {"GONE", "", true}};
  const Result plain = compile(kIncludes, "dir/a.geom", o);
  CHECK(plain.messages.empty());
  REQUIRE(plain.ok);
  CHECK(asked == 1);
  CHECK(plain.dependencies == std::vector<std::string>{"dir/a.geom", "dir/color.glsl"});
  CHECK(has(plain.text, "OpConstant %float 0.25"));
  CHECK(has(plain.text, "Binding 2"));
  o.optimization = Optimization::Speed;
  const Result fast = compile(kIncludes, "dir/a.geom", o);
  REQUIRE(fast.ok);
  CHECK(fast.words.size() < plain.words.size());
  o.optimization = Optimization::None;
  o.debugInfo = true;
  CHECK(has(compile(kIncludes, "dir/a.geom", o).text, "OpLine"));
  o.debugInfo = false;
  o.output = Output::Dependencies;
  const Result d = compile(kIncludes, "dir/a.geom", o);
  CHECK(d.dependencies == plain.dependencies);
  CHECK(d.words.empty());
  o.output = Output::Preprocessed;
  const Result p = compile(kIncludes, "dir/a.geom", o);
  CHECK(p.text.find("#version 450") == 0);
  CHECK(has(p.text, "0.25"));
  o.output = Output::Module;
  o.include = nullptr;
  CHECK(!compile(kIncludes, "dir/a.geom", o).ok);
}

TEST_CASE("glslang: bindings, locations, versions, limits and what else options say") {
  Options o = openGL(Stage::TessEvaluation);
  const char* text =
      "#version 450\nlayout(triangles) in;\nin vec4 color[];\nout vec4 result;\nuniform sampler2D image;\n"
      "uniform U { float factor; };\nvoid main() { result = color[0] * texture(image, vec2(0)) * factor *\n"
      "min(color[0].x, gl_MaxDrawBuffers); }\n";
  CHECK(!compile(text, "a.tese", o).ok);
  o.autoBindUniforms = true;
  o.autoMapLocations = true;
  o.bindingBase[static_cast<int>(ResourceKind::UniformBuffer)] = 20;
  o.stageBindingBase = {{Stage::TessEvaluation, ResourceKind::Texture, 10},
                        {Stage::Vertex, ResourceKind::Texture, 11}};
  o.limits = {{"MaxDrawBuffers", 31}};
  o.nanClamp = true;
  Result r = compile(text, "a.tese", o);
  INFO(r.messages);
  REQUIRE(r.ok);
  CHECK(has(r.text, "Binding 10"));
  CHECK(has(r.text, "Binding 20"));
  CHECK(has(r.text, "Location 0"));
  CHECK(has(r.text, "31"));
  CHECK(has(r.text, " NMin "));
  o = openGL(Stage::Geometry);
  o.forcedVersion = 320;
  o.forcedEs = true;
  o.spirvVersion = 0x00010300;
  r = compile(kGeometry, "a.geom", o);
  REQUIRE(r.ok);
  CHECK(has(r.text, "OpSource ESSL 320"));
  CHECK(r.words[1] == 0x00010300u);
  o = options(Stage::Fragment);
  o.targetEnv = TargetEnv::OpenGL4_5;
  r = compile(
      "#version 450\nlayout(location = 0) out vec4 c;\nlayout(location = 1) uniform float f;\n"
      "void main() { c = vec4(f); }\n",
      "a.frag", o);
  CHECK(r.ok);
}

TEST_CASE("glslang: the inverted position of vertex shaders") {
  Options o = options(Stage::Vertex);
  o.invertY = true;
  const char* text =
      "#version 450\nlayout(location = 0) in vec4 p;\nvoid turn() { gl_Position += p; return; }\n"
      "void main() { gl_Position = p; if (p.x > 0) return; turn(); gl_PointSize = 1; }\n";
  Result r = compile(text, "a.vert", o);
  REQUIRE(r.ok);
  // main returns in two places.
  size_t count = 0;
  for (size_t at = r.text.find("OpFNegate"); at != std::string::npos; at = r.text.find("OpFNegate", at + 1))
    ++count;
  CHECK(count == 2);
  o.optimization = Optimization::Speed;
  CHECK(compile(text, "a.vert", o).ok);
  // Without a position there is nothing to invert. Stages other than vertex shaders have no position to
  // invert.
  r = compile("#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(0); }\n", "a.vert", o);
  CHECK(r.ok);
  CHECK(!has(r.text, "OpFNegate"));
  o.stage = Stage::Fragment;
  r = compile("#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(0); }\n", "a.frag", o);
  CHECK(r.ok);
  CHECK(!has(r.text, "OpFNegate"));
}

TEST_CASE("glslang: byte order marks of the text and of what it includes") {
  Options o = openGL(Stage::Geometry);
  o.include = [](std::string_view, bool, std::string_view, uint32_t) -> std::optional<Include> {
    return Include{"a.glsl", "\xEF\xBB\xBFvec4 a() { return vec4(1); }\n"};
  };
  const Result r = compile(
      "\xEF\xBB\xBF" GEOMETRY "\n#include \"a.glsl\"\nvoid main() { gl_Position = a(); }\n", "a.geom", o);
  INFO(r.messages);
  CHECK(r.ok);
}

TEST_CASE("glslang: the stage in the text") {
  Options o = options(Stage::FromSource);
  const Result r = compile(
      "#version 450\n#pragma shader_stage(geometry)\nlayout(points) in;\n"
      "layout(points, max_vertices = 1) out;\nvoid main() {}\n",
      "x", o);
  CHECK(r.ok);
  CHECK(has(r.text, "OpEntryPoint Geometry"));
}

TEST_CASE("glslang: diagnostics are data with places") {
  Options o = openGL(Stage::Geometry);
  const Result r = compile(GEOMETRY "void main() {\n  float a = missing;\n}\n", "dir/a.geom", o);
  CHECK(!r.ok);
  CHECK(r.words.empty());
  REQUIRE(r.diagnostics.size() == 1);
  const Diagnostic& d = r.diagnostics[0];
  CHECK(d.id == "glslang-error");
  CHECK(d.message == "'missing' : undeclared identifier");
  CHECK(d.file == "dir/a.geom");
  CHECK(d.line == 3);
  CHECK(d.column == 13);
  CHECK(d.length == 7);
  CHECK(r.messages.find("dir/a.geom:3:13: error: 'missing' : undeclared identifier") == 0);
}

TEST_CASE("glslang: many findings in long files have the places of their lines") {
  Options o = openGL(Stage::Geometry);
  constexpr uint32_t kFindings = 90, kBetween = 200;
  const std::string blank(kBetween - 1, '\n');
  std::string included;
  for (uint32_t i = 0; i < kFindings / 2; ++i) included += blank + "float a__" + std::to_string(i) + ";\n";
  std::string text = GEOMETRY "\n#include \"long.glsl\"\nvoid main() {\n";
  for (uint32_t i = 0; i < kFindings / 2; ++i) text += blank + "  int b__" + std::to_string(i) + ";\n";
  o.include = [&](std::string_view, bool, std::string_view, uint32_t) {
    return std::optional<Include>(Include{"long.glsl", included});
  };
  const Result result = compile(text + "}\n", "main.geom", o);
  CHECK(result.ok);
  REQUIRE(result.diagnostics.size() == kFindings);
  for (uint32_t i = 0; i < kFindings; ++i) {
    const Diagnostic& d = result.diagnostics[i];
    const uint32_t n = i % (kFindings / 2);
    const bool main = i >= kFindings / 2;
    CHECK(d.file == (main ? "main.geom" : "long.glsl"));
    CHECK(d.line == (n + 1) * kBetween + (main ? 4 : 0));
    CHECK(d.column == 7);
    CHECK(d.length == (n < 10 ? 4 : 5));
  }
}

TEST_CASE("glslang: compute shaders that need it, and that are kept from it") {
  const char* text =
      "#version 460\n#extension GL_AMD_gpu_shader_half_float_fetch : enable\nlayout(local_size_x = 1) in;\n"
      "void main() {}\n";
  Options o = options(Stage::Compute);
  Result r = compile(text, "a.comp", o);
  CHECK(r.ok);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].severity == Severity::Note);
  CHECK(r.diagnostics[0].id == "compiled-by-glslang");
  CHECK(r.warningCount == 0);
  o.suppressWarnings = true;
  CHECK(compile(text, "a.comp", o).messages.empty());
  o.suppressWarnings = false;
  o.warningsAsErrors = true;
  CHECK(compile(text, "a.comp", o).ok);
  o.warningsAsErrors = false;
  o.allowGlslang = false;
  r = compile(text, "a.comp", o);
  CHECK(r.ok);  // `enable` of an unknown extension is a warning (3.3)
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].id == "extension-ignored");
  // glslang is not asked about an extension that is disabled, or that it does not support either.
  o.allowGlslang = true;
  r = compile("#version 460\n#extension GL_AMD_gpu_shader_half_float_fetch : disable\nvoid main() {}\n",
              "a.comp", o);
  CHECK(r.ok);
  r = compile("#version 460\n#extension GL_EXT_no_such_thing : enable\nvoid main() {}\n", "a.comp", o);
  CHECK(r.ok);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].id == "extension-ignored");
}

// Options mean the same whether coopc or the helper compiles: wrong ones are reported before the helper is
// asked.
TEST_CASE("glslang: macros and versions of the command line are judged as for compute shaders") {
  struct Row {
    Macro macro;
    uint32_t version;
    bool es;
  };
  const Row rows[] = {{{"GL_ES", "1", false}, 0, false},  {{"__LINE__", "1", false}, 0, false},
                      {{"A", "#", false}, 0, false},      {{"a__b", "1", false}, 0, false},
                      {{"F(x,x)", "1", false}, 0, false}, {{"X", "1", false}, 310, true},
                      {{"X", "1", false}, 460, false},    {{"X", "1", false}, 450, false}};
  size_t ran = 0;
  for (const Row& row : rows) {
    INFO(row.macro.name << " " << row.version);
    Options o = options(Stage::Compute);
    o.macros = {row.macro};
    o.forcedVersion = row.version;
    o.forcedEs = row.es;
    const char* text = "#version 450\nvoid main() {}\n";
    const Result compute = compile(text, "a", o);
    o.stage = Stage::Vertex;
    const Result vertex = compile(text, "a", o);
    CHECK(vertex.messages == compute.messages);
    CHECK(vertex.ok == compute.ok);
    ++ran;
  }
  CHECK(ran == std::size(rows));
}

TEST_CASE("glslang: -E and -M of other stages need no helper, and no extension that anyone knows") {
  Options o = options(Stage::Vertex);
  o.glslangProgram = "/no/such/helper";
  o.output = Output::Preprocessed;
  const char* text =
      "#version 140\n#extension foo : require\n#ifdef GL_EXT_fragment_shading_rate\nknown\n#endif\n"
      "#ifdef foo\nfoo\n#endif\n@\n";
  const Result e = compile(text, "a", o);
  CHECK(e.messages.empty());
  CHECK(e.text == "#version 140\n#extension foo : require\n\nknown\n\n\n\n\n@\n");
  o.output = Output::Dependencies;
  const Result m = compile(text, "a", o);
  CHECK(m.ok);
  CHECK(m.dependencies == std::vector<std::string>{"a"});
}

TEST_CASE("glslang: extensions that glslang suggests are part of its message") {
  const Result r =
      compile(GEOMETRY "void main() { float x = float(1.0hf); }\n", "a", openGL(Stage::Geometry));
  REQUIRE(r.diagnostics.size() == 2);
  CHECK(r.warningCount == 0);
  CHECK(r.diagnostics[1].message ==
        "'half float literal' : required extension not requested: Possible extensions include: "
        "GL_AMD_gpu_shader_half_float, GL_EXT_shader_explicit_arithmetic_types, "
        "GL_EXT_shader_explicit_arithmetic_types_float16");
}

TEST_CASE("glslang: a missing helper is named where it might have helped") {
  Options o = options(Stage::Compute);
  o.glslangProgram = "/no/such/helper";
  const char* fetch =
      "#version 460\n#extension GL_AMD_gpu_shader_half_float_fetch : require\nvoid main() {}\n";
  CHECK(
      compile(fetch, "a", o).messages ==
      "a:2:12: error: extension not supported: GL_AMD_gpu_shader_half_float_fetch [extension-not-supported]\n"
      "    2 | #extension GL_AMD_gpu_shader_half_float_fetch : require\n"
      "      |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "      = GLSL 4.60, 3.3\n"
      "      = did you mean `GL_AMD_gpu_shader_half_float`?\n"
      "a:2:12: note: glslang may know it, but the program coopc-glslang was not found: /no/such/helper\n");
  o = openGL(Stage::Geometry);
  o.glslangProgram = "/no/such/helper";
  CHECK(compile(kGeometry, "a", o).messages ==
        "a: error: --target-env=opengl needs the program coopc-glslang, which was not found: /no/such/helper "
        "[glslang-not-found]\n");
  for (const Stage stage : {Stage::Compute, Stage::Fragment}) {
    o = options(stage);
    o.autoCombinedImageSampler = true;
    o.glslangProgram = "/no/such/helper";
    CHECK(compile("#version 450\nvoid main() {}\n", "a", o).messages ==
          "a: error: -fauto-combined-image-sampler needs the program coopc-glslang, which was not found: "
          "/no/such/helper [glslang-not-found]\n");
  }
}

TEST_CASE("glslang: programs that are not helpers") {
  Options o = openGL(Stage::Geometry);
  const char* text = kGeometry;
  for (const char* program : {"/bin/true", "/bin/false", "/dev/null/x", "/etc/passwd"}) {
    INFO(program);
    o.glslangProgram = program;
    const Result r = compile(text, "a.geom", o);
    CHECK(!r.ok);
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].id.find("glslang-") == 0);
  }
}

TEST_CASE("glslang: a program that answers wrongly and goes on is ended") {
  // Closes its socket, which is its standard input, and keeps running: for longer than the time limit of the
  // tests, so that waiting for its end would fail.
  const Script script("exec 0</dev/null\nexec sleep 900\n");
  const Result result = compiledBy(script.path());
  CHECK(!result.ok);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].id == "glslang-broken");
}

TEST_CASE("glslang: a program that keeps its socket and never answers is ended") {
  const Variable limit("COOPC_GLSLANG_SECONDS", "2");
  for (const char* text : {"exec sleep 900\n", "cat >/dev/null\n"}) {
    INFO(text);
    const Script script(text);
    const Result result = compiledBy(script.path());
    CHECK(!result.ok);
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0].id == "glslang-broken");
    CHECK(has(result.messages, "it did not answer within 2 s"));
  }
}

TEST_CASE("glslang: the limit for the helper's start does not limit a compile") {
  const Variable limit("COOPC_GLSLANG_SECONDS", "0");  // not an integer of at least 1: ignored
  const Result r = compile(kGeometry, "a.geom", openGL(Stage::Geometry));
  CHECK(r.ok);
}

TEST_CASE("glslang: texts of any bytes end in diagnostics") {
  for (const std::string& text : {std::string(), std::string(1, '\0'), std::string("\xff\xfe"),
                                  std::string("#version 450\n#include \"x\"\n"),
                                  "#version 450\nvoid main() {" + std::string(3000, '(') + "}",
                                  "#version 450\n" + std::string(3000, '{')}) {
    const Result r = compile(text, "x.geom", openGL(Stage::Geometry));
    CHECK(!r.ok);
    CHECK(!r.messages.empty());
  }
}

TEST_CASE("glslang: compiles in many threads give the words of one") {
  const Options o = openGL(Stage::Geometry);
  const char* text = kGeometry;
  const Result one = compile(text, "a.geom", o);
  std::vector<Job> jobs(6, Job{SharedText(text), "a.geom", o});
  for (const Result& r : compileAll(jobs, 3)) CHECK(r.words == one.words);
}

TEST_CASE("glslang: a pool's helpers compile again, and one that dies is replaced") {
  Options o = openGL(Stage::Geometry);
  const char* text = kGeometry;
  const char* bad = GEOMETRY "void main() { missing = 1; }\n";
  const Result one = compile(text, "a.geom", o);
  const Result wrong = compile(bad, "b.geom", o);
  o.glslangPool = std::make_shared<GlslangPool>();
  for (int i = 0; i < 5; ++i) {
    CHECK(compile(text, "a.geom", o).words == one.words);
    CHECK(compile(bad, "b.geom", o).messages == wrong.messages);
  }
  // A request with another program does not use this one's helper.
  Options other = o;
  other.glslangProgram = "/bin/true";
  CHECK(!compile(text, "a.geom", other).ok);
  std::vector<Job> jobs;
  for (int i = 0; i < 40; ++i)
    jobs.push_back({SharedText(i % 3 == 0 ? bad : text), i % 3 == 0 ? "b.geom" : "a.geom", o});
  const std::vector<Result> all = compileAll(jobs, 3);
  for (size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].words == (i % 3 == 0 ? wrong : one).words);
    CHECK(all[i].messages == (i % 3 == 0 ? wrong : one).messages);
  }
}

TEST_CASE("glslang: the C interface") {
  if (std::string(COOPC_GLSLANG_PROGRAM).empty()) SKIP("no coopc-glslang: get glslang by ./setup glslang");
  const std::string text = kGeometry;
  coopc_options* o = coopc_options_create();
  coopc_options_set_stage(o, COOPC_STAGE_GEOMETRY);
  coopc_options_set_target_env(o, COOPC_TARGET_OPENGL_4_5);
  CHECK(coopc_options_set_glslang_program(o, COOPC_GLSLANG_PROGRAM) == 1);
  coopc_result* r = coopc_compile(text.data(), text.size(), "a.geom", o);
  CHECK(coopc_result_ok(r) == 1);
  coopc_result_destroy(r);
  coopc_options_set_flags(o, COOPC_FLAG_NO_GLSLANG);
  r = coopc_compile(text.data(), text.size(), "a.geom", o);
  CHECK(coopc_result_ok(r) == 0);
  coopc_result_destroy(r);
  coopc_options_destroy(o);
}
