#version 460
layout(location = 0) in vec4 smoothly;
layout(location = 1) noperspective in vec4 linearly;
layout(location = 2) flat in uint number;
layout(location = 3) centroid in vec2 centered;
layout(location = 4) in Block { vec2 first; flat int second; } block;
layout(location = 0) out vec4 perspective;
layout(location = 1) out vec4 screen;
layout(location = 2) out uvec4 flats;
void main() {
  perspective = vec4(smoothly.xy, centered.x * 0.5 + 0.5, block.first.y);
  screen = linearly;
  flats = uvec4(number, uint(-block.second), uint(gl_PrimitiveID), gl_FrontFacing ? 1u : 0u);
}
