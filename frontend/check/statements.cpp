// Rules of statements: switches, returns, control-flow attributes.
#include "frontend/check/statements.hpp"

#include <algorithm>
#include <iterator>

#include "base/spirv_version.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {
namespace {

// Bits of spv::LoopControlMask and spv::SelectionControlMask (SPIR-V specification, 3.23 and 3.22;
// SPV_QCOM_multiple_wait_queues, Loop Control).
enum LoopBit : uint32_t {
  kUnroll = 0,
  kDontUnroll = 1,
  kDependencyInfinite = 2,
  kDependencyLength = 3,
  kWaitQueues = 28
};
constexpr uint32_t kFlatten = 1, kDontFlatten = 2;

enum class Argument : uint8_t { None, Value, Optional };

struct Attribute {
  std::string_view name;
  bool loop;
  Argument argument;
  uint32_t bit;  // number of the loop control bit, or the selection control mask
  Feature feature;
};
constexpr Feature kPlain = Feature::ControlFlowAttributes, kIteration = Feature::IterationAttributes;
constexpr Attribute kAttributes[] = {
    {"unroll", true, Argument::None, kUnroll, kPlain},
    {"dont_unroll", true, Argument::None, kDontUnroll, kPlain},
    {"loop", true, Argument::None, kDontUnroll, kPlain},
    {"dependency_infinite", true, Argument::None, kDependencyInfinite, kPlain},
    {"dependency_length", true, Argument::Value, kDependencyLength, kPlain},
    {"min_iterations", true, Argument::Value, 4, kIteration},
    {"max_iterations", true, Argument::Value, 5, kIteration},
    {"iteration_multiple", true, Argument::Value, 6, kIteration},
    {"peel_count", true, Argument::Value, 7, kIteration},
    {"partial_count", true, Argument::Value, 8, kIteration},
    {"flatten", false, Argument::None, kFlatten, kPlain},
    {"dont_flatten", false, Argument::None, kDontFlatten, kPlain},
    {"branch", false, Argument::None, kDontFlatten, kPlain},
    // Without a number, all queues are meant, for which SPIR-V uses 0.
    {"multiple_wait_queuesQCOM", true, Argument::Optional, kWaitQueues, Feature::WaitQueueAttributes},
};
static_assert(std::all_of(std::begin(kAttributes), std::end(kAttributes), [](const Attribute& a) {
  return a.bit < std::size(decltype(ControlAttributes::values){});
}));

}  // namespace

TypeId checkSwitchSelector(Checker& c, ExprId selector, SourceLoc loc) {
  if (c.isError(selector) || !requireValue(c, selector)) return kErrorType;
  const TypeId type = c.typeOf(selector);
  if (isScalarType(type) && isIntScalar(basicScalar(type)))
    return requireArithmetic(c, basicScalar(type), loc, "a `switch`") ? type : kErrorType;
  c.report(DiagKind::SwitchSelector, loc, {c.typeText(type)});
  return kErrorType;
}

ConstId checkCaseLabel(Checker& c, SwitchState& state, ExprId value, SourceLoc loc) {
  if (c.isError(value)) return {};
  const SourceLoc valueLoc = c.expr(value).loc;
  const ConstId id = requireConstantInteger(c, value, "case label", false);
  if (!id || state.selector == kErrorType) return {};
  const TypeId type = c.program.constants[id].type;
  const Scalar scalar = basicScalar(state.selector);
  const int64_t number = constantToInt(c.program, id);
  if (type != state.selector) {
    // Selector and label are compared after int is converted to uint; 8, 16 and 64-bit selectors are compared
    // with labels that they can represent.
    const unsigned shift = 64 - scalarBits(scalar);
    const auto wide = static_cast<uint64_t>(number);
    const bool fits = scalarBits(scalar) == 64 || scalarBits(basicScalar(type)) <= scalarBits(scalar) ||
                      (isSignedScalar(scalar) ? static_cast<int64_t>(wide << shift) >> shift == number
                                              : (wide << shift) >> shift == wide);
    if (c.es || !fits) {
      c.report(DiagKind::CaseType, valueLoc, {c.typeText(type), c.typeText(state.selector)});
      return {};
    }
  }
  const unsigned drop = 64 - scalarBits(scalar);
  const uint64_t bits = static_cast<uint64_t>(number) << drop >> drop;
  const auto [entry, added] = state.labels.emplace(bits, loc);
  const ConstId label = c.program.constants.scalar(state.selector, bits);
  if (!added) {
    c.report(DiagKind::CaseDuplicate, valueLoc, {constantText(c.program, c.names, label)})
        .note(entry->second, "the first one is here");
    return {};
  }
  return label;
}

