// Without `main`, functions with a name like it are shown.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) out vec4 color;
void mainImage(out vec4 c, vec2 p) { c = vec4(p, 0.0, 1.0); }
void mian() { mainImage(color, vec2(0.0)); }
void Main() {}
void other() {}
