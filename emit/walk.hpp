// Visits everything under a statement or expression of the typed program, outer before inner, without recursion.
#pragma once

#include <vector>

#include "frontend/program/walk.hpp"

namespace coopc::emit {

/// Calls `visit(StmtId)` for the statement and all inside it, `root(ExprId)` for every expression that a statement holds.
template <typename S, typename E>
void forEachStatement(const frontend::Program& program, frontend::StmtId first, S&& visit, E&& root) {
  std::vector<frontend::StmtId> stack{first};
  while (!stack.empty()) {
    const frontend::StmtId id = stack.back();
    stack.pop_back();
    visit(id);
    frontend::forEachPart(
        program, program.stmts[id], [&](frontend::StmtId child) { stack.push_back(child); },
        [&](frontend::ExprId e) { root(e); });
  }
}

/// Calls `visit(ExprId)` for the expression and all inside it.
template <typename F>
void forEachExpression(const frontend::Program& program, frontend::ExprId first, F&& visit) {
  std::vector<frontend::ExprId> stack{first};
  while (!stack.empty()) {
    const frontend::ExprId id = stack.back();
    stack.pop_back();
    visit(id);
    frontend::forEachOperand(program, program.exprs[id],
                             [&](frontend::ExprId child) { stack.push_back(child); });
  }
}

}  // namespace coopc::emit
