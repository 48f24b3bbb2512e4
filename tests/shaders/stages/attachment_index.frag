// GL_EXT_optional_input_attachment_index.
// RUN: coopc --target-env=vulkan1.4 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_optional_input_attachment_index : require
layout(set = 0, binding = 0) uniform subpassInput ia;
layout(set = 0, binding = 1) uniform usubpassInputMS ib;
layout(input_attachment_index = 3, set = 0, binding = 2) uniform subpassInput ic;
layout(location = 0) out vec4 c;
void main() { c = subpassLoad(ia) + vec4(subpassLoad(ib, 1)) + subpassLoad(ic); }
