// `sample` and `readonly` are keywords from #version 420 on, `buffer` from 430 on.
// RUN: coopc --target-env=vulkan1.3 %s
#version 420
#extension GL_ARB_compute_shader : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform B { float buffer; };
layout(std430, binding = 1) buffer Out { float data; };
void main() {
  data = buffer;
  float readonly = 1.0;
}
