// Transform feedback of a vertex shader: strides that follow from what is captured.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
struct S { float a; dvec2 b; float c; };
layout(location = 0, xfb_buffer = 2, xfb_offset = 8) out S s;
layout(location = 4, xfb_buffer = 1, xfb_offset = 4) out float list[3];
layout(location = 7) out vec4 other;
void main() {
  gl_Position = vec4(0);
  s = S(1.0, dvec2(2), 3.0);
  list[1] = 1.0;
  other = vec4(1);
}
