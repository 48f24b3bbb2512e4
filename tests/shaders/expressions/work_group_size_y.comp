// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -Wall -DZ %s
// RUN: coopc --target-env=vulkan1.3 -Wall -DID_Y %s
// RUN: coopc --target-env=vulkan1.3 -Wall -DID_Z %s
// RUN: coopc --target-env=vulkan1.3 -Wall -DNONE %s
// CHECK-SPIRV
// gl_WorkGroupSize may be used after one of the three sizes has been declared, by a number or by an id.
#version 460
#if defined(Z)
layout(local_size_z = 2) in;
#elif defined(ID_Y)
layout(local_size_y_id = 7) in;
#elif defined(ID_Z)
layout(local_size_z_id = 8) in;
#elif !defined(NONE)
layout(local_size_y = 2) in;
#endif
layout(set = 0, binding = 0) buffer B { uvec3 size; };
void main() { size = gl_WorkGroupSize; }
