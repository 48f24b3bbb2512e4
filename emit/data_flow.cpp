// What must not be contracted (GLSL 4.9.1, `precise`). A work-list over variables: where a precise variable is written,
// every operation of the written value is precise, and so is every variable that it reads, and what a called function
// returns or writes to it. Whole variables and whole members of blocks: more than the text asks for, never less. The order
// in which the work-list is served does not show in the result.
// Also: which globals with a run-time initializer the entry point reaches.
#include "emit/data_flow.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "emit/functions.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

/// What data flow tells apart: whole variables, but the members of a block by themselves.
using Cell = uint64_t;
constexpr Cell kNoCell = 0;

bool isBlockVariable(const Variable& v) {
  return v.storage == Storage::UniformBlock || v.storage == Storage::StorageBlock ||
         v.storage == Storage::PushConstant || v.storage == Storage::SharedBlock;
}

Cell cellOfVariable(VarId v) { return v.index(); }

/// The cell that an l-value, or a part of one, lies in; kNoCell for what has no variable, or is a whole block.
Cell cellOf(const Program& program, ExprId id) {
  uint32_t member = 0;  // the one nearest to the root, plus one
  for (;;) {
    const Expr& e = program.exprs[id];
    switch (e.op) {
      case ExprOp::Variable:
        if (!isBlockVariable(program.variables[e.variable()])) return cellOfVariable(e.variable());
        return member == 0 ? kNoCell : Cell{member} << 32 | e.variable().index();
      case ExprOp::Member:
        member = e.memberIndex() + 1;
        id = e.memberBase();
        break;
      case ExprOp::Index:
      case ExprOp::Swizzle: id = e.accessBase(); break;
      default: return kNoCell;
    }
  }
}

}  // namespace

