// Barriers in two parts: SPV_EXT_split_barrier, and Vulkan's rules for it. OpenCL, which has them by
// SPV_INTEL_split_barrier, has different rules.
#include "validator/context.hpp"

namespace coopc::validator {

namespace {

namespace enums = spirv::enums;
using Semantics = spv::MemorySemanticsMask;

constexpr auto kOrders = uint64_t(Semantics::Acquire) | uint64_t(Semantics::Release) |
                         uint64_t(Semantics::AcquireRelease) | uint64_t(Semantics::SequentiallyConsistent);

bool isScope(const Value& v, spv::Scope scope) { return v.known && v.bits == uint64_t(scope); }

void checkPart(Context& c, const Instruction& i) {
  const bool arrives = i.op() == enums::OpControlBarrierArriveEXT;
  const op::AnyControlBarrier part(c.m, i);
  const Value execution = c.value(part.execution());
  if (execution.known && !isScope(execution, spv::Scope::Workgroup) &&
      !isScope(execution, spv::Scope::Subgroup))
    c.report(Rule::SplitBarrierScope, &i, "the execution scope is " + c.describe(execution),
             execution.byDefault);
  const Value semantics = c.value(part.semantics());
  if (!semantics.known) return;
  const uint64_t order = semantics.bits & kOrders;
  const auto own = uint64_t(arrives ? Semantics::Release : Semantics::Acquire);
  if (order != 0 && order != own)
    c.report(Rule::SplitBarrierSemantics, &i,
             "the semantics " + c.describe(semantics) + " have an order other than " +
                 (arrives ? "Release" : "Acquire"),
             semantics.byDefault);
  else if ((semantics.bits & uint64_t(Semantics::Volatile)) != 0)
    c.report(Rule::SplitBarrierSemantics, &i, "the semantics " + c.describe(semantics) + " have Volatile",
             semantics.byDefault);
}

}  // namespace

void checkSplitBarriers(Context& c) {
  if (!c.shader() || !c.declares(enums::CapabilitySplitBarrierEXT)) return;
  const Instruction* first[2][2] =
      {};  // the first arrival and the first wait, of workgroups and of subgroups
  bool unknown = false;
  for (const Instruction& i : c.m.instructions) {
    const auto declared = as<op::EntryPoint>(c.m, i);
    if (declared && declared.executionModel() != spv::ExecutionModel::GLCompute)
      c.report(Rule::SplitBarrierStage, &i, "an entry point is of another stage than compute");
    const bool arrives = i.op() == enums::OpControlBarrierArriveEXT;
    if (!arrives && i.op() != enums::OpControlBarrierWaitEXT) continue;
    checkPart(c, i);
    const Value execution = c.value(op::AnyControlBarrier(c.m, i).execution());
    unknown = unknown || !execution.known;
    const Instruction*& part = first[arrives ? 0 : 1][isScope(execution, spv::Scope::Subgroup) ? 1 : 0];
    if (part == nullptr) part = &i;
  }
  for (uint32_t scope = 0; scope < 2 && !unknown; ++scope) {
    const Instruction *arrival = first[0][scope], *wait = first[1][scope];
    if ((arrival == nullptr) == (wait == nullptr)) continue;
    const std::string name = scope == 0 ? "workgroups" : "subgroups";
    c.report(Rule::SplitBarrierPair, arrival != nullptr ? arrival : wait,
             arrival != nullptr ? "invocations of " + name + " arrive, but never wait"
                                : "invocations of " + name + " wait, but never arrive");
  }
}

}  // namespace coopc::validator
