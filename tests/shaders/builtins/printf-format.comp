#version 450
// debugPrintfEXT's first argument is a literal string.
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
void main() {
  debugPrintfEXT(1);
  debugPrintfEXT();
}
