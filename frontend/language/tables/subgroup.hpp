// GL_KHR_shader_subgroup_* and GL_KHR_shader_subgroup_rotate, with the component types of
// GL_EXT_shader_subgroup_extended_types_*, and the older GL_ARB_shader_ballot and GL_ARB_shader_group_vote.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kSgBasic = byExtension({ExtensionId::GL_KHR_shader_subgroup_basic});
constexpr Availability kSgVote = byExtension({ExtensionId::GL_KHR_shader_subgroup_vote});
constexpr Availability kSgArithmetic = byExtension({ExtensionId::GL_KHR_shader_subgroup_arithmetic});
constexpr Availability kSgBallot = byExtension({ExtensionId::GL_KHR_shader_subgroup_ballot});
constexpr Availability kSgShuffle = byExtension({ExtensionId::GL_KHR_shader_subgroup_shuffle});
constexpr Availability kSgShuffleRelative =
    byExtension({ExtensionId::GL_KHR_shader_subgroup_shuffle_relative});
constexpr Availability kSgClustered = byExtension({ExtensionId::GL_KHR_shader_subgroup_clustered});
constexpr Availability kSgQuad = byExtension({ExtensionId::GL_KHR_shader_subgroup_quad});
constexpr Availability kSgRotate = byExtension({ExtensionId::GL_KHR_shader_subgroup_rotate});
constexpr Availability kArbBallot = byExtension({ExtensionId::GL_ARB_shader_ballot});
constexpr Availability kThreadsNV = byExtension({ExtensionId::GL_NV_gpu_shader5});
constexpr Availability kArbVote = byExtension({ExtensionId::GL_ARB_shader_group_vote});

constexpr Availability kSgQuadControl = byExtension({ExtensionId::GL_EXT_shader_quad_control});
constexpr Availability kSgPartitioned = byExtension({ExtensionId::GL_NV_shader_subgroup_partitioned});

constexpr uint16_t kSg = kRowSubgroup | kRowNoFold;
constexpr uint16_t kSgBarrier = kRowSideEffects | kRowNoFold;

