#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const vec2 a = vec2(1.0);
layout(constant_id = 1) const bool b = true;
layout(constant_id = 2) const double c = 1.0LF;
void main() {}
