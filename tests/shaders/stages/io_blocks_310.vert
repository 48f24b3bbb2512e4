// GL_EXT_shader_io_blocks: blocks of outputs, and gl_PerVertex.
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
// CHECK-SPIRV
#extension GL_EXT_shader_io_blocks : require
layout(location = 0) out Block {
  vec4 color;
} block;
out gl_PerVertex {
  vec4 gl_Position;
};
void main() {
  gl_Position = vec4(1);
  block.color = vec4(1);
}
