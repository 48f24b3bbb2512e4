#version 450
// A declaration of a default layout has no other qualifiers.
layout(local_size_x = 1) in;
mediump uniform;
precise buffer;
void main() {}
