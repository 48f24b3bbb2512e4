// Wrong tessellation, geometry, task and mesh shaders: each ends in one error, of the right kind and with its
// clause.
#include <span>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"

using namespace coopc;

namespace {

struct Row {
  const char* declared;  // what most texts of the stage begin with
  const char* text;
  const char* id;
};

constexpr char kTriangles[] =
    "#version 450\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n";
constexpr char kPoints[] = "#version 450\nlayout(points) in;\nlayout(points, max_vertices = 3) out;\n";
constexpr char kPatch[] = "#version 450\nlayout(vertices = 3) out;\n";
constexpr char kDomain[] = "#version 450\nlayout(triangles) in;\n";

constexpr char kTask[] = "#version 450\n#extension GL_EXT_mesh_shader : require\n";
constexpr char kTaskNV[] = "#version 450\n#extension GL_NV_mesh_shader : require\n";
constexpr char kMeshHead[] = "#version 450\n#extension GL_EXT_mesh_shader : require\n";
constexpr char kMesh[] =
    "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
    "max_primitives "
    "= 1) out;\n";
constexpr char kMeshNV[] =
    "#version 450\n#extension GL_NV_mesh_shader : require\nlayout(triangles, max_vertices = 3, "
    "max_primitives "
    "= 1) out;\n";
constexpr char kFragment[] = "#version 450\n#extension GL_EXT_mesh_shader : require\n";

constexpr Row kGeometry[] = {
    {kTriangles, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kTriangles, "layout(location = 0) in vec4 a[2];\nvoid main() {}\n", "interface-array-size"},
    {"",
     "#version 450\nlayout(location = 0) in vec4 a[2];\nlayout(triangles) in;\nlayout(points, max_vertices = "
     "1) out;\nvoid main() {}\n",
     "interface-array-size"},
    {"",
     "#version 450\nlayout(location = 0) in vec4 a[];\nvec4 f() { return a[4]; }\nlayout(triangles) "
     "in;\nlayout(points, max_vertices = 1) out;\nvoid main() {}\n",
     "interface-array-index"},
    {"",
     "#version 450\nint f() { return gl_in.length(); }\nlayout(triangles) in;\nlayout(points, max_vertices = "
     "1) out;\nvoid main() {}\n",
     "length-of-unsized"},
    {"",
     "#version 450\nvec4 f(int i) { return gl_in[i].gl_Position; }\nlayout(triangles) in;\nlayout(points, "
     "max_vertices = 1) out;\nvoid main() {}\n",
     "unsized-dynamic-index"},
    {kTriangles, "layout(lines) in;\nvoid main() {}\n", "primitive-layouts"},
    {kTriangles, "layout(points) out;\nvoid main() {}\n", "primitive-layouts"},
    {kTriangles, "layout(max_vertices = 4) out;\nvoid main() {}\n", "primitive-layouts"},
    {kTriangles, "layout(invocations = 2) in;\nlayout(invocations = 3) in;\nvoid main() {}\n",
     "primitive-layouts"},
    {kTriangles, "layout(invocations = 0) in;\nvoid main() {}\n", "primitive-count"},
    {kDomain, "layout(points, max_vertices = 257) out;\nvoid main() {}\n", "primitive-count"},
    {kTriangles, "layout(quads) in;\nvoid main() {}\n", "layout-other-stage"},
    {kTriangles, "layout(vertices = 3) out;\nvoid main() {}\n", "layout-other-stage"},
    {kTriangles, "layout(local_size_x = 1) in;\nvoid main() {}\n", "layout-other-stage"},
    {kTriangles, "layout(line_strip) in;\nvoid main() {}\n", "layout-placement"},
    {kTriangles, "layout(max_vertices = 3) in;\nvoid main() {}\n", "layout-placement"},
    {kTriangles, "layout(invocations = 3) out;\nvoid main() {}\n", "layout-placement"},
    {kTriangles, "layout(triangles, location = 0) in vec4 a[];\nvoid main() {}\n", "layout-placement"},
    {kDomain, "layout(lines, max_vertices = 3) out;\nvoid main() {}\n", "primitive-place"},
    {kDomain, "layout(triangles, max_vertices = 3) out;\nvoid main() {}\n", "primitive-place"},
    {"", "#version 450\nlayout(points, max_vertices = 3) out;\nvoid main() {}\n", "primitive-layout-missing"},
    {kDomain, "layout(max_vertices = 3) out;\nvoid main() {}\n", "primitive-layout-missing"},
    {kDomain, "layout(points) out;\nvoid main() {}\n", "primitive-layout-missing"},
    {"", "#version 310 es\nlayout(triangles) in;\nlayout(points, max_vertices = 1) out;\nvoid main() {}\n",
     "stage-version"},
    {"", "#version 140\nvoid main() {}\n", "stage-version"},
    {kTriangles, "void main() { vec4 a = gl_in[3].gl_Position; }\n", "index-out-of-range"},
    {kTriangles, "void main() { gl_in[0].gl_Position = vec4(0); }\n", "write-to-input"},
    {kTriangles, "void main() { gl_PrimitiveIDIn = 1; }\n", "write-to-input"},
    {kTriangles, "void main() { gl_InvocationID = 1; }\n", "write-to-input"},
    {kTriangles, "void main() { barrier(); }\n", "function-other-stage"},
    {kTriangles, "void main() { float x = dFdx(1.0); }\n", "function-other-stage"},
    {kTriangles, "void main() { discard; }\n", "fragment-jump"},
    {kTriangles, "void main() { vec3 x = gl_TessCoord; }\n", "name-of-other-stage"},
    {kTriangles, "void main() { vec4 x = gl_FragCoord; }\n", "name-of-other-stage"},
    {kTriangles, "void main() { int x = gl_PatchVerticesIn; }\n", "name-of-other-stage"},
    {kTriangles, "void main() { gl_out[0].gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kTriangles, "void main() { EmitStreamVertex(0); }\n", "stream-primitive"},
    {kTriangles, "void main() { EndStreamPrimitive(0); }\n", "stream-primitive"},
    {kPoints, "void main() { int i = 0; EmitStreamVertex(i); }\n", "argument-not-constant"},
    {kPoints, "void main() { EmitVertex(1); }\n", "no-matching-function"},
    {kPoints, "layout(stream = 1) out B { layout(stream = 2, location = 0) vec4 a; };\nvoid main() {}\n",
     "stream-of-member"},
    {kTriangles, "layout(location = 0) patch in vec4 a[];\nvoid main() {}\n", "qualifier-placement"},
    {kTriangles, "layout(location = 0) patch out vec4 a;\nvoid main() {}\n", "qualifier-placement"},
    {kTriangles, "layout(location = 0) in B { vec4 a; } b;\nvoid main() {}\n", "interface-not-array"},
    {kTriangles, "layout(location = 0) in B { vec4 a; } b[4];\nvoid main() {}\n", "interface-array-size"},
    {kTriangles, "in gl_PerVertex { vec4 gl_Position; };\nvoid main() {}\n", "per-vertex-array-name"},
    {kTriangles, "in gl_PerVertex { vec4 gl_Position; } other[];\nvoid main() {}\n", "per-vertex-array-name"},
    {kTriangles, "in gl_PerVertex { vec4 color; } gl_in[];\nvoid main() {}\n", "per-vertex-member"},
    {kTriangles, "in gl_PerVertex { vec3 gl_Position; } gl_in[];\nvoid main() {}\n",
     "builtin-redeclared-type"},
    {kTriangles, "in gl_PerVertex { vec4 gl_Position; } gl_in[2];\nvoid main() {}\n", "interface-array-size"},
    {kTriangles,
     "in gl_PerVertex { vec4 gl_Position; } gl_in[];\nvoid main() { float x = gl_in[0].gl_PointSize; }\n",
     "no-such-member"},
    {kTriangles, "out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_PointSize = 1.0; }\n",
     "per-vertex-without"},
    {kTriangles,
     "vec4 f() { return gl_in[0].gl_Position; }\nin gl_PerVertex { vec4 gl_Position; } gl_in[];\nvoid main() "
     "{}\n",
     "builtin-redeclared-late"},
    {kTriangles, "layout(location = 0) out bool b;\nvoid main() {}\n", "interface-type"},
    {kTriangles, "out vec4 a;\nvoid main() {}\n", "location-missing"},
    {kTriangles, "layout(location = 0) out vec4 a;\nlayout(location = 0) out vec4 b;\nvoid main() {}\n",
     "location-overlap"},
    {kTriangles, "layout(location = 0) in mat4 a[];\nlayout(location = 3) in vec4 b[];\nvoid main() {}\n",
     "location-overlap"},
    {kTriangles, "layout(location = 0) out vec4 a = vec4(0);\nvoid main() {}\n", "initializer-placement"},
    {kTriangles, "layout(xfb_buffer = 4) out;\nvoid main() {}\n", "capture-buffer-range"},
    {kTriangles, "layout(location = 0, xfb_offset = 2) out vec4 a;\nvoid main() {}\n", "capture-offset"},
    {kTriangles, "layout(location = 0, xfb_offset = 4) out dvec2 a;\nvoid main() {}\n", "capture-offset"},
    {kTriangles,
     "layout(location = 0, xfb_offset = 0) out vec4 a;\nlayout(location = 1, xfb_offset = 12) out vec4 "
     "b;\nvoid main() {}\n",
     "capture-overlap"},
    {kTriangles,
     "layout(xfb_buffer = 1, xfb_stride = 16) out;\nlayout(xfb_buffer = 1, xfb_stride = 32) out;\nvoid "
     "main() {}\n",
     "capture-strides"},
    {kTriangles, "layout(xfb_stride = 18) out;\nvoid main() {}\n", "capture-stride"},
    {kTriangles,
     "layout(xfb_stride = 20) out;\nlayout(location = 0, xfb_offset = 0) out dvec2 a;\nvoid main() {}\n",
     "capture-stride"},
    {kTriangles,
     "layout(xfb_stride = 16) out;\nlayout(location = 0, xfb_offset = 4) out vec4 a;\nvoid main() {}\n",
     "capture-stride-small"},
    {kTriangles, "layout(xfb_stride = 260) out;\nvoid main() {}\n", "capture-stride-limit"},
    {kTriangles, "layout(location = 0, xfb_offset = 0) out float a[];\nvoid main() {}\n", "capture-unsized"},
    {kTriangles,
     "layout(location = 0, xfb_buffer = 1) out B { layout(xfb_buffer = 2, xfb_offset = 0) vec4 a; };\nvoid "
     "main() {}\n",
     "capture-buffer-of-member"},
    {kTriangles, "layout(location = 0, xfb_offset = 0) in vec4 a[];\nvoid main() {}\n", "layout-placement"},
};

constexpr Row kTaskRows[] = {
    {kTask, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kTask, "layout(location = 0) out vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kTask, "in B { vec4 a; } b;\nvoid main() {}\n", "block-in-out"},
    {kTask, "out B { vec4 a; } b;\nvoid main() {}\n", "block-in-out"},
    {"", "#version 450\nvoid main() {}\n", "stage-version"},
    {"", "#version 320 es\nvoid main() {}\n", "stage-version"},
    {"", "#version 440\n#extension GL_EXT_mesh_shader : require\nvoid main() {}\n",
     "extension-needs-version"},
    {"", "#version 450\ntaskPayloadSharedEXT int x;\nvoid main() {}\n", "extension-needed"},
    {"", "#version 450\nvoid main() { EmitMeshTasksEXT(1, 1, 1); }\n", "function-needs-extension"},
    {kTask, "taskPayloadSharedEXT int a[];\nvoid main() {}\n", "task-payload-unsized"},
    {kTask, "taskPayloadSharedEXT P { int a[]; } p;\nvoid main() {}\n", "task-payload-unsized"},
    {kTask, "taskPayloadSharedEXT P { int a[]; int b; } p;\nvoid main() {}\n", "task-payload-unsized"},
    {kTask, "taskPayloadSharedEXT P { int a; } p[];\nvoid main() {}\n", "task-payload-unsized"},
    {kTask, "taskPayloadSharedEXT int a;\ntaskPayloadSharedEXT int b;\nvoid main() {}\n",
     "task-payload-twice"},
    {kTask, "taskPayloadSharedEXT int a, b;\nvoid main() {}\n", "task-payload-twice"},
    {kTask, "taskPayloadSharedEXT P { int a; } p;\ntaskPayloadSharedEXT Q { int b; } q;\nvoid main() {}\n",
     "task-payload-twice"},
    {kTask, "taskPayloadSharedEXT sampler2D s;\nvoid main() {}\n", "task-payload-type"},
    {kTask, "taskPayloadSharedEXT P { sampler2D s; } p;\nvoid main() {}\n", "opaque-member"},
    {kTask, "taskPayloadSharedEXT int a = 1;\nvoid main() {}\n", "initializer-placement"},
    {kTask, "layout(location = 0) taskPayloadSharedEXT int a;\nvoid main() {}\n", "layout-placement"},
    {kTask, "layout(binding = 0) taskPayloadSharedEXT P { int a; } p;\nvoid main() {}\n", "layout-placement"},
    {kTask, "layout(std430) taskPayloadSharedEXT P { int a; } p;\nvoid main() {}\n", "layout-placement"},
    {kTask, "taskPayloadSharedEXT P { layout(offset = 4) int a; } p;\nvoid main() {}\n", "layout-placement"},
    {kTask, "readonly taskPayloadSharedEXT int a;\nvoid main() {}\n", "memory-qualifier-placement"},
    {kTask, "flat taskPayloadSharedEXT int a;\nvoid main() {}\n", "qualifier-placement"},
    {kTask, "shared taskPayloadSharedEXT int a;\nvoid main() {}\n", "conflicting-qualifiers"},
    {kTask, "taskPayloadSharedEXT taskPayloadSharedEXT int a;\nvoid main() {}\n", "repeated-qualifier"},
    {kTask, "void main() { taskPayloadSharedEXT int a; }\n", "local-storage"},
    {kTask, "void f(taskPayloadSharedEXT int a) {}\nvoid main() {}\n", "parameter-storage"},
    {kTask, "void main() { EmitMeshTasksEXT(1, 1); }\n", "no-matching-function"},
    {kTask, "void main() { EmitMeshTasksEXT(1.0, 1, 1); }\n", "no-matching-function"},
    {kTask, "void main() { EmitMeshTasksEXT(uvec3(1)); }\n", "no-matching-function"},
    {kTask, "void main() { int x = EmitMeshTasksEXT(1, 1, 1); }\n", "void-value"},
    {kTask, "void main() { SetMeshOutputsEXT(3, 1); }\n", "function-other-stage"},
    {kTask, "void main() { gl_MeshVerticesEXT[0].gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kTask, "void main() { gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0); }\n", "name-of-other-stage"},
    {kTask, "void main() { vec4 p = gl_Position; }\n", "name-of-other-stage"},
    {kTask, "void main() { int v = gl_ViewIndex; }\n", "name-of-other-stage"},
    {kTask, "void main() { gl_WorkGroupID.x = 1; }\n", "write-to-input"},
    {kTask, "void main() { gl_TaskCountNV = 1; }\n", "unavailable-name"},
    {kTask, "layout(max_vertices = 3) out;\nvoid main() {}\n", "compute-interface"},
    {kTask, "layout(triangles) in;\nvoid main() {}\n", "layout-other-stage"},
    {kTask, "layout(local_size_x = 129) in;\nvoid main() {}\n", "local-size-too-large"},
    {kTask, "layout(local_size_x = 0) in;\nvoid main() {}\n", "local-size-range"},
    {kTask, "layout(local_size_x = 2) in;\nlayout(local_size_x = 3) in;\nvoid main() {}\n",
     "local-size-mismatch"},
    {kTask, "void main() { discard; }\n", "fragment-jump"},
    {kTask, "in uvec3 gl_WorkGroupID;\nvoid main() {}\n", "builtin-redeclaration"},
    {kTask, "void main() { float x = dFdx(1.0); }\n", "function-other-stage"},
    {kTask, "perprimitiveEXT int a;\nvoid main() {}\n", "qualifier-placement"},
    {kTaskNV, "out B { vec4 a; } b;\nvoid main() {}\n", "block-in-out"},
    {kTaskNV, "taskNV in B { vec4 a; } b;\nvoid main() {}\n", "task-memory-block"},
    {kTaskNV, "taskNV out vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kTaskNV, "taskNV out B { vec4 a; } b;\ntaskNV out C { vec4 a; } c;\nvoid main() {}\n",
     "task-memory-twice"},
    {kTaskNV, "layout(location = 0) taskNV out B { vec4 a; } b;\nvoid main() {}\n", "layout-placement"},
    {kTaskNV, "taskNV out B { layout(location = 0) vec4 a; } b;\nvoid main() {}\n", "layout-placement"},
    {kTaskNV, "taskNV int a;\nvoid main() {}\n", "qualifier-placement"},
    {kTaskNV, "layout(local_size_x = 33) in;\nvoid main() {}\n", "local-size-too-large"},
    {kTaskNV, "void main() { uvec3 n = gl_NumWorkGroups; }\n", "unavailable-name"},
    {kTaskNV, "void main() { gl_PrimitiveCountNV = 1; }\n", "name-of-other-stage"},
    {kTaskNV, "void main() { gl_MeshViewCountNV = 1; }\n", "write-to-input"},
    {kTaskNV, "void main() { uint v = gl_MeshViewIndicesNV[4]; }\n", "index-out-of-range"},
};

constexpr Row kMeshRows[] = {
    {"", "#version 450\nvoid main() {}\n", "stage-version"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_vertices = 3) out;\nvoid "
     "main() {}\n",
     "primitive-layout-missing"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(triangles, max_primitives = 3) "
     "out;\nvoid main() {}\n",
     "primitive-layout-missing"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(max_vertices = 3, max_primitives = 3) "
     "out;\nvoid main() {}\n",
     "primitive-layout-missing"},
    {kMesh, "layout(points) out;\nvoid main() {}\n", "primitive-layouts"},
    {kMesh, "layout(max_vertices = 4) out;\nvoid main() {}\n", "primitive-layouts"},
    {kMesh, "layout(max_primitives = 2) out;\nvoid main() {}\n", "primitive-layouts"},
    {kMesh, "layout(triangles) in;\nvoid main() {}\n", "primitive-place"},
    {kMesh, "layout(lines_adjacency) in;\nvoid main() {}\n", "layout-other-stage"},
    {kMesh, "layout(triangle_strip) out;\nvoid main() {}\n", "layout-other-stage"},
    {kMesh, "layout(max_vertices = 3) in;\nvoid main() {}\n", "layout-placement"},
    {kMesh, "layout(local_size_x = 3) out;\nvoid main() {}\n", "layout-placement"},
    {kMeshHead, "layout(triangles, max_vertices = 257, max_primitives = 1) out;\nvoid main() {}\n",
     "primitive-count"},
    {kMeshHead, "layout(triangles, max_vertices = 3, max_primitives = 257) out;\nvoid main() {}\n",
     "primitive-count"},
    {kMeshHead, "layout(triangles, max_vertices = 0, max_primitives = 1) out;\nvoid main() {}\n",
     "primitive-count"},
    {kMeshHead, "layout(triangles, max_vertices = 3, max_primitives = 0) out;\nvoid main() {}\n",
     "primitive-count"},
    {kMesh, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kMesh, "in B { vec4 a; } b;\nvoid main() {}\n", "block-in-out"},
    {kMesh, "layout(location = 0) out vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kMesh, "layout(location = 0) perprimitiveEXT out vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kMesh, "layout(location = 0) out vec4 a[4];\nvoid main() {}\n", "interface-array-size"},
    {kMesh, "layout(location = 0) perprimitiveEXT out vec4 a[3];\nvoid main() {}\n", "interface-array-size"},
    {kMesh, "layout(location = 0) out B { vec4 a; } b;\nvoid main() {}\n", "interface-not-array"},
    {kMesh, "layout(location = 0) out B { vec4 a; } b[4];\nvoid main() {}\n", "interface-array-size"},
    {kMesh, "layout(location = 0) perprimitiveEXT out B { vec4 a; } b[3];\nvoid main() {}\n",
     "interface-array-size"},
    {kMesh, "out vec4 a[];\nvoid main() {}\n", "location-missing"},
    {kMesh,
     "layout(location = 0) out vec4 a[];\nlayout(location = 0) perprimitiveEXT out vec4 b[];\nvoid main() "
     "{}\n",
     "location-overlap"},
    {kMesh, "layout(location = 0) out bool a[];\nvoid main() {}\n", "interface-type"},
    {kMesh, "layout(location = 0) out vec4 a[] = vec4[3](vec4(0), vec4(0), vec4(0));\nvoid main() {}\n",
     "initializer-placement"},
    {kMesh, "layout(location = 0) patch out vec4 a[];\nvoid main() {}\n", "qualifier-placement"},
    {kMesh, "perprimitiveEXT int a;\nvoid main() {}\n", "qualifier-placement"},
    {kMesh, "layout(binding = 0) perprimitiveEXT uniform B { vec4 a; } b;\nvoid main() {}\n",
     "qualifier-placement"},
    {kMesh, "void main() { perprimitiveEXT int a; }\n", "qualifier-placement"},
    {kMesh, "perprimitiveEXT shared int a;\nvoid main() {}\n", "qualifier-placement"},
    {kMesh, "layout(location = 0, xfb_offset = 0) out vec4 a[];\nvoid main() {}\n", "layout-other-stage"},
    {kMesh, "layout(location = 0) out vec4 a[];\nvoid main() { vec4 x = a[0]; }\n", "mesh-output-read"},
    {kMesh, "layout(location = 0) out vec4 a[];\nvoid main() { a[0] += vec4(1); }\n", "mesh-output-read"},
    {kMesh, "layout(location = 0) out vec4 a[];\nvoid f(inout vec4 x) {}\nvoid main() { f(a[0]); }\n",
     "mesh-output-read"},
    {kMesh, "void main() { vec4 x = gl_MeshVerticesEXT[0].gl_Position; }\n", "mesh-output-read"},
    {kMesh, "void main() { uvec3 x = gl_PrimitiveTriangleIndicesEXT[0]; }\n", "mesh-output-read"},
    {kMesh, "void main() { gl_PrimitiveTriangleIndicesEXT[0].x = 1; }\n", "mesh-index-part"},
    {kMesh, "void main() { gl_PrimitiveTriangleIndicesEXT[0][1] = 1; }\n", "mesh-index-part"},
    {kMesh, "void main() { gl_PrimitiveLineIndicesEXT[0] = uvec2(0); }\n", "mesh-index-primitive"},
    {kMesh, "void main() { gl_PrimitivePointIndicesEXT[0] = 0; }\n", "mesh-index-primitive"},
    {kMesh, "void main() { gl_PrimitiveTriangleIndicesEXT[1] = uvec3(0); }\n", "index-out-of-range"},
    {kMesh, "void main() { gl_PrimitiveTriangleIndicesEXT[0] = uvec2(0); }\n", "no-implicit-conversion"},
    {kMesh, "void main() { gl_MeshVerticesEXT[3].gl_Position = vec4(0); }\n", "index-out-of-range"},
    {kMesh, "void main() { gl_MeshVerticesEXT[0].gl_Layer = 1; }\n", "no-such-member"},
    {kMesh, "void main() { gl_MeshPrimitivesEXT[0].gl_Position = vec4(1); }\n", "no-such-member"},
    {kMesh, "void main() { gl_MeshPrimitivesEXT[0].gl_PrimitiveShadingRateEXT = 1; }\n", "no-such-member"},
    {kMesh, "void main() { gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kMesh, "void main() { gl_Layer = 0; }\n", "name-of-other-stage"},
    {kMesh, "out gl_MeshPerVertexEXT { vec4 gl_Position; };\nvoid main() {}\n", "per-vertex-array-name"},
    {kMesh, "out gl_MeshPerVertexEXT { vec4 gl_Position; } other[];\nvoid main() {}\n",
     "per-vertex-array-name"},
    {kMesh, "out gl_MeshPerVertexEXT { vec4 color; } gl_MeshVerticesEXT[];\nvoid main() {}\n",
     "per-vertex-member"},
    {kMesh, "out gl_MeshPerVertexEXT { int gl_Layer; } gl_MeshVerticesEXT[];\nvoid main() {}\n",
     "per-vertex-member"},
    {kMesh, "out gl_MeshPerVertexEXT { vec3 gl_Position; } gl_MeshVerticesEXT[];\nvoid main() {}\n",
     "builtin-redeclared-type"},
    {kMesh, "out gl_MeshPerVertexEXT { vec4 gl_Position; } gl_MeshVerticesEXT[4];\nvoid main() {}\n",
     "interface-array-size"},
    {kMesh, "out gl_PerVertex { vec4 gl_Position; } v[];\nvoid main() {}\n", "reserved-name"},
    {kMesh,
     "void f() { gl_MeshVerticesEXT[0].gl_Position = vec4(0); }\nout gl_MeshPerVertexEXT { vec4 gl_Position; "
     "} gl_MeshVerticesEXT[];\nvoid main() {}\n",
     "builtin-redeclared-late"},
    {kMesh,
     "perprimitiveEXT out gl_MeshPerPrimitiveEXT { int gl_Layer; } gl_MeshPrimitivesEXT[];\nvoid main() { "
     "gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 1; }\n",
     "no-such-member"},
    {kMesh, "void main() { SetMeshOutputsEXT(3); }\n", "no-matching-function"},
    {kMesh, "void main() { EmitMeshTasksEXT(1, 1, 1); }\n", "function-other-stage"},
    {kMesh, "taskPayloadSharedEXT int a;\nvoid main() { a = 1; }\n", "write-to-task-payload"},
    {kMesh, "taskPayloadSharedEXT P { int a; } p;\nvoid main() { p.a++; }\n", "write-to-task-payload"},
    {kMesh, "taskPayloadSharedEXT uint a;\nvoid main() { atomicAdd(a, 1); }\n", "write-to-task-payload"},
    {kMesh, "layout(local_size_y = 129) in;\nvoid main() {}\n", "local-size-too-large"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nint f() { return gl_MeshVerticesEXT.length(); "
     "}\nlayout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() {}\n",
     "length-of-unsized"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nvoid f(uint i) { "
     "gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0); }\nlayout(triangles, max_vertices = 3, max_primitives = "
     "1) out;\nvoid main() {}\n",
     "unsized-dynamic-index"},
    {"",
     "#version 450\n#extension GL_EXT_mesh_shader : require\nvoid f() { gl_PrimitiveTriangleIndicesEXT[1] = "
     "uvec3(0); }\nlayout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() {}\n",
     "interface-array-index"},
    {kMeshNV, "in B { vec4 a; } b;\nvoid main() {}\n", "block-in-out"},
    {kMeshNV, "taskNV out B { vec4 a; } b;\nvoid main() {}\n", "task-memory-block"},
    {kMeshNV, "taskNV in B { vec4 a; } b;\nvoid main() { b.a = vec4(0); }\n", "write-to-input"},
    {kMeshNV, "layout(location = 0) perviewNV out vec4 a[];\nvoid main() {}\n", "per-view-array"},
    {kMeshNV, "layout(location = 0) perviewNV out vec4 a[][3];\nvoid main() {}\n", "per-view-size"},
    {kMeshNV, "layout(location = 0) out B { perviewNV vec4 a; } b[];\nvoid main() {}\n", "per-view-array"},
    {kMeshNV, "layout(location = 0) out B { perviewNV vec4 a[2]; } b[];\nvoid main() {}\n", "per-view-size"},
    {kMeshNV, "perviewNV int a;\nvoid main() {}\n", "qualifier-placement"},
    {kMeshNV,
     "void main() { gl_MeshVerticesNV[0].gl_Position = vec4(0); gl_MeshVerticesNV[0].gl_PositionPerViewNV[0] "
     "= vec4(0); }\n",
     "per-view-written-both"},
    {kMeshNV, "void main() { gl_PrimitiveIndicesNV[3] = 0; }\n", "index-out-of-range"},
    {kMeshNV, "void main() { writePackedPrimitiveIndices4x8NV(0); }\n", "no-matching-function"},
    {kMeshNV, "void main() { SetMeshOutputsEXT(3, 1); }\n", "function-needs-extension"},
    {kMeshNV, "void main() { gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0); }\n", "unavailable-name"},
    {kMeshNV, "layout(local_size_y = 2) in;\nvoid main() {}\n", "local-size-too-large"},
};

constexpr Row kPerPrimitiveRows[] = {
    {kFragment, "layout(location = 0) perprimitiveEXT out vec4 a;\nvoid main() {}\n", "qualifier-placement"},
    {kFragment, "layout(binding = 0) perprimitiveEXT uniform B { vec4 a; } b;\nvoid main() {}\n",
     "qualifier-placement"},
    {kFragment, "taskPayloadSharedEXT int a;\nvoid main() {}\n", "task-payload-stage"},
    {kFragment, "layout(location = 0) perprimitiveEXT in bool a;\nvoid main() {}\n", "interface-type"},
};

constexpr Row kTessControl[] = {
    {kPatch, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kPatch, "layout(location = 0) out vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kPatch, "layout(location = 0) in vec4 a[3];\nvoid main() {}\n", "interface-array-size"},
    {kPatch, "layout(location = 0) out vec4 a[4];\nvoid main() {}\n", "interface-array-size"},
    {"", "#version 450\nlayout(location = 0) out vec4 a[4];\nlayout(vertices = 3) out;\nvoid main() {}\n",
     "interface-array-size"},
    {kPatch, "layout(location = 0) in B { vec4 a; } b;\nvoid main() {}\n", "interface-not-array"},
    {kPatch, "layout(location = 0) out B { vec4 a; };\nvoid main() {}\n", "interface-not-array"},
    {kPatch, "layout(location = 0) out B { vec4 a; } b[2];\nvoid main() {}\n", "interface-array-size"},
    {"", "#version 450\nlayout(vertices = 0) out;\nvoid main() {}\n", "primitive-count"},
    {"", "#version 450\nlayout(vertices = 33) out;\nvoid main() {}\n", "primitive-count"},
    {kPatch, "layout(vertices = 4) out;\nvoid main() {}\n", "primitive-layouts"},
    {"", "#version 450\nvoid main() {}\n", "primitive-layout-missing"},
    {"", "#version 450\nint f() { return gl_out.length(); }\nlayout(vertices = 3) out;\nvoid main() {}\n",
     "length-of-unsized"},
    {kPatch, "layout(triangles) in;\nvoid main() {}\n", "layout-other-stage"},
    {kPatch, "layout(max_vertices = 3) out;\nvoid main() {}\n", "layout-other-stage"},
    {kPatch, "layout(vertices = 3) in;\nvoid main() {}\n", "layout-placement"},
    {kPatch, "layout(vertices = 3, location = 0) out vec4 a[];\nvoid main() {}\n", "layout-placement"},
    {kPatch, "void main() { gl_out[0].gl_Position = vec4(0); }\n", "patch-vertex-write"},
    {kPatch, "layout(location = 0) out vec4 a[];\nvoid main() { int i = gl_InvocationID; a[i] = vec4(0); }\n",
     "patch-vertex-write"},
    {kPatch, "layout(location = 0) out vec4 a[];\nvoid main() { a[gl_InvocationID + 0].x = 1.0; }\n",
     "patch-vertex-write"},
    {kPatch,
     "layout(location = 0) out B { vec4 a[2]; } b[];\nvoid main() { b[1].a[gl_InvocationID] = vec4(0); }\n",
     "patch-vertex-write"},
    {kPatch,
     "layout(location = 0) out vec4 a[];\nvoid f(out vec4 x) { x = vec4(0); }\nvoid main() { f(a[1]); }\n",
     "patch-vertex-write"},
    {kPatch, "void main() { if (gl_InvocationID == 0) barrier(); }\n", "patch-barrier-place"},
    {kPatch, "void main() { for (int i = 0; i < 2; ++i) { barrier(); } }\n", "patch-barrier-place"},
    {kPatch, "void main() { switch (gl_InvocationID) { case 0: barrier(); } }\n", "patch-barrier-place"},
    {kPatch, "void f() { barrier(); }\nvoid main() { f(); }\n", "patch-barrier-place"},
    {kPatch, "void main() { if (gl_InvocationID == 0) return; barrier(); }\n", "patch-barrier-place"},
    {kPatch, "void main() { groupMemoryBarrier(); }\n", "function-other-stage"},
    {kPatch, "void main() { EmitVertex(); }\n", "function-other-stage"},
    {kPatch, "void main() { float x = fwidth(1.0); }\n", "function-other-stage"},
    {kPatch, "void main() { discard; }\n", "fragment-jump"},
    {kPatch, "void main() { gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kPatch, "void main() { float x = gl_ClipDistance[0]; }\n", "name-of-other-stage"},
    {kPatch, "void main() { vec3 x = gl_TessCoord; }\n", "name-of-other-stage"},
    {kPatch, "void main() { int x = gl_PrimitiveIDIn; }\n", "name-of-other-stage"},
    {kPatch, "void main() { gl_Layer = 1; }\n", "name-of-other-stage"},
    {kPatch, "void main() { gl_InvocationID = 1; }\n", "write-to-input"},
    {kPatch, "void main() { gl_PatchVerticesIn = 1; }\n", "write-to-input"},
    {kPatch, "void main() { gl_PrimitiveID = 1; }\n", "write-to-input"},
    {kPatch, "void main() { gl_in[gl_InvocationID].gl_Position = vec4(0); }\n", "write-to-input"},
    {kPatch, "void main() { gl_TessLevelOuter[4] = 1.0; }\n", "index-out-of-range"},
    {kPatch, "void main() { gl_TessLevelInner[2] = 1.0; }\n", "index-out-of-range"},
    {kPatch, "void main() { vec4 a = gl_in[32].gl_Position; }\n", "index-out-of-range"},
    {kPatch, "void main() { vec4 a = gl_out[3].gl_Position; }\n", "index-out-of-range"},
    {kPatch, "patch out float gl_TessLevelOuter[3];\nvoid main() {}\n", "builtin-redeclared-type"},
    {kPatch, "layout(location = 0) patch in vec4 a;\nvoid main() {}\n", "qualifier-placement"},
    {kPatch, "layout(location = 0) patch in B { vec4 a; };\nvoid main() {}\n", "qualifier-placement"},
    {kPatch, "layout(location = 0) flat patch out vec4 a;\nvoid main() {}\n", "patch-interpolation"},
    {kPatch, "layout(location = 0) noperspective patch out B { vec4 a; };\nvoid main() {}\n",
     "qualifier-placement"},
    {kPatch, "layout(location = 0) patch out B { noperspective vec4 a; };\nvoid main() {}\n",
     "patch-interpolation"},
    {kPatch, "layout(location = 0) patch out bool a;\nvoid main() {}\n", "interface-type"},
    {kPatch,
     "layout(location = 0) patch out vec4 a;\nlayout(location = 0) patch out vec4 b;\nvoid main() {}\n",
     "location-overlap"},
    {kPatch, "patch out vec4 a;\nvoid main() {}\n", "location-missing"},
    {kPatch, "out gl_PerVertex { vec4 gl_Position; };\nvoid main() {}\n", "per-vertex-array-name"},
    {kPatch, "out gl_PerVertex { vec4 gl_Position; } gl_in[];\nvoid main() {}\n", "per-vertex-array-name"},
    {kPatch, "out gl_PerVertex { vec4 gl_Position; } gl_out[2];\nvoid main() {}\n", "interface-array-size"},
    {kPatch, "out gl_PerVertex { vec4 a; } gl_out[];\nvoid main() {}\n", "per-vertex-member"},
    {kPatch,
     "out gl_PerVertex { vec4 gl_Position; } gl_out[];\nvoid main() { gl_out[gl_InvocationID].gl_PointSize = "
     "1.0; }\n",
     "no-such-member"},
    {"", "#version 310 es\nlayout(vertices = 3) out;\nvoid main() {}\n", "stage-version"},
    {"",
     "#version 320 es\nlayout(vertices = 3) out;\nvoid main() { gl_out[gl_InvocationID].gl_PointSize = 1.0; "
     "}\n",
     "no-such-member"},
};

constexpr Row kTessEvaluation[] = {
    {kDomain, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "interface-not-array"},
    {kDomain, "layout(location = 0) in vec4 a[3];\nvoid main() {}\n", "interface-array-size"},
    {kDomain, "layout(location = 0) in B { vec4 a; };\nvoid main() {}\n", "interface-not-array"},
    {kDomain, "layout(location = 0) in B { vec4 a; } b[4];\nvoid main() {}\n", "interface-array-size"},
    {"", "#version 450\nvoid main() {}\n", "primitive-layout-missing"},
    {"", "#version 450\nlayout(equal_spacing, ccw) in;\nvoid main() {}\n", "primitive-layout-missing"},
    {kDomain, "layout(quads) in;\nvoid main() {}\n", "primitive-layouts"},
    {kDomain, "layout(equal_spacing) in;\nlayout(fractional_odd_spacing) in;\nvoid main() {}\n",
     "primitive-layouts"},
    {kDomain, "layout(cw) in;\nlayout(ccw) in;\nvoid main() {}\n", "primitive-layouts"},
    {kDomain, "layout(points) in;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(lines_adjacency) in;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(vertices = 3) out;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(max_vertices = 3) out;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(invocations = 3) in;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(stream = 1) out;\nvoid main() {}\n", "layout-other-stage"},
    {kDomain, "layout(triangles) out;\nvoid main() {}\n", "primitive-place"},
    {kDomain, "layout(quads) out;\nvoid main() {}\n", "layout-placement"},
    {kDomain, "layout(cw) out;\nvoid main() {}\n", "layout-placement"},
    {kDomain, "layout(point_mode) out;\nvoid main() {}\n", "layout-placement"},
    {kDomain, "layout(triangles, location = 0) in vec4 a[];\nvoid main() {}\n", "layout-placement"},
    {kDomain, "layout(ccw, location = 0) in vec4 a[];\nvoid main() {}\n", "layout-placement"},
    {kDomain, "void main() { barrier(); }\n", "function-other-stage"},
    {kDomain, "void main() { memoryBarrierShared(); }\n", "function-other-stage"},
    {kDomain, "void main() { EmitVertex(); }\n", "function-other-stage"},
    {kDomain, "void main() { EndPrimitive(); }\n", "function-other-stage"},
    {kDomain, "void main() { float x = dFdy(1.0); }\n", "function-other-stage"},
    {kDomain, "void main() { discard; }\n", "fragment-jump"},
    {kDomain, "void main() { int i = gl_InvocationID; }\n", "name-of-other-stage"},
    {kDomain, "void main() { int i = gl_PrimitiveIDIn; }\n", "name-of-other-stage"},
    {kDomain, "void main() { gl_out[0].gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kDomain, "void main() { vec4 x = gl_FragCoord; }\n", "name-of-other-stage"},
    {kDomain, "void main() { int x = gl_VertexIndex; }\n", "name-of-other-stage"},
    {kDomain, "void main() { gl_TessCoord = vec3(0); }\n", "write-to-input"},
    {kDomain, "void main() { gl_TessLevelOuter[0] = 1.0; }\n", "write-to-input"},
    {kDomain, "void main() { gl_PrimitiveID = 1; }\n", "write-to-input"},
    {kDomain, "void main() { gl_in[0].gl_Position = vec4(0); }\n", "write-to-input"},
    {kDomain, "void main() { vec4 x = gl_in[32].gl_Position; }\n", "index-out-of-range"},
    {kDomain, "void main() { float x = gl_TessLevelInner[2]; }\n", "index-out-of-range"},
    {kDomain, "void main() { gl_Layer = 1; }\n", "extension-needed"},
    {kDomain, "void main() { gl_ViewportIndex = 1; }\n", "extension-needed"},
    {kDomain, "layout(location = 0) patch out vec4 a;\nvoid main() {}\n", "qualifier-placement"},
    {kDomain, "layout(location = 0) patch out B { vec4 a; };\nvoid main() {}\n", "qualifier-placement"},
    {kDomain, "layout(location = 0) flat patch in vec4 a;\nvoid main() {}\n", "patch-interpolation"},
    {kDomain,
     "layout(location = 0) patch in vec4 a;\nlayout(location = 0) patch in vec4 b;\nvoid main() {}\n",
     "location-overlap"},
    {kDomain, "patch in vec4 a;\nvoid main() {}\n", "location-missing"},
    {kDomain, "layout(location = 0) patch in bool a;\nvoid main() {}\n", "interface-type"},
    {kDomain, "layout(location = 0) in sampler2D a[];\nvoid main() {}\n", "interface-type"},
    {kDomain, "layout(location = 0) out vec4 a[2];\nlayout(location = 1) out vec4 b;\nvoid main() {}\n",
     "location-overlap"},
    {kDomain, "in gl_PerVertex { vec4 gl_Position; };\nvoid main() {}\n", "per-vertex-array-name"},
    {kDomain, "in gl_PerVertex { vec4 gl_Position; } gl_in[3];\nvoid main() {}\n", "interface-array-size"},
    {kDomain, "in gl_PerVertex { float gl_Position; } gl_in[];\nvoid main() {}\n", "builtin-redeclared-type"},
    {kDomain, "out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_PointSize = 1.0; }\n",
     "per-vertex-without"},
    {kDomain,
     "vec4 f() { return gl_in[0].gl_Position; }\nin gl_PerVertex { vec4 gl_Position; } gl_in[];\nvoid main() "
     "{}\n",
     "builtin-redeclared-late"},
    {kDomain,
     "layout(location = 0, xfb_offset = 0) out vec4 a;\nlayout(location = 1, xfb_offset = 8) out vec4 "
     "b;\nvoid main() {}\n",
     "capture-overlap"},
    {kDomain, "layout(location = 0, xfb_offset = 3) out vec4 a;\nvoid main() {}\n", "capture-offset"},
    {kDomain, "layout(xfb_buffer = 9) out;\nvoid main() {}\n", "capture-buffer-range"},
    {"", "#version 310 es\nlayout(triangles) in;\nvoid main() {}\n", "stage-version"},
    {"", "#version 320 es\nlayout(triangles) in;\nvoid main() { gl_PointSize = 1.0; }\n", "unavailable-name"},
};

// The number of rows that ran.
size_t refused(Stage stage, std::span<const Row> rows) {
  Options options;
  options.stage = stage;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.allowGlslang = false;
  size_t ran = 0;
  for (const Row& row : rows) {
    const std::string text = std::string(row.declared) + row.text;
    INFO(text);
    const Result r = compile(text, "a", options);
    INFO(r.messages);
    CHECK(!r.ok);
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].id == row.id);
    // The message itself names the extension.
    CHECK((r.diagnostics[0].id == "extension-needed" || !r.diagnostics[0].clause.empty()));
    ++ran;
  }
  return ran;
}

}  // namespace

TEST_CASE("wrong programs: geometry") { CHECK(refused(Stage::Geometry, kGeometry) == 71); }
TEST_CASE("wrong programs: tessellation control") { CHECK(refused(Stage::TessControl, kTessControl) == 60); }
TEST_CASE("wrong programs: tessellation evaluation") {
  CHECK(refused(Stage::TessEvaluation, kTessEvaluation) == 58);
}
TEST_CASE("wrong programs: task") { CHECK(refused(Stage::Task, kTaskRows) == 61); }
TEST_CASE("wrong programs: mesh") { CHECK(refused(Stage::Mesh, kMeshRows) == 84); }
TEST_CASE("wrong programs: inputs of primitives") { CHECK(refused(Stage::Fragment, kPerPrimitiveRows) == 4); }
