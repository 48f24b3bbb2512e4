#version 450
// Strings are for debugPrintfEXT.
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
void main() {
  float a = sin("text");
}
