// Nodes of the typed program: ids of one kind cannot be used as another's, nodes have no overhead over their
// words, and accessors read what the factories wrote.
#include <concepts>
#include <type_traits>

#include <catch2/catch_test_macros.hpp>

#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

template <typename Container, typename Key>
concept IndexedBy = requires(Container c, Key k) {
  c[k];
};

// Whether two kinds of ids are unrelated: neither converts into the other, explicitly or not, and they do not
// compare.
template <typename A, typename B>
constexpr bool apart() {
  return !std::is_convertible_v<A, B> && !std::is_constructible_v<A, B> && !std::is_assignable_v<A&, B> &&
         !std::is_convertible_v<B, A> && !std::is_constructible_v<B, A> && !std::is_assignable_v<B&, A> &&
         !std::equality_comparable_with<A, B>;
}
template <typename Id, typename... Others>
constexpr bool apartFrom() {
  return (apart<Id, Others>() && ...) && sizeof(Id) == sizeof(uint32_t) && std::is_trivially_copyable_v<Id> &&
         !std::is_convertible_v<Id, uint32_t> && !std::is_convertible_v<uint32_t, Id> &&
         !std::is_convertible_v<int, Id>;
}
static_assert(apartFrom<ExprId, StmtId, VarId, FnId, TypeId, ConstId, StructId, DecorationListId>());
static_assert(apartFrom<StmtId, VarId, FnId, TypeId, ConstId, StructId, DecorationListId>());
static_assert(apartFrom<VarId, FnId, TypeId, ConstId, StructId, DecorationListId>());
static_assert(apartFrom<FnId, TypeId, ConstId, StructId, DecorationListId>());
static_assert(apartFrom<TypeId, ConstId, StructId, DecorationListId>());
static_assert(apartFrom<ConstId, StructId, DecorationListId>());
static_assert(apartFrom<StructId, DecorationListId>());

// The program's arrays take their own ids only.
static_assert(IndexedBy<decltype(Program::exprs), ExprId> && !IndexedBy<decltype(Program::exprs), StmtId> &&
              !IndexedBy<decltype(Program::exprs), uint32_t> && !IndexedBy<decltype(Program::exprs), int>);
static_assert(IndexedBy<decltype(Program::stmts), StmtId> && !IndexedBy<decltype(Program::stmts), ExprId>);
static_assert(IndexedBy<decltype(Program::variables), VarId> &&
              !IndexedBy<decltype(Program::variables), FnId>);
static_assert(IndexedBy<decltype(Program::functions), FnId> &&
              !IndexedBy<decltype(Program::functions), VarId>);
static_assert(IndexedBy<const Types, TypeId> && !IndexedBy<const Types, ConstId> &&
              !IndexedBy<const Types, uint32_t>);
static_assert(IndexedBy<const Constants, ConstId> && !IndexedBy<const Constants, TypeId> &&
              !IndexedBy<const Constants, VarId> && !IndexedBy<const Constants, int>);
static_assert(IndexedBy<decltype(Program::structs), StructId> &&
              !IndexedBy<decltype(Program::structs), TypeId>);

// Factories take the right kinds only.
template <typename Id>
concept MakesFunctionName = requires(ExprHead h, Id id) {
  Expr::functionName(h, id);
};
static_assert(MakesFunctionName<FnId> && !MakesFunctionName<VarId> && !MakesFunctionName<uint32_t> &&
              !MakesFunctionName<int>);
template <typename Body>
concept MakesLoop = requires(Body body) {
  Stmt::whileLoop(SourceLoc{}, StmtId(), body, Stmt::LoopControl{});
};
static_assert(MakesLoop<StmtId> && !MakesLoop<ExprId> && !MakesLoop<uint32_t>);

