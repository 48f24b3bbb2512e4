// Specialization constants are not converted between floats and integers (GLSL 4.60, 5.12).
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 1) const float f = 2.5;
layout(constant_id = 2) const int i = 3;
const float wrong = float(i);
const int alsoWrong = int(f);
void main() {}
