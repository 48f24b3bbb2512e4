// Outputs of one location have one numeric type, whatever their index (Vulkan, "Fragment Output Interface").
#version 450
layout(location = 0) out vec4 first;
layout(location = 0, index = 1) out vec3 second;
layout(location = 1) out vec4 color;
layout(location = 1, index = 1) out uvec4 factor;
void main() {}
