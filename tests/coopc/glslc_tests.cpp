// The command line compared with glslc itself. For each row, both programs run in folders with the same
// content. They must agree on success, on the files that they write, and on the output where it is short.
// docs/glslc.md is this table for readers.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "tests/coopc/folder.hpp"

using namespace coopc::tests;
namespace fs = std::filesystem;

namespace {

enum Check : unsigned {
  kFiles = 0,     // exit code and names of files
  kOutput = 1,    // the standard output too
  kStage = 2,     // the modules' execution models and versions
  kBindings = 4,  // the modules' bindings and locations
  kUsage = 8,     // both fail; coopc's code is 2
};

struct Row {
  std::vector<std::string> arguments;
  unsigned checks = kFiles;
};

void fill(const Folder& f) {
  f.write("a.comp",
          "#version 450\n#include \"inc.glsl\"\nlayout(local_size_x = SIZE) in;\n"
          "layout(binding = 0) buffer B { float x[]; };\nvoid main() { x[0] = min(x[1], 2.0) + x[SIZE]; }\n");
  f.write("inc.glsl", "#ifndef SIZE\n#define SIZE 4\n#endif\n");
  f.write("folder/inc2.glsl", "const float kTwo = 2.0;\n");
  f.write("b.comp",
          "#version 450\n#include \"inc2.glsl\"\nlayout(local_size_x = 1) in;\n"
          "layout(binding = 0) buffer B { float x[]; };\nvoid main() { x[0] = kTwo; }\n");
  f.write("bad.comp", "#version 450\nvoid main() { undeclared = 1; }\n");
  f.write("auto.comp",
          "#version 450\nlayout(local_size_x = 1) in;\nlayout(rgba8) uniform image2D im;\n"
          "uniform U { float f; };\nbuffer B { float x[]; };\n"
          "void main() { x[0] = f; imageStore(im, ivec2(0), vec4(f)); }\n");
  f.write("v.vert", "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n");
  f.write("auto.vert", "#version 450\nin vec4 p;\nout vec4 q;\nvoid main() { gl_Position = p; q = p; }\n");
  f.write("f.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n");
  f.write("g.geom",
          "#version 450\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\n"
          "void main() { EmitVertex(); }\n");
  f.write("tc.tesc", "#version 450\nlayout(vertices = 3) out;\nvoid main() {}\n");
  f.write("te.tese", "#version 450\nlayout(triangles) in;\nvoid main() {}\n");
  for (const char* extension : {"rgen", "rint", "rahit", "rchit", "rmiss", "rcall"})
    f.write(std::string("r.") + extension,
            "#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n");
  f.write("m.mesh",
          "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"
          "layout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() { SetMeshOutputsEXT(0, "
          "0); }\n");
  f.write("t.task",
          "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"
          "void main() { EmitMeshTasksEXT(1, 1, 1); }\n");
  f.write("pragma.glsl", "#version 450\n#pragma shader_stage(fragment)\nvoid main() {}\n");
  f.write("two.glsl",
          "#version 450\n#pragma shader_stage(compute)\n#pragma shader_stage(vertex)\nvoid main() {}\n");
  f.write("late.glsl", "#version 450\nint x;\n#pragma shader_stage(compute)\nvoid main() {}\n");
  f.write("old.glsl", "#version 140\nvoid main() {}\n");
  f.write("foreign.comp", "#version 450\n#extension GL_NOT_known : require\nvoid main() {}\n");
  f.write("empty.comp", "#version 450\nvoid main() { NOTHING }\n");
  f.write("old.vert", "#version 130\nattribute float x;\nvoid main() {}\n");
  f.write("wrong.comp", "// no ES shader starts so\n#version 999\nvoid main() {}\n");
  f.write("name.of.text", "#version 450\nvoid main() {}\n");
  f.write("text", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  f.write("x.spvasm",
          "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
          "OpExecutionMode %1 LocalSize 1 1 1\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"
          "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n");
  f.write("empty.spvasm", "; nothing\n");
  f.write("names.glsl", "#version 150\n#pragma shader_stage(vertex)\nvoid main() {}\n");
  f.write("limits", "MaxComputeWorkGroupSizeX 77\nMaxLights 3\n");
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {{"a.comp"}, kStage | kBindings},
      {{"-c", "a.comp", "v.vert", "f.frag"}, kStage | kBindings},
      {{"-S", "a.comp"}},
      {{"-S", "a.comp", "-o", "x"}},
      {{"a.comp", "-o", "x", "-o", "y"}},
      {{"-c", "a.comp", "-o", "x"}},
      {{"-E", "a.comp", "-o", "x"}},
      {{"-E", "-S", "-c", "a.comp", "-o", "x"}},
      {{"-c", "-S", "a.comp"}},
      {{"-mfmt=num", "a.comp", "-o", "x"}},
      {{"-mfmt=c", "a.comp", "-o", "x"}},
      {{"-mfmt=bin", "-c", "a.comp"}},
      {{"-DSIZE=8", "a.comp", "-S", "-o", "x"}},
      {{"-DF(x)=x", "a.comp"}},
      {{"-DSIZE=0", "-DSIZE=4", "a.comp"}},
      {{"-DSIZE", "-DSIZE=4", "-E", "a.comp"}},
      {{"-DSIZE=0", "-DSIZE=4", "-Dp=q", "-Dp=p", "v.vert"}, kStage},
      {{"b.comp"}},
      {{"-Ifolder", "b.comp"}},
      {{"-I", "folder", "b.comp"}, kStage | kBindings},
      {{"-O", "a.comp"}, kStage | kBindings},
      {{"-Os", "a.comp"}, kStage},
      {{"-O0", "a.comp"}, kStage},
      {{"-g", "-O", "a.comp"}, kStage},
      {{"-std=460", "-w", "a.comp"}, kStage},
      {{"-std=450core", "a.comp"}},
      {{"-std=310es", "-w", "a.comp"}, kStage},
      {{"-fshader-stage=comp", "text"}, kStage},
      {{"-fshader-stage=compute", "text", "-c"}, kStage},
      {{"-fshader-stage=vert", "text"}, kFiles},
      {{"text", "-fshader-stage=comp"}},
      {{"-x", "glsl", "a.comp"}},
      {{"-xglsl", "a.comp"}},
      {{"pragma.glsl"}, kStage},
      {{"-c", "pragma.glsl"}, kStage},
      {{"-S", "pragma.glsl"}},
      {{"names.glsl"}, kStage},
      {{"x.spvasm"}, kStage},
      {{"-c", "x.spvasm", "empty.spvasm", "a.comp"}, kStage},
      {{"-S", "x.spvasm"}, kOutput},
      {{"-E", "x.spvasm"}, kOutput},
      {{"-M", "x.spvasm"}, kOutput},
      {{"-fshader-stage=comp", "x.spvasm"}},
      {{"-MD", "-c", "pragma.glsl"}},
      {{"-M", "pragma.glsl"}, kOutput},
      {{"-c", "m.mesh", "--target-env=vulkan1.2"}, kStage},
      {{"-c", "r.rgen", "--target-env=vulkan1.2"}, kStage},
      {{"-c", "g.geom", "tc.tesc", "te.tese"}, kStage},
      {{"-c", "-fshader-stage=comp", "name.of.text", "text"}, kStage},
      {{"-c", "two.glsl"}},
      {{"-c", "late.glsl"}},
      {{"-c", "-fshader-stage=comp", "two.glsl"}, kStage},
      {{"-E", "old.glsl"}, kOutput},
      {{"-M", "old.glsl"}, kOutput},
      {{"-E", "foreign.comp"}, kOutput},
      {{"-M", "foreign.comp"}, kOutput},
      {{"foreign.comp"}},
      {{"-DNOTHING", "empty.comp"}},
      {{"-DNOTHING", "-E", "empty.comp"}, kOutput},
      {{"-std=140", "-fauto-map-locations", "-w", "-Werror", "old.vert"}},
      {{"-std=100", "-std=450core", "a.comp"}},
      {{"-std=450", "-w", "wrong.comp"}},
      {{"wrong.comp"}},
      {{"-flimit=whileLoops 0 MaxLights 2", "a.comp"}},
      {{"--target-env=vulkan1.0", "a.comp"}, kStage},
      {{"--target-env=vulkan1.1", "a.comp"}, kStage},
      {{"--target-env=vulkan1.2", "a.comp"}, kStage},
      {{"--target-env=vulkan1.3", "a.comp"}, kStage},
      {{"--target-env=vulkan1.4", "a.comp"}, kStage},
      {{"--target-env=vulkan", "a.comp"}, kStage},
      {{"--target-env=opengl", "a.comp"}, kStage},
      {{"--target-env=opengl4.5", "f.frag"}, kStage},
      {{"--target-spv=spv1.5", "a.comp"}, kStage},
      {{"--target-spv=spv1.0", "--target-env=vulkan1.3", "a.comp"}, kStage},
      {{"auto.comp"}},
      {{"-fauto-bind-uniforms", "auto.comp"}, kBindings},
      {{"-fauto-bind-uniforms", "-fimage-binding-base", "5", "-fubo-binding-base", "0x10", "auto.comp"},
       kBindings},
      {{"-fauto-bind-uniforms", "-fssbo-binding-base", "comp", "7", "-fcbuffer-binding-base", "vert", "9",
        "auto.comp"},
       kBindings},
      {{"auto.vert"}},
      {{"-fauto-map-locations", "auto.vert"}, kBindings},
      {{"-fhlsl-offsets", "-fhlsl-iomap", "-fhlsl-16bit-types", "-fhlsl_functionality1", "-w", "a.comp"},
       kStage},
      {{"-fhlsl-functionality1", "-fresource-set-binding", "t0", "1", "2", "a.comp"}, kStage},
      {{"-fresource-set-binding", "comp", "t0", "1", "2", "t1", "3", "4", "a.comp"}, kStage},
      {{"-fauto-combined-image-sampler", "-w", "a.comp"}, kStage},
      {{"-finvert-y", "v.vert"}, kStage},
      {{"-fnan-clamp", "a.comp"}, kStage},
      {{"-fpreserve-bindings", "-O", "a.comp"}, kBindings},
      {{"-fmax-id-bound=1000", "a.comp"}},
      {{"-flimit=MaxComputeWorkGroupSizeX 77 MaxLights 2", "a.comp"}},
      {{"-flimit=MaxComputeWorkGroupSizeX 2", "a.comp"}},
      {{"-DSIZE=1025", "a.comp"}},
      {{"-DSIZE=1025", "-flimit=MaxComputeWorkGroupSizeX 1025", "a.comp"}},
      {{"-flimit=", "a.comp"}},
      {{"-flimit-file", "limits", "a.comp"}},
      {{"--show-limits"}, kOutput},
      {{"-M", "a.comp"}, kOutput},
      {{"-MM", "a.comp"}, kOutput},
      {{"-M", "a.comp", "-o", "x"}, kOutput},
      {{"-M", "-MT", "target", "a.comp"}, kOutput},
      {{"-M", "-MF", "x.d", "a.comp"}, kOutput},
      {{"-M", "-c", "a.comp"}, kOutput},
      {{"-M", "a.comp", "v.vert"}, kOutput},
      {{"-MD", "a.comp"}},
      {{"-MD", "-c", "a.comp", "v.vert"}},
      {{"-MD", "-S", "a.comp"}},
      {{"-MD", "-E", "a.comp"}},
      {{"-MD", "-MF", "x.d", "-MT", "target", "a.comp", "-o", "x"}},
      {{"-w", "-Werror", "a.comp"}},
      {{"bad.comp"}},
      {{"-c", "bad.comp", "a.comp"}},
      {{"missing.comp"}},
      {{"a.comp", "-o", "no/such/folder"}},
      {{"text"}},
      // Wrong usage.
      {{}, kUsage},
      {{"a.comp", "v.vert"}, kUsage},
      {{"-c", "a.comp", "v.vert", "-o", "x"}, kUsage},
      {{"-bogus", "a.comp"}, kUsage},
      {{"-O1", "a.comp"}, kUsage},
      {{"-O3", "a.comp"}, kUsage},
      {{"-std=999", "a.comp"}, kUsage},
      {{"-std", "a.comp"}, kUsage},
      {{"-std=", "a.comp"}, kUsage},
      {{"-x", "spirv", "a.comp"}, kUsage},
      {{"-x"}, kUsage},
      {{"-o"}, kUsage},
      {{"-I"}, kUsage},
      {{"-fshader-stage=pixel", "a.comp"}, kUsage},
      {{"-fshader-stage=", "a.comp"}, kUsage},
      {{"--target-env=vulkan1.9", "a.comp"}, kUsage},
      {{"--target-env", "vulkan1.3", "a.comp"}, kUsage},
      {{"--target-spv=spv1.9", "a.comp"}, kUsage},
      {{"-mfmt=hex", "a.comp"}, kUsage},
      {{"-mfmt=c", "-E", "a.comp"}, kUsage},
      {{"-mfmt=bin", "-S", "a.comp"}, kUsage},
      {{"-mfmt=num", "-M", "a.comp"}, kUsage},
      {{"-MF", "x", "a.comp"}, kUsage},
      {{"-MT", "x", "a.comp"}, kUsage},
      {{"-M", "-MD", "a.comp"}, kUsage},
      {{"-flimit=Bogus 3", "a.comp"}, kUsage},
      {{"-flimit=MaxLights", "a.comp"}, kUsage},
      {{"-flimit=MaxLights x", "a.comp"}, kUsage},
      {{"-flimit", "a.comp"}, kUsage},
      {{"-flimit-file", "missing", "a.comp"}, kUsage},
      {{"-fubo-binding-base", "x", "a.comp"}, kUsage},
      {{"-fubo-binding-base", "-1", "a.comp"}, kUsage},
      {{"-fresource-set-binding", "a.comp"}, kUsage},
      {{"-Werror=all", "a.comp"}, kUsage},
      {{"-Wextra", "a.comp"}, kUsage},
  };
  return kRows;
}

std::vector<std::string> filesOf(const Folder& f) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(f.place("")))
    names.push_back(fs::relative(entry.path(), f.place("")).string());
  std::sort(names.begin(), names.end());
  return names;
}

