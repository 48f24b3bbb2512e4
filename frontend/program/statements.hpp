// Statements of the typed program. As with expressions, the meaning of a node's words depends on its kind, so
// nodes are made and read only through functions that name the parts.
#pragma once

#include <cassert>
#include <cstdint>

#include "frontend/base/source.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend {

enum class StmtKind : uint8_t {
  Block,
  Expr,
  Decl,
  If,
  Switch,  ///< the body is a Block whose direct statements contain Case and Default
  Case,
  Default,
  For,
  While,
  DoWhile,
  Return,
  Break,
  Continue,
  Discard,
  Terminate,
  Demote,
  IgnoreIntersection,
  TerminateRay,
  Empty,
};

class Stmt {
 public:
  StmtKind kind = StmtKind::Empty;
  bool ends = false;  ///< while parsing: the statements after it in the same block are unreachable
  SourceLoc loc;

  constexpr Stmt() = default;

  /// Functions that make nodes (Program::addBlock makes blocks). An optional part that is absent is passed as
  /// none.
  static constexpr Stmt expression(SourceLoc loc, ExprId e) { return {StmtKind::Expr, loc, e.index()}; }
  static constexpr Stmt declaration(SourceLoc loc, VarId v, ExprId initializer) {
    return {StmtKind::Decl, loc, v.index(), initializer.index()};
  }
  /// `control` is a spv::SelectionControlMask, here and in switchCase().
  static constexpr Stmt ifElse(SourceLoc loc, ExprId condition, StmtId then, StmtId otherwise,
                               uint32_t control) {
    return {StmtKind::If, loc, condition.index(), then.index(), otherwise.index(), 0, control};
  }
  static constexpr Stmt switchCase(SourceLoc loc, ExprId selector, StmtId body, uint32_t control) {
    return {StmtKind::Switch, loc, selector.index(), body.index(), 0, 0, control};
  }
  static constexpr Stmt caseLabel(SourceLoc loc, ConstId label) {
    return {StmtKind::Case, loc, label.index()};
  }
  /// The loop control of `for`, `while` and `do`, from attributes such as [[unroll]].
  struct LoopControl {
    uint32_t mask = 0;        ///< spv::LoopControlMask
    uint32_t parameters = 0;  ///< of Program::addLoopParameters
  };
  static constexpr Stmt forLoop(SourceLoc loc, StmtId init, StmtId condition, ExprId step, StmtId body,
                                LoopControl control) {
    return {StmtKind::For, loc,          init.index(), condition.index(),
            step.index(),  body.index(), control.mask, control.parameters};
  }
  static constexpr Stmt whileLoop(SourceLoc loc, StmtId condition, StmtId body, LoopControl control) {
    return {StmtKind::While, loc, 0, condition.index(), 0, body.index(), control.mask, control.parameters};
  }
  static constexpr Stmt doWhile(SourceLoc loc, StmtId body, ExprId condition, LoopControl control) {
    return {StmtKind::DoWhile, loc, 0, condition.index(), 0, body.index(), control.mask, control.parameters};
  }
  static constexpr Stmt returnValue(SourceLoc loc, ExprId value) {
    return {StmtKind::Return, loc, value.index()};
  }
  /// Default, Break, Continue, Discard, Terminate, Demote, IgnoreIntersection, TerminateRay and Empty.
  static constexpr Stmt plain(StmtKind kind, SourceLoc loc) { return {kind, loc}; }

  // --- Functions that read nodes
  constexpr ExprId expression() const { return ExprId(a(StmtKind::Expr)); }
  constexpr VarId declared() const { return VarId(a(StmtKind::Decl)); }
  constexpr ExprId initializer() const { return ExprId(b(StmtKind::Decl)); }  ///< or none
  constexpr ExprId ifCondition() const { return ExprId(a(StmtKind::If)); }
  constexpr StmtId ifThen() const { return StmtId(b(StmtKind::If)); }
  constexpr StmtId ifElse() const {  // or none
    assert(kind == StmtKind::If);
    return StmtId(c_);
  }
  constexpr ExprId switchSelector() const { return ExprId(a(StmtKind::Switch)); }
  constexpr StmtId switchBody() const { return StmtId(b(StmtKind::Switch)); }
  constexpr ConstId caseLabel() const { return ConstId(a(StmtKind::Case)); }
  constexpr StmtId loopInit() const { return StmtId(a(StmtKind::For)); }  ///< or none
  constexpr StmtId loopCondition() const {  // of For and While: an Expr, a Decl or none
    assert(kind == StmtKind::For || kind == StmtKind::While);
    return StmtId(b_);
  }
  constexpr ExprId loopStep() const {  // or none
    assert(kind == StmtKind::For);
    return ExprId(c_);
  }
  constexpr ExprId doCondition() const { return ExprId(b(StmtKind::DoWhile)); }
  constexpr StmtId loopBody() const {  // of all three kinds of loops
    assert(isLoop());
    return StmtId(d_);
  }
  constexpr ExprId returnValue() const { return ExprId(a(StmtKind::Return)); }  ///< or none
  constexpr uint32_t selectionControl() const {                                 // spv::SelectionControlMask
    assert(kind == StmtKind::If || kind == StmtKind::Switch);
    return control_;
  }
  constexpr uint32_t loopControl() const {  // spv::LoopControlMask; its parameters: Program::loopParameters
    assert(isLoop());
    return control_;
  }
  constexpr bool isLoop() const {
    return kind == StmtKind::For || kind == StmtKind::While || kind == StmtKind::DoWhile;
  }

 private:
  friend class Program;

  constexpr Stmt(StmtKind k, SourceLoc l, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0,
                 uint32_t control = 0, uint32_t parameters = 0)
      : kind(k),
        ends(k == StmtKind::Return || k == StmtKind::Break || k == StmtKind::Continue ||
             k == StmtKind::Discard || k == StmtKind::Terminate || k == StmtKind::IgnoreIntersection ||
             k == StmtKind::TerminateRay),
        loc(l),
        a_(a),
        b_(b),
        c_(c),
        d_(d),
        control_(control),
        parameters_(parameters) {}
  constexpr uint32_t a([[maybe_unused]] StmtKind of) const {
    assert(kind == of);
    return a_;
  }
  constexpr uint32_t b([[maybe_unused]] StmtKind of) const {
    assert(kind == of);
    return b_;
  }

  uint32_t a_ = 0;  ///< Block: where its statements start in Program's lists
  uint32_t b_ = 0;  ///< Block: their count
  uint32_t c_ = 0;
  uint32_t d_ = 0;
  uint32_t control_ = 0;
  uint32_t parameters_ = 0;  ///< where the loop control's literals are in Program's list; 0: none
};
static_assert(sizeof(Stmt) == 32);

}  // namespace coopc::frontend
