// Words of WGSL, Metal, HLSL and C++: each is one error, which says what GLSL has.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x; };
static const float kOne = 1.0;
threadgroup float shared_values[4];
fn twice() { }
kernel void other() { }
void main() {
  let a = x;
  var b: f32 = x;
  auto d = x;
  u32 e = 1u;
  x = a + b + d + float(e);
}
