// The first fault that the checks of a module's structure have found.
#pragma once

#include <string>

#include "spirv/grammar.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

class Fault {
 public:
  bool isFound() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

  /// Reports an instruction; `what` continues a sentence of which it is the subject.
  void report(const Instruction& i, const std::string& what) {
    if (isFound()) return;
    text_ = std::string(opName(i.opcode));
    if (i.result) text_ += " " + name(i.result);
    text_ += " " + what;
  }

  static std::string name(Id id) { return "%" + std::to_string(id.index()); }

 private:
  std::string text_;
};

}  // namespace coopc::spirv
