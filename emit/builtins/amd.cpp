// AMD's extended instruction sets, and its reductions and scans over subgroups, which are older than
// SPIR-V's: GL_AMD_shader_trinary_minmax, GL_AMD_gcn_shader, GL_AMD_shader_ballot.
#include <algorithm>
#include <iterator>
#include <spirv/unified1/AMD_gcn_shader.h>
#include <spirv/unified1/AMD_shader_ballot.h>
#include <spirv/unified1/AMD_shader_trinary_minmax.h>
#include <string_view>

#include "emit/builtins/call.hpp"
#include "spirv/extended_sets.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// An instruction of an extended set. If there are several, the type of the first operand selects one.
struct ExtendedInstruction {
  BuiltinOp op;
  std::string_view set;
  uint32_t floating, isSigned, isUnsigned;
};
constexpr ExtendedInstruction same(BuiltinOp op, std::string_view set, uint32_t number) {
  return {op, set, number, number, number};
}
constexpr ExtendedInstruction kExtended[] = {
    {BuiltinOp::Min3, spirv::kTrinaryMinMaxSet, AMD_shader_trinary_minmaxFMin3AMD,
     AMD_shader_trinary_minmaxSMin3AMD, AMD_shader_trinary_minmaxUMin3AMD},
    {BuiltinOp::Max3, spirv::kTrinaryMinMaxSet, AMD_shader_trinary_minmaxFMax3AMD,
     AMD_shader_trinary_minmaxSMax3AMD, AMD_shader_trinary_minmaxUMax3AMD},
    {BuiltinOp::Mid3, spirv::kTrinaryMinMaxSet, AMD_shader_trinary_minmaxFMid3AMD,
     AMD_shader_trinary_minmaxSMid3AMD, AMD_shader_trinary_minmaxUMid3AMD},
    same(BuiltinOp::CubeFaceIndex, spirv::kGcnSet, AMD_gcn_shaderCubeFaceIndexAMD),
    same(BuiltinOp::CubeFaceCoord, spirv::kGcnSet, AMD_gcn_shaderCubeFaceCoordAMD),
    same(BuiltinOp::Time, spirv::kGcnSet, AMD_gcn_shaderTimeAMD),
    same(BuiltinOp::SwizzleInvocations, spirv::kBallotSet, AMD_shader_ballotSwizzleInvocationsAMD),
    same(BuiltinOp::SwizzleInvocationsMasked, spirv::kBallotSet,
         AMD_shader_ballotSwizzleInvocationsMaskedAMD),
    same(BuiltinOp::WriteInvocation, spirv::kBallotSet, AMD_shader_ballotWriteInvocationAMD),
    same(BuiltinOp::Mbcnt, spirv::kBallotSet, AMD_shader_ballotMbcntAMD)};

enum class Combine : uint8_t { Add, Min, Max };

// A reduction or scan. `anyFlow`: it may be in control flow that is not uniform.
struct GroupCall {
  BuiltinOp op;
  Combine combine;
  spv::GroupOperation form;
  bool anyFlow;
};
constexpr GroupCall kGroupCalls[] = {
    {BuiltinOp::MinInvocations, Combine::Min, spv::GroupOperation::Reduce, false},
    {BuiltinOp::MaxInvocations, Combine::Max, spv::GroupOperation::Reduce, false},
    {BuiltinOp::AddInvocations, Combine::Add, spv::GroupOperation::Reduce, false},
    {BuiltinOp::MinInvocationsNonUniform, Combine::Min, spv::GroupOperation::Reduce, true},
    {BuiltinOp::MaxInvocationsNonUniform, Combine::Max, spv::GroupOperation::Reduce, true},
    {BuiltinOp::AddInvocationsNonUniform, Combine::Add, spv::GroupOperation::Reduce, true},
    {BuiltinOp::MinInvocationsInclusiveScan, Combine::Min, spv::GroupOperation::InclusiveScan, false},
    {BuiltinOp::MaxInvocationsInclusiveScan, Combine::Max, spv::GroupOperation::InclusiveScan, false},
    {BuiltinOp::AddInvocationsInclusiveScan, Combine::Add, spv::GroupOperation::InclusiveScan, false},
    {BuiltinOp::MinInvocationsInclusiveScanNonUniform, Combine::Min, spv::GroupOperation::InclusiveScan,
     true},
    {BuiltinOp::MaxInvocationsInclusiveScanNonUniform, Combine::Max, spv::GroupOperation::InclusiveScan,
     true},
    {BuiltinOp::AddInvocationsInclusiveScanNonUniform, Combine::Add, spv::GroupOperation::InclusiveScan,
     true},
    {BuiltinOp::MinInvocationsExclusiveScan, Combine::Min, spv::GroupOperation::ExclusiveScan, false},
    {BuiltinOp::MaxInvocationsExclusiveScan, Combine::Max, spv::GroupOperation::ExclusiveScan, false},
    {BuiltinOp::AddInvocationsExclusiveScan, Combine::Add, spv::GroupOperation::ExclusiveScan, false},
    {BuiltinOp::MinInvocationsExclusiveScanNonUniform, Combine::Min, spv::GroupOperation::ExclusiveScan,
     true},
    {BuiltinOp::MaxInvocationsExclusiveScanNonUniform, Combine::Max, spv::GroupOperation::ExclusiveScan,
     true},
    {BuiltinOp::AddInvocationsExclusiveScanNonUniform, Combine::Add, spv::GroupOperation::ExclusiveScan,
     true}};

