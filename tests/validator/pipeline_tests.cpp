// Rules between the modules of a pipeline: each with stages that obey it, and stages that break it and
// nothing else.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "coopc/coopc.hpp"
#include "coopc/validate.h"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

using Modules = std::vector<std::vector<uint32_t>>;

// An input or output: its name, its type and its decorations, separated by commas.
struct Declared {
  std::string name, type, decorations;
};

struct Interfaces {
  std::vector<Declared> inputs = {}, outputs = {};
  std::string modes = {};      // "Triangles, PointMode"
  std::string types = {};      // additional types
  std::string resources = {};  // descriptor variables, after the types
  std::string annotations = {};
};

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Lines "PREFIX word" for a list separated by commas.
std::string lines(const std::string& list, const std::string& prefix) {
  if (list.empty()) return {};
  std::string text = prefix + list + "\n";
  replaceAll(text, ", ", "\n" + prefix);
  return text;
}

// A module with one entry point that does nothing, in assembly.
std::vector<uint32_t> stage(const std::string& model, const Interfaces& s,
                            const std::string& version = "1.6") {
  std::string ids, decorations, variables;
  const auto declare = [&](const std::vector<Declared>& all, const std::string& storage) {
    for (const Declared& d : all) {
      ids += " %" + d.name;
      decorations += "OpName %" + d.name + " \"" + d.name + "\"\n";
      variables += "%p_" + d.name + " = OpTypePointer " + storage + " %" + d.type + "\n%" + d.name +
                   " = OpVariable %p_" + d.name + " " + storage + "\n";
    }
  };
  std::string decorated;
  declare(s.inputs, "Input");
  declare(s.outputs, "Output");
  for (const std::vector<Declared>& all : {s.inputs, s.outputs})
    for (const Declared& d : all) decorated += lines(d.decorations, "OpDecorate %" + d.name + " ");
  std::string text =
      "OpCapability Shader\nOpCapability Float64\nOpCapability Geometry\nOpCapability Tessellation\n"
      "OpCapability MeshShadingEXT\nOpCapability MeshShadingNV\nOpExtension \"SPV_EXT_mesh_shader\"\n"
      "OpExtension \"SPV_NV_mesh_shader\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint " +
      model + " %main \"main\"" + ids + "\n" + lines(s.modes, "OpExecutionMode %main ") + decorations +
      decorated + s.annotations +
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64\n"
      "%i32 = OpTypeInt 32 1\n%u32 = OpTypeInt 32 0\n%v2 = OpTypeVector %f32 2\n"
      "%v3 = OpTypeVector %f32 3\n%v4 = OpTypeVector %f32 4\n%uv4 = OpTypeVector %u32 4\n"
      "%dv3 = OpTypeVector %f64 3\n%m3 = OpTypeMatrix %v4 3\n%n3 = OpConstant %u32 3\n"
      "%n4 = OpConstant %u32 4\n%a3 = OpTypeArray %v4 %n3\n%a4 = OpTypeArray %v4 %n4\n" +
      s.types + variables + s.resources +
      "%main = OpFunction %void None %fn\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n";
  std::vector<uint32_t> words = assembleModule(text);
  if (version == "1.5") words[1] = 0x00010500;
  return words;
}

std::vector<uint32_t> vertex(std::vector<Declared> outputs) {
  return stage("Vertex", {{}, std::move(outputs)});
}
std::vector<uint32_t> fragment(std::vector<Declared> inputs) {
  return stage("Fragment", {std::move(inputs), {}, "OriginUpperLeft"});
}
std::vector<uint32_t> fragment(std::vector<Declared> inputs, const std::string& types,
                               const std::string& annotations) {
  return stage("Fragment", {std::move(inputs), {}, "OriginUpperLeft", types, "", annotations});
}
std::vector<uint32_t> vertex(std::vector<Declared> outputs, const std::string& types,
                             const std::string& annotations) {
  return stage("Vertex", {{}, std::move(outputs), "", types, "", annotations});
}

std::vector<ValidateResult> checked(const Modules& modules, const ValidateOptions& options = {}) {
  std::vector<PipelineModule> given;
  std::vector<ValidateResult> results;
  for (const std::vector<uint32_t>& words : modules) {
    given.push_back({words, {}});
    results.push_back(validate(words, options));
    REQUIRE(results.back().readable);
    CHECK(results.back().findings.empty());
  }
  validatePipeline(given, options, results);
  return results;
}

// "MODULE RULE: message" of each finding, with its notes.
std::vector<std::string> found(const Modules& modules) {
  std::vector<std::string> all;
  const std::vector<ValidateResult> results = checked(modules);
  for (size_t n = 0; n < results.size(); ++n)
    for (const Finding& f : results[n].findings) {
      std::string text = std::to_string(n) + " " + std::string(f.rule->id) + ": " + f.message;
      for (const std::string& note : f.notes) text += " (" + note + ")";
      all.push_back(std::move(text));
      CHECK(f.rule->level == RuleLevel::Pipeline);
      const bool lowered = f.message.rfind("hit attribute ", 0) == 0;
      CHECK(f.severity == (lowered ? FindingSeverity::Warning : f.rule->severity));
      CHECK(!f.disassembly.empty());
    }
  return all;
}

using Expected = std::vector<std::string>;

// A ray tracing shader.
std::vector<uint32_t> rays(const std::string& declarations, const std::string& body, Stage stage) {
  Options options;
  options.stage = stage;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const std::string text = "#version 460\n#extension GL_EXT_ray_tracing : require\n" + declarations +
                           "\nvoid main() { " + body + " }\n";
  Result result = compile(text, "shader", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return std::move(result.words);
}

const std::string kBlockMembers =
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 1\nOpMemberDecorate %block 1 Location 2\n"
    "OpName %block \"Surface\"\nOpMemberName %block 0 \"normal\"\nOpMemberName %block 1 \"at\"\n";

}  // namespace

