// Warns about strides of tensor layouts that are too small for the dimensions, if constants show it
// (GL_NV_cooperative_matrix2, 4.1.X: "s<i> must be at least s<i+1>*ceiling(dim<i+1> / t.blockSize[i+1])").
// Statements that always run one after the other are followed, with the dimensions and block sizes of each
// variable's layout. At branches, loops, labels and calls of functions, these are forgotten. Strides that do
// not descend are reported by tensor_calls.cpp, whatever the dimensions are.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::frontend {

namespace {

// A value of each dimension; none: not a constant.
using Values = std::array<std::optional<uint32_t>, kMaxTensorDimensions>;

// The dimensions and block sizes that a layout was given; none: not known.
struct Layout {
  std::optional<Values> dimensions, blockSizes;
};

class Strides {
 public:
  explicit Strides(Checker& c) : c_(c), program_(c.program) {}

  void statement(StmtId id) {
    const Stmt& s = program_.stmts[id];
    const bool straight = s.kind == StmtKind::Block || s.kind == StmtKind::Decl || s.kind == StmtKind::Expr;
    const auto boundary = [&] {
      if (!straight) known_.clear();
    };
    boundary();
    forEachPart(
        program_, s,
        [&](StmtId part) {
          statement(part);
          boundary();
        },
        [&](ExprId part) {
          expression(part);
          boundary();
        });
    if (s.kind == StmtKind::Decl && s.initializer() && isLayout(s.initializer()))
      known_[s.declared()] = layoutOf(s.initializer());
  }

 private:
  bool isLayout(ExprId e) const { return program_.types.kind(c_.typeOf(e)) == TypeKind::TensorLayout; }

  void expression(ExprId root) {
    std::vector<ExprId> setters;
    bool writes = false;  // a layout is written before a setter, or by a function
    forEachExpression(program_, root, [&](ExprId id) {
      const Expr& e = program_.exprs[id];
      writes = writes || e.op == ExprOp::Call || (e.op == ExprOp::Assign && id != root && isLayout(id));
      if (e.op == ExprOp::CallBuiltin && e.builtin() == BuiltinOp::SetTensorLayoutStride)
        setters.push_back(id);
    });
    if (writes) known_.clear();
    for (const ExprId setter : setters) checkStrides(program_.operands(program_.exprs[setter]));
    const Expr& whole = program_.exprs[root];
    if (whole.op != ExprOp::Assign || !isLayout(root)) return;
    if (const Expr& to = program_.exprs[whole.left()]; to.op == ExprOp::Variable)
      known_[to.variable()] = layoutOf(whole.right());
  }

  // The arguments after the layout.
  Values valuesOf(std::span<const ExprId> args) const {
    Values values;
    for (size_t i = 1; i < args.size() && i <= values.size(); ++i)
      if (const std::optional<int64_t> value = literalArgument(c_, args[i]))
        values[i - 1] = static_cast<uint32_t>(*value);
    return values;
  }

  // From the outermost call inward: of each kind of call, the outermost one counts.
  Layout layoutOf(ExprId at) const {
    Layout layout;
    for (;;) {
      const Expr& e = program_.exprs[at];
      if (e.op == ExprOp::Variable) {
        if (const auto found = known_.find(e.variable()); found != known_.end()) {
          if (!layout.dimensions) layout.dimensions = found->second.dimensions;
          if (!layout.blockSizes) layout.blockSizes = found->second.blockSizes;
        }
        return layout;
      }
      if (e.op != ExprOp::CallBuiltin) return layout;
      const std::span<const ExprId> args = program_.operands(e);
      switch (e.builtin()) {
        case BuiltinOp::CreateTensorLayout:
          if (!layout.blockSizes) layout.blockSizes.emplace().fill(1);
          return layout;
        case BuiltinOp::SetTensorLayoutDimension:
          if (!layout.dimensions) layout.dimensions = valuesOf(args);
          break;
        case BuiltinOp::SetTensorLayoutBlockSize:
          if (!layout.blockSizes) layout.blockSizes = valuesOf(args);
          break;
        case BuiltinOp::SetTensorLayoutStride:
        case BuiltinOp::SetTensorLayoutClampValue:
        case BuiltinOp::SliceTensorLayout: break;
        default: return layout;
      }
      at = args[0];
    }
  }

  void checkStrides(std::span<const ExprId> args) const {
    const Layout layout = layoutOf(args[0]);
    if (!layout.dimensions || !layout.blockSizes) return;
    const Values strides = valuesOf(args);
    for (uint32_t i = 0; i + 1 < strides.size(); ++i) {
      const auto outer = strides[i], inner = strides[i + 1], dimension = (*layout.dimensions)[i + 1],
                 block = (*layout.blockSizes)[i + 1];
      if (!outer || !inner || !dimension || block.value_or(0) == 0 || *outer < *inner) continue;
      const uint64_t least = *inner * ((uint64_t{*dimension} + *block - 1) / *block);
      if (*outer < least)
        c_.report(DiagKind::TensorStrideBelowDimension, c_.expr(args[i + 1]).loc, {i, *outer, least, i + 1});
    }
  }

  Checker& c_;
  const Program& program_;
  std::map<VarId, Layout> known_;
};

}  // namespace

void warnTensorStrides(Checker& c) {
  const Program& program = c.program;
  for (const Function& f : program.functions) {
    const bool sets = f.body && std::any_of(f.exprs.begin(), f.exprs.end(), [&](ExprId id) {
                        const Expr& e = program.exprs[id];
                        return e.op == ExprOp::CallBuiltin && e.builtin() == BuiltinOp::SetTensorLayoutStride;
                      });
    if (sets) Strides(c).statement(f.body);
  }
}

}  // namespace coopc::frontend
