// Arrays of built-in names are redeclared with their own size, or without one.
#version 460
layout(vertices = 3) out;
patch out float gl_TessLevelOuter[3];
patch out float gl_TessLevelInner[2];
void main() {
  gl_TessLevelOuter[0] = 1;
  gl_TessLevelInner[0] = 1;
}
