// A walk over the instructions in a module's words, from any source: a word count of 0, or one that leads
// past the end, stops it. Opcodes and operands are not checked; readModule() (spirv/reader.hpp) does that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/literal_string.hpp"

namespace coopc::spirv {

/// Words before the first instruction (SPIR-V 2.3): magic number, version, generator, bound, schema.
inline constexpr size_t kHeaderWords = 5;
/// The indices of some of them.
inline constexpr size_t kHeaderVersion = 1;
inline constexpr size_t kHeaderGenerator = 2;  ///< identifies the tool that wrote the module
inline constexpr size_t kHeaderBound = 3;      ///< all ids are less than this

/// An instruction's first word.
constexpr uint32_t instructionHead(spv::Op opcode, size_t words) {
  return uint32_t(words) << spv::WordCountShift | uint32_t(opcode);
}

/// Debug information, without which a module has the same meaning (SPIR-V 3.56.2).
constexpr bool isDebugInformation(spv::Op op) {
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
}

/// Visits one instruction after the other:
///
///     InstructionWalk i(words);
///     while (i.next()) { ... if (const auto name = as<op::Name>(i)) ... }
///     if (i.fault() != InstructionWalk::Fault::None) ...   // where ending early matters
///
/// The words are a module, or a part of one (ofPart()), and must not move.
class InstructionWalk {
 public:
  enum class Fault : uint8_t { None, NoWords, PastEnd };  ///< a word count of 0; one that leads past the end

  /// A whole module. Has no instructions if there are fewer words than a header has.
  explicit InstructionWalk(std::span<const uint32_t> module) : InstructionWalk(module, kHeaderWords) {}
  /// Instructions alone, without a header.
  static InstructionWalk ofPart(std::span<const uint32_t> instructions) { return {instructions, 0}; }

  /// Moves to the first or the next instruction. False at the end and at a faulty word count.
  bool next() {
    at_ += length_;
    length_ = 0;
    if (at_ >= size_) return false;
    const uint32_t length = words_[at_] >> spv::WordCountShift;
    if (length == 0 || length > size_ - at_) {
      fault_ = length == 0 ? Fault::NoWords : Fault::PastEnd;
      return false;
    }
    length_ = length;
    return true;
  }

  spv::Op op() const { return spv::Op(words_[at_] & spv::OpCodeMask); }
  /// The index of its first word in the module; after the walk, where it ended.
  size_t at() const { return at_; }
  /// The number of words, including the first one.
  uint32_t length() const { return length_; }
  std::span<const uint32_t> words() const { return {words_ + at_, length_}; }
  /// The address of the pointer to all words, for views of instructions (spirv/instructions.hpp).
  const uint32_t* const* dataAt() const { return &words_; }
  /// Word `n`, counted as in the specification (the opcode's is word 0); 0 where the instruction is shorter.
  /// Operands have names in the views of spirv/instructions.hpp; this is for tests that look at words.
  uint32_t operator[](uint32_t n) const { return n < length_ ? words_[at_ + n] : 0; }
  /// The same for the literal string that starts at word `n`.
  std::string_view text(uint32_t n) const {
    return n < length_ ? literalText({words_ + at_ + n, length_ - n}) : std::string_view();
  }
  Fault fault() const { return fault_; }

 private:
  InstructionWalk(std::span<const uint32_t> words, size_t at)
      : words_(words.data()), size_(words.size()), at_(at) {}

  const uint32_t* words_;
  size_t size_;
  size_t at_;
  uint32_t length_ = 0;
  Fault fault_ = Fault::None;
};

}  // namespace coopc::spirv
