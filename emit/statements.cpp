// Control flow. Structured SPIR-V (2.11): every selection has its merge block, every loop header holds
// nothing but OpLoopMerge and a branch. Statements after a jump in the same block can never run and are left
// out; `open` says whether the current block can still take instructions.
#include "base/spirv_version.hpp"
#include "emit/builtins/topics.hpp"
#include "emit/emitter.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

void Emitter::statement(StmtId id) {
  if (!id || module.failed()) return;
  const Stmt& s = program.stmts[id];
  if (!open && s.kind != StmtKind::Block) return;
  if (b.overflow()) {
    module.checkLimits(s.loc);
    return;
  }
  line(s.loc);
  module.currentLoc = s.loc;
  switch (s.kind) {
    case StmtKind::Block: {
      // The function's own block is the function's scope.
      const bool scoped = module.debug != nullptr && id != program.functions[currentFunction_].body;
      const uint32_t outer = scoped ? module.debug->enterBlock(s.loc) : 0;
      for (StmtId child : program.blockStatements(s)) statement(child);
      if (scoped) module.debug->leaveBlock(outer);
      break;
    }
    case StmtKind::Expr:
      // The only calls that end a block.
      if (s.ends)
        emitEndingCall(*this, s.expression());
      else
        (void)value(s.expression());
      break;
    case StmtKind::Decl: declare(s); break;
    case StmtKind::If: ifStatement(s); break;
    case StmtKind::Switch: switchStatement(s); break;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile: {
      const uint32_t outer = module.debug != nullptr ? module.debug->enterBlock(s.loc) : 0;
      loopStatement(s);
      if (module.debug != nullptr) module.debug->leaveBlock(outer);
      break;
    }
    case StmtKind::Return: returnStatement(s); break;
    case StmtKind::Break:
      if (!targets_.empty()) {
        targets_.back().breakUsed = true;
        branch(targets_.back().breakTo);
      }
      break;
    case StmtKind::Continue:
      for (size_t i = targets_.size(); i-- > 0;) {
        if (!targets_[i].continueTo) continue;
        branch(targets_[i].continueTo);
        break;
      }
      break;
    case StmtKind::Discard:
      // As in the reference compiler: OpKill is deprecated from SPIR-V 1.6 on.
      if (module.version >= kSpirv16) {
        declareFor(spv::Op::OpDemoteToHelperInvocation);
        make<op::DemoteToHelperInvocation>();
        break;
      }
      make<op::Kill>();
      open = false;
      break;
    case StmtKind::Terminate:
      declareFor(spv::Op::OpTerminateInvocation);
      make<op::TerminateInvocation>();
      open = false;
      break;
    case StmtKind::IgnoreIntersection:
    case StmtKind::TerminateRay:
      if (s.kind == StmtKind::TerminateRay)
        make<op::TerminateRayKHR>();
      else
        make<op::IgnoreIntersectionKHR>();
      open = false;
      break;
    case StmtKind::Demote:
      declareFor(spv::Op::OpDemoteToHelperInvocation);
      make<op::DemoteToHelperInvocation>();
      break;
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Empty: break;
  }
  if (b.overflow()) module.checkLimits(s.loc);
}

void Emitter::declare(const Stmt& s) {
  const Variable& v = program.variables[s.declared()];
  if (v.storage != Storage::Local) return;
  if (!s.initializer()) {
    (void)variables.slot(s.declared());
    return;
  }
  const Id initial = value(s.initializer());
  const VariableSlot& to = variables.slot(s.declared());
  line(s.loc);
  store(to.id, initial);
}

// A condition is an expression, or a declaration whose variable is tested (GLSL 6.3).
Id Emitter::condition(StmtId id) {
  const Stmt& s = program.stmts[id];
  if (s.kind == StmtKind::Decl) {
    declare(s);
    return load(kBool, variables.slot(s.declared()).id);
  }
  return value(s.expression());
}

// Chains of `else if` can be of any length, since the nesting limit does not count them; therefore they are
// not emitted recursively.
void Emitter::ifStatement(const Stmt& first) {
  struct Branch {
    Id merge;
    bool reached = false;  // to the merge block, from a branch whose end can be reached
  };
  std::vector<Branch> chain;  // its else is the next block
  Branch current;
  for (const Stmt* s = &first;;) {
    const Id c = value(s->ifCondition());
    const Id yes = b.id(), merge = b.id();
    const Id no = s->ifElse() ? b.id() : merge;
    selectionMerge(merge, s->selectionControl());
    branchIf(c, yes, no);
    startBlock(yes);
    statement(s->ifThen());
    current = {merge, !s->ifElse() || open};
    branch(merge);
    if (!s->ifElse()) break;
    startBlock(no);
    const Stmt& rest = program.stmts[s->ifElse()];
    if (rest.kind != StmtKind::If || module.failed() || b.overflow()) {
      statement(s->ifElse());
      current.reached = current.reached || open;
      branch(merge);
      break;
    }
    line(rest.loc);
    module.currentLoc = rest.loc;
    chain.push_back(current);
    s = &rest;
  }
  for (;; chain.pop_back()) {
    leaveConstruct();
    startBlock(current.merge);
    if (!current.reached) {
      make<op::Unreachable>();
      open = false;
    }
    if (chain.empty()) return;
    if (b.overflow()) module.checkLimits(first.loc);
    current = {chain.back().merge, chain.back().reached || open};
    branch(current.merge);
  }
}

