#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
layout(constant_id = 0) const int n = 4;
layout(binding = 0) buffer B { float x; vec2 v; };
spirv_instruction(id = 81) float extract(vec2 a, spirv_literal int index);
spirv_instruction(id = 81) float wide(vec2 a, spirv_literal double index);
void main() {
  x = extract(v, 0);
  x = extract(v, n);
  x = extract(v, int(x));
  x = wide(v, 1.0lf);
}
