// Operands of an instruction that are collected one by one.
#pragma once

#include <array>
#include <initializer_list>

#include "emit/module_state.hpp"

namespace coopc::emit {

/// No built-in function has more operands than fit; an overflow is reported as an internal error of the
/// compiler.
class OperandWords {
 public:
  explicit OperandWords(Part& part, std::initializer_list<Word> first = {}) : module_(part.module) {
    for (const Word word : first) push(word);
  }

  void push(Word word) {
    if (count_ == words_.size()) return module_.internalError("an instruction has too many operands");
    words_[count_++] = word;
  }
  void append(Words more) {
    for (const Word word : more) push(word);
  }
  Words span() const { return {words_.data(), count_}; }

 private:
  ModuleState& module_;
  std::array<Word, 24> words_;
  uint32_t count_ = 0;
};

}  // namespace coopc::emit
