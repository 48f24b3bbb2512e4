// Inputs and outputs, built-in variables, derivatives, implicit levels of detail, interpolation, discard.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 460
layout(location = 0) in vec4 color;
layout(location = 1) flat in int id;
layout(location = 2) noperspective centroid in vec2 uv;
layout(location = 3) sample in vec3 sampled[2];
layout(location = 7) in Surface {
  vec3 normal;
  flat uint material;
} surface;
layout(location = 0, index = 0) out vec4 result;
layout(location = 0, index = 1) out vec4 blend;
layout(location = 1) out uvec2 ids;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2DArrayShadow shadow;
layout(binding = 2) uniform sampler3D volume;
layout(input_attachment_index = 0, binding = 3) uniform subpassInput before;
layout(input_attachment_index = 1, binding = 4) uniform usubpassInputMS samples;
void main() {
  if (color.a < 0.5) discard;
  vec4 sum = texture(image, uv) + texture(image, uv, 0.5) + textureOffset(image, uv, ivec2(1), 1.0);
  sum += textureProj(image, vec3(uv, 2.0)) + textureProjOffset(image, vec4(uv, 1, 2), ivec2(1), 0.25);
  sum += texture(shadow, vec4(uv, 0, 1)) + textureLod(volume, color.xyz, 0.0);
  sum.xy += textureQueryLod(image, uv);
  sum.xyz += interpolateAtCentroid(color).xyz + interpolateAtSample(sampled[1], 1);
  sum.xy += interpolateAtOffset(surface.normal.xy, vec2(0.25));
  sum += dFdx(color) + dFdyFine(color) + fwidthCoarse(color);
  sum += subpassLoad(before) + vec4(subpassLoad(samples, gl_SampleID));
  sum.xy += gl_FragCoord.xy + gl_PointCoord + gl_SamplePosition;
  if (gl_FrontFacing && !gl_HelperInvocation) sum *= 2.0;
  gl_FragDepth = gl_ClipDistance[1];
  gl_SampleMask[0] = gl_SampleMaskIn[0];
  result = sum;
  blend = vec4(float(gl_PrimitiveID + gl_Layer + gl_ViewportIndex));
  ids = uvec2(surface.material, uint(id));
}
