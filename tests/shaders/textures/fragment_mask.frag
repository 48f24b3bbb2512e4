// Masks and fragments of compressed multisampled images.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_shader_fragment_mask : require
layout(binding = 0) uniform sampler2DMS flats;
layout(binding = 1) uniform isampler2DMSArray layers;
layout(binding = 2, input_attachment_index = 0) uniform usubpassInputMS input_;
layout(location = 0) out vec4 color;
void main() {
  uint mask = fragmentMaskFetchAMD(flats, ivec2(2, 3));
  color = fragmentFetchAMD(flats, ivec2(2, 3), mask & 15u) + fragmentFetchAMD(flats, ivec2(2, 3), 1);
  color += vec4(fragmentFetchAMD(layers, ivec3(4), fragmentMaskFetchAMD(layers, ivec3(4)) & 15u));
  color += vec4(fragmentFetchAMD(input_, fragmentMaskFetchAMD(input_) & 15u));
}
