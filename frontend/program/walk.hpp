// The children of expressions and statements, for walks that keep their own stack: programs nest as deep as long chains
// of operators do, so that recursion over expressions must not be unbounded.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Calls `visit(ExprId)` for each operand, in order of evaluation.
template <typename Visit>
void forEachOperand(const Program& program, const Expr& e, Visit visit) {
  switch (e.op) {
    case ExprOp::Error:
    case ExprOp::Constant:
    case ExprOp::Variable:
    case ExprOp::FunctionName:
    case ExprOp::CoopMatLength:
    case ExprOp::ZeroInitializer:
    case ExprOp::String: return;
    case ExprOp::Member:
    case ExprOp::Swizzle:
    case ExprOp::Negate:
    case ExprOp::Plus:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot:
    case ExprOp::Convert:
    case ExprOp::PreIncrement:
    case ExprOp::PreDecrement:
    case ExprOp::PostIncrement:
    case ExprOp::PostDecrement:
    case ExprOp::ArrayLength:
    case ExprOp::Splat:
    case ExprOp::MatrixDiagonal:
    case ExprOp::MatrixResize:
    case ExprOp::Decorate: visit(e.a); return;
    case ExprOp::Select:
    case ExprOp::Construct:
    case ExprOp::SampledImage:
    case ExprOp::Call:
    case ExprOp::CallBuiltin:
      for (uint32_t i = 0; i < e.b; ++i) visit(program.lists[e.a + i]);
      return;
    default:
      visit(e.a);
      visit(e.b);
      return;
  }
}

/// Calls `statement(StmtId)` and `expression(ExprId)` for each part, in textual order. Absent parts (0) are left out.
template <typename OnStmt, typename OnExpr>
void forEachPart(const Program& program, const Stmt& s, OnStmt statement, OnExpr expression) {
  const auto stmt = [&](StmtId id) {
    if (id != 0) statement(id);
  };
  const auto expr = [&](ExprId id) {
    if (id != 0) expression(id);
  };
  switch (s.kind) {
    case StmtKind::Block:
      for (uint32_t i = 0; i < s.b; ++i) stmt(program.lists[s.a + i]);
      return;
    case StmtKind::Expr:
    case StmtKind::Return: expr(s.a); return;
    case StmtKind::Decl: expr(s.b); return;
    case StmtKind::If:
      expr(s.a);
      stmt(s.b);
      stmt(s.c);
      return;
    case StmtKind::Switch:
      expr(s.a);
      stmt(s.b);
      return;
    case StmtKind::For:
      stmt(s.a);
      stmt(s.b);
      expr(s.c);
      stmt(s.d);
      return;
    case StmtKind::While:
      stmt(s.b);
      stmt(s.d);
      return;
    case StmtKind::DoWhile:
      stmt(s.d);
      expr(s.b);
      return;
    default: return;
  }
}

}  // namespace coopc::frontend
