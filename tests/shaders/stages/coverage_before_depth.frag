#version 460
layout(post_depth_coverage) in;
layout(full_quadsEXT) in;
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_SampleMaskIn[0]); }
