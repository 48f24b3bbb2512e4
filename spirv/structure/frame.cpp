// Checks where instructions stand: see frame.hpp.
#include "spirv/structure/frame.hpp"

#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

bool isNothing(spv::Op op) {
  return op == spv::Op::OpNop || op == spv::Op::OpLine || op == spv::Op::OpNoLine;
}

}  // namespace

void Frame::check(const Instruction& i, uint32_t n) {
  switch (i.op()) {
    case spv::Op::OpFunction: return fault_.report(i, "stands inside a function");
    case spv::Op::OpLabel:
      if (inBlock_) fault_.report(i, "stands inside a block");
      inBlock_ = true;
      if (blocks_ == 0) entryLabel_ = n;
      if (blocks_ == 1) entryEnd_ = n;
      label_ = n;
      ++blocks_;
      return;
    case spv::Op::OpPhi:
      if (!isAtHead(n)) fault_.report(i, "comes after other instructions");
      return;
    case spv::Op::OpVariable:
      if (blocks_ > 1) fault_.report(i, "stands outside the first block");
      return types_.checkVariable(i);
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge:
      if (!inBlock_) fault_.report(i, "stands outside a block");
      return checkMerge(n);
    default:
      if (!inBlock_) fault_.report(i, "stands outside a block");
      inBlock_ = false;
      return;
  }
}

// Whether a phi is at the head of its block. A phi before it has been checked itself.
bool Frame::isAtHead(uint32_t n) const {
  for (--n; n > begin_; --n) {
    switch (const spv::Op op = m_.instructions[n].op()) {
      case spv::Op::OpLabel:
      case spv::Op::OpPhi: return true;
      case spv::Op::OpVariable:
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge: break;
      default:
        if (!isNothing(op)) return false;
        break;
    }
  }
  return true;
}

// Checks what follows a merge instruction. Another merge instruction there is checked itself, and so is the
// end of a block without a terminator.
void Frame::checkMerge(uint32_t n) {
  for (++n; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    const spv::Op op = i.op();
    if (isNothing(op)) continue;
    if (op != spv::Op::OpSelectionMerge && op != spv::Op::OpLoopMerge && op != spv::Op::OpLabel &&
        op != spv::Op::OpFunctionEnd && !isTerminator(op))
      fault_.report(i, "stands between a merge instruction and the end of the block");
    return;
  }
}

}  // namespace coopc::spirv
