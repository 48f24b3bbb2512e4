// A cooperative vector in a closest-hit shader: a layer of a neural material.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -O %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) rayPayloadInEXT vec3 color;
hitAttributeEXT vec2 barycentric;
layout(binding = 0) readonly buffer Weights { float16_t weights[]; };
void main() {
  coopvecNV<float16_t, 4> features = coopvecNV<float16_t, 4>(barycentric.x, barycentric.y, gl_HitTEXT, 1.0);
  coopvecNV<float16_t, 8> hidden;
  coopVecMatMulAddNV(hidden, features, gl_ComponentTypeFloat16NV, weights, 0u, gl_ComponentTypeFloat16NV, weights, 64u,
                     gl_ComponentTypeFloat16NV, 8u, 4u, gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 8u);
  hidden = max(hidden, coopvecNV<float16_t, 8>(0.0hf));
  color = vec3(hidden[0], hidden[1], hidden[2]);
}
