#version 450
// Input attachments have an index, other images have none.
layout(local_size_x = 1) in;
layout(input_attachment_index = 3, set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform texture2D other;
void main() {}
