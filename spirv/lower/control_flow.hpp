// Structured control flow in lowered code: selections and loops, whose bodies are functions that write code.
// Each leaves the writer in the block after it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/function_writer.hpp"
#include "spirv/lower/unroll.hpp"
#include "spirv/lower/value.hpp"

namespace coopc::spirv::lower {

namespace control_flow {

struct Loop {
  Id index;
  std::vector<Id> carried;
  std::vector<FunctionWriter::PhiPlace> phis;  ///< of the index and the carried values
  Id header, continues, merge;
  size_t known = 0;  ///< results that hold before the loop
  Unroll unroll = Unroll::No;
};
Loop openLoop(Code& code, NamedId count, Unroll unroll, const std::vector<Id>& carried);
std::vector<Id> closeLoop(Code& code, Loop l);

}  // namespace control_flow

template <class Body>
void ifThen(Code& code, Id condition, Body&& body) {
  const Id then = code.writer.newLabel(), merge = code.writer.newLabel();
  code.make<op::SelectionMerge>({.mergeBlock = merge});
  code.make<op::BranchConditional>({.condition = condition, .trueLabel = then, .falseLabel = merge});
  code.writer.block(then);
  const size_t known = code.writer.known().size();
  body();
  code.writer.known().forgetFrom(known);
  code.make<op::Branch>({merge});
  code.writer.block(merge);
}
/// `whenTrue` and `whenFalse` return values of `type`. `result` is the id of the instruction that the choice
/// replaces, if there is one.
template <class True, class False>
Id chooseAs(Code& code, NamedId condition, NamedId type, NamedId result, True&& whenTrue, False&& whenFalse) {
  const Id then = code.writer.newLabel(), otherwise = code.writer.newLabel(), merge = code.writer.newLabel();
  code.make<op::SelectionMerge>({.mergeBlock = merge});
  code.make<op::BranchConditional>({.condition = condition, .trueLabel = then, .falseLabel = otherwise});
  code.writer.block(then);
  const size_t known = code.writer.known().size();
  const Id a = whenTrue();
  code.writer.known().forgetFrom(known);
  const Id fromTrue = code.writer.currentBlock();
  code.make<op::Branch>({merge});
  code.writer.block(otherwise);
  const Id b = whenFalse();
  code.writer.known().forgetFrom(known);
  const Id fromFalse = code.writer.currentBlock();
  code.make<op::Branch>({merge});
  code.writer.block(merge);
  const Id phi = result ? Id(result) : code.module().newId();
  code.makeAs<op::Phi>(type, phi, {.incoming = {{a, fromTrue}, {b, fromFalse}}});
  return phi;
}
template <class True, class False>
Id choose(Code& code, NamedId condition, NamedId type, True&& whenTrue, False&& whenFalse) {
  return chooseAs(code, condition, type, kNoId, whenTrue, whenFalse);
}
/// for (index = 0; index < count; ++index) body(index, carried), where the body updates the carried values
/// in place. Returns their values after the last iteration.
template <class Body>
std::vector<Id> loop(Code& code, NamedId count, Unroll unroll, const std::vector<Id>& carried, Body&& body) {
  control_flow::Loop l = control_flow::openLoop(code, count, unroll, carried);
  const UInt index(code, l.index);
  body(index, l.carried);
  return control_flow::closeLoop(code, std::move(l));
}
template <class Body>
void loop(Code& code, NamedId count, Unroll unroll, Body&& body) {
  loop(code, count, unroll, {}, [&](const UInt& index, std::vector<Id>&) { body(index); });
}
/// Calls body(index) for each index below `count`, written out or in a loop.
template <class Body>
void repeat(Code& code, uint32_t count, bool writtenOut, Unroll unroll, Body&& body) {
  if (writtenOut || count == 1) {
    for (uint32_t n = 0; n < count; ++n) {
      const UInt index(code, code.u32(n));
      body(index);
    }
  } else {
    const UInt limit(code, code.u32(count));
    loop(code, limit, unroll, body);
  }
}
/// Repeats body() until the Bool that it returns is true.
template <class Body>
void repeatUntil(Code& code, Body&& body) {
  const Id header = code.writer.newLabel(), first = code.writer.newLabel(),
           continues = code.writer.newLabel(), merge = code.writer.newLabel();
  code.make<op::Branch>({header});
  code.writer.block(header);
  code.make<op::LoopMerge>(
      {.mergeBlock = merge, .continueTarget = continues, .loopControl = spv::LoopControlMask::MaskNone});
  code.make<op::Branch>({first});
  code.writer.block(first);
  const size_t known = code.writer.known().size();
  const Id done = body();
  code.make<op::Branch>({continues});
  code.writer.block(continues);
  code.make<op::BranchConditional>({.condition = done, .trueLabel = merge, .falseLabel = header});
  code.writer.known().forgetFrom(known);
  code.writer.block(merge);
}

}  // namespace coopc::spirv::lower
