#version 460
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) out uvec4 swapped;
layout(location = 1) out uvec4 others;
void main() {
  uvec2 p = uvec2(gl_FragCoord.xy);
  uint n = p.y * 16u + p.x;
  swapped = uvec4(subgroupQuadSwapHorizontal(n), subgroupQuadSwapVertical(n), subgroupQuadSwapDiagonal(n), subgroupQuadBroadcast(n, 3));
  others = uvec4(subgroupAll(p.x < 16u) ? 1u : 0u, subgroupAny(p.x > 15u) ? 1u : 0u, subgroupMax(5u), 9u);
}
