#version 450
// One default in several layout qualifiers, also after `in` and on another line (GLSL 4.60, 4.4.1.4).
layout(local_size_x = 8) in
layout(local_size_y = 4);
layout(local_size_x = 8) in layout(local_size_y = 4) layout(local_size_z = 2);
void main() {}
