// CHECK-SPIRV
// Inputs per primitive come from mesh shaders, whose capability they need.
#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT in vec4 a;
layout(location = 1) perprimitiveEXT in Block { vec4 b; } block;
layout(location = 0) out vec4 color;
void main() { color = a + block.b; }
