// Subgroup functions: GL_KHR_shader_subgroup_*, GL_KHR_shader_subgroup_rotate,
// GL_NV_shader_subgroup_partitioned, GL_EXT_shader_quad_control, and the older GL_ARB_shader_ballot and
// GL_ARB_shader_group_vote, which become the same instructions where SPIR-V has them (1.3).
#include "base/spirv_version.hpp"
#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// The GroupOperation of a form.
constexpr uint32_t groupOperation(ReductionForm form) {
  switch (form) {
    case ReductionForm::None:
    case ReductionForm::Reduce: return static_cast<uint32_t>(spv::GroupOperation::Reduce);
    case ReductionForm::InclusiveScan: return static_cast<uint32_t>(spv::GroupOperation::InclusiveScan);
    case ReductionForm::ExclusiveScan: return static_cast<uint32_t>(spv::GroupOperation::ExclusiveScan);
    case ReductionForm::ClusteredReduce: return static_cast<uint32_t>(spv::GroupOperation::ClusteredReduce);
    case ReductionForm::PartitionedReduce:
      return static_cast<uint32_t>(spv::GroupOperation::PartitionedReduceNV);
    case ReductionForm::PartitionedInclusiveScan:
      return static_cast<uint32_t>(spv::GroupOperation::PartitionedInclusiveScanNV);
    case ReductionForm::PartitionedExclusiveScan:
      return static_cast<uint32_t>(spv::GroupOperation::PartitionedExclusiveScanNV);
  }
  return 0;
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
  Id group(spv::Capability capability, spv::Op opcode, std::initializer_list<Word> operands) const {
    e.capability(capability);
    OperandWords words(e);
    words.push(scope());
    for (const Word w : operands) words.push(w);
    return c.op(opcode, words.span());
  }
  Id valueAndIndex(spv::Capability capability, spv::Op opcode) const {
    const Id v = c.arg(0);
    const Id index = c.arg(1);
    return group(capability, opcode, {v, index});
  }
  Id ballotCount(ReductionForm how) const {
    return group(spv::Capability::GroupNonUniformBallot, spv::Op::OpGroupNonUniformBallotBitCount,
                 {groupOperation(how), c.arg(0)});
  }
  Id swap(uint32_t direction) const {
    const Id v = c.arg(0);
    return group(spv::Capability::GroupNonUniformQuad, spv::Op::OpGroupNonUniformQuadSwap,
                 {v, e.u32(direction)});
  }
  Id rotate() const {
    const Id v = c.arg(0);
    const Id delta = c.arg(1);
    if (c.count() == 2)
      return group(spv::Capability::GroupNonUniformRotateKHR, spv::Op::OpGroupNonUniformRotateKHR,
                   {v, delta});
    const Id size = c.arg(2);
    return group(spv::Capability::GroupNonUniformRotateKHR, spv::Op::OpGroupNonUniformRotateKHR,
                 {v, delta, size});
  }
  // Reductions and scans: of the subgroup, of clusters, of the partitions of
  // GL_NV_shader_subgroup_partitioned.
  Id reduce() const {
    const BuiltinOpInfo& info = builtinOpInfo(c.o);
    const spv::Op opcode = arithmetic(info.operation, c.argScalar(0));
    const uint32_t how = groupOperation(info.form);
    const Id v = c.arg(0);
    switch (info.form) {
      case ReductionForm::None:
      case ReductionForm::Reduce:
      case ReductionForm::InclusiveScan:
      case ReductionForm::ExclusiveScan:
        return group(spv::Capability::GroupNonUniformArithmetic, opcode, {how, v});
      case ReductionForm::ClusteredReduce: {
        const Id size = c.arg(1);
        return group(spv::Capability::GroupNonUniformClustered, opcode, {how, v, size});
      }
      case ReductionForm::PartitionedReduce:
      case ReductionForm::PartitionedInclusiveScan:
      case ReductionForm::PartitionedExclusiveScan: break;
    }
    const Id ballot = c.arg(1);
    return group(spv::Capability::GroupNonUniformPartitionedNV, opcode, {how, v, ballot});
  }

  Id quadVote(spv::Op opcode) const {
    e.capability(spv::Capability::GroupNonUniformVote);
    e.declareFor(opcode);
    return c.op(opcode, {c.arg(0)});
  }
  Id partition() const {
    e.declareFor(spv::Op::OpGroupNonUniformPartitionNV);
    return c.op(spv::Op::OpGroupNonUniformPartitionNV, {c.arg(0)});
  }

  // ---------------------------------------------------------------------------- the older extensions

  Id vote(spv::Op now, spv::Op before) const {
    if (e.module.version >= kSpirv13) return group(spv::Capability::GroupNonUniformVote, now, {c.arg(0)});
    e.declareFor(before);
    return c.op(before, {c.arg(0)});
  }
  Id ballotArb() const {
    const TypeId words = basicType(Scalar::Uint, 4);
    const Id predicate = c.arg(0);
    Id ballot;
    if (e.module.version >= kSpirv13) {
      e.declareFor(spv::Op::OpGroupNonUniformBallot);
      ballot = e.op(spv::Op::OpGroupNonUniformBallot, words, {scope(), predicate});
    } else {
      e.declareFor(spv::Op::OpSubgroupBallotKHR);
      ballot = e.op(spv::Op::OpSubgroupBallotKHR, words, {predicate});
    }
    const Id low = e.shuffle(ballot, words, 2u | 0u << 4 | 1u << 8);
    return e.bitcast(low, c.t);
  }
  // Reads from another invocation, one component at a time.
  Id read() const {
    const bool firstOnly = c.o == BuiltinOp::ReadFirstInvocationARB;
    const Id v = c.arg(0);
    const Id id = firstOnly ? Id() : c.arg(1);
    if (firstOnly && e.module.version >= kSpirv13)
      return group(spv::Capability::GroupNonUniformBallot, spv::Op::OpGroupNonUniformBroadcastFirst, {v});
    e.declareFor(firstOnly ? spv::Op::OpSubgroupFirstInvocationKHR : spv::Op::OpSubgroupReadInvocationKHR);
    const auto one = [&](NamedId type, NamedId component) {
      return firstOnly ? e.op(spv::Op::OpSubgroupFirstInvocationKHR, type, {component})
                       : e.op(spv::Op::OpSubgroupReadInvocationKHR, type, {component, id});
    };
    const Id component = e.type(basicType(basicScalar(c.t)));
    if (isScalarType(c.t)) return one(component, v);
    OperandWords parts(e);
    for (uint32_t i = 0; i < basicRows(c.t); ++i) {
      const Id part = e.extract(v, component, i);
      parts.push(one(component, part));
    }
    return e.op(spv::Op::OpCompositeConstruct, c.t, parts.span());
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
    case BuiltinOp::SubgroupBallotBitCount: return s.ballotCount(ReductionForm::Reduce);
    case BuiltinOp::SubgroupBallotInclusiveBitCount: return s.ballotCount(ReductionForm::InclusiveScan);
    case BuiltinOp::SubgroupBallotExclusiveBitCount: return s.ballotCount(ReductionForm::ExclusiveScan);
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
