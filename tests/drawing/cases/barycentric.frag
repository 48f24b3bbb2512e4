#version 460
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec2 place[];
layout(location = 0) out vec4 color;
void main() {
  vec3 b = gl_BaryCoordEXT;
  color = vec4(b.x * place[0] + b.y * place[1] + b.z * place[2], gl_BaryCoordNoPerspEXT.yz);
}
