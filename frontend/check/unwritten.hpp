// Local variables that are read before they are written, found while the text is read. In GLSL only loops
// jump back, so code that is earlier in the text runs earlier, except in a loop's repetitions.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/language/ids.hpp"

namespace coopc::frontend {

struct Checker;

/// Variables that were declared without an initializer and have not been written yet are marked
/// Variable::unwritten; others are ignored. Each use of such a variable counts as a read until the check of
/// l-values reports that it is written.
class UnwrittenVariables {
 public:
  void declare(Checker& c, VarId v);
  void use(VarId v, ExprId e);
  /// `root` or a part of it is assigned to, or a function writes it.
  void write(Checker& c, ExprId root, VarId v);
  /// `root` is read as well as written (`+=`, `++`). Must be called before write().
  void readToo(ExprId root);
  /// The expression does not need the variable's value (`length()`).
  void forget(ExprId root);
  /// Enters a loop. Returns the loop around it, to be passed to leaveLoop().
  uint32_t enterLoop() {
    const uint32_t outer = loop_;
    loop_ = ++loops_;
    return outer;
  }
  void leaveLoop(uint32_t outer) { loop_ = outer; }
  /// Called at the end of a function: reports each variable once.
  void finishFunction(Checker& c);

 private:
  struct Declared {
    VarId variable;
    uint32_t loop;  ///< the innermost around the declaration
    bool reported;
  };
  struct Use {
    VarId variable;
    ExprId expr;
    uint32_t loop;
    bool isRead;  ///< even if it also writes
  };

  std::vector<Declared> declared_;  ///< in the order of their ids
  std::vector<Use> uses_;
  uint32_t loop_ = 0;
  uint32_t loops_ = 0;
};

}  // namespace coopc::frontend
