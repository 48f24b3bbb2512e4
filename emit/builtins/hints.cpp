// Clocks, debug output and annotations of values: GL_ARB_shader_clock, GL_EXT_shader_realtime_clock,
// GL_EXT_debug_printf, GL_EXT_abort, GL_EXT_nonuniform_qualifier.
#include <vector>

#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

constexpr uint32_t kDebugPrintf = 1;  // NonSemantic.DebugPrintf

Id readClock(const BuiltinCall& c, spv::Scope scope) {
  Emitter& e = c.e;
  e.declareFor(spv::Op::OpReadClockKHR);
  e.types.useType(c.t);
  return e.make<op::ReadClockKHR>(c.t, {.scope = e.constants.scope(scope)});
}

Id emitPrintf(const BuiltinCall& c) {
  Emitter& e = c.e;
  const Id set = e.module.nonSemanticSet("NonSemantic.DebugPrintf");
  std::vector<Id> operands;
  for (uint32_t i = 0; i < c.count(); ++i) {
    e.types.useType(c.argType(i) == kStringType ? kVoidType : c.argType(i));
    const Id v =
        c.argType(i) == kStringType ? e.b.string(e.names.text(e.expr(c.args[i]).string())) : c.arg(i);
    operands.push_back(v);
  }
  e.make<op::ExtInst>(kVoidType, {.set = set, .instruction = kDebugPrintf, .operands = operands});
  return {};
}

}  // namespace

Id emitHint(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::Clock:
    case BuiltinOp::Clock2x32: return readClock(c, spv::Scope::Subgroup);
    case BuiltinOp::ClockRealtime:
    case BuiltinOp::ClockRealtime2x32: return readClock(c, spv::Scope::Device);
    case BuiltinOp::DebugPrintf: return emitPrintf(c);
    case BuiltinOp::Abort: return emitEndingValue(e, call);
    case BuiltinOp::NonUniform: return c.arg(0);
    default: return emitInstructionRow(e, call);
  }
}

}  // namespace coopc::emit
