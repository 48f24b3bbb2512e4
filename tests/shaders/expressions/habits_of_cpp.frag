// Expressions as C++, HLSL and OpenGL have them: one error for each, which says what GLSL has.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(binding = 0) uniform sampler2D t[4];
layout(binding = 1) uniform sampler2DShadow shadow;
layout(location = 0) in vec4 p;
layout(location = 1) flat in int index;
layout(location = 0) out vec4 color;
struct S { float x; };
void main() {
  S s = S(1.0);
  float a = 1.#INF;
  a = 1.#IND;
  a = INFINITY + NAN;
  a = FLT_MAX * M_PI;
  int c = 'a' + '\n';
  c = NULL;
  c = sizeof(float);
  goto end;
  a = std::max(a, 2.0) + static_cast<float>(c) + 1.0;
  a = s->x;
  if (a > 1.0 and a < 2.0) a = 1.0;
  [unroll] for (int i = 0; i < 4; ++i) a += 1.0;
  printf(a);
  color = texture(t[nonuniformEXT(index)], p.xy) + shadow2D(shadow, p.xyz);
  color += gl_ModelViewProjectionMatrix * gl_Vertex + ftransform() + texture2DLod(t[0], p.xy, 0.0);
  a = float(atomicCounterIncrement(c));
  if (a > 2.0) discard();
  coopMatLoad(a, t, 0, 1, RowMajor);
}
