// Which expressions must not be contracted (GLSL 4.9.1, `precise`), and which globals with a run-time
// initializer the entry point reaches.
//
// A work-list over variables: if a precise variable is written, every operation of the written value is
// precise. So are all variables that it reads, and the values that called functions return or write to it.
// Variables and members of blocks are treated as a whole, which covers at least what the text requires.
// Members of structures and blocks that are qualified `precise` are separate l-values: they receive a value
// by an assignment, as an output, and by each constructor or list of their structure, also in an initializer,
// an argument or a `return`. The order in which the work-list is processed does not change the result.
#include "emit/data_flow.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "emit/functions.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// The units of the data flow: whole variables, except that the members of a block are separate.
using Cell = uint64_t;
constexpr Cell kNoCell = 0;

bool isBlockVariable(const Variable& v) {
  return v.storage == Storage::UniformBlock || v.storage == Storage::StorageBlock ||
         v.storage == Storage::PushConstant || v.storage == Storage::SharedBlock;
}

Cell cellOfVariable(VarId v) { return v.index(); }

// The cell that contains an l-value or a part of one; kNoCell if it has no variable or is a whole block.
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

bool isPrecise(uint32_t qualifiers) { return (qualifiers & kQualPrecise) != 0; }

// The work-list over cells and functions whose values are precise.
class PreciseFlow {
 public:
  explicit PreciseFlow(const Program& p) : program(p) {}

  // Indexed by expression; empty if none is precise.
  IdVector<ExprId, uint8_t> run() {
    preciseMembers_ = std::any_of(program.members.begin(), program.members.end(),
                                  [](const Member& m) { return isPrecise(m.qualifiers); });
    if (!preciseMembers_ && !anyDeclared()) return {};
    precise_.resize(program.exprs.size());
    functions_.resize(program.functions.size());
    addDeclared();
    for (const ExprId i : program.exprs.ids()) collectExpression(i);
    collectStatements();
    for (ExprId r : roots_) markWrite(r);
    while (!work_.empty() || !functionWork_.empty()) {
      if (!work_.empty()) {
        const Cell c = work_.back();
        work_.pop_back();
        forEach(writes_, c, [&](ExprId e) { markWrite(e); });
        forEach(arguments_, c, [&](ExprId e) { mark(e); });
        forEach(outputs_, c, [&](Cell parameter) { add(parameter); });
      } else {
        const FnId f = functionWork_.back();
        functionWork_.pop_back();
        forEach(returns_, f, [&](ExprId e) { mark(e); });
      }
    }
    return std::move(precise_);
  }

 private:
  template <typename Map, typename Visit>
  static void forEach(const Map& map, typename Map::key_type key, Visit&& visit) {
    const auto [first, last] = map.equal_range(key);
    for (auto i = first; i != last; ++i) visit(i->second);
  }

  bool anyDeclared() const {
    return std::any_of(program.variables.begin(), program.variables.end(),
                       [](const Variable& v) { return isPrecise(v.qualifiers); }) ||
           std::any_of(program.functions.begin(), program.functions.end(),
                       [](const Function& f) { return isPrecise(f.qualifiers); });
  }

  void addDeclared() {
    for (const VarId v : program.variables.ids())
      if (isPrecise(program.variables[v].qualifiers)) add(cellOfVariable(v));
    for (const FnId f : program.functions.ids())
      if (isPrecise(program.functions[f].qualifiers)) add(f);
  }

  void add(Cell c) {
    if (c != kNoCell && cells_.insert(c).second) work_.push_back(c);
  }

  void add(FnId f) {
    if (functions_[f] != 0) return;
    functions_[f] = 1;
    functionWork_.push_back(f);
  }

  // Collects writes by cell, arguments by parameter and returned values by function in one walk over the
  // program.
  void collectExpression(ExprId i) {
    const Expr& e = program.exprs[i];
    if (isAssignment(e.op) || isIncrement(e.op)) {
      collectWrite(i, e.written());
    } else if (e.op == ExprOp::CallBuiltin) {
      const BuiltinOp o = e.builtin();
      if (o == BuiltinOp::Modf || o == BuiltinOp::Frexp) collectWrite(i, program.builtinArguments(e)[1]);
      if (o == BuiltinOp::AtomicAdd || o == BuiltinOp::AtomicMin || o == BuiltinOp::AtomicMax ||
          o == BuiltinOp::AtomicExchange ||
          o == BuiltinOp::AtomicStore)  // those that take floating-point values
        collectWrite(i, program.builtinArguments(e)[0]);
    } else if (e.op == ExprOp::Construct && preciseMembers_) {
      collectConstructor(e);
    } else if (e.op == ExprOp::Call) {
      const Function& fn = program.functions[program.callee(e)];
      const auto args = program.callArguments(e);
      for (uint32_t k = 0; k < args.size(); ++k) {
        const VarId parameter = fn.params[k];
        arguments_.emplace(cellOfVariable(parameter), args[k]);
        if (!passedByPointer(program, program.variables[parameter])) continue;
        outputs_.emplace(cellOf(program, args[k]), cellOfVariable(parameter));
        if (preciseMembers_ && isPartOfPreciseMember(args[k])) add(cellOfVariable(parameter));
      }
    }
  }

