// CHECK-SPIRV
// GL_EXT_spirv_intrinsics: types, decorations, storage classes, execution modes.
#version 460
#extension GL_EXT_spirv_intrinsics : require
#define GL_EXT_made_up 1
layout(local_size_x = 1) in;
layout(constant_id = 3) const uint kCount = 4;
spirv_execution_mode(extensions = ["SPV_KHR_maximal_reconvergence"], 6023);
spirv_execution_mode_id(38, kCount, 2u, GL_EXT_made_up);

layout(set = 0, binding = 0) buffer B {
  spirv_decorate(21) float x;  // Volatile
  spirv_decorate_string(extensions = ["SPV_GOOGLE_hlsl_functionality1"], 5635, "semantic") uint u;
};
layout(set = 0, binding = 2) buffer Counter { uint z; } counter;
layout(set = 0, binding = 1) spirv_decorate_id(extensions = ["SPV_GOOGLE_hlsl_functionality1"], 5634, counter)
    buffer C { uint y; } c;

spirv_storage_class(6) float viaNumber = 2.0;
spirv_decorate(0) float relaxed;

#define Empty spirv_type(id = 30)
#define Pair spirv_type(id = 28, uint, spirv_id 2u)
#define Query spirv_type(extensions = ["SPV_KHR_ray_query"], capabilities = [4472], id = 4472)
#define Scene spirv_type(extensions = ["SPV_KHR_ray_query"], capabilities = [4472], id = 5341)
layout(set = 0, binding = 3) uniform Scene scene;
Query globalQuery;

spirv_instruction(id = 4473) void initialize(spirv_by_reference Query q, Scene s, uint flags, uint mask, vec3 origin,
                                             float tMin, vec3 direction, float tMax);
spirv_instruction(id = 4477) bool proceed(spirv_by_reference Query q);
spirv_instruction(id = 81) spirv_decorate(0) uint first(Pair p, spirv_literal int index);
spirv_instruction(id = 80) Pair pair(uint a, uint b);
spirv_instruction(id = 1) Empty nothing();

void trace(Query q, Scene s) { initialize(q, s, 0u, 255u, vec3(0), 0.0, vec3(1), 10.0); }
void give(spirv_by_reference float f) { f += 0.5; }
void touch(Empty e) {}

float gl_OwnName;  // no error with this extension
void main() {
  Query q;
  trace(q, scene);
  trace(globalQuery, scene);
  if (proceed(q)) return;
  Empty many[3];
  touch(many[1]);
  Pair p = pair(1u, u);
  u = first(p, 1) + c.y;
  float value = viaNumber;
  give(value);
  gl_OwnName = spirv_decorate(0)(value * 2.0) + spirv_decorate(42)(x);
  relaxed = gl_OwnName;
  counter.z = uint(relaxed) + kCount;
}
