// A string ends on its line.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 1) in;
void main() {
  debugPrintfEXT("no end);
}
