#version 450
layout(set = 0, binding = 0) uniform subpassInput before;
#extension GL_EXT_optional_input_attachment_index : require
layout(set = 0, binding = 1) uniform subpassInput array[2];
layout(location = 0) out vec4 c;
void main() { c = subpassLoad(before) + subpassLoad(array[1]); }
