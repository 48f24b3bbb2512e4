// Inputs, outputs and built-in variables of a vertex shader; a block that crosses the interface.
//! glsl compiles
//! glsl has layout(location = 1) flat out uint
//! glsl has gl_VertexIndex
//! hlsl written
//! hlsl has SV_VertexID
//! hlsl has SV_ClipDistance0
//! msl written
//! msl has [[vertex_id]]
//! msl has vertex main0_out main0(
#version 460
layout(set = 1, binding = 2, std140) uniform Camera { mat4 view; mat3x4 bones[4]; vec4 plane; };
layout(push_constant) uniform Constants { uint offset; };
layout(location = 0) in vec3 position;
layout(location = 1) in uvec4 joints;
layout(location = 0) out vec4 color;
layout(location = 1) flat out uint kind;
layout(location = 2) out Surface { vec3 normal; vec2 at[2]; } surface;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };
invariant gl_Position;
void main() {
  vec4 p = vec4(vec4(position, 1.0) * bones[joints.x & 3u], 1.0);
  gl_Position = view * p;
  gl_ClipDistance[0] = dot(p, plane);
  color = vec4(gl_VertexIndex, gl_InstanceIndex, float(offset), 1.0);
  kind = joints.y;
  surface.normal = position.zyx;
  surface.at = vec2[2](position.xy, position.yz);
}
