// The layout qualifiers need the extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
layout(non_coherent_depth_attachment_readEXT) in;
layout(location = 0) out vec4 color;
void main() { color = vec4(0); }
