// A coordinate of something that is not a matrix.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uvec2 x[]; } data;

void main() {
  data.x[0] = coopMatGetCoordinateEXT(1.0, 0);
}