// Facts that a module states: its version and execution models, or its bindings and locations.
std::vector<uint32_t> facts(const std::string& bytes, unsigned checks) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  std::vector<uint32_t> out;
  if (words.size() < 5) return out;
  if (checks & kStage) out.push_back(words[1]);
  std::vector<uint32_t> numbers;
  coopc::spirv::InstructionWalk i(words);
  while (i.next()) {
    if ((checks & kStage) && i.op() == spv::Op::OpEntryPoint) out.push_back(i[1]);
    const auto decoration = spv::Decoration(i[2]);
    if ((checks & kBindings) && i.op() == spv::Op::OpDecorate &&
        (decoration == spv::Decoration::Location || decoration == spv::Decoration::Binding ||
         decoration == spv::Decoration::DescriptorSet))
      numbers.push_back(i[2] << 16 | i[3]);
  }
  std::sort(numbers.begin(), numbers.end());
  out.insert(out.end(), numbers.begin(), numbers.end());
  return out;
}

void compare(const std::string& reference, const Row& row) {
  std::string line;
  for (const std::string& a : row.arguments) line += a + " ";
  INFO(line);
  const Folder ours, theirs;
  fill(ours);
  fill(theirs);
  std::vector<std::string> arguments = row.arguments;
  const ProcessResult our = ours.run(arguments);
  arguments.insert(arguments.begin(), reference);
  const ProcessResult their = runProcess(arguments, theirs.place(""), 60);
  INFO(our.stderrText);
  INFO(their.stderrText);
  REQUIRE(our.exited());
  REQUIRE(their.exited());
  CHECK((our.exitCode == 0) == (their.exitCode == 0));
  if (row.checks & kUsage) CHECK(our.exitCode == 2);
  const std::vector<std::string> names = filesOf(ours);
  CHECK(names == filesOf(theirs));
  if (row.checks & kOutput) CHECK(our.stdoutText == their.stdoutText);
  for (const std::string& name : names) {
    if (std::filesystem::is_directory(ours.place(name))) continue;
    const std::string bytes = ours.read(name);
    if (name.size() > 2 && name.substr(name.size() - 2) == ".d") CHECK(bytes == theirs.read(name));
    if (isModule(bytes)) {
      INFO(name);
      CHECK(isModule(theirs.read(name)));
      CHECK(facts(bytes, row.checks) == facts(theirs.read(name), row.checks));
    }
  }
}

}  // namespace

TEST_CASE("each option does what glslc's does") {
  const std::string reference = COOPC_REFERENCE;
  if (reference.empty()) SKIP("no reference glslc: get it by ./setup newest_tools");
  for (const Row& row : rows()) compare(reference, row);
}

TEST_CASE("each file extension has glslc's stage") {
  const std::string reference = COOPC_REFERENCE;
  if (reference.empty()) SKIP("no reference glslc: get it by ./setup newest_tools");
  for (const char* file : {"v.vert", "f.frag", "g.geom", "tc.tesc", "te.tese", "r.rgen", "r.rint", "r.rahit",
                           "r.rchit", "r.rmiss", "r.rcall", "m.mesh", "t.task"})
    compare(reference, {{"--target-env=vulkan1.3", file}, kStage | kBindings});
}
