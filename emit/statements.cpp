// Control flow. Structured SPIR-V (2.11): every selection has its merge block, every loop header holds
// nothing but OpLoopMerge and a branch. Statements after a jump in the same block can never run and are left
// out; InstructionWriter::open says whether the current block can still take instructions.
#include "emit/statements.hpp"

#include "base/spirv_version.hpp"
#include "emit/builtins/topics.hpp"
#include "emit/emitter.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

Statements::Statements(Emitter& emitter)
    : Part(emitter.module), emitter_(emitter), code_(emitter), variables_(emitter.variables) {}

void Statements::beginFunction(FnId f) {
  function_ = f;
  targets_.clear();
}

void Statements::write(StmtId id) {
  if (!id || module.failed()) return;
  const Stmt& s = program.stmts[id];
  if (!code_.open && s.kind != StmtKind::Block) return;
  if (b.overflow()) {
    module.checkLimits(s.loc);
    return;
  }
  code_.line(s.loc);
  module.currentLoc = s.loc;
  switch (s.kind) {
    case StmtKind::Block: {
      // The function's own block is the function's scope.
      const bool scoped = module.debug != nullptr && id != program.functions[function_].body;
      const uint32_t outer = scoped ? module.debug->enterBlock(s.loc) : 0;
      for (StmtId child : program.blockStatements(s)) write(child);
      if (scoped) module.debug->leaveBlock(outer);
      break;
    }
    case StmtKind::Expr:
      // The only calls that end a block.
      if (s.ends)
        emitEndingCall(emitter_, s.expression());
      else
        (void)emitter_.value(s.expression());
      break;
    case StmtKind::Decl: declare(s); break;
    case StmtKind::If: writeIf(s); break;
    case StmtKind::Switch: writeSwitch(s); break;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile: {
      const uint32_t outer = module.debug != nullptr ? module.debug->enterBlock(s.loc) : 0;
      writeLoop(s);
      if (module.debug != nullptr) module.debug->leaveBlock(outer);
      break;
    }
    case StmtKind::Return: writeReturn(s); break;
    case StmtKind::Break:
      if (!targets_.empty()) {
        targets_.back().breakUsed = true;
        code_.branch(targets_.back().breakTo);
      }
      break;
    case StmtKind::Continue:
      for (size_t i = targets_.size(); i-- > 0;) {
        if (!targets_[i].continueTo) continue;
        code_.branch(targets_[i].continueTo);
        break;
      }
      break;
    case StmtKind::Discard:
      // A demotion, as in the reference compiler: OpKill is deprecated from SPIR-V 1.6 on.
      if (module.version >= kSpirv16) {
        declareFor(spv::Op::OpDemoteToHelperInvocation);
        code_.make<op::DemoteToHelperInvocation>();
        break;
      }
      code_.make<op::Kill>();
      code_.open = false;
      break;
    case StmtKind::Terminate:
      declareFor(spv::Op::OpTerminateInvocation);
      code_.make<op::TerminateInvocation>();
      code_.open = false;
      break;
    case StmtKind::IgnoreIntersection:
    case StmtKind::TerminateRay:
      if (s.kind == StmtKind::TerminateRay)
        code_.make<op::TerminateRayKHR>();
      else
        code_.make<op::IgnoreIntersectionKHR>();
      code_.open = false;
      break;
    case StmtKind::Demote:
      declareFor(spv::Op::OpDemoteToHelperInvocation);
      code_.make<op::DemoteToHelperInvocation>();
      break;
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Empty: break;
  }
  if (b.overflow()) module.checkLimits(s.loc);
}

void Statements::declare(const Stmt& s) {
  const Variable& v = program.variables[s.declared()];
  if (v.storage != Storage::Local) return;
  if (!s.initializer()) {
    (void)variables_.slot(s.declared());
    return;
  }
  const Id initial = emitter_.value(s.initializer());
  const VariableSlot& to = variables_.slot(s.declared());
  code_.line(s.loc);
  code_.store(to.id, initial);
}

// A condition is an expression, or a declaration whose variable is tested (GLSL 6.3).
Id Statements::condition(StmtId id) {
  const Stmt& s = program.stmts[id];
  if (s.kind == StmtKind::Decl) {
    declare(s);
    return code_.load(kBool, variables_.slot(s.declared()).id);
  }
  return emitter_.value(s.expression());
}

