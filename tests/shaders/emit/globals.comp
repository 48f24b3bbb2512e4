// CHECK-SPIRV
#version 450
#extension GL_EXT_null_initializer : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float x[4]; uint i; };
float plain;
float constantInit = 3.0;
float runtime = x[1] * 2.0;
float fromRuntime = runtime + 1.0;
float neverUsed = x[2];
const vec2 kVec = vec2(1.0, 2.0);
const float kFromFn = x.length() > 2 ? 1.0 : 2.0;
shared uint zeroed[4] = {};
void main() {
  plain = constantInit + fromRuntime;
  x[0] = plain + kVec.y + kFromFn;
  float local[3] = {};
  x[3] = local[i] + float(zeroed[i]);
}
