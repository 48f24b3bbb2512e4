// CHECK-SPIRV
#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
void main() {
  debugPrintfEXT("hello \"%f\" %v3u\n", x[0], gl_GlobalInvocationID);
  debugPrintfEXT("nothing");
}
