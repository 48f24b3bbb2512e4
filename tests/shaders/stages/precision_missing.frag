// RUN: coopc --target-env=vulkan1.3 -std=310es %s
layout(location = 0) in vec2 uv;
layout(location = 0) out highp vec4 color;
void main() { color = vec4(uv, 0, 1); }
