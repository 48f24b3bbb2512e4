// What a missing header declares is not reported as undeclared.
// RUN: coopc %s
#version 450
#include "lights.glsl"
#include "materials.glsl"
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { Light lights[]; };
void main() { lights[0] = shade(MATERIAL_COUNT); }
