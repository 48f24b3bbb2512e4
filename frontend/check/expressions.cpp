// Primary expressions (literals, names, calls), and requirements of the grammar: conditions and constant
// integral expressions (GLSL 4.60, 3.8, 4.2.2, 4.3.3, 7.1, 7.3).
#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/builtins/resolve.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/check/target.hpp"

namespace coopc::frontend {

// ----------------------------------------------------------------------------------------------------- names

ConstId localSizeConstant(Program& program, Names& names, uint32_t dimension, SourceLoc loc) {
  LocalSize& size = program.workgroup().localSize;
  size.used = true;
  if (size.constantId[dimension] == kNoLayout) return program.constants.uint32(size.value[dimension]);
  if (!size.constant[dimension]) {
    // A separate variable carries the id, as `layout(constant_id = ...) const uint` would.
    Variable v;
    v.name = names.intern("gl_WorkGroupSize");
    v.type = kUint;
    v.loc = loc;
    v.storage = Storage::Constant;
    v.constantId = size.constantId[dimension];
    const VarId id = program.variables.add(v);
    size.constant[dimension] = program.constants.spec(kUint, size.value[dimension], id);
    program.variables[id].constant = size.constant[dimension];
  }
  return size.constant[dimension];
}

namespace {

ExprId workGroupSize(Checker& c, SourceLoc loc) {
  const LocalSize& size = c.program.workgroup().localSize;
  const bool declared = size.declared[0] || size.declared[1] || size.declared[2] ||
                        size.constantId[0] != kNoLayout || size.constantId[1] != kNoLayout ||
                        size.constantId[2] != kNoLayout;
  if (!declared && !size.used) c.report(DiagKind::WorkGroupSizeUndeclared, loc);
  ConstId parts[3];
  for (uint32_t i = 0; i < 3; ++i) parts[i] = localSizeConstant(c.program, c.names, i, loc);
  return c.constant(c.program.constants.composite(basicType(Scalar::Uint, 3), parts), loc);
}

uint8_t variableFlags(const Checker& c, const Variable& v) {
  uint8_t flags = 0;
  if (v.precision != Precision::None)
    flags = flagsOfPrecision(v.precision);
  else if (hasPrecision(c.program, v.type))
    flags = kExprHighp;
  if (v.qualifiers & kQualNonUniform) flags |= kExprNonUniform;
  return flags;
}

// A buffer reference block with an instance name also declares a variable (GL_EXT_buffer_reference, 4.3.9).
// Programs seldom mean that, so it needs a binding only where it is used.
void requireReferenceBinding(Checker& c, Variable& v, SourceLoc loc) {
  if (v.storage != Storage::StorageBlock || v.binding != kNoLayout || c.options.autoBindUniforms) return;
  TypeInfo info = c.type(v.type);
  while (info.kind == TypeKind::Array) info = c.type(info.element());
  if (info.kind != TypeKind::Struct || !c.program.structs[info.structure()].bufferReference) return;
  v.binding = 0;  // reported once
  c.report(DiagKind::MissingBinding, loc, {"block instance", c.names.text(v.name)})
      .note(v.loc, "declared here");
}

ExprId variableExpression(Checker& c, VarId id, SourceLoc loc) {
  Variable& v = c.program.variables[id];
  if (v.type == kErrorType) return c.error(loc);
  requireReferenceBinding(c, v, loc);
  const uint8_t flags = variableFlags(c, v);
  if (v.storage == Storage::Constant && v.constant)
    return c.program.addExpr(Expr::constant({v.type, flags, loc}, v.constant, id));
  const ExprId e =
      c.program.addExpr(Expr::variable({v.type, static_cast<uint8_t>(flags | kExprLvalue), loc}, id));
  if (v.unwritten) c.unwritten.use(id, e);
  return e;
}

// Whether a text that says nothing about GL_KHR_cooperative_matrix may name the symbol: a constant that this
// extension alone has, in GLSL of a version that the extension needs. Programs that use matrices only on some
// devices name such constants without enabling it (decision 77).
bool isMatrixConstant(const Checker& c, const BuiltinSymbol& symbol) {
  constexpr ExtensionId kMatrix = ExtensionId::GL_KHR_cooperative_matrix;
  return symbol.constant && symbol.anyOf == ExtensionSet{kMatrix} && !c.es &&
         c.version >= extensionInfo(kMatrix).minVersion && !c.matrixDisabled;
}

// A built-in variable or constant; none if no such name is available.
ExprId builtinExpression(Checker& c, NameId name, SourceLoc loc, bool& unavailable) {
  const uint16_t index = c.names[name].builtinSymbol;
  if (index == 0) return {};
  const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(index - 1));
  if (!builtinSymbolOfStage(c, symbol)) return {};
  if (!builtinSymbolAvailable(c, symbol)) {
    if (!isMatrixConstant(c, symbol)) {
      unavailable = true;
      return {};
    }
    c.report(DiagKind::MatrixConstantExtension, loc, {symbol.name});
  }
  if ((c.es ? symbol.minEsVersion : symbol.minVersion) == 0)
    warnOfExtension(c, symbol.name, symbol.anyOf, loc);
  if (symbol.name == "gl_WorkGroupSize") return workGroupSize(c, loc);
  if (symbol.constant) {
    if (isScalarType(symbol.type))
      return c.constant(
          c.program.constants.scalar(symbol.type, static_cast<uint32_t>(builtinConstantValue(c, symbol))),
          loc);
    const ConstId parts[3] = {c.program.constants.int32(builtinConstantValue(c, symbol, 0)),
                              c.program.constants.int32(builtinConstantValue(c, symbol, 1)),
                              c.program.constants.int32(builtinConstantValue(c, symbol, 2))};
    return c.constant(c.program.constants.composite(symbol.type, parts), loc);
  }
  if ((c.es ? symbol.minEsVersion : symbol.minVersion) == 0 &&
      !requireTarget(c, symbol.name, symbol.anyOf, loc))
    return c.error(loc);
  const BuiltinPlace place = builtinPlace(c, static_cast<uint16_t>(index - 1), loc);
  if (!place.variable) return c.error(loc);
  const ExprId e = variableExpression(c, place.variable, loc);
  return place.member && !c.isError(e) ? checkMemberIndex(c, e, *place.member, loc) : e;
}

// Where a built-in variable exists: in other stages, or as a member of one of this stage's blocks.
void noteStages(DiagBuilder& report, const Checker& c, const BuiltinSymbol& symbol) {
  const std::string_view array = builtinBlockOf(c, symbol.name);
  if (!array.empty()) {
    report.note({}, "here it is a member of the elements of `" + std::string(array) + "`");
    return;
  }
  std::vector<std::string_view> stages;
  for (unsigned i = 0; i < kStageCount; ++i)
    if (contains(symbol.inputs | symbol.outputs, static_cast<Stage>(i)))
      stages.push_back(stageInfo(static_cast<Stage>(i)).text);
  std::string text;
  for (size_t i = 0; i < stages.size(); ++i)
    text += (i == 0 ? "" : i + 1 == stages.size() ? " and " : ", ") + std::string(stages[i]);
  if (!text.empty()) report.note({}, "it exists in " + text + " shaders");
}

ExprId reportUnknownName(Checker& c, NameId name, SourceLoc loc, bool unavailable) {
  const std::string_view text = c.names.text(name);
  if (unavailable) {
    const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(c.names[name].builtinSymbol - 1));
    DiagBuilder report = c.report(DiagKind::UnavailableName, loc, {text});
    if (symbol.spvBuiltIn == kPlainOutput) {
      report.note({},
                  "it is part of GLSL before `#version 420`; later texts declare an output at location 0");
      return c.error(loc);
    }
    const uint32_t version = c.es ? symbol.minEsVersion : symbol.minVersion;
    std::string needs;
    // If the version is new enough, the stage is the reason: only the extensions have the name in this stage.
    if (c.version < version)
      needs = "`#version " + std::to_string(version) + (c.es ? " es" : "") + "` or later";
    if (const std::string extensions = extensionNames(c, symbol.anyOf); !extensions.empty())
      needs += (needs.empty() ? "extension " : ", or extension ") + extensions;
    if (!needs.empty()) report.note({}, "it needs " + needs);
    return c.error(loc);
  }
  if (c.names[name].builtinName != 0) {
    c.report(DiagKind::FunctionAsValue, loc, {text});
    return c.error(loc);
  }
  if (const uint16_t builtin = c.names[name].builtinSymbol; builtin != 0) {
    const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(builtin - 1));
    DiagBuilder report = c.report(DiagKind::NameOfOtherStage, loc, {text, stageInfo(c.options.stage).text});
    // OpenGL's name; ray tracing has a variable of the same name.
    if (text == "gl_InstanceID" && c.options.stage == Stage::Vertex) report.suggest("gl_InstanceIndex");
    noteStages(report, c, symbol);
    return c.error(loc);
  }
  if (c.wasSkipped(name)) return c.error(loc);
  DiagBuilder report = c.report(DiagKind::UndeclaredName, loc, {text});
  suggestFor(c, report, loc, text);
  return c.error(loc);
}

}  // namespace

