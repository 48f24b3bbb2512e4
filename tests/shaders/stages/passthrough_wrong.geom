// Declarations that a passthrough geometry shader cannot have.
// RUN: coopc --target-env=vulkan1.1 -DADJACENCY %s
// RUN: coopc --target-env=vulkan1.1 -DPRIMITIVE %s
// RUN: coopc --target-env=vulkan1.1 -DVERTICES %s
// RUN: coopc --target-env=vulkan1.1 -DINVOCATIONS %s
// RUN: coopc --target-env=vulkan1.1 -DSTREAM %s
// RUN: coopc --target-env=vulkan1.1 -DCAPTURE %s
// RUN: coopc --target-env=vulkan1.1 -DEMIT %s
// RUN: coopc --target-env=vulkan1.1 -DEND %s
// RUN: coopc --target-env=vulkan1.1 -DBLOCK %s
// RUN: coopc --target-env=vulkan1.1 -DOVERLAP %s
// RUN: coopc --target-env=vulkan1.1 -DNOT_ARRAY %s
// RUN: coopc --target-env=vulkan1.1 -DOUTPUT %s
// RUN: coopc --target-env=vulkan1.1 -DDEFAULT %s
// RUN: coopc --target-env=vulkan1.1 -DMISSING %s
#version 450
#ifndef MISSING
#extension GL_NV_geometry_shader_passthrough : require
#endif
#if defined ADJACENCY
layout(lines_adjacency) in;
#elif defined INVOCATIONS
layout(triangles, invocations = 2) in;
#else
layout(triangles) in;
#endif
layout(location = 0, passthrough) in Block { vec4 a; }
#ifndef NOT_ARRAY
b[]
#endif
;
#if defined PRIMITIVE
layout(triangle_strip) out;
#elif defined VERTICES
layout(max_vertices = 3) out;
#elif defined STREAM
layout(location = 1, stream = 1) out vec4 c;
#elif defined CAPTURE
layout(location = 1, xfb_offset = 0) out vec4 c;
#elif defined BLOCK
layout(location = 1) out Block { vec4 c; };
#elif defined OVERLAP
layout(location = 0) out vec4 c;
#elif defined OUTPUT
layout(location = 1, passthrough) out vec4 c;
#elif defined DEFAULT
layout(passthrough) in;
#endif
void main() {
#if defined EMIT
  EmitVertex();
#elif defined END
  EndPrimitive();
#endif
}
