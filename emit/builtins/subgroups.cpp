// Subgroup functions: GL_KHR_shader_subgroup_*, GL_KHR_shader_subgroup_rotate,
// GL_NV_shader_subgroup_partitioned, GL_EXT_shader_quad_control, and the older GL_ARB_shader_ballot and
// GL_ARB_shader_group_vote, which become the same instructions where SPIR-V has them (1.3).
#include "base/spirv_version.hpp"
#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// The GroupOperation of a form.
constexpr spv::GroupOperation groupOperation(ReductionForm form) {
  using enum spv::GroupOperation;
  switch (form) {
    case ReductionForm::None:
    case ReductionForm::Reduce: return Reduce;
    case ReductionForm::InclusiveScan: return InclusiveScan;
    case ReductionForm::ExclusiveScan: return ExclusiveScan;
    case ReductionForm::ClusteredReduce: return ClusteredReduce;
    case ReductionForm::PartitionedReduce: return PartitionedReduceNV;
    case ReductionForm::PartitionedInclusiveScan: return PartitionedInclusiveScanNV;
    case ReductionForm::PartitionedExclusiveScan: return PartitionedExclusiveScanNV;
  }
  return Reduce;
}

spv::Op arithmetic(ReductionOperation operation, Scalar s) {
  using Op = spv::Op;
  const bool f = isFloatScalar(s), i = isSignedScalar(s), b = s == Scalar::Bool;
  switch (operation) {
    case ReductionOperation::Add: return f ? Op::OpGroupNonUniformFAdd : Op::OpGroupNonUniformIAdd;
    case ReductionOperation::Mul: return f ? Op::OpGroupNonUniformFMul : Op::OpGroupNonUniformIMul;
    case ReductionOperation::Min:
      return f ? Op::OpGroupNonUniformFMin : i ? Op::OpGroupNonUniformSMin : Op::OpGroupNonUniformUMin;
    case ReductionOperation::Max:
      return f ? Op::OpGroupNonUniformFMax : i ? Op::OpGroupNonUniformSMax : Op::OpGroupNonUniformUMax;
    case ReductionOperation::And:
      return b ? Op::OpGroupNonUniformLogicalAnd : Op::OpGroupNonUniformBitwiseAnd;
    case ReductionOperation::Or: return b ? Op::OpGroupNonUniformLogicalOr : Op::OpGroupNonUniformBitwiseOr;
    case ReductionOperation::Xor: break;
  }
  return b ? Op::OpGroupNonUniformLogicalXor : Op::OpGroupNonUniformBitwiseXor;
}

struct Subgroups {
  const BuiltinCall& c;
  Emitter& e;

  Id scope() const { return e.constants.scope(spv::Scope::Subgroup); }
  // An instruction whose only value is the function's argument, if it has one: a vote, a broadcast, a bit's
  // position.
  Id ofArgument(spv::Capability capability, spv::Op opcode) const {
    const Id value = c.count() != 0 ? c.arg(0) : Id();
    e.capability(capability);
    if (!value) return c.make<op::GroupNonUniformElect>(opcode, {.execution = scope()});
    return c.make<op::GroupNonUniformBroadcastFirst>(opcode, {.execution = scope(), .value = value});
  }
  // Reads another invocation's value. Some of the instructions take a mask or a difference as `invocationId`.
  Id valueAndIndex(spv::Capability capability, spv::Op opcode) const {
    const Id value = c.arg(0), index = c.arg(1);
    e.capability(capability);
    return c.make<op::GroupNonUniformShuffle>(opcode,
                                              {.execution = scope(), .value = value, .invocationId = index});
  }
  Id ballotCount(ReductionForm how) const {
    const Id ballot = c.arg(0);
    e.capability(spv::Capability::GroupNonUniformBallot);
    return c.make<op::GroupNonUniformBallotBitCount>(
        {.execution = scope(), .operation = groupOperation(how), .value = ballot});
  }
  Id swap(uint32_t direction) const {
    const Id value = c.arg(0), constant = e.u32(direction);
    e.capability(spv::Capability::GroupNonUniformQuad);
    return c.make<op::GroupNonUniformQuadSwap>({.execution = scope(), .value = value, .direction = constant});
  }
  Id rotate() const {
    const Id value = c.arg(0), delta = c.arg(1), size = c.count() > 2 ? c.arg(2) : Id();
    e.capability(spv::Capability::GroupNonUniformRotateKHR);
    return c.make<op::GroupNonUniformRotateKHR>(
        {.execution = scope(), .value = value, .delta = delta, .clusterSize = size});
  }
  // Reductions and scans over the subgroup, over clusters, or over the partitions of
  // GL_NV_shader_subgroup_partitioned.
  Id reduce() const {
    const BuiltinOpInfo& info = builtinOpInfo(c.o);
    const Id value = c.arg(0);
    Id more;  // the cluster size, or the ballot that describes the partitions
    switch (info.form) {
      case ReductionForm::None:
      case ReductionForm::Reduce:
      case ReductionForm::InclusiveScan:
      case ReductionForm::ExclusiveScan: e.capability(spv::Capability::GroupNonUniformArithmetic); break;
      case ReductionForm::ClusteredReduce:
        more = c.arg(1);
        e.capability(spv::Capability::GroupNonUniformClustered);
        break;
      case ReductionForm::PartitionedReduce:
      case ReductionForm::PartitionedInclusiveScan:
      case ReductionForm::PartitionedExclusiveScan:
        more = c.arg(1);
        e.capability(spv::Capability::GroupNonUniformPartitionedNV);
        break;
    }
    return c.make<op::GroupNonUniformIAdd>(
        arithmetic(info.operation, c.argScalar(0)),
        {.execution = scope(), .operation = groupOperation(info.form), .value = value, .clusterSize = more});
  }

