// A location of a whole built-in block has no effect: existing programs write one (decision 75).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
// CHECK-SPIRV
#version 460
layout(location = 0) out gl_PerVertex {
  vec4 gl_Position;
  float gl_PointSize;
};
layout(location = 0) out vec2 uv;
void main() {
  gl_Position = vec4(1);
  uv = vec2(2);
}
