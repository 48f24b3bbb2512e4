#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT ivec4 found;
hitAttributeEXT ivec2 shape;
void main() {
  found = ivec4(gl_InstanceCustomIndexEXT, shape.y, int(gl_HitTEXT * 4.0), gl_HitKindEXT == 0x15u ? 2000 + shape.x : -1);
}