TEST_CASE("pipeline: stages that match have no findings, in any order") {
  const std::vector<Declared> all = {{"color", "v4", "Location 0"},
                                     {"kind", "u32", "Location 1, Component 1"},
                                     {"place", "v2", "Location 1, Component 2"},
                                     {"rows", "m3", "Location 2"},
                                     {"wide", "dv3", "Location 5"},
                                     {"list", "a3", "Location 7"}};
  std::vector<Declared> inputs = all;
  inputs[1].decorations += ", Flat";
  inputs[4].decorations += ", Flat";
  CHECK(found({vertex(all), fragment(inputs)}) == Expected{});
  CHECK(found({fragment(inputs), vertex(all)}) == Expected{});
  // An output may have more components than the input takes, be taken in parts, or be unused.
  CHECK(found({vertex({{"color", "v4", "Location 0"},
                       {"more", "v4", "Location 1"},
                       {"unused", "m3", "Location 2"}}),
               fragment({{"color", "v3", "Location 0"},
                         {"x", "f32", "Location 1, Component 1"},
                         {"yz", "v2", "Location 1, Component 2"}})}) == Expected{});
  // The third 64-bit component is at the next location.
  CHECK(found({vertex({{"wide", "dv3", "Location 5"}}), fragment({{"z", "f64", "Location 6, Flat"}})}) ==
        Expected{});
  // Decorations whose order differs from that of the ids.
  const std::string turned = "OpDecorate %second Location 1\nOpDecorate %first Location 0\n";
  CHECK(found({vertex({{"first", "v4", ""}, {"second", "v2", ""}}, "", turned),
               fragment({{"first", "v4", ""}, {"second", "v2", ""}}, "", turned)}) == Expected{});
  // Blocks match by their members, whatever the name of the variable.
  const std::string block = "%block = OpTypeStruct %v3 %v2\n";
  CHECK(found({vertex({{"s", "block", ""}}, block, kBlockMembers),
               fragment({{"t", "block", ""}}, block, kBlockMembers)}) == Expected{});
  CHECK(found({vertex({{"s", "block", "Location 1"}}, block, "OpDecorate %block Block\n"),
               fragment({{"t", "block", ""}}, block, kBlockMembers)}) == Expected{});
  // A single stage, and a compute shader, have no findings.
  CHECK(found({fragment({{"color", "v4", "Location 0"}})}) == Expected{});
  CHECK(found({stage("GLCompute", {{}, {}, "LocalSize 1 1 1"})}) == Expected{});
}

TEST_CASE("pipeline: an input without an output") {
  CHECK(found({vertex({{"color", "v4", "Location 0"}}),
               fragment({{"color", "v4", "Location 0"}, {"normal", "v3", "Location 1"}})}) ==
        Expected{
            "1 pipeline-input: input `normal` takes component 0 of location 1, which no output of the vertex "
            "shader has"});
  CHECK(found({vertex({{"color", "v2", "Location 0"}}), fragment({{"color", "v3", "Location 0"}})}) ==
        Expected{
            "1 pipeline-input: input `color` takes component 2 of location 0, which no output of the vertex "
            "shader has"});
  CHECK(found({vertex({{"rows", "a3", "Location 2"}}), fragment({{"rows", "a4", "Location 2"}})}) ==
        Expected{"1 pipeline-input: input `rows` takes component 0 of location 5, which no output of the "
                 "vertex shader "
                 "has"});
  const std::string block = "%block = OpTypeStruct %v3 %v2\n";
  CHECK(
      found(
          {vertex({{"normal", "v3", "Location 1"}}), fragment({{"t", "block", ""}}, block, kBlockMembers)}) ==
      Expected{
          "1 pipeline-type: input `Surface.normal` is a member of a block, but the output is not (the vertex "
          "shader declares `normal`, vector of 3 float32_t)",
          "1 pipeline-input: input `Surface.at` takes component 0 of location 2, which no output of the "
          "vertex "
          "shader has"});
}

TEST_CASE("pipeline: components of other types") {
  CHECK(found({vertex({{"kind", "u32", "Location 0"}}), fragment({{"kind", "i32", "Location 0, Flat"}})}) ==
        Expected{"1 pipeline-component-type: input `kind` has s32 in component 0 of location 0, but the "
                 "output has u32 "
                 "(the vertex shader declares `kind`, uint32_t)"});
  CHECK(
      found({vertex({{"a", "dv3", "Location 0"}}), fragment({{"b", "v4", "Location 0"}})}) ==
      Expected{
          "1 pipeline-component-type: input `b` has f32 in component 0 of location 0, but the output has f64 "
          "(the vertex shader declares `a`, vector of 3 float64_t)"});
}

TEST_CASE("pipeline: declarations of other types in the same place") {
  CHECK(found({vertex({{"rows", "m3", "Location 0"}}), fragment({{"rows", "a3", "Location 0"}})}) ==
        Expected{"1 pipeline-type: input `rows` is array of 3 elements, but the output is matrix of 3 "
                 "columns (the vertex "
                 "shader declares `rows`, matrix of 3 columns)"});
  const std::string two = "%block = OpTypeStruct %v3 %v2\n", three = "%block = OpTypeStruct %v3 %v2 %v4\n";
  CHECK(
      found({vertex({{"s", "block", ""}}, three, kBlockMembers + "OpMemberDecorate %block 2 Location 3\n"),
             fragment({{"t", "block", ""}}, two, kBlockMembers)}) ==
      Expected{
          "1 pipeline-type: input `Surface.normal` is member 0 of a block of 2, but the output is member 0 "
          "of 3 "
          "(the vertex shader declares `Surface.normal`, vector of 3 float32_t)",
          "1 pipeline-type: input `Surface.at` is member 1 of a block of 2, but the output is member 1 of 3 "
          "(the vertex shader declares `Surface.at`, vector of 2 float32_t)"});
  // Before maintenance4, vectors must have the same size.
  const std::vector<uint32_t> old =
      stage("Fragment", {{{"color", "v3", "Location 0"}}, {}, "OriginUpperLeft"}, "1.5");
  CHECK(found({vertex({{"color", "v4", "Location 0"}}), old}) ==
        Expected{"1 pipeline-vector-size: input `color` has 3 components, but the output has 4: this needs "
                 "maintenance4 "
                 "(the vertex shader declares `color`, vector of 4 float32_t)"});
}

