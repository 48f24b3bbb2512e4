#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { mat4 m[64]; mat3x2 n[64]; vec4 v[64]; dmat2 dm[64]; uint eq[64]; } o;
void main() {
  uint g = gl_GlobalInvocationID.x;
  mat4 a = mat4(f[g], f[g+1], f[g+2], f[g+3], f[g+4], f[g+5], f[g+6], f[g+7], f[g+8], f[g+9], f[g+10], f[g+11], f[g+12], f[g+13], f[g+14], f[g+15]);
  mat4 b = mat4(1.0, vec3(2.0, 0.5, 1.0), vec4(1.0), vec4(0.0, 1.0, 2.0, 3.0), vec2(4.0), vec2(5.0));
  o.m[g] = a * b + a - 2.0 * b / 4.0;
  o.m[g] += 1.0;
  o.m[g] *= 2.0;
  o.m[g]--;
  mat2x3 p = mat2x3(a);
  mat3x2 q = transpose(p);
  o.n[g] = q * mat3(2.0) + mat3x2(1.0) - q / 2.0;
  vec3 w = vec3(f[g], f[g + 7], f[g + 9]);
  o.v[g] = vec4(q * w, w * mat2x3(p)) + vec4(matrixCompMult(q, q)[1], outerProduct(w.xy, w.yz)[0]);
  o.dm[g] = dmat2(d[g]) * dmat2(a) + dmat2(1.0);
  mat3 e = mat3(b);
  o.eq[g] = uint(a == b) + uint(a != b) * 2u + uint(e == mat3(b)) * 4u;
  a[0] = b[1];
  a *= b;
  o.m[g][3] = a[0];
}
