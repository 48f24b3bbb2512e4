// Subgroup functions: GL_KHR_shader_subgroup_*, GL_KHR_shader_subgroup_rotate, GL_NV_shader_subgroup_partitioned,
// GL_EXT_shader_quad_control, and the older GL_ARB_shader_ballot and
// GL_ARB_shader_group_vote, which become the same instructions where SPIR-V has them (1.3).
#include "emit/builtins_call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

constexpr uint32_t kReduce = 0, kInclusiveScan = 1, kExclusiveScan = 2, kClusteredReduce = 3,
                   kPartitionedReduce = 6;
constexpr uint32_t kSpirv13 = 0x00010300;

spv::Op arithmetic(uint32_t operation, Scalar s) {
  using Op = spv::Op;
  const bool f = isFloatScalar(s), i = isSignedScalar(s), b = s == Scalar::Bool;
  switch (operation) {
    case 0: return f ? Op::OpGroupNonUniformFAdd : Op::OpGroupNonUniformIAdd;
    case 1: return f ? Op::OpGroupNonUniformFMul : Op::OpGroupNonUniformIMul;
    case 2: return f ? Op::OpGroupNonUniformFMin : i ? Op::OpGroupNonUniformSMin : Op::OpGroupNonUniformUMin;
    case 3: return f ? Op::OpGroupNonUniformFMax : i ? Op::OpGroupNonUniformSMax : Op::OpGroupNonUniformUMax;
    case 4: return b ? Op::OpGroupNonUniformLogicalAnd : Op::OpGroupNonUniformBitwiseAnd;
    case 5: return b ? Op::OpGroupNonUniformLogicalOr : Op::OpGroupNonUniformBitwiseOr;
    default: return b ? Op::OpGroupNonUniformLogicalXor : Op::OpGroupNonUniformBitwiseXor;
  }
}

struct Subgroups {
  const BuiltinCall& c;
  Emitter& e;

  Id scope() const { return e.scope(spv::Scope::Subgroup); }
  Id group(spv::Capability capability, spv::Op opcode, std::initializer_list<Word> operands) const {
    e.capability(capability);
    OperandWords words;
    words.push(scope());
    for (const Word w : operands) words.push(w);
    return c.op(opcode, words.span());
  }
  Id valueAndIndex(spv::Capability capability, spv::Op opcode) const {
    const Id v = c.arg(0);
    const Id index = c.arg(1);
    return group(capability, opcode, {v, index});
  }
  Id ballotCount(uint32_t how) const {
    return group(spv::Capability::GroupNonUniformBallot, spv::Op::OpGroupNonUniformBallotBitCount,
                 {how, c.arg(0)});
  }
  Id swap(uint32_t direction) const {
    const Id v = c.arg(0);
    return group(spv::Capability::GroupNonUniformQuad, spv::Op::OpGroupNonUniformQuadSwap,
                 {v, e.u32(direction)});
  }
  Id rotate() const {
    e.b.extension("SPV_KHR_subgroup_rotate");
    const Id v = c.arg(0);
    const Id delta = c.arg(1);
    if (c.count() == 2)
      return group(spv::Capability::GroupNonUniformRotateKHR, spv::Op::OpGroupNonUniformRotateKHR,
                   {v, delta});
    const Id size = c.arg(2);
    return group(spv::Capability::GroupNonUniformRotateKHR, spv::Op::OpGroupNonUniformRotateKHR,
                 {v, delta, size});
  }
  /// The 28 arithmetic operations: seven in each of four forms, in the order of builtin_op.def.
  Id reduce() const {
    const uint32_t i = static_cast<uint32_t>(c.o) - static_cast<uint32_t>(BuiltinOp::SubgroupAdd);
    const uint32_t how = i / 7;
    const Id v = c.arg(0);
    const spv::Op opcode = arithmetic(i % 7, c.argScalar(0));
    if (how != 3)
      return group(spv::Capability::GroupNonUniformArithmetic, opcode,
                   {how == 0   ? kReduce
                    : how == 1 ? kInclusiveScan
                               : kExclusiveScan,
                    v});
    return group(spv::Capability::GroupNonUniformClustered, opcode, {kClusteredReduce, v, c.arg(1)});
  }