void Emitter::loopMerge(const Stmt& s, NamedId merge, NamedId next) {
  if ((s.loopControl() & spirv::enums::LoopControlMultipleWaitQueuesQCOM) != 0)
    capability(spirv::enums::CapabilityMultipleWaitQueuesQCOM);
  make<op::LoopMerge>({.mergeBlock = merge,
                       .continueTarget = next,
                       .loopControl = spv::LoopControlMask(s.loopControl()),
                       .parameters = program.loopParameters(s)});
  enterConstruct();
}

void Emitter::loopStatement(const Stmt& s) {
  if (s.kind == StmtKind::For) statement(s.loopInit());
  const Id header = b.id(), body = b.id(), next = b.id(), merge = b.id();
  branch(header);
  startBlock(header);
  loopMerge(s, merge, next);
  bool reached = false;

  if (s.kind != StmtKind::DoWhile && s.loopCondition()) {
    const Id test = b.id();
    branch(test);
    startBlock(test);
    const Id c = condition(s.loopCondition());
    branchIf(c, body, merge);
    reached = true;
  } else {
    branch(body);
  }

  targets_.push_back({merge, next, false});
  startBlock(body);
  statement(s.loopBody());
  branch(next);
  reached = reached || targets_.back().breakUsed;
  targets_.pop_back();

  startBlock(next);
  if (s.kind == StmtKind::DoWhile) {
    const Id c = value(s.doCondition());
    branchIf(c, header, merge);
    reached = true;
  } else {
    if (s.kind == StmtKind::For && s.loopStep()) (void)value(s.loopStep());
    branch(header);
  }
  leaveConstruct();

  startBlock(merge);
  if (!reached) {
    make<op::Unreachable>();
    open = false;
  }
}

// Consecutive labels share a block; a block without a jump falls through to the next one.
void Emitter::switchStatement(const Stmt& s) {
  const Id selector = value(s.switchSelector());
  const auto children = program.blockStatements(program.stmts[s.switchBody()]);
  const Id merge = b.id();

  // A first pass over the labels, because OpSwitch lists them before the blocks.
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  const TypeId selectorType = typeOf(s.switchSelector());
  const bool wide = scalarBits(scalarOf(selectorType)) == 64;
  Id defaultLabel = merge, segment;
  const uint32_t firstSegment = b.bound();
  for (StmtId child : children) {
    const Stmt& c = program.stmts[child];
    if (c.kind == StmtKind::Case) {
      if (!segment) segment = b.id();
      const uint64_t bits = program.constants[c.caseLabel()].bits;
      module.scratch.push_back(literalWord(scalarOf(selectorType), bits));
      if (wide) module.scratch.push_back(static_cast<uint32_t>(bits >> 32));
      module.scratch.push_back(segment);
    } else if (c.kind == StmtKind::Default) {
      if (!segment) segment = b.id();
      defaultLabel = segment;
    } else {
      segment = {};
    }
  }
  if (b.bound() == firstSegment) {
    // Code before the first label can never run.
    module.scratch.resize(mark);
    branch(merge);
    startBlock(merge);
    return;
  }
  const bool hasDefault = defaultLabel != merge;
  selectionMerge(merge, s.selectionControl());
  make<op::Switch>({.selector = selector, .defaultLabel = defaultLabel, .targets = module.scratchFrom(mark)});
  module.scratch.resize(mark);
  open = false;

  targets_.push_back({merge, {}, false});
  uint32_t next = firstSegment;
  bool inLabels = false;
  for (StmtId child : children) {
    const Stmt& c = program.stmts[child];
    if (c.kind == StmtKind::Case || c.kind == StmtKind::Default) {
      if (!inLabels) {
        const Id segmentLabel(next++);
        branch(segmentLabel);  // falls through
        startBlock(segmentLabel);
        inLabels = true;
      }
      continue;
    }
    inLabels = false;
    statement(child);
  }
  const bool reached = open || !hasDefault || targets_.back().breakUsed;
  branch(merge);
  targets_.pop_back();
  leaveConstruct();
  startBlock(merge);
  if (!reached) {
    make<op::Unreachable>();
    open = false;
  }
}

void Emitter::returnStatement(const Stmt& s) {
  const ExprId returned = s.returnValue();
  if (!returned || program.functions[currentFunction_].result == kVoidType) {
    if (returned) (void)value(returned);
    make<op::Return>();
  } else {
    const Id v = value(returned);
    make<op::ReturnValue>({.value = v});
  }
  open = false;
}

}  // namespace coopc::emit
