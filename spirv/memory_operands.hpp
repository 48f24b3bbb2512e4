// The operands by which loads, stores and copies say how they access memory: Memory Operands (SPIR-V 3.26)
// and, for cooperative matrices, Tensor Addressing Operands (SPV_NV_tensor_addressing). Each is a mask,
// followed by the operands that its bits require, in the order of the bits.
//
// These functions take the words of one instruction. Operands that are missing at its end count as absent.
// For an instruction that does not match the grammar the result is unspecified, but nothing is read past its
// end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "spirv/enums_supplement.hpp"
#include "spirv/id.hpp"

namespace coopc::spirv {

struct MemoryOperands {
  uint32_t at = 0;   ///< word of the mask; 0: there are none
  uint32_t end = 0;  ///< the word after them; if there are none, the word at which they could be
  uint32_t mask = 0;
  uint32_t alignment = 0;  ///< of Aligned, in bytes
  Id available;            ///< the scope's id, of MakePointerAvailable
  Id visible;              ///< the scope's id, of MakePointerVisible
  Id aliasScope;
  Id noAlias;

  bool has(spv::MemoryAccessMask bits) const { return (mask & uint32_t(bits)) != 0; }
  bool isVolatile() const { return has(spv::MemoryAccessMask::Volatile); }
  /// Whether no bits other than these are set.
  bool only(spv::MemoryAccessMask bits) const { return (mask & ~uint32_t(bits)) == 0; }
};

/// The memory operands that are, or could be, at word `at`.
inline MemoryOperands memoryOperandsAt(std::span<const uint32_t> words, uint32_t at) {
  MemoryOperands m;
  m.end = at;
  if (at == 0 || at >= words.size()) return m;
  m.at = at;
  m.mask = words[at++];
  const auto operand = [&](spv::MemoryAccessMask bit, auto& to) {
    if (!m.has(bit)) return;
    if (at < words.size()) to = std::remove_reference_t<decltype(to)>(words[at]);
    ++at;
  };
  operand(spv::MemoryAccessMask::Aligned, m.alignment);
  operand(spv::MemoryAccessMask::MakePointerAvailable, m.available);
  operand(spv::MemoryAccessMask::MakePointerVisible, m.visible);
  operand(spv::MemoryAccessMask::AliasScopeINTELMask, m.aliasScope);
  operand(spv::MemoryAccessMask::NoAliasINTELMask, m.noAlias);
  m.end = at;
  return m;
}

/// The words of memory operands, for an instruction that is made: the mask, whatever it is, and the operands
/// of its bits.
class MemoryOperandWords {
 public:
  MemoryOperandWords() = default;  ///< none
  explicit MemoryOperandWords(const MemoryOperands& m) {
    words_[size_++] = m.mask;
    if (m.mask == 0) return;
    const auto operand = [&](spv::MemoryAccessMask bit, Word word) {
      if (m.has(bit)) words_[size_++] = word;
    };
    operand(spv::MemoryAccessMask::Aligned, m.alignment);
    operand(spv::MemoryAccessMask::MakePointerAvailable, m.available);
    operand(spv::MemoryAccessMask::MakePointerVisible, m.visible);
    operand(spv::MemoryAccessMask::AliasScopeINTELMask, m.aliasScope);
    operand(spv::MemoryAccessMask::NoAliasINTELMask, m.noAlias);
  }
  /// None if no bit is set, for instructions whose memory operands may be missing.
  static MemoryOperandWords ifAny(const MemoryOperands& m) {
    return m.mask != 0 ? MemoryOperandWords(m) : MemoryOperandWords();
  }

  Operands words() const { return {words_.data(), size_}; }

