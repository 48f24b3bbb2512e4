// The inputs of the neural material, the network in plain code, and the formula that it was trained on (material/train).
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(set = 0, binding = 0) readonly buffer Weights { float16_t w[]; } weights;
const uint kBiases = 3u * 16u * 16u;

float16_t[16] features(vec2 p) {
  float16_t f[16];
  for (int i = 0; i < 3; ++i) {
    vec2 a = 6.2831853 * float(i + 1) * p;
    f[4 * i] = float16_t(sin(a.x));
    f[4 * i + 1] = float16_t(cos(a.x));
    f[4 * i + 2] = float16_t(sin(a.y));
    f[4 * i + 3] = float16_t(cos(a.y));
  }
  f[12] = float16_t(p.x);
  f[13] = float16_t(p.y);
  f[14] = float16_t(sin(6.2831853 * (p.x + p.y)));
  f[15] = float16_t(sin(6.2831853 * (p.x - p.y)));
  return f;
}

vec3 plainMaterial(vec2 p) {
  float16_t x[16] = features(p);
  for (uint layer = 0u; layer < 3u; ++layer) {
    float16_t y[16];
    for (uint i = 0u; i < 16u; ++i) {
      float sum = float(weights.w[kBiases + layer * 16u + i]);
      for (uint k = 0u; k < 16u; ++k) sum += float(weights.w[layer * 256u + i * 16u + k]) * float(x[k]);
      y[i] = float16_t(layer < 2u ? max(sum, 0.0) : sum);
    }
    x = y;
  }
  return vec3(x[0], x[1], x[2]);
}

vec3 formula(vec2 p) {
  float wave = sin(6.2831853 * p.x) * sin(6.2831853 * p.y) + 0.5 * cos(12.566371 * (p.x - p.y));
  float glaze = 1.0 / (1.0 + exp(-6.0 * wave));
  float joint = exp(-8.0 * (1.0 + cos(12.566371 * p.y)));
  return vec3(0.15 + 0.7 * glaze, 0.3 + 0.3 * glaze * glaze, 0.7 - 0.5 * glaze) * (1.0 - 0.6 * joint);
}

#ifdef VECTORS
vec3 material(vec2 p) {
  float16_t f[16] = features(p);
  coopvecNV<float16_t, 16> x;
  for (int i = 0; i < 16; ++i) x[i] = f[i];
  for (uint layer = 0u; layer < 3u; ++layer) {
    coopvecNV<float16_t, 16> y;
    coopVecMatMulAddNV(y, x, gl_ComponentTypeFloat16NV, weights.w, layer * 512u, gl_ComponentTypeFloat16NV, weights.w,
                       kBiases * 2u + layer * 32u, gl_ComponentTypeFloat16NV, 16, 16,
                       gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 32);
    x = layer < 2u ? max(y, coopvecNV<float16_t, 16>(float16_t(0))) : y;
  }
  return vec3(x[0], x[1], x[2]);
}
#else
vec3 material(vec2 p) { return plainMaterial(p); }
#endif