  Id quadVote(spv::Op opcode) const {
    e.b.extension("SPV_KHR_quad_control");
    e.capability(spv::Capability::GroupNonUniformVote);
    e.capability(spv::Capability::QuadControlKHR);
    return c.op(opcode, {c.arg(0)});
  }
  /// GL_NV_shader_subgroup_partitioned: seven operations in each of three forms.
  Id partitioned() const {
    e.b.extension("SPV_NV_shader_subgroup_partitioned");
    constexpr auto kPartitioned = spv::Capability::GroupNonUniformPartitionedNV;
    if (c.o == BuiltinOp::SubgroupPartition) {
      e.capability(kPartitioned);
      return c.op(spv::Op::OpGroupNonUniformPartitionNV, {c.arg(0)});
    }
    const uint32_t i = static_cast<uint32_t>(c.o) - static_cast<uint32_t>(BuiltinOp::SubgroupPartitionedAdd);
    const Id v = c.arg(0);
    const Id ballot = c.arg(1);
    return group(kPartitioned, arithmetic(i % 7, c.argScalar(0)), {kPartitionedReduce + i / 7, v, ballot});
  }

  // ---------------------------------------------------------------------------- the older extensions

  Id vote(spv::Op now, spv::Op before) const {
    if (e.version >= kSpirv13) return group(spv::Capability::GroupNonUniformVote, now, {c.arg(0)});
    e.b.extension("SPV_KHR_subgroup_vote");
    e.capability(spv::Capability::SubgroupVoteKHR);
    return c.op(before, {c.arg(0)});
  }
  Id ballotArb() const {
    const TypeId words = basicType(Scalar::Uint, 4);
    const Id predicate = c.arg(0);
    Id ballot;
    if (e.version >= kSpirv13) {
      e.capability(spv::Capability::GroupNonUniformBallot);
      ballot = e.op(spv::Op::OpGroupNonUniformBallot, words, {scope(), predicate});
    } else {
      e.b.extension("SPV_KHR_shader_ballot");
      e.capability(spv::Capability::SubgroupBallotKHR);
      ballot = e.op(spv::Op::OpSubgroupBallotKHR, words, {predicate});
    }
    const Id low = e.shuffle(ballot, words, 2u | 0u << 4 | 1u << 8);
    return e.bitcast(low, c.t);
  }
  /// Reads from another invocation, component by component.
  Id read() const {
    const bool firstOnly = c.o == BuiltinOp::ReadFirstInvocationARB;
    const Id v = c.arg(0);
    const Id id = firstOnly ? Id() : c.arg(1);
    if (firstOnly && e.version >= kSpirv13)
      return group(spv::Capability::GroupNonUniformBallot, spv::Op::OpGroupNonUniformBroadcastFirst, {v});
    e.b.extension("SPV_KHR_shader_ballot");
    e.capability(spv::Capability::SubgroupBallotKHR);
    const auto one = [&](NamedId type, NamedId component) {
      return firstOnly ? e.opTyped(spv::Op::OpSubgroupFirstInvocationKHR, type, {component})
                       : e.opTyped(spv::Op::OpSubgroupReadInvocationKHR, type, {component, id});
    };
    const Id component = e.type(basicType(basicScalar(c.t)));
    if (isScalarType(c.t)) return one(component, v);
    OperandWords parts;
    for (uint32_t i = 0; i < basicRows(c.t); ++i) {
      const Id part = e.extractTyped(v, component, i);
      parts.push(one(component, part));
    }
    return e.op(spv::Op::OpCompositeConstruct, c.t, parts.span());
  }
};

}  // namespace

