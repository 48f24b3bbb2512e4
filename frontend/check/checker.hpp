// The checker's shared state. Parsing and checking are one walk: the parser (parse/) recognizes the grammar
// and calls the checks (check/), which build the typed program bottom-up. Checks are free functions that
// take this context, one header per topic:
//   check/scopes.hpp        names in scope
//   check/expressions.hpp   operators, conversions, constructors, calls
//   check/folding.hpp       constant expressions
//   check/declarations.hpp  types, qualifiers, variables, blocks, functions
//   check/statements.hpp    statements
//   program/block_layout.hpp  std140, std430, scalar
//   check/builtins/resolve.hpp  built-in functions and overload resolution
//   check/extensions/matrices/rules.hpp  cooperative matrices and tensors
#pragma once

#include <array>
#include <unordered_map>
#include <unordered_set>

#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/check/member_table.hpp"
#include "frontend/check/scopes.hpp"
#include "frontend/check/unwritten.hpp"
#include "frontend/language/availability.hpp"
#include "frontend/language/names.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {

struct Checker {
  const CompileOptions& options;
  Diagnostics& diagnostics;
  Names& names;
  Program& program;
  Scopes scopes;

  ExtensionSet enabled;  ///< in force at the current line (Enable, Require, Warn)
  ExtensionSet warnOn;   ///< behavior `warn`: each use warns
  /// The last directive of GL_KHR_cooperative_matrix, of one that implies it, or of `all` disables it.
  bool matrixDisabled = false;
  uint32_t version = 450;
  bool es = false;
  FnId currentFunction;
  /// Default precisions by scope (ES; 4.7.4), managed by the parser.
  Precision defaultInt = Precision::None;
  Precision defaultFloat = Precision::None;
  /// Functions that were passed to matrix built-ins; checked as roots of the call graph at the end of the
  /// text.
  struct Callback {
    FnId function;
    SourceLoc loc;  ///< of the argument
    BuiltinOp op;   ///< CoopMatLoadTensor, CoopMatReduce, CoopMatPerElement
  };
  std::vector<Callback> callbacks;
  /// Functions by hash of name and parameter types; whether one was defined; the end of each name's chain of
  /// overloads. Look-ups only (check/declarations_functions.cpp).
  std::unordered_multimap<uint64_t, FnId> signatures;
  IdVector<FnId, bool> definedFunctions;
  std::unordered_map<FnId, FnId> lastOverload;
  /// Blocks whose members get their offsets at the end of the text, because uses determine the sizes of their
  /// arrays (4.1.9).
  struct LateLayout {
    StructId block;
    uint32_t align;  ///< `align` of the block; 0 if there is none
  };
  std::vector<LateLayout> lateLayouts;
  UnwrittenVariables unwritten;  ///< of the current function
  MemberTable memberTable;
  /// The qualifiers of `layout(...) out;`, which apply to the outputs that follow (4.4.2).
  struct OutputDefaults {
    uint32_t stream = 0;
    uint32_t captureBuffer = 0;
  } outputDefaults;
  /// Built-in outputs of mesh shaders that are written for all views at once, and those written for each view
  /// (GL_NV_mesh_shader, 7.1), as Variable::builtin.
  std::array<std::array<uint16_t, 2>, 5> viewWrites{};
  std::unordered_set<uint32_t> skippedNames;  ///< skipName()
  /// An output that `invariant` names after its declaration, and the first expression after that.
  struct LateInvariant {
    VarId variable;
    uint32_t member;  ///< of a block; kNoLayout: the variable
    NameId name;
    SourceLoc loc;
    ExprId after;
  };
  std::vector<LateInvariant> lateInvariants;
  /// Image parameters on which functions perform atomics: the images that are passed need the format.
  struct ImageAtomic {
    VarId parameter;
    NameId function;
    uint32_t format;  ///< spv::ImageFormat
    std::string_view formatText, clause;
  };
  std::vector<ImageAtomic> imageAtomics;
  bool sizedLate = false;  ///< expressions were typed before an interface's arrays got their size

  Checker(const CompileOptions& o, Diagnostics& d, Names& n, Program& p)
      : options(o), diagnostics(d), names(n), program(p), scopes(n, o.observer) {}

  const Expr& expr(ExprId id) const { return program.exprs[id]; }
  TypeId typeOf(ExprId id) const { return program.exprs[id].type; }
  TypeInfo type(TypeId id) const { return program.types[id]; }
  bool has(ExtensionId e) const { return enabled.has(e); }
  /// allows(): whether the version or an enabled extension allows a feature. needs(): what it needs, for
  /// messages.
  bool allows(Feature f) const { return availability(f).holds(es, version, enabled); }
  [[gnu::cold]] std::string needs(Feature f) const { return featureNeeds(f, es); }
  /// Reports `what` unless its feature is allowed.
  void require(Feature f, std::string_view what, SourceLoc loc) {
    if (!allows(f)) report(DiagKind::ExtensionNeeded, loc, {what, needs(f)});
  }
  /// Notes a name that error recovery skipped. The skipped text may have declared it, so its uses are not
  /// reported as errors.
  void skipName(NameId name) {
    if (diagnostics.errorCount() != 0 && diagnostics.suppress == 0) skippedNames.insert(name.index());
  }
  bool wasSkipped(NameId name) const {
    return !skippedNames.empty() && skippedNames.count(name.index()) != 0;
  }
  /// Whether derivatives exist but are zero: in compute shaders without a derivative group, by
  /// GL_NV_compute_shader_derivatives (issue 4). Levels of detail are then the base level.
  /// GL_KHR_compute_shader_derivatives requires a group.
  bool derivativesAreZero() const {
    return has(ExtensionId::GL_NV_compute_shader_derivatives) && program.findWorkgroup() != nullptr &&
           !program.hasDerivatives();
  }
  [[gnu::cold]] std::string typeText(TypeId id) const { return typeName(program, names, id); }
  template <DiagArgKind... Kinds>
  [[gnu::cold]] DiagBuilder report(DiagKindOf<Kinds...> kind, SourceLoc loc, const DiagArgs<Kinds...>& args) {
    return diagnostics.report(kind, loc, args);
  }
  [[gnu::cold]] DiagBuilder report(DiagKindOf<> kind, SourceLoc loc) { return diagnostics.report(kind, loc); }
  /// The node that replaces an expression after an error; all further checks accept it silently.
  [[gnu::cold]] ExprId error(SourceLoc loc) { return program.addExpr(Expr::error(loc)); }
  bool isError(ExprId id) const { return program.exprs[id].type == kErrorType; }
  ExprId constant(ConstId c, SourceLoc loc) {
    return program.addExpr(Expr::constant({program.constants[c].type, 0, loc}, c));
  }
  /// The constant value of an expression, or none. Includes specialization constant expressions (see
  /// Constant::isSpec).
  ConstId constantOf(ExprId id) const {
    return expr(id).op == ExprOp::Constant ? expr(id).constant() : ConstId();
  }
};

}  // namespace coopc::frontend
