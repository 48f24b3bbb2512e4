#version 460
layout(location = 0) in vec2 corner;
layout(location = 1) in float w;
layout(location = 2) in vec4 color;
layout(location = 0) out vec4 smoothly;
layout(location = 1) noperspective out vec4 linearly;
layout(location = 2) flat out uint number;
layout(location = 3) centroid out vec2 centered;
layout(location = 4) out Block { vec2 first; flat int second; } block;
void main() {
  smoothly = color;
  linearly = color;
  number = uint(gl_VertexIndex) + 1u;
  centered = corner;
  block.first = corner * 0.5 + 0.5;
  block.second = -3 - gl_VertexIndex;
  gl_Position = vec4(corner * w, 0.0, w);
}