void warnUnusedResult(Checker& c, ExprId statement) {
  const Expr& e = c.expr(statement);
  if (e.op != ExprOp::CallBuiltin || (e.flags & kExprSideEffects) != 0 || e.type == kVoidType) return;
  switch (builtinGroup(e.builtin())) {
    case BuiltinGroup::CoopMat:
    case BuiltinGroup::CoopMatNV:
    case BuiltinGroup::CoopVec:
    case BuiltinGroup::Tensor:
    case BuiltinGroup::TensorAccess: c.report(DiagKind::UnusedResult, e.loc); break;
    default: break;
  }
}

ExprId checkName(Checker& c, NameId name, SourceLoc loc) {
  if (const Symbol* symbol = c.scopes.find(name)) {
    if (c.options.observer != nullptr) [[unlikely]]
      c.options.observer->use(symbol->kind, name, symbol->id, symbol->member, loc);
    switch (symbol->kind) {
      case SymbolKind::Variable: return variableExpression(c, symbol->variable(), loc);
      case SymbolKind::Function:
        return c.program.addExpr(Expr::functionName({kFunctionNameType, 0, loc}, symbol->function()));
      case SymbolKind::BlockMember: {
        const uint32_t member = symbol->member;
        const ExprId base = variableExpression(c, symbol->variable(), loc);
        return c.isError(base) ? base : checkMemberIndex(c, base, member, loc);
      }
      case SymbolKind::BlockName: {
        const SourceLoc declared = symbol->loc;
        c.report(DiagKind::BlockNameAsValue, loc, {c.names.text(name)}).note(declared, "declared here");
        return c.error(loc);
      }
      case SymbolKind::Type: return reportUnknownName(c, name, loc, false);  // the parser reads a constructor
    }
  }
  bool unavailable = false;
  const ExprId builtin = builtinExpression(c, name, loc, unavailable);
  return builtin ? builtin : reportUnknownName(c, name, loc, unavailable);
}

