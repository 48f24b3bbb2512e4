// Walks over expressions and statements. They use an explicit stack, because a long chain of operators
// nests more deeply than recursion could follow on a thread's stack.
#pragma once

#include <vector>

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Calls `visit(ExprId)` for each operand, in order of evaluation. Operands of operands are not visited.
template <typename Visit>
void forEachOperand(const Program& program, const Expr& e, Visit visit) {
  switch (operandsOf(e.op)) {
    case Operands::None: return;
    case Operands::One: visit(e.operand()); return;
    case Operands::Two:
      visit(e.left());
      visit(e.right());
      return;
    case Operands::List:
      for (const ExprId id : program.operands(e)) visit(id);
      return;
  }
}

/// Calls `statement(StmtId)` and `expression(ExprId)` for each direct part of a statement, in textual order.
/// Absent parts are left out.
template <typename OnStmt, typename OnExpr>
void forEachPart(const Program& program, const Stmt& s, OnStmt statement, OnExpr expression) {
  const auto stmt = [&](StmtId id) {
    if (id) statement(id);
  };
  const auto expr = [&](ExprId id) {
    if (id) expression(id);
  };
  switch (s.kind) {
    case StmtKind::Block:
      for (const StmtId id : program.blockStatements(s)) stmt(id);
      return;
    case StmtKind::Expr: expr(s.expression()); return;
    case StmtKind::Return: expr(s.returnValue()); return;
    case StmtKind::Decl: expr(s.initializer()); return;
    case StmtKind::If:
      expr(s.ifCondition());
      stmt(s.ifThen());
      stmt(s.ifElse());
      return;
    case StmtKind::Switch:
      expr(s.switchSelector());
      stmt(s.switchBody());
      return;
    case StmtKind::For:
      stmt(s.loopInit());
      stmt(s.loopCondition());
      expr(s.loopStep());
      stmt(s.loopBody());
      return;
    case StmtKind::While:
      stmt(s.loopCondition());
      stmt(s.loopBody());
      return;
    case StmtKind::DoWhile:
      stmt(s.loopBody());
      expr(s.doCondition());
      return;
    default: return;
  }
}

/// Calls `visit(StmtId)` for the statement and all statements inside it, outer before inner, and
/// `root(ExprId)` for each expression that is a direct part of one of them.
template <typename OnStmt, typename OnExpr>
void forEachStatement(const Program& program, StmtId first, OnStmt visit, OnExpr root) {
  std::vector<StmtId> stack{first};
  while (!stack.empty()) {
    const StmtId id = stack.back();
    stack.pop_back();
    visit(id);
    forEachPart(
        program, program.stmts[id], [&](StmtId child) { stack.push_back(child); }, root);
  }
}

/// Calls `visit(ExprId)` for the expression and all expressions inside it, outer before inner.
template <typename Visit>
void forEachExpression(const Program& program, ExprId first, Visit visit) {
  std::vector<ExprId> stack{first};
  while (!stack.empty()) {
    const ExprId id = stack.back();
    stack.pop_back();
    visit(id);
    forEachOperand(program, program.exprs[id], [&](ExprId child) { stack.push_back(child); });
  }
}

/// Calls `visit(const Expr&, bool once)` for each expression of each function's body. `once`: it is a
/// statement of the entry point's body, outside of control flow and after no `return`, so that each
/// invocation evaluates it exactly once.
template <typename Visit>
void forEachExpressionWithFlow(const Program& p, Visit visit) {
  bool returned = false;
  const auto statement = [&](StmtId id, bool whole) {
    forEachStatement(
        p, id, [&](StmtId inner) { returned |= whole && p.stmts[inner].kind == StmtKind::Return; },
        [&](ExprId root) {
          const bool once = whole && !returned && p.stmts[id].kind == StmtKind::Expr;
          forEachExpression(p, root, [&](ExprId e) { visit(p.exprs[e], once && e == root); });
        });
  };
  for (const FnId f : p.functions.ids()) {
    const StmtId body = p.functions[f].body;
    if (!body) continue;
    if (f != p.entryPoint) {
      statement(body, false);
      continue;
    }
    std::vector<StmtId> stack{body};
    while (!stack.empty()) {
      const StmtId id = stack.back();
      stack.pop_back();
      if (p.stmts[id].kind != StmtKind::Block) {
        statement(id, true);
        continue;
      }
      const auto inner = p.blockStatements(p.stmts[id]);
      stack.insert(stack.end(), inner.rbegin(), inner.rend());
    }
  }
}

}  // namespace coopc::frontend
