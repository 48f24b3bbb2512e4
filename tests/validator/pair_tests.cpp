// Pairs of stages as GLSL, matching and not matching, and the findings of the pipeline check about each pair.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/validate.hpp"

namespace coopc::tests {
namespace {

struct Text {
  Stage stage;
  const char* text;
};
struct Pair {
  const char* name;
  std::vector<Text> stages;
  std::vector<std::string> rules;  // the broken rules, each once
};

const Pair kPairs[] = {
    {"same",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {}},
    {"output unused",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a; layout(location=1) out vec3 c;\nvoid main() { "
       "gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {}},
    {"narrower in",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec2 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {}},
    {"component 0 stated",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0,component=0) in vec2 b;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {}},
    {"parts of a vector",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0,component=2) in vec2 b;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {}},
    {"block and block",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; vec2 b; } o;\nvoid main() { gl_Position = vec4(0);  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in C { vec4 x; vec2 y; "
       "};\nvoid main() { color_ = vec4(0);  }\n"}},
     {}},
    {"array over vertices",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Geometry,
       "#version 450\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) "
       "out;\nlayout(location=0) in vec4 a[];\nvoid main() {  }\n"}},
     {}},
    {"block over vertices",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; };\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Geometry,
       "#version 450\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) "
       "out;\nlayout(location=0) in B { vec4 a; } b[];\nvoid main() {  }\n"}},
     {}},
    {"tesc to tese",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::TessControl,
       "#version 450\nlayout(vertices = 3) out;\nlayout(location=0) in vec4 a[]; layout(location=0) out vec4 "
       "b[]; layout(location=1) patch out vec4 p;\nvoid main() {  }\n"},
      {Stage::TessEvaluation,
       "#version 450\nlayout(triangles) in;\nlayout(location=0) in vec4 b[]; layout(location=1) patch in "
       "vec4 p;\nvoid main() {  }\n"}},
     {}},
    {"flat here only",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out int a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) flat in int b;\nvoid main() "
       "{ color_ = vec4(0);  }\n"}},
     {}},
    {"pervertex",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_fragment_shader_barycentric : require\nlayout(location=0) "
       "pervertexEXT in vec2 b[];\nvoid main() { vec2 x = b[1]; }\n"}},
     {}},
    {"mesh to fragment",
     {{Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nlayout(location=0) out vec4 a[]; layout(location=1) perprimitiveEXT out "
       "vec4 p[];\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(location=0) in vec4 a; "
       "layout(location=1) perprimitiveEXT in vec4 p;\nvoid main() {  }\n"}},
     {}},
    {"struct",
     {{Stage::Vertex,
       "#version 450\nstruct S { vec4 a; ivec2 b; }; layout(location=0) flat out S s;\nvoid main() { "
       "gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nstruct T { vec4 x; ivec2 y; }; "
       "layout(location=0) flat in T t;\nvoid main() { color_ = vec4(0);  }\n"}},
     {}},
    {"doubles",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out dvec3 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) flat in dvec3 a;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {}},
    {"payload",
     {{Stage::Task,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nstruct P { vec4 a; uint b; }; "
       "taskPayloadSharedEXT P p;\nvoid main() { p.b = 1u; EmitMeshTasksEXT(1,1,1); }\n"},
      {Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nstruct P { vec4 a; uint b; }; taskPayloadSharedEXT P p;\nvoid main() { "
       "uint x = p.b; }\n"}},
     {}},
    {"missing",
     {{Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"other location",
     {{Stage::Vertex,
       "#version 450\nlayout(location=1) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"wider in",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"other component",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0,component=2) in vec2 b;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"float and int",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) flat in ivec4 b;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-component-type"}},
    {"int and uint",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out int a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) flat in uint b;\nvoid main() "
       "{ color_ = vec4(0);  }\n"}},
     {"pipeline-component-type"}},
    {"double and float",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out dvec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-component-type"}},
    {"matrix and array",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out mat4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b[4];\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"matrix sizes",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out mat3 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in mat4x3 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"matrix rows",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out mat3x4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in mat3 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"array sizes",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a[2];\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b[3];\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"shorter array in",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a[3];\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b[2];\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"array and scalar",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b[1];\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"block and variable",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; };\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 a;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"variable and block",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in B { vec4 a; };\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"block members",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; vec4 b; };\nvoid main() { gl_Position = vec4(0);  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in B { vec4 a; };\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"block order",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; vec2 b; };\nvoid main() { gl_Position = vec4(0);  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in B { vec2 b; vec4 a; "
       "};\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-input", "pipeline-type"}},
    {"struct and block",
     {{Stage::Vertex,
       "#version 450\nstruct S { vec4 a; }; layout(location=0) out S s;\nvoid main() { gl_Position = "
       "vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in B { vec4 a; };\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"struct members",
     {{Stage::Vertex,
       "#version 450\nstruct S { vec4 a; vec4 b; }; layout(location=0) out S s;\nvoid main() { gl_Position = "
       "vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nstruct S { vec4 a; }; layout(location=0) in S "
       "s;\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"patch out only",
     {{Stage::TessControl,
       "#version 450\nlayout(vertices = 3) out;\nlayout(location=0) patch out vec4 p;\nvoid main() {  }\n"},
      {Stage::TessEvaluation,
       "#version 450\nlayout(triangles) in;\nlayout(location=0) in vec4 p[];\nvoid main() {  }\n"}},
     {"pipeline-decoration"}},
    {"patch in only",
     {{Stage::TessControl,
       "#version 450\nlayout(vertices = 3) out;\nlayout(location=0) out vec4 p[];\nvoid main() {  }\n"},
      {Stage::TessEvaluation,
       "#version 450\nlayout(triangles) in;\nlayout(location=0) patch in vec4 p;\nvoid main() {  }\n"}},
     {"pipeline-decoration"}},
    {"per primitive out only",
     {{Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nlayout(location=0) perprimitiveEXT out vec4 p[];\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(location=0) in vec4 p;\nvoid main() {  "
       "}\n"}},
     {"pipeline-decoration"}},
    {"per primitive in only",
     {{Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nlayout(location=0) out vec4 p[];\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(location=0) perprimitiveEXT in vec4 "
       "p;\nvoid main() {  }\n"}},
     {"pipeline-decoration"}},
    {"interpolation out",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) flat out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 b;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-interpolation"}},
    {"interpolation differs",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) noperspective out vec4 a;\nvoid main() { gl_Position = vec4(0);  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) centroid in vec4 b;\nvoid "
       "main() { color_ = vec4(0);  }\n"}},
     {"pipeline-interpolation"}},
    {"control without evaluation",
     {{Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::TessControl, "#version 450\nlayout(vertices = 3) out;\n\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\n\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-stages"}},
    {"evaluation without control",
     {{Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::TessEvaluation, "#version 450\nlayout(triangles) in;\n\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\n\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-stages"}},
    {"mesh and vertex",
     {{Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\n\nvoid main() {  }\n"},
      {Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\n\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-stages"}},
    {"vertex twice",
     {{Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Vertex, "#version 450\n\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\n\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-stages"}},
    {"geometry takes lines",
     {{Stage::TessControl, "#version 450\nlayout(vertices = 3) out;\n\nvoid main() {  }\n"},
      {Stage::TessEvaluation, "#version 450\nlayout(triangles) in;\n\nvoid main() {  }\n"},
      {Stage::Geometry,
       "#version 450\nlayout(lines) in;\nlayout(points, max_vertices=1) out;\nvoid main() {}\n"}},
     {"pipeline-tessellation"}},
    {"across geometry",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Geometry,
       "#version 450\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n\nvoid main() {  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 a;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"across tessellation",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::TessControl,
       "#version 450\nlayout(vertices = 3) out;\nlayout(location=0) in vec4 a[];\nvoid main() {  }\n"},
      {Stage::TessEvaluation, "#version 450\nlayout(triangles) in;\n\nvoid main() {  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 a;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {"pipeline-input"}},
    {"vertex to control type",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec4 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::TessControl,
       "#version 450\nlayout(vertices = 3) out;\nlayout(location=0) in ivec4 a[];\nvoid main() {  }\n"},
      {Stage::TessEvaluation, "#version 450\nlayout(triangles) in;\n\nvoid main() {  }\n"}},
     {"pipeline-component-type"}},
    {"geometry block members",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; };\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Geometry,
       "#version 450\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) "
       "out;\nlayout(location=0) in B { vec4 a; vec4 b; } b[];\nvoid main() {  }\n"}},
     {"pipeline-input", "pipeline-type"}},
    {"pervertex type",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out vec2 a;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_fragment_shader_barycentric : require\nlayout(location=0) "
       "pervertexEXT in ivec2 b[];\nvoid main() { ivec2 x = b[1]; }\n"}},
     {"pipeline-component-type"}},
    {"sampler and buffer",
     {{Stage::Vertex,
       "#version 450\nlayout(binding=0) uniform U { vec4 u; };\nvoid main() { gl_Position = vec4(0); "
       "gl_Position = u; }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(binding=0) uniform sampler2D s;\nvoid "
       "main() { color_ = vec4(0); color_ = texture(s, vec2(0)); }\n"}},
     {"pipeline-binding"}},
    {"blocks of one binding differ",
     {{Stage::Vertex,
       "#version 450\nlayout(binding=0) uniform U { vec4 u; };\nvoid main() { gl_Position = vec4(0); "
       "gl_Position = u; }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(binding=0) uniform U { vec2 u; vec2 v; "
       "};\nvoid main() { color_ = vec4(0); color_ = u.xyxy; }\n"}},
     {}},
    {"xfb",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0,xfb_offset=0,xfb_buffer=0,xfb_stride=16) out vec4 a;\nvoid main() { "
       "gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in vec4 a;\nvoid main() { "
       "color_ = vec4(0);  }\n"}},
     {}},
    {"no payload is used",
     {{Stage::Task,
       "#version 450\n#extension GL_EXT_mesh_shader : require\n\nvoid main() {  EmitMeshTasksEXT(1,1,1); "
       "}\n"},
      {Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\n\nvoid main() {  }\n"}},
     {}},
    {"payload of a single stage",
     {{Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nstruct P { uint b; }; taskPayloadSharedEXT P p;\nvoid main() { uint x = "
       "p.b; }\n"}},
     {}},
};

const Pair kLater[] = {
    {"block member types",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec4 a; vec4 b; };\nvoid main() { gl_Position = vec4(0);  "
       "}\n"},
      {Stage::Fragment,
       "#version 450\nlayout(location = 9) out vec4 color_;\nlayout(location=0) in B { vec4 a; vec2 b; "
       "};\nvoid main() { color_ = vec4(0);  }\n"}},
     {"pipeline-type"}},
    {"pervertex block",
     {{Stage::Vertex,
       "#version 450\nlayout(location=0) out B { vec2 a; } o;\nvoid main() { gl_Position = vec4(0);  }\n"},
      {Stage::Fragment,
       "#version 450\n#extension GL_EXT_fragment_shader_barycentric : require\nlayout(location=0) "
       "pervertexEXT in B { vec2 a; } b[];\nvoid main() { vec2 x = b[1].a; }\n"}},
     {}},
    {"payload members",
     {{Stage::Task,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nstruct P { vec4 a; }; taskPayloadSharedEXT P "
       "p;\nvoid main() { p.a = vec4(1); EmitMeshTasksEXT(1,1,1); }\n"},
      {Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nstruct P { uint b; }; taskPayloadSharedEXT P p;\nvoid main() { uint x = "
       "p.b; }\n"}},
     {"pipeline-payload"}},
    {"payload missing",
     {{Stage::Task,
       "#version 450\n#extension GL_EXT_mesh_shader : require\n\nvoid main() {  EmitMeshTasksEXT(1,1,1); "
       "}\n"},
      {Stage::Mesh,
       "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
       "max_primitives = 1) out;\nstruct P { uint b; }; taskPayloadSharedEXT P p;\nvoid main() { uint x = "
       "p.b; }\n"}},
     {"pipeline-payload"}},
};

std::vector<std::string> brokenRules(const Pair& pair) {
  std::vector<std::vector<uint32_t>> words;
  std::vector<PipelineModule> modules;
  std::vector<ValidateResult> results;
  for (const Text& t : pair.stages) {
    Options options;
    options.stage = t.stage;
    options.targetEnv = TargetEnv::Vulkan1_3;
    Result result = compile(t.text, "shader", options);
    INFO(result.messages);
    REQUIRE(result.ok);
    words.push_back(std::move(result.words));
  }
  for (const std::vector<uint32_t>& w : words) {
    modules.push_back({w, {}});
    results.push_back(validate(w, {}));
    CHECK(results.back().findings.empty());
  }
  validatePipeline(modules, {}, results);
  std::vector<std::string> broken;
  for (const ValidateResult& r : results)
    for (const Finding& f : r.findings) broken.emplace_back(f.rule->id);
  std::sort(broken.begin(), broken.end());
  broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
  return broken;
}

// Checks the pairs. Returns how many ran.
size_t checkPairs(std::span<const Pair> pairs) {
  size_t ran = 0;
  for (const Pair& pair : pairs) {
    INFO(pair.name);
    CHECK(brokenRules(pair) == pair.rules);
    ++ran;
  }
  return ran;
}

}  // namespace

TEST_CASE("pipeline: pairs of stages") { CHECK(checkPairs(kPairs) == 55); }
TEST_CASE("pipeline: payloads, blocks of vertices, members of blocks") { CHECK(checkPairs(kLater) == 4); }

}  // namespace coopc::tests
