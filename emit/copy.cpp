// Copies between memory layouts that cannot be made through a value. If OpCopyLogical cannot be used (below
// SPIR-V 1.4, or if bool is a number in memory), a composite is split into its parts. An array whose size is
// a specialization constant cannot be split, because its number of parts is not known. Such values go through
// a variable of plain layout, which a loop fills.
#include "base/spirv_version.hpp"
#include "emit/memory.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::emit {

using namespace frontend;

bool Memory::copiesByLoop(TypeId t) {
  return !isBasic(t) && containsSpecSized(program, t) &&
         (module.version < kSpirv14 || declared.types.containsBool(t));
}

// The nesting depth is the type's, which is bounded; nested loops are counted as constructs.
void Memory::copyPlace(Place from, Place to) {
  const TypeId t = from.type;
  if (!copiesByLoop(t)) {
    const Id v = load(from);
    store(to, v);
    return;
  }
  const TypeInfo a = info(t);
  if (a.kind == TypeKind::Struct) {
    for (uint32_t i = 0; i < program.structs[a.structure()].members.size(); ++i) {
      Place source = from, target = to;
      stepMember(source, i);
      stepMember(target, i);
      copyPlace(source, target);
    }
    return;
  }
  flush(from);
  flush(to);
  const TypeId counterType = program.constants[a.arraySize()].type;
  const Scalar s = basicScalar(counterType);
  const Id count = declared.constants.sizeConstant(a.arraySize());
  const Id counter = declared.variables.localVariable(counterType, "");
  const Id zero = declared.constants.zeroOf(counterType);
  code.store(counter, zero);
  const Id header = b.id(), test = b.id(), body = b.id(), next = b.id(), merge = b.id();
  code.branch(header);
  code.startBlock(header);
  code.make<op::LoopMerge>({.mergeBlock = merge, .continueTarget = next});
  code.enterConstruct();
  code.branch(test);
  code.startBlock(test);
  const Id at = code.load(counterType, counter);
  useScalar(Scalar::Bool);
  const Id more = code.make<op::ULessThan>(kBool, {.operand1 = at, .operand2 = count});
  code.branchIf(more, body, merge);
  code.startBlock(body);
  stepIndex(from, at, false, 0);
  stepIndex(to, at, false, 0);
  copyPlace(from, to);
  code.branch(next);
  code.startBlock(next);
  const Id one = declared.constants.scalarConstant(s, 1);
  const Id following = code.make<op::IAdd>(counterType, {.operand1 = at, .operand2 = one});
  code.store(counter, following);
  code.branch(header);
  code.leaveConstruct();
  code.startBlock(merge);
}

}  // namespace coopc::emit