constexpr FnDef kSubgroupFunctions[] = {
    {"subgroupBarrier", BuiltinOp::SubgroupBarrier, kSgBasic, "v()", 0, 0, kSgBarrier},
    {"subgroupMemoryBarrier", BuiltinOp::SubgroupMemoryBarrier, kSgBasic, "v()", 0, 0, kSgBarrier},
    {"subgroupMemoryBarrierBuffer", BuiltinOp::SubgroupMemoryBarrierBuffer, kSgBasic, "v()", 0, 0,
     kSgBarrier},
    {"subgroupMemoryBarrierShared", BuiltinOp::SubgroupMemoryBarrierShared, kSgBasic, "v()", 0, 0, kSgBarrier,
     kWorkgroups},
    {"subgroupMemoryBarrierImage", BuiltinOp::SubgroupMemoryBarrierImage, kSgBasic, "v()", 0, 0, kSgBarrier},
    {"subgroupElect", BuiltinOp::SubgroupElect, kSgBasic, "b()", 0, 0, kSg},

    {"subgroupAll", BuiltinOp::SubgroupAll, kSgVote, "b(b)", 0, 0, kSg},
    {"subgroupAny", BuiltinOp::SubgroupAny, kSgVote, "b(b)", 0, 0, kSg},
    {"subgroupAllEqual", BuiltinOp::SubgroupAllEqual, kSgVote, "b(G)", kAllBasic, kAnySize, kSg},

    {"subgroupBroadcast", BuiltinOp::SubgroupBroadcast, kSgBallot, "G(G,u)", kAllBasic, kAnySize, kSg},
    {"subgroupBroadcastFirst", BuiltinOp::SubgroupBroadcastFirst, kSgBallot, "G(G)", kAllBasic, kAnySize,
     kSg},
    {"subgroupBallot", BuiltinOp::SubgroupBallot, kSgBallot, "u.4(b)", 0, 0, kSg},
    {"subgroupInverseBallot", BuiltinOp::SubgroupInverseBallot, kSgBallot, "b(u.4)", 0, 0, kSg},
    {"subgroupBallotBitExtract", BuiltinOp::SubgroupBallotBitExtract, kSgBallot, "b(u.4,u)", 0, 0, kSg},
    {"subgroupBallotBitCount", BuiltinOp::SubgroupBallotBitCount, kSgBallot, "u(u.4)", 0, 0, kSg},
    {"subgroupBallotInclusiveBitCount", BuiltinOp::SubgroupBallotInclusiveBitCount, kSgBallot, "u(u.4)", 0, 0,
     kSg},
    {"subgroupBallotExclusiveBitCount", BuiltinOp::SubgroupBallotExclusiveBitCount, kSgBallot, "u(u.4)", 0, 0,
     kSg},
    {"subgroupBallotFindLSB", BuiltinOp::SubgroupBallotFindLsb, kSgBallot, "u(u.4)", 0, 0, kSg},
    {"subgroupBallotFindMSB", BuiltinOp::SubgroupBallotFindMsb, kSgBallot, "u(u.4)", 0, 0, kSg},

    {"subgroupShuffle", BuiltinOp::SubgroupShuffle, kSgShuffle, "G(G,u)", kAllBasic, kAnySize, kSg},
    {"subgroupShuffleXor", BuiltinOp::SubgroupShuffleXor, kSgShuffle, "G(G,u)", kAllBasic, kAnySize, kSg},
    {"subgroupShuffleUp", BuiltinOp::SubgroupShuffleUp, kSgShuffleRelative, "G(G,u)", kAllBasic, kAnySize,
     kSg},
    {"subgroupShuffleDown", BuiltinOp::SubgroupShuffleDown, kSgShuffleRelative, "G(G,u)", kAllBasic, kAnySize,
     kSg},
    {"subgroupRotate", BuiltinOp::SubgroupRotate, kSgRotate, "G(G,u)", kAllBasic, kAnySize, kSg},
    {"subgroupClusteredRotate", BuiltinOp::SubgroupClusteredRotate, kSgRotate, "G(G,u,!u)", kAllBasic,
     kAnySize, kSg},

#define COOPC_SUBGROUP_OPERATION(name, scalars)                                                      \
  {"subgroup" #name, BuiltinOp::Subgroup##name, kSgArithmetic, "G(G)", scalars, kAnySize, kSg},      \
      {"subgroupInclusive" #name,                                                                    \
       BuiltinOp::SubgroupInclusive##name,                                                           \
       kSgArithmetic,                                                                                \
       "G(G)",                                                                                       \
       scalars,                                                                                      \
       kAnySize,                                                                                     \
       kSg},                                                                                         \
      {"subgroupExclusive" #name,                                                                    \
       BuiltinOp::SubgroupExclusive##name,                                                           \
       kSgArithmetic,                                                                                \
       "G(G)",                                                                                       \
       scalars,                                                                                      \
       kAnySize,                                                                                     \
       kSg},                                                                                         \
  {                                                                                                  \
    "subgroupClustered" #name, BuiltinOp::SubgroupClustered##name, kSgClustered, "G(G,!u)", scalars, \
        kAnySize, kSg                                                                                \
  }
    COOPC_SUBGROUP_OPERATION(Add, kNumbers),
    COOPC_SUBGROUP_OPERATION(Mul, kNumbers),
    COOPC_SUBGROUP_OPERATION(Min, kNumbers),
    COOPC_SUBGROUP_OPERATION(Max, kNumbers),
    COOPC_SUBGROUP_OPERATION(And, kInts | kB),
    COOPC_SUBGROUP_OPERATION(Or, kInts | kB),
    COOPC_SUBGROUP_OPERATION(Xor, kInts | kB),
#undef COOPC_SUBGROUP_OPERATION

    {"subgroupQuadBroadcast", BuiltinOp::SubgroupQuadBroadcast, kSgQuad, "G(G,u)", kAllBasic, kAnySize, kSg},
    {"subgroupQuadSwapHorizontal", BuiltinOp::SubgroupQuadSwapHorizontal, kSgQuad, "G(G)", kAllBasic,
     kAnySize, kSg},
    {"subgroupQuadSwapVertical", BuiltinOp::SubgroupQuadSwapVertical, kSgQuad, "G(G)", kAllBasic, kAnySize,
     kSg},
    {"subgroupQuadSwapDiagonal", BuiltinOp::SubgroupQuadSwapDiagonal, kSgQuad, "G(G)", kAllBasic, kAnySize,
     kSg},

    {"subgroupQuadAll", BuiltinOp::SubgroupQuadAll, kSgQuadControl, "b(b)", 0, 0, kSg},
    {"subgroupQuadAny", BuiltinOp::SubgroupQuadAny, kSgQuadControl, "b(b)", 0, 0, kSg},

    {"subgroupPartitionNV", BuiltinOp::SubgroupPartition, kSgPartitioned, "u.4(G)", kAllBasic, kAnySize, kSg},
#define COOPC_PARTITIONED_OPERATION(name, scalars)                                            \
  {"subgroupPartitioned" #name "NV",                                                          \
   BuiltinOp::SubgroupPartitioned##name,                                                      \
   kSgPartitioned,                                                                            \
   "G(G,u.4)",                                                                                \
   scalars,                                                                                   \
   kAnySize,                                                                                  \
   kSg},                                                                                      \
      {"subgroupPartitionedInclusive" #name "NV",                                             \
       BuiltinOp::SubgroupPartitionedInclusive##name,                                         \
       kSgPartitioned,                                                                        \
       "G(G,u.4)",                                                                            \
       scalars,                                                                               \
       kAnySize,                                                                              \
       kSg},                                                                                  \
  {                                                                                           \
    "subgroupPartitionedExclusive" #name "NV", BuiltinOp::SubgroupPartitionedExclusive##name, \
        kSgPartitioned, "G(G,u.4)", scalars, kAnySize, kSg                                    \
  }
    COOPC_PARTITIONED_OPERATION(Add, kNumbers),
    COOPC_PARTITIONED_OPERATION(Mul, kNumbers),
    COOPC_PARTITIONED_OPERATION(Min, kNumbers),
    COOPC_PARTITIONED_OPERATION(Max, kNumbers),
    COOPC_PARTITIONED_OPERATION(And, kInts | kB),
    COOPC_PARTITIONED_OPERATION(Or, kInts | kB),
    COOPC_PARTITIONED_OPERATION(Xor, kInts | kB),
#undef COOPC_PARTITIONED_OPERATION

    {"ballotARB", BuiltinOp::BallotARB, kArbBallot, "u64(b)", 0, 0, kRowNoFold},
    {"readInvocationARB", BuiltinOp::ReadInvocationARB, kArbBallot, "G(G,u)", kF | kI | kU, kAnySize,
     kRowNoFold},
    {"readFirstInvocationARB", BuiltinOp::ReadFirstInvocationARB, kArbBallot, "G(G)", kF | kI | kU, kAnySize,
     kRowNoFold},
    {"anyInvocationARB", BuiltinOp::AnyInvocation, kArbVote, "b(b)", 0, 0, kRowNoFold},
    {"allInvocationsARB", BuiltinOp::AllInvocations, kArbVote, "b(b)", 0, 0, kRowNoFold},
    {"anyThreadNV", BuiltinOp::AnyInvocation, kThreadsNV, "b(b)", 0, 0, kRowNoFold},
    {"allThreadsNV", BuiltinOp::AllInvocations, kThreadsNV, "b(b)", 0, 0, kRowNoFold},
    {"allThreadsEqualNV", BuiltinOp::AllInvocationsEqual, kThreadsNV, "b(b)", 0, 0, kRowNoFold},
    {"allInvocationsEqualARB", BuiltinOp::AllInvocationsEqual, kArbVote, "b(b)", 0, 0, kRowNoFold},
};

}  // namespace coopc::frontend::builtins