TEST_CASE("expressions give back what they were made of") {
  Program p;
  const ExprHead head = {kInt, kExprHighp, {}};
  const ExprId a = p.addExpr(Expr::variable(head, VarId(3u)));
  const ExprId b = p.addExpr(Expr::functionName(head, FnId(4u)));
  CHECK(p.exprs[a].variable() == VarId(3u));
  CHECK(p.exprs[b].functionName() == FnId(4u));
  CHECK(Expr::member(head, a, 7).memberBase() == a);
  CHECK(Expr::member(head, a, 7).memberIndex() == 7);
  CHECK(Expr::index(head, a, b).indexBase() == a);
  CHECK(Expr::index(head, a, b).indexValue() == b);
  CHECK(Expr::binary(ExprOp::AddAssign, head, a, b).written() == a);
  CHECK(Expr::unary(ExprOp::PostDecrement, head, b).written() == b);

  const Expr select = p.exprs[p.addSelect(head, a, b, a)];
  CHECK(p.selectCondition(select) == a);
  CHECK(p.selectTrue(select) == b);
  CHECK(p.selectFalse(select) == a);

  Function f;
  f.params = {VarId(1u), 2};
  const FnId callee = p.functions.add(f);
  const ExprId arguments[] = {b, a};
  const Expr call = p.exprs[p.addCall(head, callee, arguments)];
  CHECK(p.callee(call) == callee);
  REQUIRE(p.callArguments(call).size() == 2);
  CHECK(p.callArguments(call)[0] == b);
  const Expr builtin = p.exprs[p.addBuiltinCall(head, BuiltinOp::Max, arguments)];
  CHECK(builtin.builtin() == BuiltinOp::Max);
  CHECK(p.builtinArguments(builtin).size() == 2);
  CHECK(builtin.type == kInt);
  CHECK(builtin.flags == kExprHighp);
}

TEST_CASE("a walk over operands sees each once, in order") {
  Program p;
  const ExprHead head = {kInt, 0, {}};
  const ExprId x = p.addExpr(Expr::variable(head, VarId(1u)));
  const ExprId y = p.addExpr(Expr::variable(head, VarId(2u)));
  const ExprId sum = p.addExpr(Expr::binary(ExprOp::Add, head, x, y));
  const ExprId negated = p.addExpr(Expr::unary(ExprOp::Negate, head, sum));
  const ExprId items[] = {negated, x};
  const ExprId list = p.addConstruct(head, items);
  std::vector<ExprId> seen;
  forEachExpression(p, list, [&](ExprId e) { seen.push_back(e); });
  CHECK(seen == std::vector<ExprId>{list, x, negated, sum, y, x});

  const StmtId body = p.addStmt(Stmt::expression({}, sum));
  const StmtId loop = p.addStmt(Stmt::doWhile({}, body, negated, {}));
  const StmtId statements[] = {loop};
  const StmtId block = p.addBlock({}, statements);
  std::vector<StmtId> inside;
  std::vector<ExprId> roots;
  forEachStatement(
      p, block, [&](StmtId s) { inside.push_back(s); }, [&](ExprId e) { roots.push_back(e); });
  CHECK(inside == std::vector<StmtId>{block, loop, body});
  CHECK(roots == std::vector<ExprId>{negated, sum});
}

TEST_CASE("statements give back what they were made of, absent parts are none") {
  Program p;
  const Stmt branch = Stmt::ifElse({}, ExprId(1u), StmtId(2u), {}, 1);
  CHECK(branch.ifCondition() == ExprId(1u));
  CHECK(branch.ifThen() == StmtId(2u));
  CHECK_FALSE(branch.ifElse());
  CHECK(branch.selectionControl() == 1);
  const uint32_t literals[] = {5, 6};
  const Stmt loop =
      Stmt::forLoop({}, StmtId(1u), StmtId(2u), ExprId(3u), StmtId(4u), {2, p.addLoopParameters(literals)});
  CHECK(loop.loopInit() == StmtId(1u));
  CHECK(loop.loopCondition() == StmtId(2u));
  CHECK(loop.loopStep() == ExprId(3u));
  CHECK(loop.loopBody() == StmtId(4u));
  CHECK(loop.loopControl() == 2);
  REQUIRE(p.loopParameters(loop).size() == 2);
  CHECK(p.loopParameters(loop)[1] == 6);
  CHECK(p.loopParameters(Stmt::whileLoop({}, {}, {}, {})).empty());
  CHECK_FALSE(Stmt::returnValue({}, {}).returnValue());
}

}  // namespace
}  // namespace coopc::frontend
