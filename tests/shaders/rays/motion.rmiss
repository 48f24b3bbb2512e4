// GL_NV_ray_tracing_motion_blur and GL_NV_shader_sm_builtins; a flag of GL_EXT_opacity_micromap.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_NV_ray_tracing_motion_blur : require
#extension GL_NV_shader_sm_builtins : require
#extension GL_EXT_opacity_micromap : require
layout(location = 0) rayPayloadInEXT vec4 incoming;
layout(location = 1) rayPayloadEXT vec4 outgoing;
layout(binding = 0) uniform accelerationStructureEXT scene;
void main() {
  traceRayMotionNV(scene, gl_RayFlagsForceOpacityMicromap2StateEXT, 0xff, 0, 0, 0, vec3(0), 0.0, vec3(1), 9.0, gl_CurrentRayTimeNV, 1);
  incoming = outgoing + vec4(gl_WarpsPerSMNV, gl_SMCountNV, gl_WarpIDNV, gl_SMIDNV);
}
