// Tensors are resources: they need a binding, as images do, or -fauto-bind-uniforms (VUID-StandaloneSpirv-UniformConstant-06677).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -fauto-bind-uniforms %s
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Result { uint result; };
uniform tensorARM<int8_t, 1> plain;
layout(set = 1) uniform tensorARM<float, 3> with_set;
void main() { result = tensorSizeARM(plain, 0) + tensorSizeARM(with_set, 2); }
