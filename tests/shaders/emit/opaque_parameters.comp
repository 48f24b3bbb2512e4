// An image format is part of the type in SPIR-V: `get` is emitted once for each.
// CHECK-SPIRV
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(set=0,binding=0,rgba8) uniform image2D a;
layout(set=0,binding=1,r32f) uniform image2D b;
layout(set=0,binding=2,r32f) uniform coherent image2D c[4];
layout(set=0,binding=3) uniform sampler2D s[4];
layout(set=0,binding=4) uniform texture2D t;
layout(set=0,binding=5) uniform sampler smp[2];
layout(set=0,binding=6) buffer B { int i; vec4 v; };
vec4 get(image2D x, ivec2 p) { return imageLoad(x, p); }
vec4 tex(sampler2D x, vec2 p) { return textureLod(x, p, 0.0); }
vec4 tex2(texture2D x, sampler y, vec2 p) { return textureLod(sampler2D(x, y), p, 0.0); }
vec4 arr(sampler2D x[4], vec2 p, int k) { return textureLod(x[k], p, 0.0); }
void main() { 
 v = get(a, ivec2(0)) + get(b, ivec2(1));
 imageStore(c[i], ivec2(0), v); v += tex(s[i], v.xy) + tex2(t, smp[i], v.xy) + arr(s, v.xy, 2); }
