#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 color;
layout(location = 1) perprimitiveEXT flat in uint number;
layout(location = 0) out uvec2 which;
layout(location = 1) out vec4 result;
void main() {
  which = uvec2(gl_PrimitiveID, number);
  result = color;
}
