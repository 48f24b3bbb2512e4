// Checks that need the whole text: sizes of arrays, the entry point, the call graph with recursion and
// reachability, and rules between declarations. All walks keep their own stacks.
#include <algorithm>
#include <map>
#include <utility>

#include "frontend/base/suggestion.hpp"
#include "frontend/check/builtins/prototypes.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/extensions/fragment_interlock.hpp"
#include "frontend/check/extensions/image_processing.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/ray_tracing.hpp"
#include "frontend/check/extensions/tile_image.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/check/primitives.hpp"
#include "frontend/program/type_queries.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kCycleNotes = 16;  // calls of a cycle that are listed

// Arrays that were never given a size extend to the largest constant index that is used, or have one element
// (4.1.9). Blocks with such members are laid out here.
void sizeArrays(Checker& c) {
  Program& p = c.program;
  bool any = !c.lateLayouts.empty() || c.sizedLate;
  const auto isUnsized = [&](TypeId type) {
    if (isBasic(type)) return false;
    const TypeInfo info = p.types[type];
    return info.kind == TypeKind::Array && info.arraySize() == kUnsizedArray;
  };
  const auto sized = [&](TypeId type, uint32_t size) {
    return p.types.array(p.types[type].element(), p.constants.uint32(std::max(size, 1u)));
  };
  // gl_ClipDistancePerViewNV and similar members have an array without a size for each view.
  const auto isUnsizedPerView = [&](TypeId type) {
    return !isBasic(type) && p.types.kind(type) == TypeKind::Array && isUnsized(p.types[type].element());
  };
  // "Unsized arrays of opaque uniforms, uniform blocks, and shader storage blocks are run-time sized if there
  // is a static use of a non-constant expression to index that array. All other unsized arrays are implicitly
  // sized." (GL_EXT_nonuniform_qualifier, 4.1.9)
  const auto isImplicitResource = [&](const Variable& v) {
    if (!isResource(v.storage) || v.descriptorHeap || v.implicitSize == kSizedAtRunTime || isBasic(v.type))
      return false;
    const TypeInfo info = p.types[v.type];
    return info.kind == TypeKind::Array && info.arraySize() == kRuntimeArray;
  };
  for (Variable& v : p.variables) {
    const bool resource = isImplicitResource(v);
    if (!isUnsized(v.type) && !resource) continue;
    any = true;
    v.type = v.implicitSize == kSizedAtRunTime ? p.types.array(p.types[v.type].element(), kRuntimeArray)
                                               : sized(v.type, v.implicitSize);
  }
  if (!c.lateLayouts.empty()) p.structLayouts.clear();
  for (const Checker::LateLayout& late : c.lateLayouts) {
    StructInfo& s = p.structs[late.block];
    s.unsizedArray = false;
    for (uint32_t i = 0; i < s.members.size(); ++i) {
      Member& m = p.members[s.members[i]];
      if (isUnsized(m.type))
        m.type = sized(m.type, m.implicitSize);
      else if (isUnsizedPerView(m.type))
        m.type = p.types.array(sized(p.types[m.type].element(), m.implicitSize), p.types[m.type].arraySize());
      s.unsizedArray |= containsUnsized(p, m.type);
    }
    if (!isInterface(s.storage) && !isHeap(s.storage)) layOutBlock(c, s, late.align);
  }
  if (!any) return;
  for (Expr& e : p.exprs) {
    if (e.op == ExprOp::Variable && !isBasic(e.type) && p.types.kind(e.type) == TypeKind::Array)
      e.type = p.variables[e.variable()].type;
    if (!isUnsized(e.type) && !isUnsizedPerView(e.type)) continue;
    if (e.op == ExprOp::Index) e.type = p.types[p.exprs[e.indexBase()].type].element();
    if (e.op == ExprOp::Member)
      e.type = p.membersOf(p.types[p.exprs[e.memberBase()].type].structure())[e.memberIndex()].type;
  }
}

