// Copies between memory layouts that no value can carry: where OpCopyLogical does not do (below SPIR-V 1.4, and where bool
// is a number in memory), a composite is taken apart, and an array whose size is a specialization constant has no
// number of parts to take it apart into. Such values go through a variable of plain layout, filled by a loop.
#include "emit/emitter.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::emit {

using namespace frontend;

bool Emitter::copiesByLoop(TypeId t) {
  return !isBasic(t) && containsSpecSized(program, t) &&
         (module.version < 0x00010400 || types.containsBool(t));
}

// Nesting is that of the type, which is bounded; loops inside each other are counted as constructs.
void Emitter::copyPlace(Place from, Place to) {
  const TypeId t = from.type;
  if (!copiesByLoop(t)) {
    const Id v = load(from);
    store(to, v);
    return;
  }
  const TypeInfo a = info(t);
  if (a.kind == TypeKind::Struct) {
    for (uint32_t i = 0; i < program.structs[a.structure()].memberCount; ++i) {
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
  const Id count = constants.sizeConstant(a.arraySize());
  const Id counter = variables.localVariable(counterType, "");
  opVoid(spv::Op::OpStore, {counter, b.constantNull(type(counterType))});
  const Id header = b.id(), test = b.id(), body = b.id(), next = b.id(), merge = b.id();
  branch(header);
  startBlock(header);
  opVoid(spv::Op::OpLoopMerge, {merge, next, 0});
  enterConstruct();
  branch(test);
  startBlock(test);
  const Id at = op(spv::Op::OpLoad, counterType, {counter});
  useScalar(Scalar::Bool);
  const Id more = op(spv::Op::OpULessThan, kBool, {at, count});
  branchIf(more, body, merge);
  startBlock(body);
  stepIndex(from, at, false, 0);
  stepIndex(to, at, false, 0);
  copyPlace(from, to);
  branch(next);
  startBlock(next);
  const Id one = constants.scalarConstant(s, 1);
  const Id following = op(spv::Op::OpIAdd, counterType, {at, one});
  opVoid(spv::Op::OpStore, {counter, following});
  branch(header);
  leaveConstruct();
  startBlock(merge);
}

}  // namespace coopc::emit