spv::Op groupOpcode(const GroupCall& call, Scalar s) {
  using enum spv::Op;
  const bool f = isFloatScalar(s), i = isSignedScalar(s), any = call.anyFlow;
  switch (call.combine) {
    case Combine::Add:
      return f     ? (any ? OpGroupFAddNonUniformAMD : OpGroupFAdd)
             : any ? OpGroupIAddNonUniformAMD
                   : OpGroupIAdd;
    case Combine::Min:
      return f   ? (any ? OpGroupFMinNonUniformAMD : OpGroupFMin)
             : i ? (any ? OpGroupSMinNonUniformAMD : OpGroupSMin)
                 : (any ? OpGroupUMinNonUniformAMD : OpGroupUMin);
    case Combine::Max: break;
  }
  return f   ? (any ? OpGroupFMaxNonUniformAMD : OpGroupFMax)
         : i ? (any ? OpGroupSMaxNonUniformAMD : OpGroupSMax)
             : (any ? OpGroupUMaxNonUniformAMD : OpGroupUMax);
}

Id extended(const BuiltinCall& c, const ExtendedInstruction& row) {
  Emitter& e = c.e;
  const Scalar s = c.count() == 0 ? Scalar::Float : c.argScalar(0);
  e.types.useType(c.t);
  for (uint32_t i = 0; i < c.count(); ++i) e.types.useType(c.argType(i));
  e.b.extension(row.set);
  OperandWords arguments(e);
  for (uint32_t i = 0; i < c.count(); ++i) arguments.push(c.arg(i));
  return c.make<op::ExtInst>({.set = e.b.extInstSet(row.set),
                              .instruction = isFloatScalar(s)    ? row.floating
                                             : isSignedScalar(s) ? row.isSigned
                                                                 : row.isUnsigned,
                              .operands = arguments.span()});
}

// The instructions take scalars: "X and Result Type must be a scalar" in the versions of SPIR-V that devices
// with the extension have. Vulkan has the capability Groups by SPV_AMD_shader_ballot alone.
Id reduce(const BuiltinCall& c, const GroupCall& call) {
  Emitter& e = c.e;
  e.capability(spv::Capability::Groups);
  e.b.extension(spirv::kBallotSet);
  e.types.useType(c.t);
  const spv::Op opcode = groupOpcode(call, c.argScalar(0));
  const Id scope = e.constants.scope(spv::Scope::Subgroup);
  const Id value = c.arg(0);
  const uint32_t size = basicRows(c.t);
  if (size == 1)
    return c.make<op::GroupIAdd>(opcode, {.execution = scope, .operation = call.form, .x = value});
  const TypeId scalar = basicType(basicScalar(c.t));
  OperandWords parts(e);
  for (uint32_t i = 0; i < size; ++i) {
    const Id part = e.extract(value, scalar, i);
    parts.push(c.decorate(
        e.make<op::GroupIAdd>(opcode, scalar, {.execution = scope, .operation = call.form, .x = part})));
  }
  return c.make<op::CompositeConstruct>({.constituents = parts.span()});
}

}  // namespace

Id emitAmdBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (const auto* row = std::find_if(std::begin(kExtended), std::end(kExtended),
                                     [&](const ExtendedInstruction& r) { return r.op == c.o; });
      row != std::end(kExtended))
    return extended(c, *row);
  return reduce(c, *std::find_if(std::begin(kGroupCalls), std::end(kGroupCalls),
                                 [&](const GroupCall& r) { return r.op == c.o; }));
}

}  // namespace coopc::emit
