// Wrong ray tracing shaders: each ends in one error, of the right kind and with its clause. Which stages have
// a storage or a built-in variable is said here once more, from the text of GL_EXT_ray_tracing.
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "tests/api/stage_errors.hpp"

using namespace coopc;

namespace {

// Sets of stages.
enum : unsigned { kGen = 1, kInt = 2, kAny = 4, kHit = 8, kMiss = 16, kCall = 32 };
constexpr unsigned kHits = kInt | kAny | kHit, kTracers = kGen | kHit | kMiss, kAll = 63;

#define COOPC_RAYS "#version 460\n#extension GL_EXT_ray_tracing : require\n"
constexpr char kRays[] = COOPC_RAYS;
constexpr char kQueries[] = COOPC_RAYS "#extension GL_EXT_ray_query : require\n";
constexpr char kObjects[] = COOPC_RAYS "#extension GL_EXT_shader_invocation_reorder : require\n";
constexpr char kCulling[] = COOPC_RAYS "#extension GL_EXT_ray_flags_primitive_culling : require\n";

// A program that is wrong in `stages`.
struct Row {
  unsigned stages;
  const char* head;
  const char* text;
  const char* id;
};
constexpr Row kRows[] = {
    {kAll, kRays, "in vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kAll, kRays, "layout(location = 0) in vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kAll, kRays, "out vec4 a;\nvoid main() {}\n", "compute-interface"},
    {kAll, kRays, "in A { vec4 a; };\nvoid main() {}\n", "block-in-out"},
    {kAll, kRays, "out A { vec4 a; };\nvoid main() {}\n", "block-in-out"},
    {kAll, kRays, "shared int a;\nvoid main() {}\n", "shared-stage"},
    {kAll, kRays, "layout(local_size_x = 1) in;\nvoid main() {}\n", "layout-other-stage"},
    {kAll, kRays, "layout(points) in;\nvoid main() {}\n", "layout-other-stage"},
    {kAll, kRays, "layout(early_fragment_tests) in;\nvoid main() {}\n", "layout-other-stage"},
    {kAll, kRays, "layout(vertices = 3) out;\nvoid main() {}\n", "compute-interface"},
    {kAll, kRays, "layout(max_vertices = 3) out;\nvoid main() {}\n", "compute-interface"},
    {kAll, kRays, "void main() { discard; }\n", "fragment-jump"},
    {kAll, kRays, "void main() { barrier(); }\n", "function-other-stage"},
    {kAll, kRays, "void main() { memoryBarrierShared(); }\n", "function-other-stage"},
    {kAll, kRays, "void main() { groupMemoryBarrier(); }\n", "function-other-stage"},
    {kAll, kRays, "void main() { float x = dFdx(1.0); }\n", "function-other-stage"},
    {kAll, kRays, "void main() { EmitVertex(); }\n", "function-other-stage"},
    {kAll, kRays, "void main() { vec4 x = gl_FragCoord; }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { uint x = gl_LocalInvocationIndex; }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { int x = gl_VertexIndex; }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { gl_Position = vec4(0); }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { uvec3 x = gl_NumWorkGroups; }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { gl_FragDepth = 1.0; }\n", "name-of-other-stage"},
    {kAll, kRays, "void main() { gl_LaunchIDEXT = uvec3(0); }\n", "write-to-input"},
    {kAll, kRays, "void main() { gl_LaunchSizeEXT.x = 1u; }\n", "write-to-input"},
    {kAll, kRays, "void main() { ++gl_LaunchIDEXT.y; }\n", "write-to-input"},
    {kAll, kRays,
     "layout(shaderRecordEXT) buffer A { int a; };\nlayout(shaderRecordEXT) buffer B { int b; };\nvoid "
     "main() {}\n",
     "shader-record-twice"},
    {kAll, kRays, "layout(shaderRecordEXT, binding = 0) buffer A { int a; };\nvoid main() {}\n",
     "shader-record-set"},
    {kAll, kRays, "layout(shaderRecordEXT, set = 1) buffer A { int a; };\nvoid main() {}\n",
     "shader-record-set"},
    {kAll, kRays, "layout(shaderRecordEXT) buffer A { int a[]; };\nvoid main() {}\n",
     "shader-record-unsized"},
    {kAll, kRays, "layout(shaderRecordEXT) int a;\nvoid main() {}\n", "layout-placement"},
    {kAll, kRays, "layout(shaderRecordEXT) buffer A { int a; };\nvoid main() { a = 1; }\n",
     "write-to-shader-record"},
    {kAll, kRays,
     "layout(shaderRecordEXT) buffer A { int a[2]; } b;\nvoid main() { atomicAdd(b.a[0], 1); }\n",
     "atomic-not-memory"},
    {kAll, kRays,
     "layout(shaderRecordEXT) buffer A { vec4 a; };\nvoid f(out float x) { x = 1.0; }\nvoid main() { "
     "f(a.x); "
     "}\n",
     "write-to-shader-record"},
    {kAll, kRays, "accelerationStructureEXT a;\nvoid main() {}\n", "opaque-not-uniform"},
    {kAll, kRays, "uniform accelerationStructureEXT a;\nvoid main() {}\n", "missing-binding"},
    {kAll, kRays, "struct S { accelerationStructureEXT a; };\nvoid main() {}\n", "opaque-member"},
    {kAll, kRays, "layout(binding = 0) uniform A { accelerationStructureEXT a; };\nvoid main() {}\n",
     "opaque-member"},
    {kAll, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT a;\nvoid main() { accelerationStructureEXT b = a; "
     "}\n",
     "opaque-not-uniform"},
    {kAll, kRays, "layout(binding = 0) uniform accelerationStructureEXT a;\nvoid main() { a = a; }\n",
     "write-to-uniform"},
    {kAll, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT a;\nvoid main() { bool x = a == a; }\n",
     "opaque-operand"},
    {kAll, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT a;\naccelerationStructureEXT f() { return a; "
     "}\nvoid main() {}\n",
     "return-type-opaque"},
    {kAll, kRays, "layout(binding = 0) readonly uniform accelerationStructureEXT a;\nvoid main() {}\n",
     "memory-qualifier-placement"},
    {kAll, kRays, "layout(binding = 0, rgba8) uniform accelerationStructureEXT a;\nvoid main() {}\n",
     "layout-placement"},
    {kAll, kRays, "void main() { accelerationStructureEXT(1u); }\n", "acceleration-structure-argument"},
    {kAll, kRays, "void main() { accelerationStructureEXT(uvec3(1)); }\n", "acceleration-structure-argument"},
    {kAll, kRays, "void main() { accelerationStructureEXT(); }\n", "constructor-too-few"},
    {kAll, kRays, "layout(primitive_culling);\nvoid main() {}\n", "extension-needed"},
    {kAll, kCulling, "layout(primitive_culling) in;\nvoid main() {}\n", "layout-placement"},
    {kAll, kRays, "void main() { uint x = gl_RayFlagsSkipTrianglesEXT; }\n", "unavailable-name"},
    {kAll, kRays, "void main() { rayQueryEXT q; }\n", "extension-needed"},
    {kAll, kQueries, "uniform rayQueryEXT q;\nvoid main() {}\n", "object-storage"},
    {kAll, kQueries, "struct S { rayQueryEXT q; };\nvoid main() {}\n", "opaque-member"},
    {kAll, kQueries, "void main() { rayQueryEXT q, r = q; }\n", "object-initializer"},
    {kAll, kQueries, "void main() { rayQueryEXT q, r; r = q; }\n", "write-to-opaque"},
    {kAll, kQueries,
     "void main() { rayQueryEXT q; bool b = true; uint t = rayQueryGetIntersectionTypeEXT(q, b); }\n",
     "argument-not-constant"},
    {kAll, kQueries, "void main() { rayQueryEXT q; uint t = rayQueryGetIntersectionTypeEXT(q); }\n",
     "no-matching-function"},
    {kAll, kQueries, "void main() { rayQueryEXT q; bool t = rayQueryProceedEXT(q, true); }\n",
     "no-matching-function"},
    {kAll, kQueries, "rayQueryEXT f() { rayQueryEXT q; return q; }\nvoid main() {}\n", "return-type-opaque"},
    {kAll, "", "#version 450\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
     "version-too-old-for-rays"},
    {kAll, "", "#version 460\nlayout(shaderRecordEXT) buffer A { int a; };\nvoid main() {}\n",
     "extension-needed"},
    {kAll, "", "#version 460\nvoid main() { uvec3 x = gl_LaunchIDEXT; }\n", "unavailable-name"},
    {kAll, kRays, "void f(rayPayloadEXT vec4 a) {}\nvoid main() {}\n", "parameter-storage"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { int i = 0; traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, i); "
     "}\n",
     "argument-not-constant"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 1); }\n",
     "ray-location-unknown"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nlayout(constant_id = 0) const int c = 0;\nvoid main() { traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, "
     "vec3(0), 0.0, vec3(1), 1.0, c); }\n",
     "argument-not-constant"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nvoid main() { traceRayEXT(scene, 0u, "
     "0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0); }\n",
     "ray-location-unknown"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0); }\n",
     "no-matching-function"},
    {kTracers, kRays,
     "layout(location = 0) rayPayloadEXT vec4 p;\nvoid main() { traceRayEXT(p, 0u, 0xffu, 0u, 0u, 0u, "
     "vec3(0), 0.0, vec3(1), 1.0, 0); }\n",
     "no-matching-function"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0.0); }\n",
     "no-matching-function"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { float x = traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0); "
     "}\n",
     "void-value"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) callableDataEXT vec4 "
     "d;\nvoid main() { traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0); }\n",
     "ray-location-unknown"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { traceRayMotionNV(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0.5, 0); "
     "}\n",
     "function-needs-extension"},
    {kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nvoid main() { void traceRayEXT(int x); "
     "}\n",
     "function-not-global"},
    {kTracers, kRays, "void main() { hitObjectEXT o;  }\n", "extension-needed"},
    {kTracers, kObjects, "uniform hitObjectEXT o;\nvoid main() {}\n", "object-storage"},
    {kTracers, kObjects, "struct S { hitObjectEXT o; };\nvoid main() {}\n", "opaque-member"},
    {kTracers, kObjects, "void main() { hitObjectEXT o, p = o; }\n", "object-initializer"},
    {kTracers, kObjects, "void main() { hitObjectEXT o, p; o = p; }\n", "write-to-opaque"},
    {kTracers, kObjects, "void main() { hitObjectEXT o; hitObjectGetAttributesEXT(o, 0); }\n",
     "ray-location-unknown"},
    {kTracers, kObjects, "void main() { hitObjectEXT o; hitObjectExecuteShaderEXT(o, 0); }\n",
     "ray-location-unknown"},
    {kTracers, kObjects, "void main() { hitObjectNV o; }\n", "extension-needed"},
    {kTracers, kObjects, "void main() { hitObjectEXT o; hitObjectRecordEmptyNV(o); }\n",
     "function-needs-extension"},
    {kTracers, kObjects, "void main() { hitObjectEXT o; bool x = hitObjectIsHitEXT(); }\n",
     "no-matching-function"},
    {kTracers, kObjects, "hitObjectEXT f() { hitObjectEXT o; return o; }\nvoid main() {}\n",
     "return-type-opaque"},
    {kTracers, kObjects,
     "layout(binding = 0, hitobjectshaderrecordext) buffer A { int a; };\nvoid main() {}\n",
     "hit-object-record-block"},
    {kTracers, kObjects,
     "void main() { hitObjectEXT o; vec3 p[2]; hitObjectGetIntersectionTriangleVertexPositionsEXT(o, p); }\n",
     "triangle-positions"},
    {kTracers, kObjects,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT vec4 "
     "p;\nvoid main() { hitObjectEXT o; hitObjectTraceRayMotionEXT(o, scene, 0u, 0u, 0u, 0u, 0u, vec3(0), "
     "0.0, vec3(1), 1.0, 0.5, 0); }\n",
     "function-needs-extension"},
    {kGen, kObjects, "void main() { reorderThreadEXT(1.0, 2u); }\n", "no-matching-function"},
    {kGen, kRays, "void main() { reorderThreadEXT(1u, 2u); }\n", "function-needs-extension"},
    {kGen | kHit | kMiss | kCall, kRays,
     "layout(location = 0) callableDataEXT vec4 d;\nvoid main() { int i = 0; executeCallableEXT(0u, i); }\n",
     "argument-not-constant"},
    {kGen | kHit | kMiss | kCall, kRays,
     "layout(location = 0) callableDataEXT vec4 d;\nvoid main() { executeCallableEXT(0u, 1); }\n",
     "ray-location-unknown"},
    {kGen | kHit | kMiss | kCall, kRays, "void main() { executeCallableEXT(0u, 0); }\n",
     "ray-location-unknown"},
    {kGen | kHit | kMiss | kCall, kRays,
     "layout(location = 0) callableDataEXT vec4 d;\nvoid main() { executeCallableEXT(0); }\n",
     "no-matching-function"},
    {kGen | kHit | kMiss | kCall, kRays,
     "layout(location = 0) callableDataEXT vec4 d;\nvoid main() { executeCallableEXT(1.0, 0); }\n",
     "no-matching-function"},
    {kTracers, kRays,
     "layout(location = 0) rayPayloadEXT vec4 d;\nvoid main() { executeCallableEXT(0u, 0); }\n",
     "ray-location-unknown"},
    {kAll & ~kInt, kRays, "void main() { reportIntersectionEXT(1.0, 0u); }\n", "function-other-stage"},
    {kAll & ~kAny, kRays, "void main() { ignoreIntersectionEXT; }\n", "ray-jump"},
    {kAll & ~kAny, kRays, "void main() { terminateRayEXT; }\n", "ray-jump"},
    {kAll & ~kTracers, kRays,
     "layout(binding = 0) uniform accelerationStructureEXT scene;\nvoid main() { traceRayEXT(scene, 0u, "
     "0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 1.0, 0); }\n",
     "function-other-stage"},
    {kAll & ~kTracers, kObjects, "hitObjectEXT o;\nvoid main() {}\n", "type-other-stage"},
    {kAll & ~kTracers, kObjects, "void main() { hitObjectEXT o; }\n", "type-other-stage"},
    {kInt | kAny, kRays, "void main() { executeCallableEXT(0u, 0); }\n", "function-other-stage"},
    {kInt, kRays, "void main() { reportIntersectionEXT(1.0); }\n", "no-matching-function"},
    {kInt, kRays, "void main() { reportIntersectionEXT(1.0, 0u, 1); }\n", "no-matching-function"},
    {kInt, kRays, "void main() { reportIntersectionEXT(vec2(1), 0u); }\n", "no-matching-function"},
    {kInt, kRays, "void main() { vec2 x = reportIntersectionEXT(1.0, 0u); }\n", "no-implicit-conversion"},
    {kAny | kHit | kMiss, kRays,
     "layout(location = 0) rayPayloadEXT rayPayloadInEXT vec4 a;\nvoid main() {}\n",
     "conflicting-qualifiers"},
    {kAny, kRays, "void main() { ignoreIntersectionEXT(); }\n", "expected-token"},
    {kAny, kRays, "void main() { terminateRayEXT(); }\n", "expected-token"},
    {kAny, kRays, "void main() { int x = ignoreIntersectionEXT; }\n", "expected-expression"},
    {kAny, kRays, "ignoreIntersectionEXT;\nvoid main() {}\n", "expected-declaration"},
    {kHit | kMiss, kObjects, "void main() { reorderThreadEXT(1u, 2u); }\n", "function-other-stage"},
    {kHit | kMiss, kObjects,
     "layout(location = 0) rayPayloadEXT vec4 p;\nvoid main() { hitObjectEXT o; "
     "hitObjectReorderExecuteEXT(o, 0); }\n",
     "function-other-stage"},
};

// A storage: the stages that have it, and whether calls name it by a location.
struct StorageRow {
  const char* word;
  unsigned stages;
  bool located;
  const char* head;
};
constexpr StorageRow kStorages[] = {
    {"rayPayloadEXT", kTracers, true, kRays},  {"rayPayloadInEXT", kAny | kHit | kMiss, true, kRays},
    {"hitAttributeEXT", kHits, false, kRays},  {"callableDataEXT", kTracers | kCall, true, kRays},
    {"callableDataInEXT", kCall, true, kRays}, {"hitObjectAttributeEXT", kTracers, true, kObjects},
};

// Wrong declarations of each storage: `@` stands for its word with the layout that it needs, `*` for the word
// alone, and `,` for what separates that layout from another qualifier.
struct Declaration {
  const char* text;
  const char* id;
};
constexpr Declaration kDeclarations[] = {
    {"@ sampler2D a;", "ray-data-type"},
    {"@ accelerationStructureEXT a;", "ray-data-type"},
    {"@ vec4 a[];", "ray-data-unsized"},
    {"@ A { vec4 a[]; };", "ray-data-unsized"},
    {"@ A { vec4 a; } b[];", "ray-data-unsized"},
    {"@ void a;", "void-type"},
    {"@ vec4 a = vec4(0);", "initializer-placement"},
    {"flat @ vec4 a;", "qualifier-placement"},
    {"invariant @ vec4 a;", "qualifier-placement"},
    {"coherent @ vec4 a;", "memory-qualifier-placement"},
    {"layout(binding = 0) @ vec4 a;", "layout-placement"},
    {"layout(component = 1) @ float a;", "layout-placement"},
    {"layout(std430) @ A { float a; };", "layout-placement"},
    {"@ A { layout(location = 1) vec4 a; };", "layout-placement"},
    {"void f() { @ vec4 a; }", "local-storage"},
    {"struct S { * vec4 a; };", "qualifier-placement"},
    {"void f(* vec4 a) {}", "parameter-storage"},
};

// A built-in variable: the stages that have it.
struct BuiltinRow {
  const char* type;
  const char* name;
  unsigned stages;
};
constexpr BuiltinRow kBuiltins[] = {
    {"int", "gl_PrimitiveID", kHits},
    {"int", "gl_InstanceID", kHits},
    {"int", "gl_InstanceCustomIndexEXT", kHits},
    {"int", "gl_GeometryIndexEXT", kHits},
    {"vec3", "gl_WorldRayOriginEXT", kHits | kMiss},
    {"vec3", "gl_WorldRayDirectionEXT", kHits | kMiss},
    {"vec3", "gl_ObjectRayOriginEXT", kHits},
    {"vec3", "gl_ObjectRayDirectionEXT", kHits},
    {"float", "gl_RayTminEXT", kHits | kMiss},
    {"float", "gl_RayTmaxEXT", kHits | kMiss},
    {"uint", "gl_IncomingRayFlagsEXT", kHits | kMiss},
    {"float", "gl_HitTEXT", kAny | kHit},
    {"uint", "gl_HitKindEXT", kAny | kHit},
    {"mat4x3", "gl_ObjectToWorldEXT", kHits},
    {"mat4x3", "gl_WorldToObjectEXT", kHits},
    {"mat3x4", "gl_ObjectToWorld3x4EXT", kHits},
    {"mat3x4", "gl_WorldToObject3x4EXT", kHits},
};

std::string replaceAll(std::string text, char what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, 1, by);
  return text;
}

