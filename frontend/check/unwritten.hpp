// Local variables that are read before anything is written to them, found as the text is read: in GLSL only loops lead back, so what
// stands earlier in the text runs earlier, but for what a loop repeats.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/language/ids.hpp"

namespace coopc::frontend {

struct Checker;

/// Variables that were declared without an initializer and not written yet carry Variable::unwritten; nothing is done for others.
/// Each use of one is taken for a read until the check of l-values says that it is written.
class UnwrittenVariables {
 public:
  void declare(Checker& c, VarId v);
  void use(VarId v, ExprId e);
  /// `root` is what is assigned to, or a part of it is, or a function writes it.
  void write(Checker& c, ExprId root, VarId v);
  /// `root` is read as well as written (`+=`, `++`). Before write().
  void readToo(ExprId root);
  /// The expression has no need of the variable's value (`length()`).
  void forget(ExprId root);
  /// The loop that now surrounds the place; to be given to leaveLoop().
  uint32_t enterLoop() {
    const uint32_t outer = loop_;
    loop_ = ++loops_;
    return outer;
  }
  void leaveLoop(uint32_t outer) { loop_ = outer; }
  /// The function ends: reports each variable once.
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
    bool isRead;  ///< whatever else it is
  };

  std::vector<Declared> declared_;  ///< in the order of their ids
  std::vector<Use> uses_;
  uint32_t loop_ = 0;
  uint32_t loops_ = 0;
};

}  // namespace coopc::frontend