IdVector<ExprId, uint8_t> preciseExpressions(const Program& program) {
  IdVector<ExprId, uint8_t> precise;
  const auto isPreciseMember = [](const Member& m) { return (m.qualifiers & kQualPrecise) != 0; };
  const bool preciseMembers = std::any_of(program.members.begin(), program.members.end(), isPreciseMember);
  const bool any = preciseMembers ||
                   std::any_of(program.variables.begin(), program.variables.end(),
                               [](const Variable& v) { return (v.qualifiers & kQualPrecise) != 0; }) ||
                   std::any_of(program.functions.begin(), program.functions.end(),
                               [](const Function& f) { return (f.qualifiers & kQualPrecise) != 0; });
  if (!any) return precise;
  precise.resize(program.exprs.size());

  std::vector<Cell> work;
  std::unordered_set<Cell> cells;
  IdVector<FnId, uint8_t> functions(program.functions.size());
  std::vector<FnId> functionWork;
  const auto addCell = [&](Cell c) {
    if (c != kNoCell && cells.insert(c).second) work.push_back(c);
  };
  const auto addFunction = [&](FnId f) {
    if (functions[f] != 0) return;
    functions[f] = 1;
    functionWork.push_back(f);
  };
  for (const VarId v : program.variables.ids())
    if ((program.variables[v].qualifiers & kQualPrecise) != 0) addCell(cellOfVariable(v));
  for (const FnId f : program.functions.ids())
    if ((program.functions[f].qualifiers & kQualPrecise) != 0) addFunction(f);

  // Writes by cell, returned values by function, arguments by parameter: one walk over what there is.
  std::unordered_multimap<Cell, ExprId> writes;     // the whole assignment
  std::unordered_multimap<Cell, Cell> outputs;      // argument -> out parameter
  std::unordered_multimap<Cell, ExprId> arguments;  // parameter -> argument
  std::unordered_multimap<FnId, ExprId> returns;
  std::vector<ExprId> roots;
  for (const ExprId i : program.exprs.ids()) {
    const Expr& e = program.exprs[i];
    if (isAssignment(e.op) || isIncrement(e.op)) {
      writes.emplace(cellOf(program, e.written()), i);
      // Members qualified `precise`: what is stored there.
      if (!preciseMembers) continue;
      for (ExprId n = e.written(); isAccess(program.exprs[n].op); n = program.exprs[n].accessBase()) {
        const Expr& part = program.exprs[n];
        if (part.op != ExprOp::Member) continue;
        const StructInfo& s =
            program.structs[program.types[program.exprs[part.memberBase()].type].structure()];
        if (isPreciseMember(program.members[s.firstMember + part.memberIndex()])) roots.push_back(i);
      }
    } else if (e.op == ExprOp::CallBuiltin) {
      const BuiltinOp o = e.builtin();
      if (o == BuiltinOp::Modf || o == BuiltinOp::Frexp)
        writes.emplace(cellOf(program, program.builtinArguments(e)[1]), i);
    } else if (e.op == ExprOp::Call) {
      const Function& fn = program.functions[program.callee(e)];
      const auto args = program.callArguments(e);
      for (uint32_t k = 0; k < args.size(); ++k) {
        const VarId parameter = fn.params[k];
        arguments.emplace(cellOfVariable(parameter), args[k]);
        if (passedByPointer(program, program.variables[parameter]))
          outputs.emplace(cellOf(program, args[k]), cellOfVariable(parameter));
      }
    }
  }
  for (const FnId f : program.functions.ids()) {
    if (!program.functions[f].body) continue;
    forEachStatement(
        program, program.functions[f].body,
        [&](StmtId id) {
          const Stmt& s = program.stmts[id];
          if (s.kind == StmtKind::Return && s.returnValue()) returns.emplace(f, s.returnValue());
          if (s.kind == StmtKind::Decl && s.initializer())
            writes.emplace(cellOfVariable(s.declared()), s.initializer());
        },
        [](ExprId) {});
  }
  for (VarId g : program.globals)
    if (program.variables[g].init) writes.emplace(cellOfVariable(g), program.variables[g].init);

  const auto markExpression = [&](ExprId root) {
    forEachExpression(program, root, [&](ExprId id) {
      if (precise[id] != 0) return;
      precise[id] = 1;
      const Expr& e = program.exprs[id];
      if (e.op == ExprOp::Variable || e.op == ExprOp::Member) addCell(cellOf(program, id));
      if (e.op == ExprOp::Call) addFunction(program.callee(e));
      if (e.op == ExprOp::FunctionName) addFunction(e.functionName());
    });
  };
  for (ExprId r : roots) markExpression(r);
  while (!work.empty() || !functionWork.empty()) {
    if (!work.empty()) {
      const Cell c = work.back();
      work.pop_back();
      const auto forEach = [&](const auto& map, auto&& visit) {
        const auto [first, last] = map.equal_range(c);
        for (auto i = first; i != last; ++i) visit(i->second);
      };
      forEach(writes, markExpression);
      forEach(arguments, markExpression);
      forEach(outputs, addCell);
    } else {
      const FnId f = functionWork.back();
      functionWork.pop_back();
      const auto [first, last] = returns.equal_range(f);
      for (auto i = first; i != last; ++i) markExpression(i->second);
    }
  }
  return precise;
}

IdVector<VarId, uint8_t> usedGlobals(const Program& program) {
  IdVector<VarId, uint8_t> used;
  bool any = false;
  for (VarId g : program.globals) any |= bool(program.variables[g].init);
  if (!any) return used;
  used.resize(program.variables.size());
  IdVector<FnId, uint8_t> seen(program.functions.size());
  std::vector<FnId> work{program.entryPoint};
  seen[program.entryPoint] = 1;
  std::vector<ExprId> initializers;
  const auto visit = [&](ExprId id) {
    const Expr& e = program.exprs[id];
    if (e.op == ExprOp::Variable && used[e.variable()] == 0) {
      used[e.variable()] = 1;
      if (program.variables[e.variable()].init) initializers.push_back(program.variables[e.variable()].init);
    } else if (e.op == ExprOp::Call || e.op == ExprOp::FunctionName) {
      const FnId f = e.op == ExprOp::Call ? program.callee(e) : e.functionName();
      if (seen[f] == 0) {
        seen[f] = 1;
        work.push_back(f);
      }
    }
  };
  while (!work.empty() || !initializers.empty()) {
    if (!initializers.empty()) {
      const ExprId e = initializers.back();
      initializers.pop_back();
      forEachExpression(program, e, visit);
      continue;
    }
    const FnId f = work.back();
    work.pop_back();
    if (!program.functions[f].body) continue;
    forEachStatement(
        program, program.functions[f].body, [](StmtId) {},
        [&](ExprId root) { forEachExpression(program, root, visit); });
  }
  return used;
}

}  // namespace coopc::emit
