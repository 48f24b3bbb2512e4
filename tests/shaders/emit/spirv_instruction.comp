// CHECK-SPIRV
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float x; uint u; vec2 v; };
spirv_instruction(set = "GLSL.std.450", id = 8) float floorOf(float a);
spirv_instruction(id = 204) uint reversed(uint a);
spirv_instruction(extensions = ["SPV_KHR_shader_clock"], capabilities = [5055], id = 5056) uvec2 clockOf(uint scope);
spirv_instruction(id = 81) float extract(vec2 a, spirv_literal int index);
spirv_instruction(id = 61) float loaded(spirv_by_reference float a);
void main() {
  float local = x;
  x = floorOf(local) + extract(v, 1) + loaded(local);
  u = reversed(u) + clockOf(3).x;
}
