// CHECK-SPIRV
// Votes, ballots and shuffles: the instruction and the capability of each.
#version 460
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { vec2 a; uint n; uvec4 b; bool t; };
void main() {
  t = subgroupAll(t);
  t = subgroupAny(t);
  t = subgroupAllEqual(a);
  b = subgroupBallot(t);
  t = subgroupInverseBallot(b);
  t = subgroupBallotBitExtract(b, n);
  n = subgroupBallotBitCount(b);
  n += subgroupBallotInclusiveBitCount(b);
  n += subgroupBallotExclusiveBitCount(b);
  n += subgroupBallotFindLSB(b);
  n += subgroupBallotFindMSB(b);
  a = subgroupBroadcast(a, 3);
  a = subgroupBroadcastFirst(a);
  a = subgroupShuffle(a, n);
  a = subgroupShuffleXor(a, n);
  a = subgroupShuffleUp(a, n);
  a = subgroupShuffleDown(a, n);
}
