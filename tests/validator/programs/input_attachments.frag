// Two variables of one numeric type read an input attachment.
#version 460
layout(input_attachment_index = 1, set = 0, binding = 0) uniform subpassInput colors[3];
layout(input_attachment_index = 3, set = 0, binding = 1) uniform subpassInput last;
layout(location = 0) out vec4 o;
void main() { o = subpassLoad(colors[0]) + subpassLoad(last); }