TEST_CASE("pipeline: interpolation counts where the fragment shader declares it") {
  CHECK(found({vertex({{"c", "v4", "Location 0, NoPerspective"}}), fragment({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-interpolation: input `c` has no decoration, but the output has NoPerspective "
                 "(the vertex "
                 "shader declares `c`, vector of 4 float32_t)"});
  CHECK(found({vertex({{"c", "v4", "Location 0"}}), fragment({{"c", "v4", "Location 0, Flat"}})}) ==
        Expected{});
}

TEST_CASE("pipeline: tessellation") {
  const std::string per = "%vertices = OpTypeArray %v4 %n3\n";
  const auto control = [&](const std::string& modes, const std::vector<Declared>& outputs) {
    return stage("TessellationControl", {{{"in_color", "vertices", "Location 0"}}, outputs, modes, per});
  };
  const auto evaluation = [&](const std::string& modes, const std::vector<Declared>& inputs) {
    return stage("TessellationEvaluation", {inputs, {{"color", "v4", "Location 0"}}, modes, per});
  };
  const std::vector<Declared> arrayed = {{"c", "vertices", "Location 0"}};
  const std::vector<Declared> patch = {{"c", "v4", "Location 0, Patch"}};
  const std::vector<uint32_t> first = vertex({{"color", "v4", "Location 0"}});
  const std::vector<uint32_t> last = fragment({{"color", "v4", "Location 0"}});
  CHECK(found({first, control("OutputVertices 3", arrayed), evaluation("Triangles, SpacingEqual", arrayed),
               last}) == Expected{});
  CHECK(found({first, control("OutputVertices 3", patch), evaluation("Triangles", patch), last}) ==
        Expected{});
  CHECK(found({first, control("OutputVertices 3", arrayed), evaluation("Triangles", patch), last}) ==
        Expected{"2 pipeline-decoration: input `c` is decorated Patch, but the output at location 0 is not"});
  CHECK(found({first, control("OutputVertices 3", patch), evaluation("Triangles", arrayed), last}) ==
        Expected{"2 pipeline-decoration: input `c` is not decorated Patch, but the output at location 0 is"});
  CHECK(
      found({first, control("OutputVertices 3, Quads", arrayed),
             evaluation("Triangles, OutputVertices 4", arrayed), last}) ==
      Expected{"2 pipeline-tessellation: the mode is Triangles, but Quads in the tessellation control shader",
               "2 pipeline-tessellation: the mode is OutputVertices 4, but OutputVertices 3 in the "
               "tessellation control "
               "shader"});
  CHECK(found({first, evaluation("Triangles", arrayed), last}) ==
        Expected{"1 pipeline-stages: there is no tessellation control shader"});
  CHECK(found({first, control("OutputVertices 3", arrayed)}) ==
        Expected{"1 pipeline-stages: there is no tessellation evaluation shader"});

  const auto geometry = [&](const std::string& input) {
    return stage("Geometry", {{{"c", "vertices", "Location 0"}},
                              {{"color", "v4", "Location 0"}},
                              input + ", Invocations 1, OutputTriangleStrip, OutputVertices 3",
                              per});
  };
  const auto through = [&](const std::string& domain, const std::string& input) {
    return found(
        {first, control("OutputVertices 3", arrayed), evaluation(domain, arrayed), geometry(input), last});
  };
  CHECK(through("Quads", "Triangles") == Expected{});
  CHECK(through("Isolines", "InputLines") == Expected{});
  CHECK(through("Triangles, PointMode", "InputPoints") == Expected{});
  CHECK(through("Isolines", "Triangles") ==
        Expected{"3 pipeline-tessellation: the input is Triangles, but the tessellation makes lines"});
  CHECK(through("Triangles, PointMode", "Triangles") ==
        Expected{"3 pipeline-tessellation: the input is Triangles, but the tessellation makes points"});
}

TEST_CASE("pipeline: mesh shaders") {
  const auto mesh = [](const std::string& more) {
    return stage("MeshEXT", {{},
                             {{"c", "vertices", "Location 0" + more}},
                             "LocalSize 1 1 1, OutputVertices 3, OutputPrimitivesEXT 1, OutputTrianglesEXT",
                             "%vertices = OpTypeArray %v4 %n3\n"});
  };
  const std::vector<uint32_t> task = stage("TaskEXT", {{}, {}, "LocalSize 1 1 1"});
  CHECK(found({task, mesh(""), fragment({{"c", "v4", "Location 0"}})}) == Expected{});
  CHECK(found({mesh(", PerPrimitiveEXT"), fragment({{"c", "v4", "Location 0, PerPrimitiveEXT"}})}) ==
        Expected{});
  CHECK(found({mesh(", PerPrimitiveEXT"), fragment({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-decoration: input `c` is not decorated PerPrimitiveEXT, but the output is (the "
                 "mesh shader "
                 "declares `c`, vector of 4 float32_t)"});
  CHECK(found({mesh(""), vertex({{"c", "v4", "Location 0"}}), fragment({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-stages: a vertex shader stands beside a mesh shader"});
  CHECK(found({mesh(""),
               stage("Geometry", {{}, {}, "Triangles, Invocations 1, OutputPoints, OutputVertices 1"})})
            .back() == "1 pipeline-stages: a geometry shader stands beside a mesh shader");
  CHECK(found({mesh(""), vertex({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-stages: a vertex shader stands beside a mesh shader"});
}

TEST_CASE("pipeline: an input of each vertex has the output's type three times") {
  const std::string three = "%vertices = OpTypeArray %v4 %n3\n";
  CHECK(found({vertex({{"c", "v4", "Location 0"}, {"d", "v4", "Location 1"}}),
               fragment({{"c", "vertices", "Location 0, PerVertexKHR"}, {"d", "v4", "Location 1"}}, three,
                        "")}) == Expected{});
  CHECK(found({vertex({{"c", "v4", "Location 0"}}), fragment({{"c", "vertices", "Location 0"}}, three, "")})
            .size() >= 1);
}

TEST_CASE("pipeline: a mesh shader's output has its location once, not for each view") {
  const std::vector<uint32_t> mesh =
      stage("MeshNV", {{},
                       {{"c", "views", "Location 0, PerViewNV"}, {"d", "vertices", "Location 1"}},
                       "LocalSize 1 1 1, OutputVertices 3, OutputPrimitivesEXT 1, OutputTrianglesEXT",
                       "%vertices = OpTypeArray %v2 %n3\n%views = OpTypeArray %a4 %n3\n"});
  CHECK(found({mesh, fragment({{"c", "v4", "Location 0"}, {"d", "v2", "Location 1"}})}) == Expected{});
}

TEST_CASE("pipeline: inputs of structures with other members") {
  const std::string two = "%pair = OpTypeStruct %v3 %v2\n", three = "%pair = OpTypeStruct %v3 %v2 %f32\n";
  CHECK(found({vertex({{"s", "pair", "Location 1"}}, two, ""),
               fragment({{"s", "pair", "Location 1"}}, two, "")}) == Expected{});
  CHECK(found({vertex({{"s", "pair", "Location 1"}}, three, ""),
               fragment({{"s", "pair", "Location 1"}}, two, "")}) ==
        Expected{
            "1 pipeline-type: input `s` is struct, but the output is struct (the vertex shader declares `s`, "
            "struct)"});
}

TEST_CASE("pipeline: a variable at the place of a block's member, and a member at that of a variable") {
  const std::string block = "%block = OpTypeStruct %v4\n";
  const std::string members = "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 1\n";
  const auto messageOf = [](const Modules& modules) {
    const std::vector<std::string> all = found(modules);
    REQUIRE(all.size() == 1);
    return all[0].substr(0, all[0].find(" (the"));
  };
  CHECK(messageOf({vertex({{"b", "block", ""}}, block, members), fragment({{"c", "v4", "Location 1"}})}) ==
        "1 pipeline-type: input `c` is not a member of a block, but the output is");
  CHECK(messageOf({vertex({{"c", "v4", "Location 1"}}), fragment({{"b", "block", ""}}, block, members)})
            .find("is a member of a block, but the output is not") != std::string::npos);
}

TEST_CASE("pipeline: the last component of a location is not the first of the next") {
  CHECK(found({vertex({{"a", "f32", "Location 0, Component 3"}}),
               fragment({{"a", "f32", "Location 0, Component 3"}})}) == Expected{});
  CHECK(found({vertex({{"a", "f32", "Location 0"}, {"n", "f32", "Location 1"}}),
               fragment({{"b", "f32", "Location 0, Component 3"}})})
            .size() == 1);
  CHECK(found({vertex({{"a", "f32", "Location 0, Component 3"}}), fragment({{"b", "f32", "Location 1"}})})
            .size() == 1);
}

TEST_CASE("pipeline: a stage that is there twice") {
  const std::vector<uint32_t> one = vertex({{"c", "v4", "Location 0"}});
  CHECK(found({one, one, fragment({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-stages: there is another vertex shader"});
}

TEST_CASE("pipeline: compute shaders and those of ray tracing are not in pipelines of others") {
  const std::vector<uint32_t> compute = stage("GLCompute", {{}, {}, "LocalSize 1 1 1"});
  const std::vector<uint32_t> one = vertex({{"c", "v4", "Location 0"}});
  CHECK(found({compute}) == Expected{});
  CHECK(found({compute, compute}) == Expected{"1 pipeline-stages: there is another compute shader"});
  CHECK(found({compute, one}) ==
        Expected{"0 pipeline-stages: a compute shader stands beside a vertex shader"});
  CHECK(found({one, compute, fragment({{"c", "v4", "Location 0"}})}) ==
        Expected{"1 pipeline-stages: a compute shader stands beside a vertex shader"});
}

TEST_CASE("pipeline: the clause of each kind of pipeline") {
  const std::vector<uint32_t> compute = stage("GLCompute", {{}, {}, "LocalSize 1 1 1"});
  const std::vector<uint32_t> one = vertex({{"c", "v4", "Location 0"}});
  const std::vector<uint32_t> evaluation = stage("TessellationEvaluation", {{}, {}, "Triangles"});
  const std::vector<uint32_t> control = stage("TessellationControl", {{}, {}, "OutputVertices 3"});
  const std::vector<uint32_t> mesh = stage(
      "MeshEXT", {{}, {}, "LocalSize 1 1 1, OutputVertices 3, OutputPrimitivesEXT 1, OutputTrianglesEXT"});
  const std::vector<uint32_t> miss =
      rays("layout(location = 0) rayPayloadInEXT vec3 p;", "p = vec3(1);", Stage::Miss);
  const auto clauses = [](const Modules& modules) {
    std::set<std::string> all;
    for (const ValidateResult& result : checked(modules))
      for (const Finding& f : result.findings)
        if (f.rule->id == "pipeline-stages") all.insert(f.clause);
    return all;
  };
  using Clauses = std::set<std::string>;
  const std::string graphics = "Vulkan, VUID-VkGraphicsPipelineCreateInfo-";
  const std::string ofCompute = "Vulkan, VUID-VkComputePipelineCreateInfo-stage-00701";
  const std::string ofRays = "Vulkan, VUID-VkRayTracingPipelineCreateInfoKHR-stage-06899";
  CHECK(clauses({one, one}) == Clauses{graphics + "stage-06897"});
  CHECK(clauses({one, control}) == Clauses{graphics + "pStages-00729"});
  CHECK(clauses({one, evaluation}) == Clauses{graphics + "pStages-00730"});
  CHECK(clauses({mesh, one}) == Clauses{graphics + "pStages-02095"});
  CHECK(clauses({compute, compute}) == Clauses{ofCompute});
  CHECK(clauses({one, compute}) == Clauses{ofCompute});
  CHECK(clauses({miss, compute}) == Clauses{ofRays});
  CHECK(clauses({one, miss}) == Clauses{ofRays});
  CHECK(clauses({miss, miss}).empty());
}

TEST_CASE("pipeline: payloads, callable data and hit attributes") {
  const std::string trace =
      "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n"
      "layout(location = 0) rayPayloadEXT vec3 p;\nlayout(location = 1) callableDataEXT float d;";
  const std::string call =
      "traceRayEXT(scene, 0u, 255u, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0); executeCallableEXT(0u, 1);";
  const std::vector<uint32_t> generation = rays(trace, call, Stage::RayGeneration);
  const auto miss = [](const std::string& type) {
    return rays("layout(location = 0) rayPayloadInEXT " + type + " p;", "p = " + type + "(1);", Stage::Miss);
  };
  const auto callable = [](const std::string& type) {
    return rays("layout(location = 0) callableDataInEXT " + type + " d;", "d = " + type + "(1);",
                Stage::Callable);
  };
  const auto hit = [](const std::string& type, Stage stage) {
    return rays("layout(location = 0) rayPayloadInEXT vec3 p;\nhitAttributeEXT " + type + " h;",
                "p = vec3(h.x);", stage);
  };
  const std::vector<uint32_t> intersection =
      rays("hitAttributeEXT vec4 h;", "h = vec4(1); reportIntersectionEXT(1.0, 0u);", Stage::Intersection);
  CHECK(found({generation, miss("vec3"), callable("float"), hit("vec2", Stage::ClosestHit)}) == Expected{});
  CHECK(found({generation, miss("vec3"), miss("vec4")}) ==
        Expected{"2 pipeline-ray-data: payload `p` is vector of 4 float32_t, which no shader of the pipeline "
                 "passes to a ray"});
  CHECK(
      found({callable("int"), generation}) ==
      Expected{"0 pipeline-ray-data: callable data `d` is int32_t, which no shader of the pipeline passes to "
               "a call"});
  CHECK(
      found({generation, hit("vec4", Stage::ClosestHit)}) ==
      Expected{"1 pipeline-ray-data: hit attribute `h` is vector of 4 float32_t, which neither triangles nor "
               "an intersection shader or hit object of the pipeline has"});
  CHECK(found({generation, intersection, hit("vec4", Stage::AnyHit), hit("vec2", Stage::ClosestHit)}) ==
        Expected{});
  CHECK(found({generation, intersection, hit("vec3", Stage::AnyHit)}).size() == 1);
  // Incomplete pipelines, and payloads that nothing reads.
  CHECK(found({miss("vec4"), hit("vec4", Stage::ClosestHit)}) == Expected{});
  CHECK(found({generation, rays("layout(location = 0) rayPayloadInEXT vec4 p;", "", Stage::Miss)}) ==
        Expected{});
  // Findings about hit attributes are the only warnings; an option makes them errors.
  ValidateOptions options;
  options.warningsAsErrors = true;
  const std::vector<ValidateResult> raised = checked({generation, hit("vec3", Stage::ClosestHit)}, options);
  REQUIRE(raised[1].findings.size() == 1);
  CHECK(raised[1].findings[0].severity == FindingSeverity::Error);
}

TEST_CASE("pipeline: ray data in structures and arrays") {
  const auto generation = [](const std::string& type) {
    return rays("layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n" + type +
                    "layout(location = 0) rayPayloadEXT T p;",
                "traceRayEXT(scene, 0u, 255u, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0);",
                Stage::RayGeneration);
  };
  const auto miss = [](const std::string& type, const std::string& value) {
    return rays(type + "layout(location = 0) rayPayloadInEXT T p;", "p." + value + " = 1.0;", Stage::Miss);
  };
  const std::string first = "struct T { vec3 a; float b[2]; };\n";
  const std::vector<uint32_t> traces = generation(first);
  CHECK(found({traces, miss("struct T { vec3 other; float b[2]; };\n", "b[0]")}) == Expected{});
  CHECK(found({traces, miss("struct T { vec3 a; float b[3]; };\n", "b[0]")}) ==
        Expected{"1 pipeline-ray-data: payload `p` is a struct {vector of 3 float32_t, array of 3 elements}, "
                 "which no shader of the pipeline passes to a ray"});
  CHECK(found({traces, miss("struct T { vec3 a; int b[2]; float c; };\n", "c")}).size() == 1);
  const std::vector<uint32_t> matrices = generation("struct T { mat3x2 m; };\n");
  CHECK(found({matrices, miss("struct T { mat3x2 m; };\n", "m[0].x")}) == Expected{});
  CHECK(found({matrices, miss("struct T { mat3 m; };\n", "m[0].x")}).size() == 1);
  CHECK(found({matrices, miss("struct T { mat2 m; };\n", "m[0].x")}).size() == 1);
  CHECK(found({traces, generation("struct T { vec3 a; float b[3]; };\n"),
               miss("struct T { vec3 a; float b[3]; };\n", "b[0]")}) == Expected{});
  const auto array = [](const std::string& length) {
    return rays(
        "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n"
        "layout(location = 0) rayPayloadEXT float p[" +
            length + "];",
        "traceRayEXT(scene, 0u, 255u, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0);", Stage::RayGeneration);
  };
  const std::vector<uint32_t> missed =
      rays("layout(location = 0) rayPayloadInEXT float p[3];", "p[0] = 1.0;", Stage::Miss);
  CHECK(found({array("3"), missed}) == Expected{});
  CHECK(found({array("2"), missed}).size() == 1);
}

TEST_CASE("pipeline: hit attributes of triangles, spheres and hit objects") {
  const std::string scene = "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n";
  const std::string payload = "layout(location = 0) rayPayloadEXT float p;\n";
  const std::vector<uint32_t> generation =
      rays(scene + payload, "traceRayEXT(scene, 0u, 255u, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0);",
           Stage::RayGeneration);
  const auto hit = [](const std::string& declarations, const std::string& value) {
    return rays(declarations + "\nlayout(location = 0) rayPayloadInEXT float p;", "p = " + value + ";",
                Stage::ClosestHit);
  };
  const auto isAccepted = [&](const std::string& declarations, const std::string& value) {
    return found({generation, hit(declarations, value)}).empty();
  };
  CHECK(isAccepted("hitAttributeEXT vec2 h;", "h.x"));
  CHECK(isAccepted("hitAttributeEXT float h[2];", "h[1]"));
  CHECK(isAccepted("hitAttributeEXT B { vec2 h; };", "h.x"));
  CHECK(isAccepted("struct S { vec2 xy; };\nhitAttributeEXT S h;", "h.xy.x"));
  CHECK(isAccepted("struct S { vec2 xy; };\nstruct T { S s; };\nhitAttributeEXT T h;", "h.s.xy.x"));
  CHECK(isAccepted("struct S { float xy[2]; };\nhitAttributeEXT S h;", "h.xy[0]"));
  CHECK(isAccepted("struct S { float x; float y; };\nhitAttributeEXT S h;", "h.x"));
  CHECK(isAccepted("struct S { float x[1]; float y[1]; };\nhitAttributeEXT S h;", "h.y[0]"));
  CHECK_FALSE(isAccepted("hitAttributeEXT float h;", "h"));
  CHECK_FALSE(isAccepted("hitAttributeEXT float h[3];", "h[0]"));
  CHECK_FALSE(isAccepted("hitAttributeEXT ivec2 h;", "float(h.x)"));
  CHECK_FALSE(isAccepted("struct S { vec2 xy; float z; };\nhitAttributeEXT S h;", "h.z"));
  CHECK_FALSE(isAccepted("struct S { float x; int y; };\nhitAttributeEXT S h;", "h.x"));

  const std::string spheres = "#extension GL_NV_linear_swept_spheres : require\n";
  CHECK(isAccepted(spheres + "hitAttributeEXT float h;", "gl_HitIsLSSNV ? h : 0.0"));
  CHECK(isAccepted(spheres + "hitAttributeEXT float h;", "gl_HitIsSphereNV ? h : 0.0"));
  CHECK(isAccepted(spheres + "hitAttributeEXT B { float h; };", "gl_HitIsLSSNV ? h : 0.0"));
  CHECK_FALSE(isAccepted(spheres + "hitAttributeEXT vec3 h;", "gl_HitIsLSSNV ? h.x : 0.0"));

  const std::vector<uint32_t> ofNv =
      rays("#extension GL_NV_shader_invocation_reorder : require\n" + scene + payload +
               "layout(location = 1) hitObjectAttributeNV vec3 at;",
           "hitObjectNV h; at = vec3(1); hitObjectRecordHitNV(h, scene, 0, 0, 0, 0u, 0u, 0u, vec3(0), 0.0, "
           "vec3(1), 1.0, 1); hitObjectExecuteShaderNV(h, 0);",
           Stage::RayGeneration);
  const std::vector<uint32_t> ofExt =
      rays("#extension GL_EXT_shader_invocation_reorder : require\n#extension GL_EXT_ray_query : require\n" +
               scene + payload + "layout(location = 1) hitObjectAttributeEXT vec3 at;",
           "rayQueryEXT q; rayQueryInitializeEXT(q, scene, 0u, 255u, vec3(0), 0.0, vec3(1), 1.0); "
           "at = vec3(1); hitObjectEXT h; hitObjectRecordFromQueryEXT(h, q, 0u, 1); "
           "hitObjectExecuteShaderEXT(h, 0);",
           Stage::RayGeneration);
  for (const std::vector<uint32_t>& words : {ofNv, ofExt}) {
    CHECK(found({words, hit("hitAttributeEXT vec3 h;", "h.x")}) == Expected{});
    CHECK(found({words, hit("hitAttributeEXT vec4 h;", "h.x")}).size() == 1);
  }
}

TEST_CASE("pipeline: bindings") {
  const auto with = [](const std::string& model, const std::string& type, const std::string& storage,
                       const std::string& more = "") {
    return stage(
        model, {{},
                {},
                model == "Fragment" ? "OriginUpperLeft" : "",
                "%image = OpTypeImage %f32 2D 0 0 0 1 Unknown\n%stored = OpTypeImage %f32 2D 0 0 0 2 R32f\n"
                "%sampler = OpTypeSampler\n%combined = OpTypeSampledImage %image\n%block = OpTypeStruct %v4\n"
                "%images = OpTypeArray %image %n3\n%nested = OpTypeArray %images %n3\n",
                "%p_r = OpTypePointer " + storage + " %" + type + "\n%r = OpVariable %p_r " + storage + "\n",
                "OpDecorate %r DescriptorSet 1\nOpDecorate %r Binding 4\n" + more});
  };
  const std::string block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n";
  const auto both = [&](const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
    return found({a, b});
  };
  const std::vector<uint32_t> uniform = with("Vertex", "block", "Uniform", block);
  CHECK(both(uniform, with("Fragment", "block", "Uniform", block)) == Expected{});
  CHECK(
      both(uniform, with("Fragment", "combined", "UniformConstant")) ==
      Expected{
          "1 pipeline-binding: set 1, binding 4 is a combined image sampler here, but a uniform buffer in a "
          "stage before it"});
  CHECK(both(uniform, with("Fragment", "block", "StorageBuffer", block)) ==
        Expected{"1 pipeline-binding: set 1, binding 4 is a storage buffer here, but a uniform buffer in a "
                 "stage before "
                 "it"});
  // An array of descriptors has the kind of its elements.
  CHECK(both(with("Vertex", "nested", "UniformConstant"), with("Fragment", "image", "UniformConstant")) ==
        Expected{});
  CHECK(both(with("Vertex", "nested", "UniformConstant"), with("Fragment", "stored", "UniformConstant")) ==
        Expected{"1 pipeline-binding: set 1, binding 4 is a storage image here, but a combined image sampler "
                 "or a sampled image in a stage before it"});
  // A combined image sampler can be read as an image and as a sampler.
  CHECK(both(with("Vertex", "image", "UniformConstant"), with("Fragment", "sampler", "UniformConstant")) ==
        Expected{});
  CHECK(both(with("Vertex", "combined", "UniformConstant"), with("Fragment", "stored", "UniformConstant")) ==
        Expected{"1 pipeline-binding: set 1, binding 4 is a storage image here, but a combined image sampler "
                 "in a stage "
                 "before it"});
}

TEST_CASE("pipeline: sizes of clip and cull distances") {
  const auto compiled = [](const std::string& text, Stage stage) {
    Options options;
    options.stage = stage;
    options.targetEnv = TargetEnv::Vulkan1_3;
    Result result = compile("#version 450\n" + text, "shader", options);
    INFO(result.messages);
    REQUIRE(result.ok);
    return std::move(result.words);
  };
  const auto vertices = [&](const std::string& body) {
    return compiled(
        "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[1]; };\n"
        "void main() { gl_Position = vec4(0); " +
            body + " }\n",
        Stage::Vertex);
  };
  const std::vector<uint32_t> two =
      vertices("gl_ClipDistance[0] = gl_ClipDistance[1] = 1; gl_CullDistance[0] = 1;");
  const std::vector<uint32_t> none = compiled(
      "out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_Position = vec4(0); }\n", Stage::Vertex);
  const auto geometry = [&](const std::string& members, const std::string& read) {
    return compiled(
        "layout(triangles) in;\nlayout(points, max_vertices = 1) out;\nin gl_PerVertex { vec4 gl_Position; " +
            members + " } gl_in[];\nvoid main() { gl_Position = gl_in[0].gl_Position" + read +
            "; EmitVertex(); }\n",
        Stage::Geometry);
  };
  CHECK(found({two, geometry("float gl_ClipDistance[2];", " + gl_in[1].gl_ClipDistance[0]")}) == Expected{});
  CHECK(found({two, geometry("float gl_ClipDistance[3];", "")}) == Expected{});
  // An access chain to another member is not a use, with either of the two opcodes.
  std::vector<uint32_t> inBounds = geometry("float gl_ClipDistance[3];", "");
  uint32_t chains = 0;
  for (size_t n = 5; n < inBounds.size(); n += inBounds[n] >> 16) {
    if ((inBounds[n] & 0xffff) != uint32_t(spv::Op::OpAccessChain)) continue;
    inBounds[n] = (inBounds[n] & ~0xffffu) | uint32_t(spv::Op::OpInBoundsAccessChain);
    ++chains;
  }
  CHECK(chains >= 2);
  CHECK(found({two, inBounds}) == Expected{});
  const std::string of = "the output of the vertex shader has ";
  CHECK(found({two, geometry("float gl_ClipDistance[1];", " + gl_in[1].gl_ClipDistance[0]")}) ==
        Expected{"1 pipeline-distances: input ClipDistance has 1 elements, but " + of + "2"});
  CHECK(found({two, geometry("float gl_CullDistance[3];", " + gl_in[1].gl_CullDistance[0]")}) ==
        Expected{"1 pipeline-distances: input CullDistance has 3 elements, but " + of + "1"});
  CHECK(found({none, geometry("float gl_CullDistance[1];", " + gl_in[1].gl_CullDistance[0]")}) ==
        Expected{"1 pipeline-distances: input CullDistance has 1 elements, but the vertex shader has no such "
                 "output"});
  const auto fragments = [&](const std::string& size) {
    return compiled("in float gl_ClipDistance[" + size +
                        "];\nlayout(location = 0) out float o;\n"
                        "void main() { o = gl_ClipDistance[0]; }\n",
                    Stage::Fragment);
  };
  CHECK(found({two, fragments("2")}) == Expected{});
  CHECK(found({two, fragments("1")}) == Expected{});
  CHECK(found({two, fragments("3")}) ==
        Expected{"1 pipeline-fragment-distances: input ClipDistance has 3 elements, but " + of + "2"});
}

TEST_CASE("pipeline: every rule is broken here") {
  // The tests above cover these rules; this check keeps the list complete.
  const std::set<std::string> tested = {
      "pipeline-stages",  "pipeline-input",       "pipeline-component-type", "pipeline-decoration",
      "pipeline-type",    "pipeline-vector-size", "pipeline-interpolation",  "pipeline-tessellation",
      "pipeline-payload", "pipeline-binding",     "pipeline-distances",      "pipeline-fragment-distances",
      "pipeline-ray-data"};
  std::set<std::string> all;
  for (const RuleDescription& rule : rules())
    if (rule.level == RuleLevel::Pipeline) all.insert(std::string(rule.id));
  CHECK(all == tested);
}

TEST_CASE("pipeline: options, entry points, and modules that are none") {
  const Modules modules = {vertex({{"c", "v4", "Location 0, NoPerspective"}}),
                           fragment({{"c", "v4", "Location 0"}, {"d", "v4", "Location 1"}})};
  ValidateOptions options;
  options.suppress = {"pipeline-interpolation"};
  CHECK(checked(modules, options)[1].findings.size() == 1);
  options.suppress = {"pipeline-interpolation", "pipeline-input"};
  CHECK(checked(modules, options)[1].findings.empty());
  options = {};
  options.maxFindings = 1;
  CHECK(checked(modules, options)[1].dropped == 1);

  std::vector<PipelineModule> given = {{modules[0], "main"}, {modules[1], "other"}};
  std::vector<ValidateResult> results = {validate(modules[0]), validate(modules[1])};
  validatePipeline(given, {}, results);
  CHECK(results[1].findings.empty());
  const std::vector<uint32_t> none = {1, 2, 3};
  given = {{modules[1], {}}, {none, {}}, {modules[0], {}}};
  results = {validate(modules[1]), validate(none), validate(modules[0])};
  validatePipeline(given, {}, results);
  CHECK(results[0].findings.empty());
  CHECK(results[1].findings.size() == 1);
}

TEST_CASE("pipeline: what the compiler makes of two stages") {
  const auto compiled = [](const char* text, Stage stage) {
    Options options;
    options.stage = stage;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.debugInfo = true;
    Result result = compile(text, "shader", options);
    INFO(result.messages);
    REQUIRE(result.ok);
    return std::move(result.words);
  };
  const std::vector<uint32_t> first = compiled(
      "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 0) out vec3 n;\n"
      "layout(location = 1) out B { vec2 at; float w[2]; } b;\n"
      "void main() { gl_Position = p; n = p.xyz; b.at = p.xy; b.w = float[2](1.0, 2.0); }\n",
      Stage::Vertex);
  const auto last = [&](const std::string& input) {
    return compiled(
        ("#version 450\n" + input + "\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1); }\n")
            .c_str(),
        Stage::Fragment);
  };
  CHECK(
      found(
          {first,
           last("layout(location = 0) in vec3 n;\nlayout(location = 1) in B { vec2 at; float w[2]; } c;")}) ==
      Expected{});
  const std::vector<ValidateResult> results = checked({first, last("layout(location = 4) in vec3 n;")});
  REQUIRE(results[1].findings.size() == 1);
  const Finding& f = results[1].findings[0];
  CHECK(f.message == "input `n` takes component 0 of location 4, which no output of the vertex shader has");
}

TEST_CASE("pipeline: the C interface") {
  const Modules modules = {vertex({{"c", "v4", "Location 0"}}), fragment({{"d", "v4", "Location 1"}})};
  std::vector<coopc_pipeline_module> given;
  for (const std::vector<uint32_t>& words : modules)
    given.push_back(
        {words.data(), words.size(), nullptr, coopc_validate(words.data(), words.size(), nullptr)});
  CHECK(coopc_validate_pipeline(given.data(), given.size(), nullptr) == 1);
  CHECK(coopc_findings_count(given[0].findings) == 0);
  REQUIRE(coopc_findings_count(given[1].findings) == 1);
  coopc_finding finding;
  REQUIRE(coopc_findings_get(given[1].findings, 0, &finding) == 1);
  CHECK(std::string(finding.rule) == "pipeline-input");
  CHECK(finding.level == COOPC_RULE_PIPELINE);
  CHECK(coopc_findings_status(given[1].findings) == COOPC_STATUS_INPUT_ERROR);
  given[0].entry_point = "other";
  CHECK(coopc_validate_pipeline(given.data(), given.size(), nullptr) == 1);
  CHECK(coopc_findings_count(given[1].findings) == 1);
  given.push_back({modules[0].data(), modules[0].size(), nullptr, nullptr});
  CHECK(coopc_validate_pipeline(given.data(), given.size(), nullptr) == 0);
  CHECK(coopc_validate_pipeline(nullptr, 1, nullptr) == 0);
  CHECK(coopc_validate_pipeline(nullptr, 0, nullptr) == 1);
  coopc_findings_destroy(given[0].findings);
  coopc_findings_destroy(given[1].findings);
}

TEST_CASE("pipeline: a payload of another type is named") {
  const std::string head = "#version 450\n#extension GL_EXT_mesh_shader : require\n";
  const auto module = [&](const std::string& text, Stage stage) {
    Options options;
    options.stage = stage;
    options.targetEnv = TargetEnv::Vulkan1_3;
    return compile(head + text, "payload", options).words;
  };
  const std::vector<uint32_t> task = module(
      "taskPayloadSharedEXT vec4 passed;\nvoid main() { passed = vec4(1); EmitMeshTasksEXT(1, 1, 1); }\n",
      Stage::Task);
  const std::vector<uint32_t> mesh = module(
      "layout(triangles, max_vertices = 3, max_primitives = 1) out;\ntaskPayloadSharedEXT uint taken;\n"
      "void main() { uint x = taken; }\n",
      Stage::Mesh);
  const std::vector<std::string> all = found({task, mesh});
  REQUIRE(all.size() == 1);
  CHECK(all[0].find("1 pipeline-payload: payload `taken` is uint32_t, but the task shader passes vector of 4 "
                    "float32_t") == 0);
}

// Modules with changed words: validation must end, with or without findings.
TEST_CASE("pipeline: hostile modules") {
  const Modules modules = {vertex({{"c", "v4", "Location 0"}, {"d", "a4", "Location 1"}}),
                           fragment({{"c", "v4", "Location 0"}, {"d", "a4", "Location 1"}})};
  uint32_t random = 1;
  size_t readable = 0;
  for (int n = 0; n < 3000; ++n) {
    Modules changed = modules;
    std::vector<ValidateResult> results;
    std::vector<PipelineModule> given;
    for (std::vector<uint32_t>& words : changed) {
      random = random * 1664525 + 1013904223;
      words[5 + (random >> 8) % (words.size() - 5)] =
          random % 3 == 0 ? random % words[3] : random >> (random & 31);
      results.push_back(validate(words));
      given.push_back({words, {}});
    }
    validatePipeline(given, {}, results);
    readable += results[0].readable && results[1].readable ? 1 : 0;
  }
  CHECK(readable > 300);
  // Structures that contain the previous one twice, so deeply nested that counting all members would never
  // end.
  std::string nested = "%s0 = OpTypeStruct %f32 %f32\n";
  for (int n = 1; n < 40; ++n)
    nested += "%s" + std::to_string(n) + " = OpTypeStruct %s" + std::to_string(n - 1) + " %s" +
              std::to_string(n - 1) + "\n";
  const auto deep = [&](const std::string& model, const std::string& modes, bool input) {
    Interfaces s{{}, {}, modes, nested};
    (input ? s.inputs : s.outputs).push_back({"s", "s39", "Location 0"});
    return stage(model, s);
  };
  CHECK(found({deep("Vertex", "", false), deep("Fragment", "OriginUpperLeft", true)}) == Expected{});
}

// Types that contain themselves, which no valid module has (SPIR-V 2.4, 2.16.1).
TEST_CASE("pipeline: types that hold themselves end") {
  for (const char* types : {"%loop = OpTypeArray %loop %n3\n", "%loop = OpTypeStruct %f32 %loop\n",
                            "%loop = OpTypeMatrix %loop 4\n",
                            "%loop = OpTypeArray %other %n3\n%other = OpTypeStruct %loop %loop\n"}) {
    INFO(types);
    const auto holding = [&](const std::string& model, const std::string& modes, bool input) {
      Interfaces s{{}, {}, modes, types};
      (input ? s.inputs : s.outputs).push_back({"s", "loop", "Location 0"});
      return stage(model, s);
    };
    const Modules modules = {holding("Vertex", "", false), holding("Fragment", "OriginUpperLeft", true)};
    std::vector<ValidateResult> results = {validate(modules[0]), validate(modules[1])};
    const std::vector<PipelineModule> given = {{modules[0], {}}, {modules[1], {}}};
    validatePipeline(given, {}, results);
    CHECK(results[0].readable);
    CHECK(results[1].readable);
  }
}

}  // namespace coopc::tests
