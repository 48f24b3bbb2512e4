// The memory use of the program while it is parsed, for MemoryBudget.
#pragma once

#include "base/memory_budget.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Counts nodes, and with them lists and interned constants, whose numbers are similar.
inline void measureProgram(const Program& program) {
  if (!MemoryBudget::active()) return;
  MemoryBudget::measure(MemoryBudget::Part::Program,
                        program.exprs.size() * (sizeof(Expr) + sizeof(Constant)) +
                            program.stmts.size() * (sizeof(Stmt) + sizeof(StmtId)) +
                            program.variables.size() * sizeof(Variable) +
                            program.functions.size() * sizeof(Function));
}

}  // namespace coopc::frontend
