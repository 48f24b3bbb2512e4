// Textures with implicit levels, derivatives, depth, two targets, and `discard`, which is a demotion in SPIR-V 1.6.
//! glsl compiles
//! glsl has layout(depth_greater) out float gl_FragDepth;
//! glsl has demote;
//! hlsl has discard;
//! msl has discard_fragment();
//! hlsl written
//! hlsl has SV_DepthGreaterEqual
//! hlsl has nointerpolation uint
//! msl written
//! msl has fragment main0_out main0(
//! msl has [[depth(greater)]]
#version 450
layout(depth_greater) out float gl_FragDepth;
layout(constant_id = 3) const float kBias = 0.5;
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(set = 0, binding = 2) uniform texture2DArray layers;
layout(set = 0, binding = 3) uniform sampler nearest;
layout(location = 0) in vec4 color;
layout(location = 1) flat in uint kind;
layout(location = 2) centroid in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out uint identity;
void main() {
  vec4 t = texture(albedo, at) * color + texture(sampler2DArray(layers, nearest), vec3(at, kind));
  if (t.a < kBias) discard;
  target = t + vec4(dFdx(at), fwidth(at)) + gl_FragCoord;
  identity = gl_FrontFacing ? kind : uint(gl_SampleID);
  gl_FragDepth = gl_FragCoord.z + 0.125;
}
