// CHECK-SPIRV
#version 460
#extension GL_EXT_nonuniform_qualifier : require
// nonuniformEXT flows through operators, not through constructors and calls.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex[];
layout(set = 0, binding = 1, std430) buffer Data { vec4 v; int i; } b[];
void main() {
  int i = int(gl_GlobalInvocationID.x);
  vec4 a = texture(tex[nonuniformEXT(i)], vec2(0));
  a += texture(tex[nonuniformEXT(i) + 1], vec2(0));
  a += texture(tex[int(nonuniformEXT(i))], vec2(0));
  b[nonuniformEXT(i)].v = a;
  b[i].v += b[nonuniformEXT(i) * 2].v.yxzw;
}
