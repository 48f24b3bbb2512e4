// Inputs of primitives, which are not interpolated: integers need no `flat`, which has no effect.
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT in uint material;
layout(location = 1) perprimitiveEXT in Face { vec4 color; ivec2 ids[2]; } face;
layout(location = 4) perprimitiveEXT flat in int id;
layout(location = 5) in Mixed { perprimitiveEXT vec4 own; vec2 uv; } mixed_;
layout(location = 0) out vec4 color;
void main() { color = face.color * float(material + face.ids[1].x + id + gl_PrimitiveID) + mixed_.own + mixed_.uv.xyxy; }
