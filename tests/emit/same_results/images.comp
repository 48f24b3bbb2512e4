#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { vec4 v[256]; int s[64]; } o;
layout(set = 0, binding = 3, r32f) uniform coherent image2D img;
void main() {
  ivec2 p = ivec2(gl_LocalInvocationID.xy) + ivec2(gl_WorkGroupID.x * 8u, 0);
  uint k = gl_LocalInvocationIndex + gl_WorkGroupID.x * 64u;
  o.v[k] = imageLoad(img, p) + vec4(imageSize(img), p);
  ivec2 below = p + ivec2(0, 8);
  imageStore(img, below, imageLoad(img, below) * 2.0);
  o.v[k].y += imageLoad(img, below).x;
  memoryBarrierImage();
  imageStore(img, p, vec4(o.v[k].y - float(k)));
}