class CallGraph {
 public:
  explicit CallGraph(Checker& c) : c_(c), p_(c.program) {}

  void run() {
    collect();
    reportRecursion();
    markReachable();
    reportUndefined();
  }

 private:
  struct Edge {
    FnId to;
    SourceLoc loc;
  };
  struct Node {
    uint32_t firstEdge = 0, edgeCount = 0;
    uint32_t firstUse = 0, useCount = 0;  // in uses_
  };

  // Whether an expression refers to anything that useExpr() marks. Most are of basic types and only have
  // operands.
  bool refers(const Expr& e) const {
    if (e.type >= kFirstDerived) return true;
    switch (e.op) {
      case ExprOp::Constant: return p_.constants[e.constant()].isSpec;
      case ExprOp::Variable:
      case ExprOp::CoopMatLength:
      case ExprOp::Decorate: return true;
      default: return false;
    }
  }

  // Visits each expression below `root` once.
  void walkExpr(ExprId root) {
    exprStack_.push_back(root);
    while (!exprStack_.empty()) {
      const ExprId id = exprStack_.back();
      exprStack_.pop_back();
      if (seen_[id]) continue;
      seen_[id] = true;
      const Expr& e = p_.exprs[id];
      if (refers(e)) uses_.push_back(id);
      if (e.op == ExprOp::Call) edges_.push_back({p_.callee(e), e.loc});
      if (e.op == ExprOp::FunctionName) {
        edges_.push_back({e.functionName(), e.loc});
        p_.functions[e.functionName()].usedAsCallback = true;
      }
      const size_t mark = exprStack_.size();
      forEachOperand(p_, e, [&](ExprId operand) { exprStack_.push_back(operand); });
      std::reverse(exprStack_.begin() + static_cast<std::ptrdiff_t>(mark), exprStack_.end());
    }
  }

  void walkBody(StmtId body) {
    stmtStack_.push_back(body);
    while (!stmtStack_.empty()) {
      const Stmt s = p_.stmts[stmtStack_.back()];
      stmtStack_.pop_back();
      const size_t mark = stmtStack_.size();
      if (s.kind == StmtKind::Decl) declared_.push_back(s.declared());
      forEachPart(
          p_, s, [&](StmtId part) { stmtStack_.push_back(part); }, [&](ExprId e) { walkExpr(e); });
      std::reverse(stmtStack_.begin() + static_cast<std::ptrdiff_t>(mark), stmtStack_.end());
    }
  }

  void collect() {
    seen_.resize(p_.exprs.size());
    nodes_.resize(p_.functions.size());
    for (const FnId f : p_.functions.ids()) {
      Node& n = nodes_[f];
      n.firstEdge = static_cast<uint32_t>(edges_.size());
      n.firstUse = static_cast<uint32_t>(uses_.size());
      if (p_.functions[f].body) walkBody(p_.functions[f].body);
      n.edgeCount = static_cast<uint32_t>(edges_.size()) - n.firstEdge;
      n.useCount = static_cast<uint32_t>(uses_.size()) - n.firstUse;
    }
  }

