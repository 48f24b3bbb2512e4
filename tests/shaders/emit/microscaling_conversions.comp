// GL_EXT_ocp_microscaling_types: the types as variables, parameters and results (4.1.4), where each may be stored, every implicit
// conversion (4.1.10) with its vectors, the constructors to and from them (5.4.1, 5.4.2).
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_ocp_microscaling_types
// CHECK-SPIRV
#version 460
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_e3m2 : require
#extension GL_EXT_float_e2m3 : require
#extension GL_EXT_float_ue8m0 : require
#extension GL_EXT_float_mxint8 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_long_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B {
  floatue8m0_t scale;
  fue8m0vec2 scales2;
  fue8m0vec3 scales3;
  fue8m0vec4 scales4;
  floatmxint8_t fixed_;
  fmxint8vec2 fixed2;
  fmxint8vec3 fixed3;
  fmxint8vec4 fixed4;
  double d[32];
  dvec4 d4[8];
};
layout(binding = 1) uniform U { floatue8m0_t uniformScale; fmxint8vec4 uniformFixed; };
shared floatue8m0_t sharedScale;
shared fmxint8vec2 sharedFixed;
floate2m1_t global21 = 1.5fe2m1;
fe3m2vec3 global32 = fe3m2vec3(0.25, 2.0, -4.0);
const floate2m3_t kept = floate2m3_t(-0.875);
floate2m1_t same21(floate2m1_t x) { return x; }
fe3m2vec4 same32(in fe3m2vec4 x) { return x; }
void same23(floate2m3_t x, out fe2m3vec2 y) { y = fe2m3vec2(x); }
floatue8m0_t same80(inout floatue8m0_t x) { return x; }
fmxint8vec3 same8(fmxint8vec3 x) { return x; }
float takes(float x) { return x; }
float16_t takesHalf(float16_t x) { return x; }

#define EACH(T, V2, V3, V4, VALUE, AT)                                            \
  {                                                                               \
    T s = T(VALUE);                                                               \
    V2 v2 = V2(s, VALUE);                                                         \
    V3 v3 = V3(v2, s);                                                            \
    V4 v4 = V4(s, v3);                                                            \
    vector<T, 5> v5 = vector<T, 5>(s);                                            \
    bfloat16_t bf = s;                                                            \
    bf16vec2 bf2 = v2;                                                            \
    float16_t h = s;                                                              \
    f16vec3 h3 = v3;                                                              \
    float f = s;                                                                  \
    vec4 f4 = v4;                                                                 \
    double w = s;                                                                 \
    dvec4 w4 = v4;                                                                \
    vector<float, 5> f5 = v5;                                                     \
    floate4m3_t e4 = floate4m3_t(s);                                              \
    fe5m2vec4 e5 = fe5m2vec4(v4);                                                 \
    d[AT] = double(float(bf)) + double(h) + f + w + f5[3] + float(e4) + takes(s) + takesHalf(s); \
    d4[AT] = dvec4(f4) + w4 + dvec4(vec2(bf2), vec2(h3.xy)) + dvec4(vec4(e5));    \
  }

void main() {
  EACH(floate2m1_t, fe2m1vec2, fe2m1vec3, fe2m1vec4, 0.5fe2m1, 0)
  EACH(floate3m2_t, fe3m2vec2, fe3m2vec3, fe3m2vec4, 0.5fe3m2, 1)
  EACH(floate2m3_t, fe2m3vec2, fe2m3vec3, fe2m3vec4, 0.5fe2m3, 2)
  EACH(floatmxint8_t, fmxint8vec2, fmxint8vec3, fmxint8vec4, 0.5fmxint8, 3)
  floate4m3_t e4 = global21;
  fe5m2vec4 e5 = fe2m1vec4(global21);
  d[4] = float(e4) + float(e5.w) + float(same21(global21)) + vec4(same32(fe3m2vec4(global32, 1.0fe3m2))).x;
  fe2m3vec2 both;
  same23(kept, both);
  floatue8m0_t s = 0.5fue8m0;
  fue8m0vec4 s4 = fue8m0vec4(s, scales3);
  d[5] = vec2(both).y + float(s) + double(s) + float(float16_t(s)) + float(bfloat16_t(s)) + float(floate5m2_t(s));
  d4[5] = dvec4(vec4(s4)) + dvec4(scales4) + dvec4(f16vec4(scales4));
  scale = same80(s);
  scales2 = scales4.yx;
  fixed3 = same8(uniformFixed.wzy);
  sharedScale = uniformScale;
  sharedFixed = fixed3.xy;
  barrier();
  scales2.x = sharedScale;
  fixed2 = sharedFixed;
  floate2m1_t list[3] = {1.0fe2m1, floate2m1_t(-6.0), global21};
  d[6] = float(list[1]) + float(true ? list[2] : global21);
  struct S { floate3m2_t a; fmxint8vec2 b; } t = S(0.25fe3m2, fixed2);
  d[7] = float(t.a) + float(t.b.y);
}