 private:
  std::array<Word, 6> words_;
  uint32_t size_ = 0;
};

/// Appends what memoryOperandsAt() reads as `m`: the mask, whatever it is, and the operands of its bits.
inline void appendMemoryOperands(const MemoryOperands& m, std::vector<Word>& words) {
  const MemoryOperandWords all(m);
  words.insert(words.end(), all.words().begin(), all.words().end());
}

/// The operands for an access to one element, derived from the operands `m` of an access to the whole, whose
/// alignment may be larger. `alignment`: the element's, in bytes, if its storage class requires one;
/// otherwise 0. Empty if no bit is left.
inline std::vector<Word> memoryOperandsOfElement(MemoryOperands m, uint32_t alignment) {
  using Access = spv::MemoryAccessMask;
  m.mask &= uint32_t(Access::Volatile | Access::Nontemporal | Access::MakePointerAvailable |
                     Access::MakePointerVisible | Access::NonPrivatePointer);
  if (alignment != 0) m.mask |= uint32_t(Access::Aligned);
  m.alignment = alignment;
  std::vector<Word> words;
  if (m.mask != 0) appendMemoryOperands(m, words);
  return words;
}

/// Whether the value of a Memory Layout operand (SPIR-V 3.37) is one of SPV_ARM_cooperative_matrix_layouts.
constexpr bool isBlockedLayout(uint64_t layout) {
  return layout == uint64_t(spv::CooperativeMatrixLayout::RowBlockedInterleavedARM) ||
         layout == uint64_t(spv::CooperativeMatrixLayout::ColumnBlockedInterleavedARM);
}

/// The word at which an instruction has its first memory operands, if any; 0 for instructions that cannot
/// have them. OpCopyMemory may have two sets; the first one is the target's (and also the source's, if there
/// is only one).
constexpr uint32_t memoryOperandsPosition(spv::Op op) {
  switch (op) {
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory: return 3;
    case spv::Op::OpLoad:
    case spv::Op::OpCopyMemorySized:
    case spv::Op::OpCooperativeVectorStoreNV:
    case spv::Op::OpCooperativeMatrixStoreTensorNV: return 4;
    case spv::Op::OpCooperativeMatrixStoreKHR:
    case spv::Op::OpCooperativeMatrixStoreNV:
    case spv::Op::OpCooperativeVectorLoadNV: return 5;
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixLoadNV:
    case spv::Op::OpCooperativeMatrixLoadTensorNV: return 6;
    default: return 0;
  }
}

/// An instruction's memory operands, located by its opcode; absent if it has none.
inline MemoryOperands memoryOperandsOf(std::span<const uint32_t> words) {
  if (words.empty()) return {};
  return memoryOperandsAt(words, memoryOperandsPosition(spv::Op(words[0] & spv::OpCodeMask)));
}

struct TensorAddressingOperands {
  uint32_t at = 0;  ///< word of the mask; 0: the instruction has none
  uint32_t mask = 0;
  Id view;
  Id decodeFunction;
  Id decodeVectorFunction;

  bool has(spv::TensorAddressingOperandsMask bits) const { return (mask & uint32_t(bits)) != 0; }
  bool only(spv::TensorAddressingOperandsMask bits) const { return (mask & ~uint32_t(bits)) == 0; }
};

/// The operands of OpCooperativeMatrixLoadTensorNV and StoreTensorNV, after their memory operands.
inline TensorAddressingOperands tensorAddressingOperandsOf(std::span<const uint32_t> words) {
  TensorAddressingOperands t;
  if (words.empty()) return t;
  const auto op = spv::Op(words[0] & spv::OpCodeMask);
  if (op != spv::Op::OpCooperativeMatrixLoadTensorNV && op != spv::Op::OpCooperativeMatrixStoreTensorNV)
    return t;
  uint32_t at = memoryOperandsOf(words).end;
  if (at >= words.size()) return t;
  t.at = at;
  t.mask = words[at++];
  const auto operand = [&](spv::TensorAddressingOperandsMask bit, Id& to) {
    if (t.has(bit) && at < words.size()) to = Id(words[at++]);
  };
  operand(spv::TensorAddressingOperandsMask::TensorView, t.view);
  operand(spv::TensorAddressingOperandsMask::DecodeFunc, t.decodeFunction);
  operand(enums::TensorAddressingOperandsDecodeVectorFunc, t.decodeVectorFunction);
  return t;
}

/// The words of tensor addressing operands, for an instruction that is made: the mask, and the operands that
/// are given, which set its bits.
class TensorAddressingOperandWords {
 public:
  explicit TensorAddressingOperandWords(const TensorAddressingOperands& t) {
    const auto operand = [&](spv::TensorAddressingOperandsMask bit, Id id) {
      if (!id) return;
      mask_ = mask_ | bit;
      words_[size_++] = id;
    };
    operand(spv::TensorAddressingOperandsMask::TensorView, t.view);
    operand(spv::TensorAddressingOperandsMask::DecodeFunc, t.decodeFunction);
    operand(enums::TensorAddressingOperandsDecodeVectorFunc, t.decodeVectorFunction);
    words_[0] = mask_;
  }

  Operands words() const { return {words_.data(), size_}; }

 private:
  spv::TensorAddressingOperandsMask mask_ = spv::TensorAddressingOperandsMask::MaskNone;
  std::array<Word, 4> words_;
  uint32_t size_ = 1;
};

}  // namespace coopc::spirv
