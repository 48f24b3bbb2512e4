// Arrays over the vertices of a primitive, built-in variables, emitted vertices and primitives.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
layout(location = 0) in vec3 normal[];
layout(triangles_adjacency, invocations = 2) in;
layout(triangle_strip) out;
layout(max_vertices = 6) out;
layout(location = 1) in Surface { vec2 uv; flat int id; } surface[];
layout(location = 0) out vec3 color;
layout(location = 1) flat out int id;
layout(location = 2) out Other { noperspective centroid vec2 uv; float size[2]; } other;
void main() {
  for (int i = 0; i < gl_in.length(); ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_PointSize = gl_in[i].gl_PointSize;
    gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[1];
    color = normal[i] + float(normal.length());
    id = surface[i].id + gl_PrimitiveIDIn;
    other.uv = surface[i].uv;
    other.size[1] = 1.0;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Layer = gl_InvocationID;
    gl_ViewportIndex = 1;
    EmitVertex();
  }
  EndPrimitive();
}