  // Depth-first search: an edge to a function that is still open closes a cycle. There is one report for each
  // set of functions.
  void reportRecursion() {
    enum : uint8_t { kNew, kOpen, kDone };
    IdVector<FnId, uint8_t> state(p_.functions.size(), kNew);
    IdVector<FnId, bool> reported(p_.functions.size(), false);
    struct Frame {
      FnId function;
      uint32_t next;
    };
    std::vector<Frame> stack;
    for (const FnId root : p_.functions.ids()) {
      if (state[root] != kNew) continue;
      stack.push_back({root, 0});
      state[root] = kOpen;
      while (!stack.empty()) {
        Frame& top = stack.back();
        const Node& n = nodes_[top.function];
        if (top.next == n.edgeCount) {
          state[top.function] = kDone;
          stack.pop_back();
          continue;
        }
        const Edge& e = edges_[n.firstEdge + top.next++];
        if (state[e.to] == kNew) {
          state[e.to] = kOpen;
          stack.push_back({e.to, 0});
        } else if (state[e.to] == kOpen && !reported[e.to]) {
          size_t from = stack.size() - 1;
          while (stack[from].function != e.to) --from;
          auto d = c_.diagnostics.report(DiagKind::Recursion, p_.functions[e.to].loc,
                                         {c_.names.text(p_.functions[e.to].name)}, c_.options.checksOff);
          for (size_t i = from; i < stack.size(); ++i) {
            const Frame& frame = stack[i];
            const Edge& call = edges_[nodes_[frame.function].firstEdge + frame.next - 1];
            reported[frame.function] = true;
            if (i - from < kCycleNotes)
              d.note(call.loc, "`" + std::string(c_.names.text(p_.functions[frame.function].name)) +
                                   "` calls `" + std::string(c_.names.text(p_.functions[call.to].name)) +
                                   "` here");
          }
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------------- reachability

  void useConstant(ConstId id) {
    constStack_.push_back(id);
    while (!constStack_.empty()) {
      const ConstId at = constStack_.back();
      constStack_.pop_back();
      if (at.index() >= p_.constants.size()) continue;
      if (!constSeen_.contains(at)) constSeen_.resize(p_.constants.size());
      if (constSeen_[at]) continue;
      constSeen_[at] = true;
      const Constant& k = p_.constants[at];
      typeStack_.push_back(k.type);
      if (!k.isSpec) continue;
      if (k.kind == ConstKind::Spec)
        p_.variables[p_.constants.specDeclaration(at)].used = true;
      else
        for (ConstId operand : p_.constants.operands(at)) constStack_.push_back(operand);
    }
  }

  // Specialization constants that sizes and parameters of a type depend on, through structs and references.
  void useType(TypeId type) {
    typeStack_.push_back(type);
    while (!typeStack_.empty()) {
      const TypeId at = typeStack_.back();
      typeStack_.pop_back();
      if (at < kFirstDerived) continue;
      if (!typeSeen_.contains(at)) typeSeen_.resize(p_.types.size());
      if (typeSeen_[at]) continue;
      typeSeen_[at] = true;
      const TypeInfo info = p_.types[at];
      switch (info.kind) {
        case TypeKind::Array:
          typeStack_.push_back(info.element());
          if (info.hasArraySize()) useConstant(info.arraySize());
          break;
        case TypeKind::Struct:
        case TypeKind::Reference:
        case TypeKind::BufferType:
          for (const Member& m : p_.membersOf(info.structure())) typeStack_.push_back(m.type);
          break;
        case TypeKind::SpirvType: useOperands(p_.spirvTypes[info.spirvType()].operands); break;
        default:
          for (ConstId param : p_.types.params(at)) useConstant(param);
          break;
      }
    }
  }

  void useVariable(VarId v) {
    Variable& variable = p_.variables[v];
    if (variable.used) return;
    variable.used = true;
    useType(variable.type);
    if (variable.constant) useConstant(variable.constant);
    if (variable.init) pendingInits_.push_back(variable.init);
    useDecorations(variable.spirvDecorations);
    if (isHeap(variable.storage)) useHeapOffset(variable);
  }
  [[gnu::noinline]] void useHeapOffset(const Variable& block) {
    if (block.heapOffset) pendingInits_.push_back(block.heapOffset);
  }

  // Constants and variables that decorations, types and execution modes of GL_EXT_spirv_intrinsics name.
  void useOperands(const std::vector<SpirvOperand>& operands) {
    for (const SpirvOperand& o : operands) {
      if (o.kind == SpirvOperand::Kind::Constant) useConstant(o.constant());
      if (o.kind == SpirvOperand::Kind::Type) useType(o.type());
      if (o.kind == SpirvOperand::Kind::Expression) useExpr(p_.exprs[o.expression()]);
    }
  }
  void useDecorations(DecorationListId list) {
    for (const SpirvDecorationId d : p_.decorationLists[list]) useOperands(p_.spirvDecorations[d].operands);
  }

  void useExpr(const Expr& e) {
    useType(e.type);
    switch (e.op) {
      case ExprOp::Variable: useVariable(e.variable()); break;
      case ExprOp::Constant: useConstant(e.constant()); break;
      case ExprOp::CoopMatLength: useType(e.lengthOf()); break;
      case ExprOp::Decorate: useDecorations(e.decorations()); break;
      default: break;
    }
  }

  void reach(FnId f, SourceLoc from) {
    Function& fn = p_.functions[f];
    if (fn.reachable) return;
    fn.reachable = true;
    if (!fn.body && !fn.spirvInstruction) undefined_.push_back({f, from});
    functionStack_.push_back(f);
  }

  // The initializer of a global runs in the entry point, so functions that it calls are reachable.
  void useInit(ExprId init) {
    const size_t firstEdge = edges_.size();
    const size_t firstUse = uses_.size();
    walkExpr(init);
    for (size_t i = firstEdge; i < edges_.size(); ++i) reach(edges_[i].to, edges_[i].loc);
    for (size_t i = firstUse; i < uses_.size(); ++i) useExpr(p_.exprs[uses_[i]]);
  }

  bool hasEffects(ExprId init) {
    const Expr& e = p_.exprs[init];
    return (e.flags & kExprSideEffects) || e.op == ExprOp::Call;
  }

  void markReachable() {
    if (!p_.entryPoint) return;
    reach(p_.entryPoint, p_.functions[p_.entryPoint].loc);
    for (const SpirvExecutionMode& m : p_.spirvExecutionModes) useOperands(m.operands);
    // An initializer with side effects runs even if its variable is not used.
    for (VarId g : p_.globals)
      if (p_.variables[g].init && hasEffects(p_.variables[g].init)) useVariable(g);
    while (!functionStack_.empty() || !pendingInits_.empty()) {
      if (!pendingInits_.empty()) {
        const ExprId init = pendingInits_.back();
        pendingInits_.pop_back();
        useInit(init);
        continue;
      }
      const FnId f = functionStack_.back();
      functionStack_.pop_back();
      const Function& fn = p_.functions[f];
      useType(fn.result);
      for (const VarId v : fn.params) useVariable(v);
      const Node n = nodes_[f];
      for (uint32_t i = 0; i < n.edgeCount; ++i)
        reach(edges_[n.firstEdge + i].to, edges_[n.firstEdge + i].loc);
      for (uint32_t i = 0; i < n.useCount; ++i) useExpr(p_.exprs[uses_[n.firstUse + i]]);
    }
    // Locals that are declared but never used still need the constants of their types.
    for (VarId v : declared_)
      if (p_.functions[p_.variables[v].owner].reachable) useType(p_.variables[v].type);
  }

  void reportUndefined() {
    std::sort(undefined_.begin(), undefined_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [f, loc] : undefined_)
      c_.report(DiagKind::FunctionUndefined, loc, {c_.names.text(p_.functions[f].name)})
          .note(p_.functions[f].loc, "it is declared here");
  }

  Checker& c_;
  Program& p_;
  IdVector<FnId, Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<ExprId> uses_;  // of things that reachable code marks as used
  std::vector<VarId> declared_;
  IdVector<ExprId, bool> seen_;
  IdVector<ConstId, bool> constSeen_;
  IdVector<TypeId, bool> typeSeen_;
  std::vector<ExprId> exprStack_;
  std::vector<StmtId> stmtStack_;
  std::vector<ConstId> constStack_;
  std::vector<TypeId> typeStack_;
  std::vector<FnId> functionStack_;
  std::vector<ExprId> pendingInits_;
  std::vector<std::pair<FnId, SourceLoc>> undefined_;
};

void findEntryPoint(Checker& c) {
  Program& p = c.program;
  for (const FnId f : p.functions.ids()) {
    const Function& fn = p.functions[f];
    const std::string_view name = c.names.text(fn.name);
    if (fn.body && fn.params.empty() && (name == c.options.entryPoint || name == "main")) {
      p.entryPoint = f;
      return;
    }
  }
  // After an error, main itself may have been lost.
  if (c.diagnostics.errorCount() != 0) return;
  DiagBuilder report = c.report(DiagKind::EntryPointMissing, SourceLoc{}, {c.options.entryPoint});
  for (const FnId f : p.functions.ids()) {
    const Function& fn = p.functions[f];
    const std::string_view name = c.names.text(fn.name);
    Suggestion near(name);
    near.offer("main");
    if (fn.body && (!near.best().empty() || name == "mainImage"))
      report.note(fn.loc, "`" + std::string(name) + "` is another function" +
                              (name == "mainImage" ? ", which Shadertoy calls: `main` must call it" : ""));
  }
}

// Rules between declarations: specialization ids, shared blocks together with shared variables.
void checkBetweenDeclarations(Checker& c) {
  Program& p = c.program;
  std::vector<std::pair<uint32_t, VarId>> ids;
  VarId sharedBlock;
  VarId sharedVariable;
  for (VarId g : p.globals) {
    const Variable& v = p.variables[g];
    if (v.constantId != kNoLayout) ids.emplace_back(v.constantId, g);
    if (v.storage == Storage::SharedBlock && !sharedBlock) sharedBlock = g;
    if (v.storage == Storage::Shared && !sharedVariable) sharedVariable = g;
  }
  std::stable_sort(ids.begin(), ids.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 1; i < ids.size(); ++i)
    if (ids[i].first == ids[i - 1].first)
      c.report(DiagKind::SpecConstantIdReused, p.variables[ids[i].second].loc, {ids[i].first})
          .note(p.variables[ids[i - 1].second].loc, "the first one is here");
  if (sharedBlock && sharedVariable)
    c.report(DiagKind::SharedBlockMixed, p.variables[sharedBlock].loc)
        .note(p.variables[sharedVariable].loc, "a shared variable is declared here");
}

// Uses before a redeclaration with `invariant` (4.8.1). Expressions have ids in the order of the text.
void finishInvariants(Checker& c) {
  const Program& p = c.program;
  if (c.lateInvariants.empty()) return;
  std::map<std::pair<VarId, uint32_t>, Checker::LateInvariant> last;
  for (const Checker::LateInvariant& late : c.lateInvariants) last[{late.variable, late.member}] = late;
  for (const ExprId id : p.exprs.ids()) {
    const Expr& e = p.exprs[id];
    std::pair<VarId, uint32_t> place(VarId(), kNoLayout);
    if (e.op == ExprOp::Variable)
      place.first = e.variable();
    else if (e.op == ExprOp::Member && p.exprs[e.memberBase()].op == ExprOp::Variable)
      place = {p.exprs[e.memberBase()].variable(), e.memberIndex()};
    const auto found = place.first ? last.find(place) : last.end();
    if (found == last.end() || id >= found->second.after) continue;
    c.report(DiagKind::InvariantLate, found->second.loc, {c.names.text(found->second.name)})
        .note(e.loc, "it is used here");
    last.erase(found);
  }
}

void checkWorkgroup(Checker& c) {
  Program& p = c.program;
  if (!stageInfo(p.stage).has(kHasWorkgroup)) return;
  const LocalSize& size = p.workgroup().localSize;
  const auto known = [&](unsigned i) { return size.constantId[i] == kNoLayout; };
  if (p.workgroup().derivativeGroup == DerivativeGroup::Quads)
    for (unsigned i = 0; i < 2; ++i)
      if (known(i) && size.value[i] % 2 != 0) {
        c.report(DiagKind::DerivativeGroupSize, p.workgroup().derivativeGroupLoc,
                 {"derivative_group_quads", "local_size_x and local_size_y that are even"});
        break;
      }
  if (p.workgroup().derivativeGroup == DerivativeGroup::Linear && known(0) && known(1) && known(2) &&
      uint64_t{size.value[0]} * size.value[1] % 4 * size.value[2] % 4 != 0)
    c.report(DiagKind::DerivativeGroupSize, p.workgroup().derivativeGroupLoc,
             {"derivative_group_linear", "a local size of a multiple of four invocations"});
}

void checkReferences(Checker& c) {
  for (const StructInfo& s : c.program.structs)
    if (s.bufferReference && !s.complete)
      c.report(DiagKind::ReferenceUndefined, s.loc, {c.names.text(s.name)});
}

// Explicit bindings are counted from the base of the resource's kind. With -fauto-bind-uniforms, resources
// without a binding get the lowest one that is free in their set, in declaration order, starting at that
// base; unused resources need none.
void bindResources(Checker& c) {
  Program& p = c.program;
  const auto baseOf = [&](const Variable& v) -> const uint32_t* {
    if (v.descriptorHeap) return nullptr;
    const uint32_t* base = c.options.bindingBase;
    switch (v.storage) {
      case Storage::UniformBlock: return base + 3;
      case Storage::StorageBlock: return base + 4;
      case Storage::Uniform: break;
      default: return nullptr;
    }
    const TypeId t = elementOf(p, v.type);
    static constexpr uint32_t kNoBase = 0;  // no option gives one to acceleration structures
    if (t == kAccelerationStructureType) return &kNoBase;
    if (p.types.kind(t) != TypeKind::Image) return base + 1;
    switch (p.types[t].image().kind) {
      case ImageKind::Sampler:
      case ImageKind::SamplerShadow: return base;
      case ImageKind::Storage: return base + 2;
      default: return base + 1;
    }
  };
  std::vector<std::pair<uint32_t, uint32_t>> taken;  // (set, binding), sorted
  for (VarId g : p.globals) {
    Variable& v = p.variables[g];
    const uint32_t* base = baseOf(v);
    if (v.binding == kNoLayout || base == nullptr) continue;
    v.binding += std::min(*base, kNoLayout - 1 - v.binding);
    if (c.options.autoBindUniforms) taken.emplace_back(v.set == kNoLayout ? 0 : v.set, v.binding);
  }
  if (!c.options.autoBindUniforms) return;
  std::sort(taken.begin(), taken.end());
  for (VarId g : p.globals) {
    Variable& v = p.variables[g];
    const uint32_t* base = baseOf(v);
    if (base == nullptr || v.binding != kNoLayout || !v.used) continue;
    std::pair<uint32_t, uint32_t> slot(v.set == kNoLayout ? 0 : v.set, *base);
    auto at = std::lower_bound(taken.begin(), taken.end(), slot);
    for (; at != taken.end() && *at == slot; ++at) {
      if (at + 1 != taken.end() && *(at + 1) == slot) continue;  // two variables may share a binding
      ++slot.second;
    }
    v.binding = slot.second;
    taken.insert(at, slot);
  }
}

}  // namespace

void finishProgram(Checker& c) {
  sizeArrays(c);
  checkBetweenDeclarations(c);
  checkWorkgroup(c);
  checkReferences(c);
  finishInvariants(c);
  builtins::finishImageAtomics(c);
  finishInterfaces(c);
  findEntryPoint(c);
  finishPrimitives(c);
  finishInterlock(c);
  finishTileImages(c);
  finishImageProcessing(c);
  CallGraph(c).run();
  finishRayTracing(c);
  finishSubpassInputs(c);
  bindResources(c);
  checkMatrixProgram(c);
}

}  // namespace coopc::frontend
