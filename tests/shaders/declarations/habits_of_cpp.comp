// Declarations as C++, HLSL, CUDA and WGSL have them: one error for each, which says what GLSL has.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float d[]; };
unsigned int a0;
long a1;
short a2;
typedef float real;
enum E { e0, e1 };
class A { float x; };
union U { float x; };
template <typename T> float a3(T x) { return 0.0; }
namespace n { float x; }
using real2 = float;
inline float a4() { return 1.0; }
extern float a5;
public float a6;
__global__ void a7(float x) {}
__kernel void a8(float x) {}
struct S { float x; float get() { return x; } };
float a9(float &x) { return x; }
float a10(float *x) { return 1.0; }
float a11(vec4 p : SV_Position) { return p.x; }
float a12(vector<float, 4> v) { return v.x; }
array<float, 4> a13;
const tensorView<2> a14 = 1;
size_t a15 = 4;
string a16;
atomic_uint a17;
void main() {
  float *p = 1.0;
  tensorLayout<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, 4, 4);
  std::vector<float> v;
  vec3 w{1.0, 2.0, 3.0};
}
