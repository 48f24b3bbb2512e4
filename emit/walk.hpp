// Visits every expression under a statement or expression of the typed program, outer before inner, without recursion.
#pragma once

#include <vector>

#include "frontend/program/program.hpp"

namespace coopc::emit {

/// Calls `child(ExprId)` for each operand of `e`, in order.
template <typename F>
void forEachOperand(const frontend::Program& program, const frontend::Expr& e, F&& child) {
  using frontend::ExprOp;
  switch (e.op) {
    case ExprOp::Error:
    case ExprOp::Constant:
    case ExprOp::Variable:
    case ExprOp::FunctionName:
    case ExprOp::CoopMatLength:
    case ExprOp::ZeroInitializer:
    case ExprOp::String: break;
    case ExprOp::Select:
    case ExprOp::Construct:
    case ExprOp::SampledImage:
    case ExprOp::Call:
    case ExprOp::CallBuiltin:
      for (frontend::ExprId a : program.operands(e)) child(a);
      break;
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
    case ExprOp::MatrixResize: child(e.a); break;
    default:
      child(e.a);
      child(e.b);
      break;
  }
}

/// Calls `visit(StmtId)` for the statement and all inside it, `root(ExprId)` for every expression that a statement holds.
template <typename S, typename E>
void forEachStatement(const frontend::Program& program, frontend::StmtId first, S&& visit, E&& root) {
  using frontend::StmtKind;
  std::vector<frontend::StmtId> stack{first};
  const auto push = [&](frontend::StmtId s) {
    if (s != 0) stack.push_back(s);
  };
  const auto expression = [&](frontend::ExprId e) {
    if (e != 0) root(e);
  };
  while (!stack.empty()) {
    const frontend::StmtId id = stack.back();
    stack.pop_back();
    const frontend::Stmt& s = program.stmts[id];
    visit(id);
    switch (s.kind) {
      case StmtKind::Block:
        for (frontend::StmtId child : program.list(s.a, s.b)) push(child);
        break;
      case StmtKind::Expr: expression(s.a); break;
      case StmtKind::Decl: expression(s.b); break;
      case StmtKind::If:
        expression(s.a);
        push(s.b);
        push(s.c);
        break;
      case StmtKind::Switch:
        expression(s.a);
        push(s.b);
        break;
      case StmtKind::For:
        push(s.a);
        push(s.b);
        expression(s.c);
        push(s.d);
        break;
      case StmtKind::While:
        push(s.b);
        push(s.d);
        break;
      case StmtKind::DoWhile:
        expression(s.b);
        push(s.d);
        break;
      case StmtKind::Return: expression(s.a); break;
      default: break;
    }
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
    forEachOperand(program, program.exprs[id], [&](frontend::ExprId child) { stack.push_back(child); });
  }
}

}  // namespace coopc::emit
