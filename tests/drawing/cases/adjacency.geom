#version 460
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 5) out;
layout(location = 0) in float x[];
layout(location = 0) out vec4 color;
in gl_PerVertex { vec4 gl_Position; } gl_in[];
void main() {
  float sum = x[0] + x[1] + x[2] + x[3];
  for (int i = 1; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position + vec4(0.0, 1.0 / 16.0, 0.0, 0.0);
    color = vec4(sum, float(x.length()), 0.0, 255.0) / 255.0;
    EmitVertex();
  }
  EndPrimitive();
}