ExprId checkReturn(Checker& c, FnId function, ExprId value, bool hasValue, SourceLoc loc) {
  const Function f = c.program.functions[function];
  if (!hasValue) {
    if (f.result != kVoidType && f.result != kErrorType)
      c.report(DiagKind::ReturnWithoutValue, loc, {c.names.text(f.name), c.typeText(f.result)});
    return {};
  }
  if (c.isError(value) || f.result == kErrorType) return value;
  if (f.result == kVoidType) {
    c.report(DiagKind::ReturnValueInVoid, loc, {c.names.text(f.name)})
        .note(f.loc, "the function is declared here");
    return {};
  }
  if (!requireValue(c, value)) return c.error(loc);
  return convertOrReport(c, value, f.result, c.expr(value).loc, "return value");
}

bool requireAttribute(Checker& c, Feature feature, std::string_view name, SourceLoc loc) {
  if (c.allows(feature)) return true;
  c.report(DiagKind::AttributesExtension, loc, {name, c.needs(feature)});
  return false;
}

void addAttribute(Checker& c, ControlAttributes& attributes, std::string_view name, SourceLoc loc,
                  ExprId argument) {
  const Attribute* found = nullptr;
  for (const Attribute& a : kAttributes)
    if (a.name == name) found = &a;
  if (!requireAttribute(c, found ? found->feature : Feature::ControlFlowAttributes, name, loc)) return;
  if (!found) {
    c.report(DiagKind::UnknownAttribute, loc, {name});
    return;
  }
  if (found->argument == (argument ? Argument::None : Argument::Value)) {
    c.report(DiagKind::AttributeArgument, loc, {name, argument ? "takes no argument" : "needs an argument"});
    return;
  }
  int64_t value = 0;
  if (argument) {
    if (c.isError(argument)) return;
    const ConstId id =
        requireConstantInteger(c, argument, "the value of attribute `" + std::string(name) + "`", false);
    const std::optional<int64_t> literal = literalInteger(c.program, id);
    if (!literal) return;
    value = *literal;
    if (value <= 0 || value > 0xffffffff) {
      c.report(DiagKind::AttributeValue, c.expr(argument).loc, {name});
      return;
    }
  }
  if (!found->loop) {
    attributes.selection = found->bit;  // if attributes contradict each other, the last one counts
    return;
  }
  // These hints cannot be expressed below SPIR-V 1.4.
  if (found->feature == Feature::IterationAttributes && c.options.spirvVersion < kSpirv14) return;
  // These cannot be expressed below SPIR-V 1.1.
  if ((found->bit == kDependencyInfinite || found->bit == kDependencyLength) &&
      c.options.spirvVersion < kSpirv11)
    return;
  uint32_t off = 0;
  if (found->bit == kUnroll) off = 1u << kDontUnroll;
  if (found->bit == kDontUnroll) off = 1u << kUnroll;
  if (found->bit == kDependencyInfinite) off = 1u << kDependencyLength;
  if (found->bit == kDependencyLength) off = 1u << kDependencyInfinite;
  attributes.loop = (attributes.loop & ~off) | 1u << found->bit;
  attributes.values[found->bit] = static_cast<uint32_t>(value);
}

Stmt::LoopControl loopControl(Checker& c, const ControlAttributes& attributes) {
  std::vector<uint32_t> literals;
  for (const Attribute& a : kAttributes)
    if (a.loop && a.argument != Argument::None && ((attributes.loop >> a.bit) & 1))
      literals.push_back(attributes.values[a.bit]);
  return {attributes.loop, c.program.addLoopParameters(literals)};
}

}  // namespace coopc::frontend
