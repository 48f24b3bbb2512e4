// Checks types: see types.hpp.
#include "spirv/structure/types.hpp"

#include <optional>

#include "spirv/composites.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {

void TypeChecks::checkVariable(const Instruction& i) {
  if (m_.opOf(i.type) != spv::Op::OpTypePointer) return fault_.report(i, "is not a pointer");
  const op::Variable variable(m_, i);
  if (variable.hasInitializer())
    requireSame(i, pointee(i.result), m_.typeOf(variable.initializer()), "its initial value");
}

void TypeChecks::checkFunctionType(const Instruction& i) {
  m_.forEachUse(i, [&](Id part) {
    const OpInfo* const info = opInfo(m_.opOf(part));
    if (info == nullptr || !info->isType())
      fault_.report(i, "consists of " + Fault::name(part) + ", which is not a type");
  });
}

Id TypeChecks::pointee(Id pointer) const { return as<op::TypePointer>(m_, m_.typeOf(pointer)).type(); }

void TypeChecks::requireSame(const Instruction& i, Id type, Id other, const char* what) {
  if (type != other) fault_.report(i, std::string("does not fit the type of ") + what);
}

void TypeChecks::check(const Instruction& i) {
  switch (i.op()) {
    case spv::Op::OpBranchConditional:
      if (const Id condition = op::BranchConditional(m_, i).condition();
          m_.opOf(m_.typeOf(condition)) != spv::Op::OpTypeBool)
        fault_.report(i, "branches on " + Fault::name(condition) + ", which is not a Boolean");
      break;
    case spv::Op::OpSwitch:
      if (const Id selector = op::Switch(m_, i).selector();
          m_.opOf(m_.typeOf(selector)) != spv::Op::OpTypeInt)
        fault_.report(i, "switches on " + Fault::name(selector) + ", which is not an integer");
      break;
    case spv::Op::OpLoad:
      if (const Id type = pointee(op::Load(m_, i).pointer())) requireSame(i, i.type, type, "what it loads");
      break;
    case spv::Op::OpStore: {
      const op::Store store(m_, i);
      if (const Id type = pointee(store.pointer()))
        requireSame(i, type, m_.typeOf(store.object()), "what it stores");
      break;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (const Id type = pointee(op::AnyAccessChain(m_, i).base())) checkChain(i, type);
      break;
    case spv::Op::OpCopyObject:
      requireSame(i, i.type, m_.typeOf(op::CopyObject(m_, i).operand()), "its operand");
      break;
    case spv::Op::OpSelect:
      requireSame(i, i.type, m_.typeOf(op::Select(m_, i).object1()), "its second operand");
      requireSame(i, i.type, m_.typeOf(op::Select(m_, i).object2()), "its third operand");
      break;
    case spv::Op::OpReturnValue:
      requireSame(i, m_.instructions[function_].type, m_.typeOf(op::ReturnValue(m_, i).value()),
                  "its function");
      break;
    case spv::Op::OpFunctionCall: checkCall(i); break;
    default: break;
  }
}

void TypeChecks::checkChain(const Instruction& i, Id type) {
  for (const Id chosen : op::AnyAccessChain(m_, i).indexes()) {
    const Instruction* t = m_.def(type);
    const Instruction* index = m_.def(chosen);
    if (t == nullptr || index == nullptr || m_.opOf(index->type) != spv::Op::OpTypeInt)
      return fault_.report(i, "has an index that is not an integer");
    const bool isStruct = t->op() == spv::Op::OpTypeStruct;
    if (!isStruct && partTypes(m_, *t).empty()) return;  // types that this check does not cover
    const std::optional<uint32_t> member =
        isConstantOp(index->op()) ? std::optional(as<op::Constant>(m_, *index).value()) : std::nullopt;
    type = partType(m_, t, member);
    if (isStruct && !type) return fault_.report(i, "goes into no member of a structure");
  }
  const auto result = as<op::TypePointer>(m_, i.type);
  if (!result) return fault_.report(i, "gives no pointer");
  requireSame(i, result.type(), type, "what it points to");
}

void TypeChecks::checkCall(const Instruction& i) {
  const op::FunctionCall view(m_, i);
  const Instruction* callee = m_.def(view.function());
  const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, callee).functionType());
  if (!type) return fault_.report(i, "calls no function");
  requireSame(i, i.type, callee->type, "the function's result");
  const IdRange arguments = view.arguments(), parameters = type.parameterTypes();
  if (arguments.size() != parameters.size()) return fault_.report(i, "has too few or too many arguments");
  for (uint32_t k = 0; k < arguments.size(); ++k) {
    if (m_.opOf(arguments[k]) == spv::Op::OpFunction) return fault_.report(i, "passes a function");
    requireSame(i, parameters[k], m_.typeOf(arguments[k]), "a parameter");
  }
}

}  // namespace coopc::spirv