  void collectWrite(ExprId write, ExprId written) {
    writes_.emplace(cellOf(program, written), write);
    if (preciseMembers_ && isPartOfPreciseMember(written)) roots_.push_back(write);
  }

  // The values that a structure's constructor, or its list, gives to members qualified `precise`.
  void collectConstructor(const Expr& e) {
    const TypeInfo type = isBasic(e.type) ? TypeInfo{} : program.types[e.type];
    if (type.kind != TypeKind::Struct) return;
    const auto members = program.membersOf(type.structure());
    const auto parts = program.constructParts(e);
    for (uint32_t m = 0; m < parts.size() && m < members.size(); ++m)
      if (isPrecise(members[m].qualifiers)) roots_.push_back(parts[m]);
  }

  // Whether the l-value is, or is part of, a member qualified `precise`.
  bool isPartOfPreciseMember(ExprId id) const {
    for (; isAccess(program.exprs[id].op); id = program.exprs[id].accessBase()) {
      const Expr& part = program.exprs[id];
      if (part.op != ExprOp::Member) continue;
      const StructInfo& s = program.structs[program.types[program.exprs[part.memberBase()].type].structure()];
      if (isPrecise(program.members[s.members[part.memberIndex()]].qualifiers)) return true;
    }
    return false;
  }

  void collectStatements() {
    for (const FnId f : program.functions.ids()) {
      if (!program.functions[f].body) continue;
      forEachStatement(
          program, program.functions[f].body,
          [&](StmtId id) {
            const Stmt& s = program.stmts[id];
            if (s.kind == StmtKind::Return && s.returnValue()) returns_.emplace(f, s.returnValue());
            if (s.kind == StmtKind::Decl && s.initializer())
              writes_.emplace(cellOfVariable(s.declared()), s.initializer());
          },
          [](ExprId) {});
    }
    for (VarId g : program.globals)
      if (program.variables[g].init) writes_.emplace(cellOfVariable(g), program.variables[g].init);
  }

  // A write whose value must be precise. The rest of its l-value's variable need not be precise.
  void markWrite(ExprId id) {
    const Expr& e = program.exprs[id];
    if (!isAssignment(e.op) && !isIncrement(e.op)) {
      mark(id);  // an initializer, a constructor's part, a built-in function with an output
      return;
    }
    precise_[id] = 1;
    if (isAssignment(e.op)) mark(e.right());
  }

  void mark(ExprId root) {
    std::vector<ExprId> stack{root};
    while (!stack.empty()) {
      const ExprId id = stack.back();
      stack.pop_back();
      const Expr& e = program.exprs[id];
      precise_[id] = 1;
      if (e.op == ExprOp::Variable || e.op == ExprOp::Member) add(cellOf(program, id));
      if (e.op == ExprOp::Call) add(program.callee(e));
      if (e.op == ExprOp::FunctionName) add(e.functionName());
      bool condition =
          e.op ==
          ExprOp::Select;  // "Unaffected expressions also include ... the condition in ternary operators"
      forEachOperand(program, e, [&](ExprId operand) {
        if (!condition) stack.push_back(operand);
        condition = false;
      });
    }
  }

  const Program& program;
  bool preciseMembers_ = false;
  IdVector<ExprId, uint8_t> precise_;
  std::unordered_set<Cell> cells_;
  std::vector<Cell> work_;
  IdVector<FnId, uint8_t> functions_;
  std::vector<FnId> functionWork_;
  std::unordered_multimap<Cell, ExprId> writes_;     // the whole assignment
  std::unordered_multimap<Cell, Cell> outputs_;      // argument -> out parameter
  std::unordered_multimap<Cell, ExprId> arguments_;  // parameter -> argument
  std::unordered_multimap<FnId, ExprId> returns_;
  std::vector<ExprId> roots_;
};

}  // namespace

IdVector<ExprId, uint8_t> preciseExpressions(const Program& program) { return PreciseFlow(program).run(); }

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