namespace {

// Notes the overload that was chosen, or after an error the first one.
void noteCall(Checker& c, NameId name, ExprId call, SourceLoc loc) {
  const Symbol* symbol = c.scopes.find(name);
  if (symbol == nullptr) return;
  const Expr& e = c.expr(call);
  const bool chosen = e.op == ExprOp::Call;
  const uint32_t id = chosen ? c.program.callee(e).index() : symbol->id;
  c.options.observer->use(symbol->kind, name, id, symbol->member, loc);
  if (symbol->kind == SymbolKind::Function) c.options.observer->resolveCall(loc, FnId(id));
}

}  // namespace

ExprId checkCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  const ExprId call = resolveCall(c, name, args, loc);
  if (c.options.observer != nullptr) [[unlikely]]
    noteCall(c, name, call, loc);
  return call;
}

// ---------------------------------------------------------------------------------------------- requirements

ExprId checkCondition(Checker& c, ExprId condition, SourceLoc loc) {
  if (c.isError(condition) || !requireValue(c, condition)) return c.error(loc);
  const TypeId type = c.typeOf(condition);
  if (type == kBool) return condition;
  DiagBuilder report = c.report(DiagKind::ConditionType, c.expr(condition).loc, {c.typeText(type)});
  const ExprOp op = c.expr(condition).op;
  if (isVectorType(type) && basicScalar(type) == Scalar::Bool)
    report.note({}, "use `all()` or `any()` to reduce it to one bool");
  else if (op == ExprOp::Assign)
    report.note({}, "this is an assignment: `==` compares");
  else if (isScalarType(type))
    report.note({}, "compare it with 0, or write `bool(...)`");
  return c.error(loc);
}

ConstId requireConstantInteger(Checker& c, ExprId value, std::string_view what, bool allowSpec) {
  if (c.isError(value) || !requireValue(c, value)) return {};
  const Expr e = c.expr(value);
  const ConstId constant = c.constantOf(value);
  if (!isScalarType(e.type) || !isIntScalar(basicScalar(e.type))) {
    c.report(DiagKind::ConstantIntegerType, e.loc, {what, c.typeText(e.type)});
    return {};
  }
  if (!constant) {
    DiagBuilder report = c.report(DiagKind::NotConstant, e.loc, {what});
    const VarId variable = rootVariable(c.program, value);
    if (variable && c.program.variables[variable].builtin == 0)
      report.note(c.program.variables[variable].loc,
                  (c.program.variables[variable].qualifiers & kQualConst) != 0
                      ? "its initializer is not a constant expression"
                      : "this variable is not `const`");
    else if (e.op == ExprOp::Comma)
      report.note({}, "the sequence operator does not form constant expressions");
    else if (e.op == ExprOp::Call)
      report.note({}, "calls of user-defined functions are not constant expressions");
    return {};
  }
  if (!allowSpec && c.program.constants[constant].isSpec) {
    c.report(DiagKind::SpecConstantNotAllowed, e.loc, {what});
    return {};
  }
  return constant;
}

}  // namespace coopc::frontend
