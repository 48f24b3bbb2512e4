// DescriptorHeapBinding, DescriptorHeapArray, DescriptorHeapType, DescriptorStrideAlone, DescriptorStrideValue, LayoutPlacement.
#version 460
#extension GL_EXT_descriptor_heap : require
layout(local_size_x = 1) in;
layout(descriptor_heap, set = 0, binding = 1) uniform texture2D bound[];
layout(descriptor_heap, binding = 2) buffer Bound { uint x; } bounds[];
layout(descriptor_heap) uniform texture2D one;
layout(descriptor_heap) uniform texture2D table[2][3];
layout(descriptor_heap) buffer One { uint x; } block;
layout(descriptor_heap) buffer Nameless { uint y; };
layout(descriptor_heap) uniform Table { uint x; } blocks[][2];
layout(descriptor_heap) uniform sampler2D combined[];
layout(descriptor_heap) uniform samplerBuffer buffers[];
layout(descriptor_stride = 64, binding = 3) uniform texture2D alone[4];
layout(descriptor_stride = 64, binding = 4) uniform Alone { uint x; } alones[4];
layout(descriptor_heap, descriptor_stride = 24) uniform texture2D odd[];
layout(descriptor_heap, descriptor_stride = 0) buffer Odd { uint x; } odds[];
layout(descriptor_heap, push_constant) uniform Push { uint p; };
layout(descriptor_heap) shared uint counter;
layout(descriptor_heap) uniform Good { layout(descriptor_heap) uint x; } good[];
layout(descriptor_heap) uniform;
vec4 whole(texture2D t[]) { return vec4(0); }
layout(descriptor_heap) uniform texture2D right[];
uint f() { return good[-1].x + uint(right.length()) + uint(right[1 - 3]); }
void main() {}
