// Follows the blocks of a function from instruction to instruction, and checks where instructions stand.
#pragma once

#include "spirv/structure/fault.hpp"
#include "spirv/structure/types.hpp"

namespace coopc::spirv {

class Frame {
 public:
  Frame(const Module& module, Fault& fault, TypeChecks& types) : m_(module), fault_(fault), types_(types) {}

  /// Begins a function, whose OpFunction is instruction `begin`.
  void enter(uint32_t begin) {
    begin_ = begin;
    label_ = entryLabel_ = entryEnd_ = kNone;
    blocks_ = 0;
    inBlock_ = false;
  }
  /// Checks an instruction that begins or ends a block, or may only stand at certain places of one.
  void check(const Instruction& i, uint32_t n);

  uint32_t blocks() const { return blocks_; }
  bool isInBlock() const { return inBlock_; }
  /// Whether instruction `at`, which follows the first function's head, is a parameter of the current
  /// function, or a value of its first block or of `n`'s block before `n`. Such a value dominates `n`, if `n`
  /// can be reached at all.
  bool isNear(uint32_t at, uint32_t n) const {
    return at < n && (at > label_ || (at > begin_ && at < entryEnd_ && at != entryLabel_));
  }

 private:
  bool isAtHead(uint32_t n) const;
  void checkMerge(uint32_t n);

  const Module& m_;
  Fault& fault_;
  TypeChecks& types_;
  uint32_t begin_ = 0;
  uint32_t blocks_ = 0;          ///< the number of blocks that have begun
  bool inBlock_ = false;         ///< the last one has not ended
  uint32_t label_ = kNone;       ///< of the last one
  uint32_t entryLabel_ = kNone;  ///< of the first one
  uint32_t entryEnd_ = kNone;    ///< the label of the second one
};

}  // namespace coopc::spirv
