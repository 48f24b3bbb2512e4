#version 450
layout(local_size_x = 1) in;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput a;
layout(binding = 1) uniform subpassInput b;
void main() {}
