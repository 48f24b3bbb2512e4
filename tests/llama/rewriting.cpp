#include "tests/llama/rewriting.hpp"

#include <bit>
#include <cstring>
#include <string_view>

#include "spirv/enums_supplement.hpp"
#include "spirv/reader.hpp"

namespace coopc::tests::llama {
namespace {

constexpr size_t kHeader = 5;

// Calls `see(at, length, op)` for each instruction. False: the words end within one, or an instruction has no length.
template <typename See>
bool walk(const std::vector<uint32_t>& words, const See& see) {
  for (size_t at = kHeader; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) return false;
    see(at, length, static_cast<spv::Op>(words[at] & 0xFFFF));
    at += length;
  }
  return true;
}

// Calls `edit(at, length, op, out)` for each instruction; where it returns false, the instruction is copied as it is.
template <typename Edit>
void rewrite(std::vector<uint32_t>& words, const Edit& edit) {
  if (words.size() < kHeader) return;
  std::vector<uint32_t> out(words.begin(), words.begin() + kHeader);
  out.reserve(words.size());
  const bool whole = walk(words, [&](size_t at, size_t length, spv::Op op) {
    if (edit(at, length, op, out)) return;
    out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
               words.begin() + static_cast<std::ptrdiff_t>(at + length));
  });
  if (whole) words = std::move(out);
}

}  // namespace

void forgetUnrolling(std::vector<uint32_t>& words) {
  constexpr uint32_t kUnroll = 1;
  walk(words, [&](size_t at, size_t length, spv::Op op) {
    if (op == spv::Op::OpLoopMerge && length > 3) words[at + 3] &= ~kUnroll;
  });
}

void forbidContraction(std::vector<uint32_t>& words) {
  std::vector<uint32_t> decorations;
  size_t types = 0;  // where the first type stands: annotations come before it
  const bool whole = walk(words, [&](size_t at, size_t, spv::Op op) {
    if (types == 0 && op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer) types = at;
    switch (op) {
      case spv::Op::OpFNegate:
      case spv::Op::OpFAdd:
      case spv::Op::OpFSub:
      case spv::Op::OpFMul:
      case spv::Op::OpFDiv:
      case spv::Op::OpVectorTimesScalar:
      case spv::Op::OpDot:
        decorations.insert(decorations.end(),
                           {3u << 16 | static_cast<uint32_t>(spv::Op::OpDecorate), words[at + 2],
                            static_cast<uint32_t>(spv::Decoration::NoContraction)});
        break;
      default: break;
    }
  });
  if (!whole) return;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(types), decorations.begin(), decorations.end());
}

void forgetNames(std::vector<uint32_t>& words) {
  rewrite(words, [](size_t, size_t, spv::Op op, std::vector<uint32_t>&) {
    switch (op) {
      case spv::Op::OpSourceContinued:
      case spv::Op::OpSource:
      case spv::Op::OpSourceExtension:
      case spv::Op::OpName:
      case spv::Op::OpMemberName:
      case spv::Op::OpString:
      case spv::Op::OpLine:
      case spv::Op::OpNoLine:
      case spv::Op::OpModuleProcessed: return true;
      default: return false;
    }
  });
}

bool forgetVectorDecoding(std::vector<uint32_t>& words) {
  constexpr auto kCapability =
      static_cast<uint32_t>(coopc::spirv::enums::CapabilityCooperativeMatrixDecodeVectorNV);
  constexpr auto kVectorFunction =
      static_cast<uint32_t>(coopc::spirv::enums::TensorAddressingOperandsDecodeVectorFunc);
  bool found = false;
  rewrite(words, [&](size_t at, size_t length, spv::Op op, std::vector<uint32_t>& out) {
    if (op == spv::Op::OpCapability && length == 2 && words[at + 1] == kCapability) return found = true;
    if (op == spv::Op::OpExtension) {
      const auto* text = reinterpret_cast<const char*>(&words[at + 1]);
      const std::string_view name(text, strnlen(text, (length - 1) * 4));
      return name == "SPV_NV_cooperative_matrix_decode_vector";
    }
    if (op != spv::Op::OpCooperativeMatrixLoadTensorNV || length < 8) return false;
    // Type, result, pointer, object, layout, memory operands, tensor addressing operands. Of the memory operands' bits,
    // Aligned, MakePointerAvailable, MakePointerVisible, AliasScope and NoAlias have a word each.
    const size_t tensor = at + 7 + static_cast<size_t>(std::popcount(words[at + 6] & 0x3001Au));
    if (tensor >= at + length || (words[tensor] & kVectorFunction) == 0) return false;
    // The vector function's id is the last: it has the highest bit.
    out.push_back(static_cast<uint32_t>(length - 1) << 16 | static_cast<uint32_t>(op));
    out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(at + 1),
               words.begin() + static_cast<std::ptrdiff_t>(at + length - 1));
    out[out.size() - (at + length - 1 - tensor)] &= ~kVectorFunction;
    return true;
  });
  return found;
}

}  // namespace coopc::tests::llama
