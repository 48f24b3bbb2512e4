// What must not be contracted (GLSL 4.9.1, `precise`). A work-list over variables: where a precise variable is written,
// every operation of the written value is precise, and so is every variable that it reads, and what a called function
// returns or writes to it. Whole variables, not their parts: more than the text asks for, never less.
// Also: which globals with a run-time initializer the entry point reaches.
#include "emit/emitter.hpp"
#include "emit/walk.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

VarId rootOf(const Program& program, ExprId id) {
  for (;;) {
    const Expr& e = program.exprs[id];
    switch (e.op) {
      case ExprOp::Variable: return e.a;
      case ExprOp::Member:
      case ExprOp::Index:
      case ExprOp::Swizzle: id = e.a; break;
      default: return 0;
    }
  }
}

constexpr bool isWrite(ExprOp o) {
  return (o >= ExprOp::Assign && o <= ExprOp::XorAssign) ||
         (o >= ExprOp::PreIncrement && o <= ExprOp::PostDecrement);
}

}  // namespace

void Emitter::findPrecise() {
  std::vector<VarId> work;
  std::vector<uint8_t> preciseVars(program.variables.size());
  std::vector<uint8_t> preciseFns(program.functions.size());
  std::vector<FnId> fnWork;
  for (VarId v = 1; v < program.variables.size(); ++v) {
    if ((program.variables[v].qualifiers & kQualPrecise) != 0) {
      preciseVars[v] = 1;
      work.push_back(v);
    }
  }
  for (FnId f = 1; f < program.functions.size(); ++f) {
    if ((program.functions[f].qualifiers & kQualPrecise) != 0) {
      preciseFns[f] = 1;
      fnWork.push_back(f);
    }
  }
  // Members qualified `precise`, of blocks or structs: what is stored there.
  bool preciseMembers = false;
  for (const Member& m : program.members) preciseMembers |= (m.qualifiers & kQualPrecise) != 0;
  if (work.empty() && fnWork.empty() && !preciseMembers) return;
  precise_.assign(program.exprs.size(), 0);

  // Writes by variable, return values by function, out arguments by parameter: one walk over what there is.
  struct Write {
    VarId target;
    ExprId value;  // the whole assignment
  };
  std::vector<Write> writes;
  std::vector<std::pair<FnId, ExprId>> returns;
  struct Argument {
    VarId parameter;
    ExprId value;
  };
  std::vector<Argument> arguments;
  std::vector<ExprId> roots;
  for (ExprId i = 1; i < program.exprs.size(); ++i) {
    const Expr& e = program.exprs[i];
    if (isWrite(e.op)) {
      const VarId target = rootOf(program, e.a);
      writes.push_back({target, i});
      if (preciseMembers) {
        for (ExprId n = e.a; program.exprs[n].op == ExprOp::Member || program.exprs[n].op == ExprOp::Index ||
                             program.exprs[n].op == ExprOp::Swizzle;
             n = program.exprs[n].a) {
          if (program.exprs[n].op != ExprOp::Member) continue;
          const TypeId base = program.exprs[program.exprs[n].a].type;
          const StructInfo& s = program.structs[program.types[base].a];
          if ((program.members[s.firstMember + program.exprs[n].b].qualifiers & kQualPrecise) != 0)
            roots.push_back(i);
        }
      }
    } else if (e.op == ExprOp::Call) {
      const Function& fn = program.functions[program.callee(e)];
      const auto args = program.operands(e);
      for (uint32_t k = 0; k < args.size() && k < fn.paramCount; ++k)
        arguments.push_back({fn.firstParam + k, args[k]});
    }
  }
  for (FnId f = 1; f < program.functions.size(); ++f) {
    if (program.functions[f].body == 0) continue;
    forEachStatement(
        program, program.functions[f].body,
        [&](StmtId id) {
          const Stmt& s = program.stmts[id];
          if (s.kind == StmtKind::Return && s.a != 0) returns.emplace_back(f, s.a);
          if (s.kind == StmtKind::Decl && s.b != 0) writes.push_back({s.a, s.b});
        },
        [](ExprId) {});
  }

  const auto markExpression = [&](ExprId root) {
    forEachExpression(program, root, [&](ExprId id) {
      if (precise_[id] != 0) return;
      precise_[id] = 1;
      const Expr& e = program.exprs[id];
      if (e.op == ExprOp::Variable && preciseVars[e.a] == 0) {
        preciseVars[e.a] = 1;
        work.push_back(e.a);
      } else if (e.op == ExprOp::Call || e.op == ExprOp::FunctionName) {
        const FnId f = e.op == ExprOp::Call ? program.callee(e) : e.a;
        if (preciseFns[f] == 0) {
          preciseFns[f] = 1;
          fnWork.push_back(f);
        }
      }
    });
  };
  for (ExprId r : roots) markExpression(r);
  while (!work.empty() || !fnWork.empty()) {
    if (!work.empty()) {
      const VarId v = work.back();
      work.pop_back();
      for (const Write& w : writes)
        if (w.target == v) markExpression(w.value);
      for (const Argument& a : arguments) {
        // A precise parameter makes its arguments precise; a precise argument makes the out parameter so.
        if (a.parameter == v) markExpression(a.value);
        if (rootOf(program, a.value) == v && preciseVars[a.parameter] == 0 &&
            passedByPointer(program.variables[a.parameter])) {
          preciseVars[a.parameter] = 1;
          work.push_back(a.parameter);
        }
      }
      if (program.variables[v].init != 0) markExpression(program.variables[v].init);
    } else {
      const FnId f = fnWork.back();
      fnWork.pop_back();
      for (const auto& [fn, e] : returns)
        if (fn == f) markExpression(e);
    }
  }
}

void Emitter::findUsedGlobals() {
  bool any = false;
  for (VarId g : program.globals) any |= program.variables[g].init != 0;
  if (!any) return;
  usedGlobals_.assign(program.variables.size(), 0);
  std::vector<uint8_t> seen(program.functions.size());
  std::vector<FnId> work{program.entryPoint};
  seen[program.entryPoint] = 1;
  std::vector<ExprId> initializers;
  const auto visit = [&](ExprId id) {
    const Expr& e = program.exprs[id];
    if (e.op == ExprOp::Variable && usedGlobals_[e.a] == 0) {
      usedGlobals_[e.a] = 1;
      if (program.variables[e.a].init != 0) initializers.push_back(program.variables[e.a].init);
    } else if (e.op == ExprOp::Call || e.op == ExprOp::FunctionName) {
      const FnId f = e.op == ExprOp::Call ? program.callee(e) : e.a;
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
    if (program.functions[f].body == 0) continue;
    forEachStatement(
        program, program.functions[f].body, [](StmtId) {},
        [&](ExprId root) { forEachExpression(program, root, visit); });
  }
}

}  // namespace coopc::emit