Id emitSubgroupBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (c.o <= BuiltinOp::SubgroupMemoryBarrierImage) return emitBarrierBuiltin(e, call);
  e.useType(c.t);
  if (c.count() != 0) e.useType(c.argType(0));
  const Subgroups s{c, e};
  if (c.o >= BuiltinOp::SubgroupAdd && c.o <= BuiltinOp::SubgroupClusteredXor) return s.reduce();
  if (c.o >= BuiltinOp::SubgroupPartition && c.o <= BuiltinOp::SubgroupPartitionedExclusiveXor)
    return s.partitioned();
  using Op = spv::Op;
  using Cap = spv::Capability;
  switch (c.o) {
    case BuiltinOp::SubgroupElect: return s.group(Cap::GroupNonUniform, Op::OpGroupNonUniformElect, {});
    case BuiltinOp::SubgroupAll:
      return s.group(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAll, {c.arg(0)});
    case BuiltinOp::SubgroupAny:
      return s.group(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAny, {c.arg(0)});
    case BuiltinOp::SubgroupAllEqual:
      return s.group(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAllEqual, {c.arg(0)});
    case BuiltinOp::SubgroupBroadcast:
      return s.valueAndIndex(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBroadcast);
    case BuiltinOp::SubgroupBroadcastFirst:
      return s.group(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBroadcastFirst, {c.arg(0)});
    case BuiltinOp::SubgroupBallot:
      return s.group(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallot, {c.arg(0)});
    case BuiltinOp::SubgroupInverseBallot:
      return s.group(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformInverseBallot, {c.arg(0)});
    case BuiltinOp::SubgroupBallotBitExtract:
      return s.valueAndIndex(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotBitExtract);
    case BuiltinOp::SubgroupBallotBitCount: return s.ballotCount(kReduce);
    case BuiltinOp::SubgroupBallotInclusiveBitCount: return s.ballotCount(kInclusiveScan);
    case BuiltinOp::SubgroupBallotExclusiveBitCount: return s.ballotCount(kExclusiveScan);
    case BuiltinOp::SubgroupBallotFindLsb:
      return s.group(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotFindLSB, {c.arg(0)});
    case BuiltinOp::SubgroupBallotFindMsb:
      return s.group(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotFindMSB, {c.arg(0)});
    case BuiltinOp::SubgroupShuffle:
      return s.valueAndIndex(Cap::GroupNonUniformShuffle, Op::OpGroupNonUniformShuffle);
    case BuiltinOp::SubgroupShuffleXor:
      return s.valueAndIndex(Cap::GroupNonUniformShuffle, Op::OpGroupNonUniformShuffleXor);
    case BuiltinOp::SubgroupShuffleUp:
      return s.valueAndIndex(Cap::GroupNonUniformShuffleRelative, Op::OpGroupNonUniformShuffleUp);
    case BuiltinOp::SubgroupShuffleDown:
      return s.valueAndIndex(Cap::GroupNonUniformShuffleRelative, Op::OpGroupNonUniformShuffleDown);
    case BuiltinOp::SubgroupRotate:
    case BuiltinOp::SubgroupClusteredRotate: return s.rotate();
    case BuiltinOp::SubgroupQuadBroadcast:
      return s.valueAndIndex(Cap::GroupNonUniformQuad, Op::OpGroupNonUniformQuadBroadcast);
    case BuiltinOp::SubgroupQuadSwapHorizontal: return s.swap(0);
    case BuiltinOp::SubgroupQuadSwapVertical: return s.swap(1);
    case BuiltinOp::SubgroupQuadSwapDiagonal: return s.swap(2);
    case BuiltinOp::SubgroupQuadAll: return s.quadVote(Op::OpGroupNonUniformQuadAllKHR);
    case BuiltinOp::SubgroupQuadAny: return s.quadVote(Op::OpGroupNonUniformQuadAnyKHR);
    case BuiltinOp::BallotARB: return s.ballotArb();
    case BuiltinOp::ReadInvocationARB:
    case BuiltinOp::ReadFirstInvocationARB: return s.read();
    case BuiltinOp::AnyInvocation: return s.vote(Op::OpGroupNonUniformAny, Op::OpSubgroupAnyKHR);
    case BuiltinOp::AllInvocations: return s.vote(Op::OpGroupNonUniformAll, Op::OpSubgroupAllKHR);
    case BuiltinOp::AllInvocationsEqual:
      return s.vote(Op::OpGroupNonUniformAllEqual, Op::OpSubgroupAllEqualKHR);
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
