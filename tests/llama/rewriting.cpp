// Rewrites modules: some changes preserve their meaning, others change it in a known way.
#include "tests/llama/rewriting.hpp"

#include <bit>
#include <cstring>
#include <string_view>

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc::tests::llama {
namespace {

using spirv::InstructionWalk;
using spirv::kHeaderWords;

// Calls `edit(i, out)` for each instruction. If it returns false, the instruction is copied unchanged.
template <typename Edit>
void rewrite(std::vector<uint32_t>& words, const Edit& edit) {
  if (words.size() < kHeaderWords) return;
  std::vector<uint32_t> out(words.begin(), words.begin() + kHeaderWords);
  out.reserve(words.size());
  InstructionWalk i(words);
  while (i.next()) {
    if (!edit(i, out)) out.insert(out.end(), i.words().begin(), i.words().end());
  }
  if (i.fault() == InstructionWalk::Fault::None) words = std::move(out);
}

}  // namespace

void forgetUnrolling(std::vector<uint32_t>& words) {
  InstructionWalk i(words);
  while (i.next()) {
    if (i.op() == spv::Op::OpLoopMerge && i.length() > 3)
      words[i.at() + 3] &= ~static_cast<uint32_t>(spv::LoopControlMask::Unroll);
  }
}

void forbidContraction(std::vector<uint32_t>& words) {
  std::vector<uint32_t> decorations;
  size_t types = 0;  // index of the first type; annotations precede it
  InstructionWalk i(words);
  while (i.next()) {
    if (types == 0 && i.op() >= spv::Op::OpTypeVoid && i.op() <= spv::Op::OpTypeForwardPointer)
      types = i.at();
    switch (i.op()) {
      case spv::Op::OpFNegate:
      case spv::Op::OpFAdd:
      case spv::Op::OpFSub:
      case spv::Op::OpFMul:
      case spv::Op::OpFDiv:
      case spv::Op::OpVectorTimesScalar:
      case spv::Op::OpDot:
        decorations.insert(decorations.end(), {spirv::instructionHead(spv::Op::OpDecorate, 3), i[2],
                                               static_cast<uint32_t>(spv::Decoration::NoContraction)});
        break;
      default: break;
    }
  }
  if (i.fault() != InstructionWalk::Fault::None) return;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(types), decorations.begin(), decorations.end());
}

void forgetNames(std::vector<uint32_t>& words) {
  rewrite(words,
          [](const InstructionWalk& i, std::vector<uint32_t>&) { return spirv::isDebugInformation(i.op()); });
}

bool forgetVectorDecoding(std::vector<uint32_t>& words) {
  constexpr auto kCapability =
      static_cast<uint32_t>(coopc::spirv::enums::CapabilityCooperativeMatrixDecodeVectorNV);
  constexpr auto kVectorFunction =
      static_cast<uint32_t>(coopc::spirv::enums::TensorAddressingOperandsDecodeVectorFunc);
  bool found = false;
  rewrite(words, [&](const InstructionWalk& i, std::vector<uint32_t>& out) {
    if (i.op() == spv::Op::OpCapability && i[1] == kCapability) return found = true;
    if (i.op() == spv::Op::OpExtension) return i.text(1) == "SPV_NV_cooperative_matrix_decode_vector";
    if (i.op() != spv::Op::OpCooperativeMatrixLoadTensorNV || i.length() < 8) return false;
    // Type, result, pointer, object, layout, memory operands, tensor addressing operands. In the memory
    // operands, the bits Aligned, MakePointerAvailable, MakePointerVisible, AliasScope and NoAlias have a
    // word each.
    const uint32_t tensor = 7 + static_cast<uint32_t>(std::popcount(i[6] & 0x3001Au));
    if ((i[tensor] & kVectorFunction) == 0) return false;
    // The vector function's id is the last one, because its bit is the highest.
    const size_t start = out.size();
    out.insert(out.end(), i.words().begin(), i.words().end() - 1);
    out[start] = spirv::instructionHead(i.op(), i.length() - 1);
    out[start + tensor] &= ~kVectorFunction;
    return true;
  });
  return found;
}

}  // namespace coopc::tests::llama
