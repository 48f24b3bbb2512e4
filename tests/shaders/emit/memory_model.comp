// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) coherent buffer A { uint a; uint b[4]; };
layout(set = 0, binding = 1) buffer B {
  workgroupcoherent uint wc;
  subgroupcoherent uint sc;
  devicecoherent uint dc;
  queuefamilycoherent uint qc;
  nonprivate uint np;
  volatile uint vo;
  uint plain;
};
layout(buffer_reference, std430) buffer R { coherent uint x; uint y; };
layout(push_constant) uniform P { R r; };
shared uint s[4];
shared vec4 sv;

void main() {
  a = b[1];
  wc = sc;
  dc = qc;
  np = vo;
  vo = plain;
  plain = np;
  s[0] = s[1];
  sv.xz = sv.yx;
  r.x = r.y;
  r.y = r.x;
  s[2] += 3;
}
