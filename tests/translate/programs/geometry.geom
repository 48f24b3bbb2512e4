// Stages that are not translated to HLSL and MSL.
//! glsl compiles
//! glsl has layout(max_vertices = 3, triangle_strip) out;
//! glsl has EmitVertex();
//! hlsl refused the stage "geometry" is translated to GLSL only; HLSL and MSL get vertex, fragment and compute shaders
//! msl refused the stage "geometry" is translated to GLSL only; HLSL and MSL get vertex, fragment and compute shaders
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 shade;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    shade = color[i];
    EmitVertex();
  }
  EndPrimitive();
}
