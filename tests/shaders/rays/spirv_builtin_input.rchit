// A built-in variable that GLSL does not name, by GL_EXT_spirv_intrinsics: an input of stages that have no other inputs.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_spirv_intrinsics : require

spirv_decorate(extensions = ["SPV_KHR_device_group"], capabilities = [4437], 11, 4438) in int device;
layout(location = 0) rayPayloadInEXT int payload;

void main() { payload = device; }