// The number of programs that ran.
size_t countRefused(Stage stage, unsigned bit) {
  size_t ran = 0;
  const auto check = [&](const std::string& text, const char* id) {
    checkRefused(stage, text, id);
    ++ran;
  };
  for (const Row& row : kRows)
    if ((row.stages & bit) != 0) check(std::string(row.head) + row.text, row.id);
  for (const StorageRow& row : kStorages) {
    const std::string whole = std::string(row.located ? "layout(location = 0) " : "") + row.word;
    const auto declare = [&](const char* text, const char* id, const char* statement = "") {
      check(row.head + replaceAll(replaceAll(text, '@', whole), '*', row.word) + "\nvoid main() { " +
                statement + " }\n",
            id);
    };
    if ((row.stages & bit) == 0) {
      // Any-hit shaders may declare payloads that they do not use (decision 67).
      const char* use = bit == kAny && row.word == std::string_view("rayPayloadEXT") ? "vec4 b = a;" : "";
      declare("@ vec4 a;", "ray-data-stage", use);
      declare("@ A { vec4 a; };", "ray-data-stage", use);
      continue;
    }
    for (const Declaration& d : kDeclarations) declare(d.text, d.id);
    if (row.located) {
      declare("@ vec4 a;\n@ vec4 b;", "ray-location-reused");
      declare("layout(location = -1) * vec4 a;", "layout-value-range");
    } else {
      declare("layout(location = 0) * vec4 a;", "layout-placement");
      declare("layout(location = 0) * A { vec4 a; };", "layout-placement");
    }
  }
  for (const BuiltinRow& row : kBuiltins) {
    const std::string type = row.type, name = row.name;
    if ((row.stages & bit) != 0)
      check(kRays + ("void main() { " + name) + " = " + type + "(0); }\n", "write-to-input");
    else
      check(kRays + ("void main() { " + type) + " x = " + name + "; }\n", "name-of-other-stage");
  }
  return ran;
}

}  // namespace

TEST_CASE("wrong programs: ray generation") { CHECK(countRefused(Stage::RayGeneration, kGen) == 179); }
TEST_CASE("wrong programs: intersection") { CHECK(countRefused(Stage::Intersection, kInt) == 119); }
TEST_CASE("wrong programs: any-hit") { CHECK(countRefused(Stage::AnyHit, kAny) == 136); }
TEST_CASE("wrong programs: closest-hit") { CHECK(countRefused(Stage::ClosestHit, kHit) == 214); }
TEST_CASE("wrong programs: miss") { CHECK(countRefused(Stage::Miss, kMiss) == 197); }
TEST_CASE("wrong programs: callable") { CHECK(countRefused(Stage::Callable, kCall) == 137); }
