// A name that differs from a built-in one only in case is suggested, even if it needs an extension.
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; vec4 v; };
layout(binding = 1) uniform sampler2D t;
void main() {
  x[0] = int(gl_SubGroupSize) + int(gl_SubgroupInvocationId) + int(gl_WorkgroupSize.x);
  x[1] = SubgroupAdd(x[1]);
  x[2] = Float16_t(1.0) > 0 ? 1 : 0;
  v = textureLOD(t, v.xy, 0.0);
  int Count = 3;
  x[3] = count + COUNT;
}
