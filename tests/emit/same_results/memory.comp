// ENV: vulkan1.3
// ENV: vulkan1.1
// ENV: vulkan1.0
#version 450
layout(local_size_x = 4) in;
struct Inner { vec3 a; float b; bool on; mat3x2 m; float list[3]; };
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out {
  Inner inner[8];
  layout(row_major) mat4x3 rm[8];
  mat2 cm[8];
  bvec3 flags[8];
  Inner copies[8];
  vec3 tail[];
} o;
layout(set = 0, binding = 2, std140) uniform U { layout(row_major) mat3x4 rm; mat2x3 cm; Inner inner; vec2 list[4]; } un;
layout(push_constant) uniform P { vec4 p; mat2 m; layout(offset = 32) uvec4 n; uint rest[4]; };
shared Inner sh[4];
Inner priv;
void main() {
  uint g = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  priv = un.inner;
  priv.on = f[g] > 0.0;
  priv.m[1] = vec2(f[g], f[g + 1]);
  priv.m[g % 3u].y += 2.0;
  sh[l] = priv;
  barrier();
  o.inner[g] = sh[(l + 1u) % 4u];
  o.copies[g] = o.inner[g];
  o.copies[g].list[n.y] = p.y + m[1][0];
  o.copies[g].on = !o.copies[g].on;
  o.rm[g] = mat4x3(f[g]);
  o.rm[g][2] = un.rm[1].xyz;
  o.rm[g][1][2] = 5.0;
  o.rm[g][n.z - 1u].zx = vec2(7.0, 8.0);
  o.cm[g] = mat2(un.cm[0].xy, un.list[3]) * m;
  o.flags[g] = bvec3(priv.on, o.copies[g].on, g > 3u);
  o.flags[g].y = o.flags[g].x || o.flags[g].z;
  o.tail[g] = o.rm[g] * p + vec3(o.flags[g]) + float(rest[2]);
  o.tail[g].z += float(o.tail.length() > 10);
  o.inner[g].b = float(o.inner[g] == o.copies[g]) + float(o.inner[g].m != un.inner.m) * 2.0;
}
