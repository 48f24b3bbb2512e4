// Control flow: the statements of the function that is being emitted.
#pragma once

#include <vector>

#include "emit/code.hpp"

namespace coopc::emit {

class Emitter;

class Statements : public Part {
 public:
  explicit Statements(Emitter& emitter);

  /// Statements that follow belong to that function.
  void beginFunction(FnId f);
  void write(frontend::StmtId s);

 private:
  /// Where the jumps of a loop or switch go.
  struct Targets {
    Id breakTo;
    Id continueTo;  ///< none: a switch
    bool breakUsed;
  };

  void writeIf(const frontend::Stmt& first);
  void writeLoop(const frontend::Stmt& s);
  void writeSwitch(const frontend::Stmt& s);
  void writeReturn(const frontend::Stmt& s);
  void declare(const frontend::Stmt& s);
  Id condition(frontend::StmtId s);
  void loopMerge(const frontend::Stmt& s, NamedId merge, NamedId next);

  Emitter& emitter_;
  InstructionWriter& code_;
  Variables& variables_;
  std::vector<Targets> targets_;  ///< of the loops and switches around the statement, the innermost last
  FnId function_;
};

}  // namespace coopc::emit
