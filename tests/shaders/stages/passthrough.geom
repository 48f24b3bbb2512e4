// GL_NV_geometry_shader_passthrough: inputs that are also outputs. The output primitive is that of the input.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -DLINES %s
// RUN: coopc --target-env=vulkan1.1 -DPOINTS %s
// RUN: coopc --target-env=vulkan1.1 -DUNREAD -O0 %s
// RUN: coopc --target-env=vulkan1.1 -DUNREAD -O %s
// CHECK-SPIRV
#version 450
#extension GL_NV_geometry_shader_passthrough : require
#if defined LINES
layout(lines) in;
#elif defined POINTS
layout(points) in;
#else
layout(triangles, invocations = 1) in;
#endif
layout(passthrough) in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(location = 0, passthrough) in vec2 at[];
layout(location = 1, passthrough) in Whole { vec2 texture; flat int kind; } whole[];
layout(location = 3) in Part { vec4 consumed; layout(passthrough) vec4 passed; } part[];
layout(location = 5) out vec4 ofPrimitive;
void main() {
#ifdef UNREAD  // the driver copies what the shader does not read
  gl_Layer = 1;
#else
  gl_Layer = whole[0].kind;
  ofPrimitive = part[0].consumed + vec4(at[0], gl_in[0].gl_Position.xy);
#endif
}