  Id quadVote(spv::Op opcode) const {
    e.capability(spv::Capability::GroupNonUniformVote);
    e.declareFor(opcode);
    return c.make<op::Unary>(opcode, {.operand = c.arg(0)});
  }
  Id partition() const {
    e.declareFor(spv::Op::OpGroupNonUniformPartitionNV);
    return c.make<op::GroupNonUniformPartitionNV>({.value = c.arg(0)});
  }

  // ---------------------------------------------------------------------------- the older extensions

  Id vote(spv::Op now, spv::Op before) const {
    if (e.module.version >= kSpirv13) return ofArgument(spv::Capability::GroupNonUniformVote, now);
    e.declareFor(before);
    return c.make<op::Unary>(before, {.operand = c.arg(0)});
  }
  Id ballotArb() const {
    const TypeId words = basicType(Scalar::Uint, 4);
    const Id predicate = c.arg(0);
    Id ballot;
    if (e.module.version >= kSpirv13) {
      e.declareFor(spv::Op::OpGroupNonUniformBallot);
      ballot = e.make<op::GroupNonUniformBallot>(words, {.execution = scope(), .predicate = predicate});
    } else {
      e.declareFor(spv::Op::OpSubgroupBallotKHR);
      ballot = e.make<op::SubgroupBallotKHR>(words, {.predicate = predicate});
    }
    const Id low = e.shuffle(ballot, words, 2u | 0u << 4 | 1u << 8);
    return e.bitcast(low, c.t);
  }
  // Reads from another invocation, one component at a time.
  Id read() const {
    const bool firstOnly = c.o == BuiltinOp::ReadFirstInvocationARB;
    if (firstOnly && e.module.version >= kSpirv13)
      return ofArgument(spv::Capability::GroupNonUniformBallot, spv::Op::OpGroupNonUniformBroadcastFirst);
    const Id v = c.arg(0);
    const Id id = firstOnly ? Id() : c.arg(1);
    e.declareFor(firstOnly ? spv::Op::OpSubgroupFirstInvocationKHR : spv::Op::OpSubgroupReadInvocationKHR);
    const auto one = [&](NamedId type, NamedId component) {
      return firstOnly ? e.make<op::SubgroupFirstInvocationKHR>(type, {.value = component})
                       : e.make<op::SubgroupReadInvocationKHR>(type, {.value = component, .index = id});
    };
    const Id component = e.type(basicType(basicScalar(c.t)));
    if (isScalarType(c.t)) return one(component, v);
    OperandWords parts(e);
    for (uint32_t i = 0; i < basicRows(c.t); ++i) {
      const Id part = e.extract(v, component, i);
      parts.push(one(component, part));
    }
    return e.make<op::CompositeConstruct>(c.t, {.constituents = parts.span()});
  }
};

}  // namespace

Id emitSubgroupBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  e.types.useType(c.t);
  if (c.count() != 0) e.types.useType(c.argType(0));
  const Subgroups s{c, e};
  if (builtinGroup(c.o) == BuiltinGroup::Reduction) return s.reduce();
  using Op = spv::Op;
  using Cap = spv::Capability;
  switch (c.o) {
    case BuiltinOp::SubgroupElect: return s.ofArgument(Cap::GroupNonUniform, Op::OpGroupNonUniformElect);
    case BuiltinOp::SubgroupAll: return s.ofArgument(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAll);
    case BuiltinOp::SubgroupAny: return s.ofArgument(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAny);
    case BuiltinOp::SubgroupAllEqual:
      return s.ofArgument(Cap::GroupNonUniformVote, Op::OpGroupNonUniformAllEqual);
    case BuiltinOp::SubgroupBroadcast:
      return s.valueAndIndex(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBroadcast);
    case BuiltinOp::SubgroupBroadcastFirst:
      return s.ofArgument(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBroadcastFirst);
    case BuiltinOp::SubgroupBallot:
      return s.ofArgument(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallot);
    case BuiltinOp::SubgroupInverseBallot:
      return s.ofArgument(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformInverseBallot);
    case BuiltinOp::SubgroupBallotBitExtract:
      return s.valueAndIndex(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotBitExtract);
    case BuiltinOp::SubgroupBallotBitCount: return s.ballotCount(ReductionForm::Reduce);
    case BuiltinOp::SubgroupBallotInclusiveBitCount: return s.ballotCount(ReductionForm::InclusiveScan);
    case BuiltinOp::SubgroupBallotExclusiveBitCount: return s.ballotCount(ReductionForm::ExclusiveScan);
    case BuiltinOp::SubgroupBallotFindLsb:
      return s.ofArgument(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotFindLSB);
    case BuiltinOp::SubgroupBallotFindMsb:
      return s.ofArgument(Cap::GroupNonUniformBallot, Op::OpGroupNonUniformBallotFindMSB);
    case BuiltinOp::SubgroupShuffle:
      return s.valueAndIndex(Cap::GroupNonUniformShuffle, Op::OpGroupNonUniformShuffle);
    case BuiltinOp::SubgroupShuffleXor:
      return s.valueAndIndex(Cap::GroupNonUniformShuffle, Op::OpGroupNonUniformShuffleXor);
    case BuiltinOp::SubgroupShuffleUp:
      return s.valueAndIndex(Cap::GroupNonUniformShuffleRelative, Op::OpGroupNonUniformShuffleUp);
    case BuiltinOp::SubgroupShuffleDown:
      return s.valueAndIndex(Cap::GroupNonUniformShuffleRelative, Op::OpGroupNonUniformShuffleDown);
    case BuiltinOp::SubgroupPartition: return s.partition();
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
