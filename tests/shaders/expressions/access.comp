#version 450
// Components, members, elements and lengths that do not exist (5.5 to 5.7).
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
struct Light { vec3 position; float intensity; };
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer List { int count; int items[]; };
layout(set = 0, binding = 0) buffer Data { Node node; List list; Light lights[]; } data;
layout(set = 0, binding = 21) uniform sampler2D tex[3];
void main() {
  vec3 v = vec3(1.0);
  mat3 m = mat3(1.0);
  float f = 1.0;
  int i = 0;
  Light light = data.lights[0];
  float arr[4];
  f = v.w;
  f = v.q;
  f = v.foo;
  vec2 mixed = v.xg;
  vec4 longer = v.xyzxyz;
  f = f.y;
  f = light.intensty;
  f = light.color;
  f = m.x;
  f = arr.length;
  f = arr.x;
  f = data.lights.position;
  f = data.node.value;
  i = v.size();
  i = v.lenght();
  i = arr.length(1);
  i = f.length();
  i = data.list.items.length();
  f = f[0];
  f = light[0];
  f = v[1.0];
  f = v[true];
  f = v[ivec2(0)];
  f = v[3];
  f = v[-1];
  v = m[3];
  f = arr[4];
  f = arr[-1];
  f = data.lights[-1].intensity;
  f = m[0][5];
  List next = data.list[1];
}
