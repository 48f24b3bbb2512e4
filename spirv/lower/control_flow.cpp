// Opens and closes the loops that lowering writes.
#include "spirv/lower/control_flow.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace control_flow {

Loop openLoop(Code& code, NamedId count, Unroll unroll, const std::vector<Id>& carried) {
  Loop l;
  l.unroll = unroll;
  l.header = code.writer.newLabel();
  l.continues = code.writer.newLabel();
  l.merge = code.writer.newLabel();
  l.known = code.writer.known().size();
  const Id before = code.writer.currentBlock();
  code.make<op::Branch>({l.header});
  code.writer.block(l.header);
  // The phis' values for the next iteration are only known when the loop is closed.
  const Id u32Type = code.globals.typeU32(), zero = code.u32(0);
  l.phis.push_back(code.writer.phi(u32Type, {.incoming = {{zero, before}, {kNoId, l.continues}}}));
  for (const Id value : carried) {
    const Id type = code.globals.typeOf(value);
    l.phis.push_back(code.writer.phi(type, {.incoming = {{value, before}, {kNoId, l.continues}}}));
  }
  l.index = l.phis.front().result;
  for (size_t k = 1; k < l.phis.size(); ++k) l.carried.push_back(l.phis[k].result);
  const Id test = code.writer.newLabel(), body = code.writer.newLabel();
  code.make<op::LoopMerge>({.mergeBlock = l.merge,
                            .continueTarget = l.continues,
                            .loopControl = unroll == Unroll::Yes ? spv::LoopControlMask::Unroll
                                                                 : spv::LoopControlMask::DontUnroll});
  code.make<op::Branch>({test});
  code.writer.block(test);
  const Id inside = less(code, l.index, count);
  code.make<op::BranchConditional>({.condition = inside, .trueLabel = body, .falseLabel = l.merge});
  code.writer.block(body);
  return l;
}

std::vector<Id> closeLoop(Code& code, Loop l) {
  code.make<op::Branch>({l.continues});
  code.writer.block(l.continues);
  const Id one = code.u32(1), u32Type = code.globals.typeU32();
  const Id next = code.make<op::IAdd>(u32Type, {l.index, one});
  code.writer.known().forgetFrom(l.known);
  code.make<op::Branch>({l.header});
  code.writer.block(l.merge);
  std::vector<Id> after;
  for (size_t k = 0; k < l.phis.size(); ++k) {
    const Id value = k == 0 ? next : l.carried[k - 1];
    code.writer.setPhiValue(l.phis[k], 1, value);
    if (k > 0) after.push_back(l.phis[k].result);
  }
  return after;
}

}  // namespace control_flow

}  // namespace coopc::spirv::lower
