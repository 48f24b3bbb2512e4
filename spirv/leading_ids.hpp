// Frequent instructions that need no walk by the grammar.
#pragma once

#include <cstdint>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/grammar.hpp"

namespace coopc::spirv {

/// Whether a decoration is one of the frequent ones whose operands are `count` numbers.
inline bool hasOnlyNumbers(uint32_t decoration, uint32_t count) {
  switch (spv::Decoration(decoration)) {
    case spv::Decoration::RelaxedPrecision:
    case spv::Decoration::Block:
    case spv::Decoration::Restrict:
    case spv::Decoration::Aliased:
    case spv::Decoration::NonWritable:
    case spv::Decoration::NonReadable:
    case spv::Decoration::NoContraction: return count == 0;
    case spv::Decoration::SpecId:
    case spv::Decoration::ArrayStride:
    case spv::Decoration::Binding:
    case spv::Decoration::DescriptorSet:
    case spv::Decoration::Offset: return count == 1;
    default: return false;
  }
}

/// For a frequent instruction, the number of words whose form is known: the first, and ids. The words after
/// them fit the grammar, whatever they are. 0 for other instructions.
inline uint32_t leadingIds(spv::Op op, uint32_t length, const uint32_t* w) {
  constexpr auto kAligned = uint32_t(spv::MemoryAccessMask::Aligned);
  switch (op) {
    case spv::Op::OpLoad: return length == 4 || (length == 6 && w[4] == kAligned) ? 4 : 0;
    case spv::Op::OpStore: return length == 3 || (length == 5 && w[3] == kAligned) ? 3 : 0;
    case spv::Op::OpVariable:
      return length == 4 && w[3] <= uint32_t(spv::StorageClass::StorageBuffer) ? 3 : 0;
    case spv::Op::OpCompositeExtract: return length >= 4 ? 4 : 0;
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle: return length >= 5 ? 5 : 0;
    case spv::Op::OpBranchConditional: return length == 4 ? 4 : 0;
    case spv::Op::OpSelectionMerge: return length == 3 ? 2 : 0;
    case spv::Op::OpLoopMerge:
      return length == 4 && w[3] <= uint32_t(spv::LoopControlMask::DontUnroll) ? 3 : 0;
    case spv::Op::OpConstant: return length >= 4 ? 3 : 0;
    case spv::Op::OpTypeInt: return length == 4 ? 2 : 0;
    case spv::Op::OpTypeVector: return length == 4 ? 3 : 0;
    case spv::Op::OpTypeFloat: return length == 3 ? 2 : 0;
    case spv::Op::OpName: return length >= 3 && literalStringWords(w + 2, length - 2) == length - 2 ? 2 : 0;
    case spv::Op::OpDecorate: return length >= 3 && hasOnlyNumbers(w[2], length - 3u) ? 2 : 0;
    case spv::Op::OpMemberDecorate: return length >= 4 && hasOnlyNumbers(w[3], length - 4u) ? 2 : 0;
    default: return 0;
  }
}

}  // namespace coopc::spirv
