// RUN: coopc --target-env=vulkan1.2 %s
// CHECK-SPIRV
#version 450
// Escape sequences continue after the end of a continued line (GLSL 4.60, 3.1): \x41 and \102.
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
void main() {
  debugPrintfEXT("\x4\
1 \10\
2 \\
t");
}