// Chains of `else if` can be of any length, since the nesting limit does not count them; therefore they are
// not emitted recursively.
void Statements::writeIf(const Stmt& first) {
  struct Branch {
    Id merge;
    bool reached = false;  // to the merge block, from a branch whose end can be reached
  };
  std::vector<Branch> chain;  // its else is the next block
  Branch current;
  for (const Stmt* s = &first;;) {
    const Id c = emitter_.value(s->ifCondition());
    const Id yes = b.id(), merge = b.id();
    const Id no = s->ifElse() ? b.id() : merge;
    code_.selectionMerge(merge, s->selectionControl());
    code_.branchIf(c, yes, no);
    code_.startBlock(yes);
    write(s->ifThen());
    current = {merge, !s->ifElse() || code_.open};
    code_.branch(merge);
    if (!s->ifElse()) break;
    code_.startBlock(no);
    const Stmt& rest = program.stmts[s->ifElse()];
    if (rest.kind != StmtKind::If || module.failed() || b.overflow()) {
      write(s->ifElse());
      current.reached = current.reached || code_.open;
      code_.branch(merge);
      break;
    }
    code_.line(rest.loc);
    module.currentLoc = rest.loc;
    chain.push_back(current);
    s = &rest;
  }
  for (;; chain.pop_back()) {
    code_.leaveConstruct();
    code_.startBlock(current.merge);
    if (!current.reached) {
      code_.make<op::Unreachable>();
      code_.open = false;
    }
    if (chain.empty()) return;
    if (b.overflow()) module.checkLimits(first.loc);
    current = {chain.back().merge, chain.back().reached || code_.open};
    code_.branch(current.merge);
  }
}

void Statements::loopMerge(const Stmt& s, NamedId merge, NamedId next) {
  if ((s.loopControl() & spirv::enums::LoopControlMultipleWaitQueuesQCOM) != 0)
    capability(spirv::enums::CapabilityMultipleWaitQueuesQCOM);
  code_.make<op::LoopMerge>({.mergeBlock = merge,
                             .continueTarget = next,
                             .loopControl = spv::LoopControlMask(s.loopControl()),
                             .parameters = program.loopParameters(s)});
  code_.enterConstruct();
}

void Statements::writeLoop(const Stmt& s) {
  if (s.kind == StmtKind::For) write(s.loopInit());
  const Id header = b.id(), body = b.id(), next = b.id(), merge = b.id();
  code_.branch(header);
  code_.startBlock(header);
  loopMerge(s, merge, next);
  bool reached = false;

  if (s.kind != StmtKind::DoWhile && s.loopCondition()) {
    const Id test = b.id();
    code_.branch(test);
    code_.startBlock(test);
    const Id c = condition(s.loopCondition());
    code_.branchIf(c, body, merge);
    reached = true;
  } else {
    code_.branch(body);
  }

  targets_.push_back({merge, next, false});
  code_.startBlock(body);
  write(s.loopBody());
  code_.branch(next);
  reached = reached || targets_.back().breakUsed;
  targets_.pop_back();

  code_.startBlock(next);
  if (s.kind == StmtKind::DoWhile) {
    const Id c = emitter_.value(s.doCondition());
    code_.branchIf(c, header, merge);
    reached = true;
  } else {
    if (s.kind == StmtKind::For && s.loopStep()) (void)emitter_.value(s.loopStep());
    code_.branch(header);
  }
  code_.leaveConstruct();

  code_.startBlock(merge);
  if (!reached) {
    code_.make<op::Unreachable>();
    code_.open = false;
  }
}

// Consecutive labels share a block; a block without a jump falls through to the next one.
void Statements::writeSwitch(const Stmt& s) {
  const Id selector = emitter_.value(s.switchSelector());
  const auto children = program.blockStatements(program.stmts[s.switchBody()]);
  const Id merge = b.id();

  // A first pass over the labels, because OpSwitch lists them before the blocks.
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  const TypeId selectorType = emitter_.typeOf(s.switchSelector());
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
    code_.branch(merge);
    code_.startBlock(merge);
    return;
  }
  const bool hasDefault = defaultLabel != merge;
  code_.selectionMerge(merge, s.selectionControl());
  code_.make<op::Switch>(
      {.selector = selector, .defaultLabel = defaultLabel, .targets = module.scratchFrom(mark)});
  module.scratch.resize(mark);
  code_.open = false;

  targets_.push_back({merge, {}, false});
  uint32_t next = firstSegment;
  bool inLabels = false;
  for (StmtId child : children) {
    const Stmt& c = program.stmts[child];
    if (c.kind == StmtKind::Case || c.kind == StmtKind::Default) {
      if (!inLabels) {
        const Id segmentLabel(next++);
        code_.branch(segmentLabel);  // falls through
        code_.startBlock(segmentLabel);
        inLabels = true;
      }
      continue;
    }
    inLabels = false;
    write(child);
  }
  const bool reached = code_.open || !hasDefault || targets_.back().breakUsed;
  code_.branch(merge);
  targets_.pop_back();
  code_.leaveConstruct();
  code_.startBlock(merge);
  if (!reached) {
    code_.make<op::Unreachable>();
    code_.open = false;
  }
}

void Statements::writeReturn(const Stmt& s) {
  const ExprId returned = s.returnValue();
  if (!returned || program.functions[function_].result == kVoidType) {
    if (returned) (void)emitter_.value(returned);
    code_.make<op::Return>();
  } else {
    const Id v = emitter_.value(returned);
    code_.make<op::ReturnValue>({.value = v});
  }
  code_.open = false;
}

}  // namespace coopc::emit
