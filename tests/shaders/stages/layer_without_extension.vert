// Outputs that need an extension in vertex shaders, redeclared and used.
#version 460
out int gl_Layer;
flat out int gl_ViewportIndex;
void main() {
  gl_Position = vec4(0);
}
