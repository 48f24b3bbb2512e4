// A built-in variable by GL_EXT_spirv_intrinsics in a compute shader: the specification names no stages (4.14).
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_spirv_intrinsics : require

layout(local_size_x = 1) in;
spirv_decorate(extensions = ["SPV_KHR_device_group"], capabilities = [4437], 11, 4438) in int device;
layout(binding = 0) buffer Result { int result; };

void main() { result = device; }
