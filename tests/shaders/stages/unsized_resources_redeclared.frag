// GL_EXT_nonuniform_qualifier, 4.1.9: "It is legal to declare an array without a size and then later redeclare the same name as an array of the same type and specify a size", also where an array without a size is run-time sized.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) flat in int i;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D byConstant[];
layout(set = 0, binding = 1) uniform sampler2D byVariable[];
layout(set = 0, binding = 2) uniform sampler2D twice[];
vec4 first() { return texture(byConstant[4], vec2(0)) + texture(byVariable[i], vec2(0)) + texture(twice[3], vec2(0)); }
layout(set = 0, binding = 0) uniform sampler2D byConstant[5];
layout(set = 0, binding = 1) uniform sampler2D byVariable[6];
layout(set = 0, binding = 2) uniform sampler2D twice[];
void main() {
  color = first() + texture(twice[i], vec2(0));
}
