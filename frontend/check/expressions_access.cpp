// Access to parts of values: components, members, elements, `length()` (GLSL 4.60, 5.5 to 5.7), and the rules
// for what may be written and read: l-values (5.8) and memory qualifiers (4.10).
#include <algorithm>

#include "frontend/base/suggestion.hpp"
#include "frontend/check/builtins/resolve.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/extensions/mesh_shading.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

// ------------------------------------------------------------------------------------------ chains of access

ExprId rootExpression(const Program& program, ExprId e) {
  for (;;) {
    const Expr& x = program.exprs[e];
    // A reference points to separate memory: the variable that holds the reference is not accessed.
    if (!isAccess(x.op)) return e;
    const TypeKind kind = program.types.kind(program.exprs[x.accessBase()].type);
    if (kind == TypeKind::Reference || kind == TypeKind::BufferType) return e;
    e = x.accessBase();
  }
}

VarId rootVariable(const Program& program, ExprId e) {
  const Expr& root = program.exprs[rootExpression(program, e)];
  return root.op == ExprOp::Variable ? root.variable() : VarId();
}

namespace {

// The structure that a type is, or is an array of any dimensions of; or none.
StructId structOf(const Program& program, TypeId type) {
  for (;;) {
    if (isBasic(type)) return {};
    const TypeInfo info = program.types[type];
    if (info.kind == TypeKind::Struct || info.kind == TypeKind::Reference ||
        info.kind == TypeKind::BufferType)
      return info.structure();
    if (info.kind != TypeKind::Array) return {};
    type = info.element();
  }
}

// A block's instance, or an array of them.
bool isBlock(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  TypeInfo info = program.types[type];
  while (info.kind == TypeKind::Array && !isBasic(info.element())) info = program.types[info.element()];
  return info.kind == TypeKind::Struct && program.structs[info.structure()].block;
}

// The member that an ExprOp::Member selects, nullptr for other expressions.
Member* memberOf(Program& program, ExprId e) {
  const Expr& x = program.exprs[e];
  if (x.op != ExprOp::Member) return nullptr;
  const StructId s = structOf(program, program.exprs[x.memberBase()].type);
  return !s || x.memberIndex() >= program.structs[s].members.size()
             ? nullptr
             : &program.members[program.structs[s].members[x.memberIndex()]];
}

// The qualifiers of a block's instance. Qualifiers of the memory that a reference points to do not apply to
// the reference itself (GL_EXT_buffer_reference, 4.3.9).
uint32_t blockQualifiers(const Program& program, TypeId type) {
  return isBlock(program, type) ? program.structs[structOf(program, type)].qualifiers : 0;
}

}  // namespace

uint32_t accessQualifiers(const Program& program, ExprId e) {
  uint32_t qualifiers = 0;
  for (;;) {
    const Expr& x = program.exprs[e];
    switch (x.op) {
      case ExprOp::Variable:
        return qualifiers | program.variables[x.variable()].qualifiers |
               blockQualifiers(program, program.variables[x.variable()].type);
      case ExprOp::Member: {
        const TypeId base = program.exprs[x.memberBase()].type;
        const StructId s = structOf(program, base);
        if (!s) return qualifiers;
        if (x.memberIndex() < program.structs[s].members.size())
          qualifiers |= program.membersOf(s)[x.memberIndex()].qualifiers;
        const TypeKind kind = program.types.kind(base);
        if (kind == TypeKind::Reference) return qualifiers | program.structs[s].qualifiers;
        // Instances of a buffer type have qualifiers of their own.
        if (kind == TypeKind::BufferType) qualifiers |= program.structs[s].qualifiers;
        break;
      }
      case ExprOp::Index:
        if (program.types.kind(program.exprs[x.indexBase()].type) == TypeKind::Reference) return qualifiers;
        break;
      case ExprOp::Swizzle: break;
      default: return qualifiers;
    }
    e = x.accessBase();
  }
}

Precision expressionPrecision(const Program& program, ExprId e) {
  const uint8_t flags = program.exprs[e].flags;
  if (flags & kExprRelaxed) return Precision::Medium;
  return flags & kExprHighp ? Precision::High : Precision::None;
}

// --------------------------------------------------------------------------------------- reading and writing

namespace {

// An l-value as it is written, for messages: `block.member`, `list[...].count`.
std::string accessText(const Checker& c, ExprId e, uint32_t depth) {
  const Expr& x = c.expr(e);
  switch (x.op) {
    case ExprOp::Variable: return std::string(c.names.text(c.program.variables[x.variable()].name));
    case ExprOp::Swizzle: return depth > 8 ? "..." : accessText(c, x.swizzleBase(), depth + 1);
    case ExprOp::Index: return depth > 8 ? "..." : accessText(c, x.indexBase(), depth + 1) + "[...]";
    case ExprOp::Member: {
      const StructId s = structOf(c.program, c.typeOf(x.memberBase()));
      std::string member(c.names.text(c.program.membersOf(s)[x.memberIndex()].name));
      const Expr& base = c.expr(x.memberBase());
      if (base.op == ExprOp::Variable && c.program.variables[base.variable()].blockAlias) return member;
      return (depth > 8 ? "..." : accessText(c, x.memberBase(), depth + 1)) + "." + member;
    }
    default: return "...";
  }
}

std::string accessText(const Checker& c, ExprId e) { return accessText(c, e, 0); }

}  // namespace

std::string expressionText(const Checker& c, ExprId e) { return accessText(c, e); }

bool contradictsReferenceBlock(Checker& c, ExprId e, uint32_t qualifier) {
  for (ExprId at = e;;) {
    const Expr& x = c.expr(at);
    if (x.op == ExprOp::Member) {
      const TypeId base = c.typeOf(x.memberBase());
      const StructId s = structOf(c.program, base);
      if (!s || x.memberIndex() >= c.program.structs[s].members.size() ||
          (c.program.membersOf(s)[x.memberIndex()].qualifiers & qualifier) != 0)
        return false;
      if (c.program.types.kind(base) == TypeKind::Reference) {
        StructInfo& block = c.program.structs[s];
        if ((block.qualifiers & qualifier) == 0) return false;
        block.contradicted |= qualifier;
        const bool written = qualifier == kQualReadonly;
        c.report(DiagKind::ReferenceQualifier, c.expr(e).loc,
                 {accessText(c, e), written ? "written" : "read", written ? "readonly" : "writeonly"})
            .note(block.loc, "the block is declared here");
        return true;
      }
    } else if (!isAccess(x.op)) {
      return false;
    }
    at = x.accessBase();
  }
}

bool requireValue(Checker& c, ExprId value, bool tolerated) {
  const Expr& e = c.expr(value);
  if (e.type == kErrorType) return false;
  if ((e.flags & kExprLvalue) != 0) {
    if (!isBasic(e.type) && isBlock(c.program, e.type)) {
      c.report(DiagKind::BlockAsValue, e.loc, {accessText(c, value)});
      return false;
    }
    if (!checkMeshRead(c, value)) return false;
    if ((accessQualifiers(c.program, value) & kQualWriteonly) == 0) return true;
    if (containsOpaque(c.program, e.type)) return true;  // `writeonly` applies to texels and elements
    if (contradictsReferenceBlock(c, value, kQualWriteonly)) return true;
    if (tolerated) {
      c.report(DiagKind::WriteonlyRead, e.loc, {accessText(c, value)});
      return true;
    }
    const Expr copy = e;
    const ExprId root = rootExpression(c.program, value);
    const VarId variable = rootVariable(c.program, value);
    DiagBuilder report = c.report(DiagKind::ReadOfWriteonly, copy.loc, {accessText(c, value)});
    if (variable)
      report.note(c.program.variables[variable].loc, "declared here");
    else if (c.expr(root).op == ExprOp::Member)
      report.note({}, "the member says `writeonly`");
    return false;
  }
  if (e.type == kVoidType) {
    c.report(DiagKind::VoidValue, e.loc);
    return false;
  }
  if (e.type == kFunctionNameType) {
    const FnId f = e.op == ExprOp::FunctionName ? e.functionName() : FnId();
    c.report(DiagKind::FunctionAsValue, e.loc, {f ? c.names.text(c.program.functions[f].name) : "function"});
    return false;
  }
  return true;
}

namespace {

// Describes an expression that cannot be written.
std::string_view valueKind(const Expr& e) {
  switch (e.op) {
    case ExprOp::Constant: return "a constant";
    case ExprOp::Call:
    case ExprOp::CallBuiltin: return "the result of a call";
    case ExprOp::Construct:
    case ExprOp::Splat:
    case ExprOp::Convert:
    case ExprOp::MatrixDiagonal:
    case ExprOp::MatrixResize:
    case ExprOp::SampledImage:
    case ExprOp::Decorate: return "a constructed value";
    case ExprOp::Select: return "the result of `?:`";
    case ExprOp::Comma: return "the result of `,`";
    case ExprOp::Assign:
    case ExprOp::AddAssign:
    case ExprOp::SubAssign:
    case ExprOp::MulAssign:
    case ExprOp::DivAssign:
    case ExprOp::ModAssign:
    case ExprOp::ShiftLeftAssign:
    case ExprOp::ShiftRightAssign:
    case ExprOp::AndAssign:
    case ExprOp::OrAssign:
    case ExprOp::XorAssign: return "the result of an assignment";
    case ExprOp::PreIncrement:
    case ExprOp::PreDecrement:
    case ExprOp::PostIncrement:
    case ExprOp::PostDecrement: return "the result of an increment or decrement";
    case ExprOp::ArrayLength:
    case ExprOp::CoopMatLength: return "a length";
    case ExprOp::FunctionName: return "a function";
    case ExprOp::Index: return "a reference that was computed";
    default: return "the result of an operator";
  }
}

// Whether a member is one of a uniform buffer in a heap.
bool isUniformBuffer(const Program& program, const Expr& member) {
  const TypeInfo base = program.types[program.exprs[member.memberBase()].type];
  return base.kind == TypeKind::BufferType &&
         program.structs[base.structure()].storage == Storage::UniformBlock;
}

bool hasDuplicates(uint32_t swizzle) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < (swizzle & 15); ++i) {
    const uint32_t bit = 1u << ((swizzle >> (4 + 4 * i)) & 15);
    if (seen & bit) return true;
    seen |= bit;
  }
  return false;
}

bool reportNotWritable(Checker& c, DiagKindOf<DiagArgKind::Text, DiagArgKind::Text> kind, SourceLoc loc,
                       std::string_view what, ExprId target, const Variable& v) {
  const std::string name = target ? accessText(c, target) : std::string(c.names.text(v.name));
  DiagBuilder report = c.report(kind, loc, {what, name});
  if (v.builtin == 0) report.note(v.loc, "`" + std::string(c.names.text(v.name)) + "` is declared here");
  return false;
}

// 4.3.6: invocations of a tessellation control shader write their own vertex only.
bool checkVertexWritten(Checker& c, ExprId target, SourceLoc loc) {
  for (ExprId e = target; isAccess(c.expr(e).op); e = c.expr(e).accessBase()) {
    const Expr& x = c.expr(e);
    const Expr& base = c.expr(x.accessBase());
    if (x.op != ExprOp::Index || base.op != ExprOp::Variable) continue;
    const Variable& v = c.program.variables[base.variable()];
    if (!isArrayed(c, v.storage, c.program.interfaceOf(v.interface).patch) || v.builtin != 0) continue;
    const Expr& index = c.expr(x.indexValue());
    const uint16_t builtin =
        index.op == ExprOp::Variable ? c.program.variables[index.variable()].builtin : uint16_t{0};
    if (builtin != 0 && builtinSymbol(static_cast<uint16_t>(builtin - 1)).name == "gl_InvocationID") continue;
    c.report(DiagKind::PatchVertexWrite, loc, {c.names.text(v.name)});
    return false;
  }
  return true;
}

}  // namespace

bool requireLvalue(Checker& c, ExprId target, SourceLoc loc, std::string_view what) {
  if (c.isError(target)) return false;
  for (ExprId e = target; c.expr(e).op == ExprOp::Swizzle; e = c.expr(e).swizzleBase())
    if (hasDuplicates(c.expr(e).swizzleSelection())) {
      c.report(DiagKind::DuplicateSwizzle, loc, {what});
      return false;
    }
  const Expr root = c.expr(rootExpression(c.program, target));
  if (root.op == ExprOp::Constant && root.constantName())
    return reportNotWritable(c, DiagKind::WriteToConst, loc, what, {},
                             c.program.variables[root.constantName()]);
  if ((c.expr(target).flags & kExprLvalue) == 0 && root.op == ExprOp::Variable) {
    c.report(DiagKind::NotLvalue, loc, {what, "a constructed value"});
    return false;
  }
  const bool throughReference = root.op == ExprOp::Member;
  if (throughReference && isUniformBuffer(c.program, root)) {
    c.report(DiagKind::WriteToUniform, loc, {what, accessText(c, target)});
    return false;
  }
  if (root.op != ExprOp::Variable && !throughReference) {
    c.report(DiagKind::NotLvalue, loc, {what, valueKind(root)});
    return false;
  }
  const uint32_t qualifiers = accessQualifiers(c.program, target);
  if (throughReference) {
    if ((qualifiers & kQualReadonly) == 0 || contradictsReferenceBlock(c, target, kQualReadonly)) return true;
    c.report(DiagKind::WriteToReadonly, loc, {what, accessText(c, target)})
        .note({}, "the member says `readonly`");
    return false;
  }
  const Variable& v = c.program.variables[root.variable()];
  switch (v.storage) {
    case Storage::Uniform:
    case Storage::UniformBlock:
    case Storage::PushConstant: return reportNotWritable(c, DiagKind::WriteToUniform, loc, what, target, v);
    case Storage::ResourceHeap:
    case Storage::SamplerHeap:
      c.report(DiagKind::WriteToReadonly, loc, {what, accessText(c, target)})
          .clause("GL_EXT_structured_descriptor_heap, 4.3.10 \"Heap Blocks\"");
      return false;
    case Storage::Input: return reportNotWritable(c, DiagKind::WriteToInput, loc, what, target, v);
    case Storage::Constant: return reportNotWritable(c, DiagKind::WriteToConst, loc, what, {}, v);
    case Storage::ShaderRecord:
      return reportNotWritable(c, DiagKind::WriteToShaderRecord, loc, what, target, v);
    case Storage::TaskPayload:
      if (c.options.stage == Stage::Task) break;
      return reportNotWritable(c, DiagKind::WriteToTaskPayload, loc, what, target, v);
    case Storage::HitAttribute:
      if (c.options.stage == Stage::Intersection) break;
      return reportNotWritable(c, DiagKind::WriteToHitAttribute, loc, what, target, v);
    default: break;
  }
  if (v.direction == Direction::ConstIn || (v.qualifiers & kQualConst) != 0)
    return reportNotWritable(c, DiagKind::WriteToConst, loc, what, {}, v);
  const TypeKind kind = c.program.types.kind(c.typeOf(target));
  if (isOpaqueKind(kind) || containsKind(c.program, c.typeOf(target), TypeKind::SpirvType) ||
      (kind != TypeKind::TensorLayout && kind != TypeKind::TensorView &&
       containsOpaque(c.program, c.typeOf(target)))) {
    c.report(DiagKind::WriteToOpaque, loc, {what, c.typeText(c.typeOf(target))});
    return false;
  }
  if (v.storage == Storage::Output && c.options.stage == Stage::TessControl &&
      !checkVertexWritten(c, target, loc))
    return false;
  if (v.storage == Storage::Output && !checkMeshWrite(c, target, loc)) return false;
  if ((qualifiers & kQualReadonly) != 0)
    return reportNotWritable(c, DiagKind::WriteToReadonly, loc, what, target, v);
  if (v.unwritten) c.unwritten.write(c, rootExpression(c.program, target), root.variable());
  return true;
}

// ---------------------------------------------------------------------------------------------------- fields

namespace {

// One of the three sets of component names: set number and component, or -1.
int componentName(char ch, int& set) {
  switch (ch) {
    case 'x': set = 0; return 0;
    case 'y': set = 0; return 1;
    case 'z': set = 0; return 2;
    case 'w': set = 0; return 3;
    case 'r': set = 1; return 0;
    case 'g': set = 1; return 1;
    case 'b': set = 1; return 2;
    case 'a': set = 1; return 3;
    case 's': set = 2; return 0;
    case 't': set = 2; return 1;
    case 'p': set = 2; return 2;
    case 'q': set = 2; return 3;
    default: return -1;
  }
}

ExprId checkSwizzle(Checker& c, ExprId base, std::string_view text, SourceLoc loc) {
  const Expr b = c.expr(base);
  const uint32_t size = basicRows(b.type);
  const Scalar s = basicScalar(b.type);
  int firstSet = -1;
  uint32_t packed = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    int set = 0;
    const int component = componentName(text[i], set);
    if (component < 0) {
      c.report(DiagKind::SwizzleName, loc, {text, c.typeText(b.type)});
      return c.error(loc);
    }
    if (i >= 4) continue;  // reported below, once all names are known to be component names
    if (firstSet >= 0 && set != firstSet) {
      c.report(DiagKind::SwizzleMixedSets, loc, {text});
      return c.error(loc);
    }
    firstSet = set;
    if (static_cast<uint32_t>(component) >= size) {
      c.report(DiagKind::SwizzleRange, loc, {text.substr(i, 1), c.typeText(b.type)});
      return c.error(loc);
    }
    packed |= static_cast<uint32_t>(component) << (4 + 4 * i);
  }
  if (text.size() > 4) {
    c.report(DiagKind::SwizzleTooLong, loc, {text});
    return c.error(loc);
  }
  // Storage-only vectors allow the selection of single components only (GL_EXT_shader_16bit_storage, 4.1.X).
  if (text.size() > 1 && !requireArithmetic(c, s, loc, "swizzle")) return c.error(loc);
  packed |= static_cast<uint32_t>(text.size());
  const TypeId type = basicType(s, static_cast<uint32_t>(text.size()));
  if (b.op == ExprOp::Constant) {
    const ConstId value = b.constant();
    const ConstId folded = foldOperation(c, ExprOp::Swizzle, type, {&value, 1}, loc, packed);
    if (folded)
      return c.program.addExpr(Expr::constant({type, resultFlags(c.program, type, b.flags), loc}, folded));
  }
  ExprId from = base;
  if (b.op == ExprOp::Swizzle &&
      !hasDuplicates(b.swizzleSelection())) {  // v.zyx.x is v.z; v.xx.x stays: it is not an l-value
    uint32_t composed = packed & 15;
    for (uint32_t i = 0; i < (packed & 15); ++i) {
      const uint32_t selected = (packed >> (4 + 4 * i)) & 15;
      composed |= ((b.swizzleSelection() >> (4 + 4 * selected)) & 15) << (4 + 4 * i);
    }
    packed = composed;
    from = b.swizzleBase();
  }
  const uint8_t flags = static_cast<uint8_t>(resultFlags(c.program, type, b.flags) | (b.flags & kExprLvalue));
  return c.program.addExpr(Expr::swizzle({type, flags, loc}, from, packed));
}

ExprId checkMember(Checker& c, ExprId base, StructId s, NameId field, SourceLoc loc) {
  const StructInfo& info = c.program.structs[s];
  if (!info.complete) {
    c.report(DiagKind::IncompleteReference, loc, {c.names.text(info.name)})
        .note(info.loc, "declared here, without members");
    return c.error(loc);
  }
  if (const std::optional<uint32_t> index = c.memberTable.find(c.program, s, field))
    return checkMemberIndex(c, base, *index, loc);
  if (const std::optional<uint32_t> index = addUsedMember(c, s, field))
    return checkMemberIndex(c, base, *index, loc);
  const std::string_view wrong = c.names.text(field);
  if (hasReportedMember(c, s, wrong)) return c.error(loc);
  Suggestion suggestion(wrong);
  if (c.diagnostics.errorCount() <= c.options.limits.errors)  // as suggestFor()
    for (const Member& m : c.program.membersOf(s)) suggestion.offer(c.names.text(m.name));
  DiagBuilder report = c.report(DiagKind::NoSuchMember, loc, {c.names.text(info.name), wrong});
  if (!suggestion.best().empty()) report.suggest(suggestion.best());
  if (info.loc.valid())
    report.note(info.loc, "`" + std::string(c.names.text(info.name)) + "` is declared here");
  return c.error(loc);
}

}  // namespace

ExprId checkMemberIndex(Checker& c, ExprId base, uint32_t index, SourceLoc loc) {
  const Expr b = c.expr(base);
  const TypeInfo info = c.type(b.type);
  const Member& m = c.program.membersOf(info.structure())[index];
  if (b.op == ExprOp::Constant) {
    const ConstId value = b.constant();
    const ConstId folded = foldOperation(c, ExprOp::Member, m.type, {&value, 1}, loc, index);
    if (folded)
      return c.program.addExpr(
          Expr::constant({m.type, resultFlags(c.program, m.type, b.flags), loc}, folded));
  }
  uint8_t flags = b.flags & (kExprNonUniform | kExprSideEffects);
  flags |= info.kind == TypeKind::Reference || info.kind == TypeKind::BufferType
               ? uint8_t{kExprLvalue}
               : static_cast<uint8_t>(b.flags & kExprLvalue);
  if (m.precision != Precision::None)
    flags |= flagsOfPrecision(m.precision);
  else if (hasPrecision(c.program, m.type))
    flags |= kExprHighp;
  return c.program.addExpr(Expr::member({m.type, flags, loc}, base, index));
}

ExprId checkField(Checker& c, ExprId base, NameId field, SourceLoc loc) {
  if (c.isError(base)) return c.error(loc);
  const TypeId type = c.typeOf(base);
  if (isBasic(type)) {
    if (isScalarType(type) && !c.allows(Feature::ScalarSwizzles)) {
      c.report(DiagKind::ScalarSwizzle, loc, {c.names.text(field), c.typeText(type)});
      return c.error(loc);
    }
    if (!isMatrixType(type)) return checkSwizzle(c, base, c.names.text(field), loc);
  } else {
    const TypeInfo info = c.type(type);
    if (info.kind == TypeKind::Struct || info.kind == TypeKind::BufferType)
      return checkMember(c, base, info.structure(), field, loc);
    if (info.kind == TypeKind::Reference) {
      if (!requireValue(c, base)) return c.error(loc);  // the reference itself is read
      return checkMember(c, base, info.structure(), field, loc);
    }
  }
  if (type == kFunctionNameType && !requireValue(c, base)) return c.error(loc);
  const std::string_view name = c.names.text(field);
  DiagBuilder report = c.report(DiagKind::NoFields, loc, {c.typeText(type), name});
  if (name == "length")
    report.note({}, "`length` is a method: write `.length()`");
  else if (isMatrixType(type))
    report.note({}, "columns of a matrix are selected with `[...]`");
  else if (c.program.types.kind(type) == TypeKind::Array)
    report.note({}, "select an element with `[...]` first");
  else if (c.program.types.kind(type) == TypeKind::LongVector)
    report.note({}, "components of a `vector` type are selected with `[...]`");
  return c.error(loc);
}

// --------------------------------------------------------------------------------------------------- methods

namespace {

ExprId lengthConstant(Checker& c, ConstId count, SourceLoc loc) {
  const ConstId length = foldOperation(c, ExprOp::Convert, kInt, {&count, 1}, loc);
  return length ? c.constant(length, loc) : c.error(loc);
}

ExprId checkArrayLength(Checker& c, ExprId base, const TypeInfo& info, SourceLoc loc) {
  if (info.hasArraySize()) return lengthConstant(c, info.arraySize(), loc);
  const Expr b = c.expr(base);
  if (info.arraySize() == kUnsizedArray) {
    c.report(DiagKind::LengthOfUnsized, loc);
    return c.error(loc);
  }
  if (b.op != ExprOp::Member) {
    c.report(DiagKind::LengthOfResourceArray, loc);
    return c.error(loc);
  }
  const TypeId block = c.typeOf(b.memberBase());
  if (isHeap(c.program.structs[c.type(block).structure()].storage)) {
    // The heap has no known size (SPV_EXT_descriptor_heap: OpUntypedArrayLengthKHR takes storage buffers).
    c.report(DiagKind::LengthOfResourceArray, loc);
    return c.error(loc);
  }
  if (c.program.types.kind(block) == TypeKind::Reference) {
    c.report(DiagKind::LengthThroughReference, loc, {c.typeText(block)});
    return c.error(loc);
  }
  const TypeInfo owner = c.type(block);
  if ((owner.kind == TypeKind::Struct || owner.kind == TypeKind::BufferType) &&
      c.program.structs[owner.structure()].storage == Storage::UniformBlock) {
    c.report(DiagKind::LengthOfUniformArray, loc);
    return c.error(loc);
  }
  const auto flags = static_cast<uint8_t>((b.flags & kExprSideEffects) | kExprHighp);
  return c.program.addExpr(Expr::unary(ExprOp::ArrayLength, {kInt, flags, loc}, base));
}

// length() of a value that has one; none for others.
ExprId lengthOf(Checker& c, ExprId base, TypeId type, SourceLoc loc) {
  if (!isScalarType(type) && isBasic(type)) {
    if (!c.es && c.allows(Feature::VectorLength)) {
      const uint32_t n = isMatrixType(type) ? basicColumns(type) : basicRows(type);
      return c.constant(c.program.constants.int32(static_cast<int32_t>(n)), loc);
    }
  } else if (!isBasic(type)) {
    const TypeInfo info = c.type(type);
    switch (info.kind) {
      case TypeKind::Array: return checkArrayLength(c, base, info, loc);
      case TypeKind::LongVector:
      case TypeKind::CoopVec: return lengthConstant(c, c.program.types.params(type)[0], loc);
      case TypeKind::CoopMat: return c.program.addExpr(Expr::matrixLength({kInt, kExprHighp, loc}, type));
      case TypeKind::CoopMatNV:
        // "the value returned is a constant expression" (GL_NV_cooperative_matrix, 5.X);
        // GL_KHR_cooperative_matrix does not say so.
        return c.constant(c.program.constants.specOp(ExprOp::CoopMatLength, kInt, {}, type.index()), loc);
      default: break;
    }
  }
  return {};
}

// Methods that HLSL and Metal have on textures and images, and what GLSL has in their place.
struct OtherMethod {
  std::string_view name;
  std::string_view texture;
  std::string_view image;
};
constexpr OtherMethod kOtherMethods[] = {
    {"CalculateLevelOfDetail", "textureQueryLod(sampler, coordinates).x", ""},
    {"CalculateLevelOfDetailUnclamped", "textureQueryLod(sampler, coordinates).y", ""},
    {"Gather", "textureGather(sampler, coordinates)", ""},
    {"GatherAlpha", "textureGather(sampler, coordinates, 3)", ""},
    {"GatherBlue", "textureGather(sampler, coordinates, 2)", ""},
    {"GatherCmp", "textureGather(shadow sampler, coordinates, reference)", ""},
    {"GatherGreen", "textureGather(sampler, coordinates, 1)", ""},
    {"GatherRed", "textureGather(sampler, coordinates, 0)", ""},
    {"GetDimensions", "textureSize(sampler, level)", "imageSize(image)"},
    {"Load", "texelFetch(sampler, coordinates, level)", "imageLoad(image, coordinates)"},
    {"Sample", "texture(sampler, coordinates)", ""},
    {"SampleBias", "texture(sampler, coordinates, bias)", ""},
    {"SampleCmp", "texture(shadow sampler, coordinates and reference)", ""},
    {"SampleCmpLevelZero", "textureLod(shadow sampler, coordinates and reference, 0.0)", ""},
    {"SampleGrad", "textureGrad(sampler, coordinates, dx, dy)", ""},
    {"SampleLevel", "textureLod(sampler, coordinates, level)", ""},
    {"Store", "", "imageStore(image, coordinates, value)"},
    {"gather", "textureGather(sampler, coordinates)", ""},
    {"get_height", "textureSize(sampler, level).y", "imageSize(image).y"},
    {"get_width", "textureSize(sampler, level).x", "imageSize(image).x"},
    {"read", "texelFetch(sampler, coordinates, level)", "imageLoad(image, coordinates)"},
    {"sample_compare", "texture(shadow sampler, coordinates and reference)", ""},
    {"write", "", "imageStore(image, coordinates, value)"},
};

// The function that does what a method of another language does; "" if there is none.
std::string_view functionForMethod(const Checker& c, TypeId type, std::string_view name) {
  if (c.program.types.kind(type) != TypeKind::Image) return {};
  const bool image = c.type(type).image().kind == ImageKind::Storage;
  for (const OtherMethod& m : kOtherMethods)
    if (m.name == name) return image ? m.image : m.texture;
  return {};
}

}  // namespace

ExprId checkMethod(Checker& c, ExprId base, NameId method, std::span<const ExprId> args, SourceLoc loc) {
  if (c.isError(base)) return c.error(loc);
  const std::string_view name = c.names.text(method);
  const TypeId type = c.typeOf(base);
  // The arguments of another language's method have errors of their own: `s` in `t.Sample(s, p)`.
  bool failed = false;
  for (ExprId a : args) failed = failed || c.isError(a);
  const std::string_view instead = functionForMethod(c, type, name);
  if (failed && instead.empty()) return c.error(loc);
  // "Arrays also have a length64() method that behaves the same as the length() method, but returns an
  // int64_t."
  const bool wide = name == "length64" && c.allows(Feature::Indices64Bit);
  if (name != "length" && !wide) {
    noteUnknownCall(c, args, loc);
    DiagBuilder report = c.report(DiagKind::NoSuchMethod, loc, {c.typeText(type), name});
    if (!instead.empty()) {
      report.note({}, "GLSL has the function `" + std::string(instead) + "`");
      return c.error(loc);
    }
    Suggestion suggestion(name);
    suggestion.offer("length");
    if (!suggestion.best().empty()) report.suggest(suggestion.best());
    return c.error(loc);
  }
  if (!args.empty()) {
    c.report(DiagKind::LengthArguments, loc, {static_cast<unsigned>(args.size())});
    return c.error(loc);
  }
  if (const VarId v = rootVariable(c.program, base); v && c.program.variables[v].unwritten)
    c.unwritten.forget(rootExpression(c.program, base));
  if (const ExprId length = lengthOf(c, base, type, loc)) {
    if (!wide || c.isError(length)) return length;
    const TypeId int64 = basicType(Scalar::Int64);
    if (c.expr(length).op != ExprOp::ArrayLength) return makeConvert(c, length, int64);
    c.program.exprs[length].type = int64;
    return length;
  }
  c.report(DiagKind::NoLength, loc, {c.typeText(type)});
  return c.error(loc);
}

// -------------------------------------------------------------------------------------------------- indexing

namespace {

// Converts the index to int or uint, or to one of the wider types if allowed. None after a report.
ExprId checkIndexValue(Checker& c, ExprId index, SourceLoc loc, bool any) {
  if (!requireValue(c, index)) return {};
  const TypeId type = c.typeOf(index);
  if (isScalarType(type) && isIntScalar(basicScalar(type))) {
    const Scalar s = basicScalar(type);
    if (s == Scalar::Int || s == Scalar::Uint) return index;
    if (!requireArithmetic(c, s, c.expr(index).loc, "indexing")) return {};
    if (any || c.allows(Feature::Indices64Bit)) return index;
    if (scalarBits(s) < 32) return makeConvert(c, index, kInt);
  }
  c.report(DiagKind::IndexType, c.expr(index).loc.valid() ? c.expr(index).loc : loc, {c.typeText(type)});
  return {};
}

bool checkRange(Checker& c, ExprId base, ExprId index, int64_t count, SourceLoc loc) {
  const std::optional<int64_t> literal = literalInteger(c.program, c.constantOf(index));
  if (!literal) return true;
  const int64_t i = *literal;
  if (i >= 0 && (count < 0 || i < count)) return true;
  const SourceLoc at = c.expr(index).loc.valid() ? c.expr(index).loc : loc;
  if (count < 0)
    c.report(DiagKind::NegativeIndex, at, {i});
  else
    c.report(DiagKind::IndexOutOfRange, at, {i, c.typeText(c.typeOf(base)), count});
  return false;
}

// ESSL allows only constant indices for arrays of shader storage blocks (4.3.9) and of images (4.1.7.2). ESSL
// 3.10 requires the same for arrays of other opaque types and of uniform blocks.
bool requireConstantEs(Checker& c, ExprId base, TypeId array, ExprId index, SourceLoc loc) {
  if (c.constantOf(index)) return true;
  // 4.3.6: "Fragment shader outputs declared as arrays may only be indexed by a constant integral
  // expression."
  if (c.options.stage == Stage::Fragment && c.expr(base).op == ExprOp::Variable &&
      c.program.variables[c.expr(base).variable()].storage == Storage::Output &&
      c.program.variables[c.expr(base).variable()].builtin == 0) {
    c.report(DiagKind::IndexConstantEs, c.expr(index).loc.valid() ? c.expr(index).loc : loc,
             {"outputs of a fragment shader", c.version})
        .clause("ESSL 3.20, 4.3.6 \"Output Variables\"");
    return false;
  }
  if (c.allows(Feature::DescriptorIndexing)) return true;
  // The arrays of heaps "may be indexed with general integer expressions" (GL_EXT_descriptor_heap, 4.1.9).
  if (const VarId v = rootVariable(c.program, base); v && isHeap(c.program.variables[v].storage)) return true;
  const bool block = isBlock(c.program, array);
  if (block && isInterface(c.program.structs[structOf(c.program, array)].storage)) return true;
  const bool buffer = block && c.program.structs[structOf(c.program, array)].storage == Storage::StorageBlock;
  TypeInfo element = c.type(array);
  while (element.kind == TypeKind::Array) element = c.type(element.element());
  const bool image = element.kind == TypeKind::Image && element.image().kind == ImageKind::Storage;
  const bool early = (block || containsOpaque(c.program, array)) && !c.allows(Feature::DynamicOpaqueIndices);
  if (!buffer && !image && !early) return true;
  c.report(DiagKind::IndexConstantEs, c.expr(index).loc.valid() ? c.expr(index).loc : loc,
           {buffer  ? "shader storage blocks"
            : image ? "images"
            : block ? "uniform blocks"
                    : "opaque types",
            c.version});
  return false;
}

ExprId checkReferenceIndex(Checker& c, ExprId base, ExprId index, SourceLoc loc);

}  // namespace

bool requireReferenceArithmetic(Checker& c, std::string_view op, TypeId reference, SourceLoc loc) {
  if (c.allows(Feature::BufferReferenceArithmetic)) return true;
  c.report(DiagKind::ReferenceArithmetic, loc,
           {op, c.typeText(reference), c.needs(Feature::BufferReferenceArithmetic)});
  return false;
}

// Reports an error if the referent of a reference has no size but the operation needs it
// (GL_EXT_buffer_reference2).
bool requireReferentSize(Checker& c, TypeId reference, SourceLoc loc) {
  const StructId s = c.type(reference).structure();
  const StructInfo& info = c.program.structs[s];
  if (!info.complete) {
    c.report(DiagKind::IncompleteReference, loc, {c.names.text(info.name)})
        .note(info.loc, "declared here, without members");
    return false;
  }
  if (info.members.size() == 0) return true;
  const Member& last = c.program.membersOf(s)[info.members.size() - 1];
  const TypeInfo type = c.type(last.type);
  if (isBasic(last.type) || type.kind != TypeKind::Array ||
      (type.arraySize() != kRuntimeArray && type.arraySize() != kUnsizedArray))
    return true;
  c.report(DiagKind::ReferentUnsized, loc, {c.typeText(reference)}).note(last.loc, "the unsized array");
  return false;
}

namespace {

ExprId checkReferenceIndex(Checker& c, ExprId base, ExprId index, SourceLoc loc) {
  const TypeId type = c.typeOf(base);
  if (!requireReferenceArithmetic(c, "[]", type, loc) || !requireValue(c, base) ||
      !requireReferentSize(c, type, loc))
    return c.error(loc);
  index = checkIndexValue(c, index, loc, true);
  if (!index) return c.error(loc);
  index = makeConvert(c, index, basicType(Scalar::Int64));
  const uint8_t flags = (c.expr(base).flags | c.expr(index).flags) & (kExprNonUniform | kExprSideEffects);
  return c.program.addExpr(Expr::index({type, flags, loc}, base, index));
}

// Notes the features that would let a variable index an array without a size.
void noteHowToSize(const Checker& c, DiagBuilder& report, ExprId base, VarId variable) {
  if (!variable) return;
  const Storage storage = c.program.variables[variable].storage;
  const bool member = memberOf(c.program, base) != nullptr;
  if (!member && c.expr(base).op == ExprOp::Variable && isResource(storage))
    report.note({}, "with `#extension " + c.needs(Feature::DescriptorIndexing) +
                        " : require` it has as many elements as are bound");
  else if (member && storage == Storage::UniformBlock)
    report.note({}, "with `#extension " + c.needs(Feature::UniformUnsizedArrays) +
                        " : require` the last member of a uniform block may stay without a size");
  else if (member && storage == Storage::StorageBlock)
    report.note({}, "only the last member of a buffer block may stay without a size");
}

// Whether an array of resources without a size is run-time sized depends on "a static use of a non-constant
// expression to index that array" (GL_EXT_nonuniform_qualifier, 4.1.9): sizeArrays().
void noteResourceIndex(Checker& c, ExprId base, ExprId index) {
  const Expr& b = c.expr(base);
  if (b.op != ExprOp::Variable) return;
  Variable& v = c.program.variables[b.variable()];
  const std::optional<int64_t> i = literalInteger(c.program, c.constantOf(index));
  if (!i || *i >= 0x7FFFFFFF)
    v.implicitSize = kSizedAtRunTime;
  else
    v.implicitSize = std::max(v.implicitSize, static_cast<uint32_t>(*i) + 1);
}

// GL_NV_gpu_shader5, 4.1.7, lets invocations index arrays of samplers differently without a qualifier. SPIR-V
// requires a decoration.
void markSamplerIndex(Checker& c, TypeId element, ExprId index) {
  if (!c.allows(Feature::NonUniformSamplers) || c.constantOf(index)) return;
  const TypeId sampler = elementOf(c.program, element);
  if (c.program.types.kind(sampler) != TypeKind::Image) return;
  const ImageKind kind = c.type(sampler).image().kind;
  if (kind != ImageKind::Texture && kind != ImageKind::Storage)
    c.program.exprs[index].flags |= kExprNonUniform;
}

}  // namespace

ExprId checkIndex(Checker& c, ExprId base, ExprId index, SourceLoc loc) {
  if (c.isError(base) || c.isError(index)) return c.error(loc);
  const TypeId type = c.typeOf(base);
  const TypeInfo info = isBasic(type) ? TypeInfo{} : c.type(type);
  TypeId element = kErrorType;
  int64_t count = -1;
  bool dynamicAllowed = true;
  if (isVectorType(type)) {
    if (!requireArithmetic(c, basicScalar(type), loc, "indexing of vectors")) return c.error(loc);
    element = basicType(basicScalar(type));
    count = basicRows(type);
  } else if (isMatrixType(type)) {
    element = basicType(basicScalar(type), basicRows(type));
    count = basicColumns(type);
  } else if (!isBasic(type)) {
    switch (info.kind) {
      case TypeKind::Reference: return checkReferenceIndex(c, base, index, loc);
      case TypeKind::CoopMat:
      case TypeKind::CoopMatNV:
      case TypeKind::CoopVec:  // "There is no compile-time bounds checking of array indices."
        element = basicType(info.scalar);
        break;
      case TypeKind::LongVector:
        element = basicType(info.scalar);
        count = literalInteger(c.program, c.program.types.params(type)[0]).value_or(count);
        break;
      case TypeKind::Array: {
        element = info.element();
        if (info.arraySize() == kUnsizedArray)
          dynamicAllowed = false;
        else if (info.arraySize() != kRuntimeArray)
          count = literalInteger(c.program, info.arraySize()).value_or(count);
        break;
      }
      default: break;
    }
  }
  if (element == kErrorType) {
    DiagBuilder report = c.report(DiagKind::NotIndexable, loc, {c.typeText(type)});
    const VarId variable = rootVariable(c.program, base);
    if (variable && c.program.variables[variable].builtin == 0)
      report.note(c.program.variables[variable].loc, "declared here");
    return c.error(loc);
  }
  index = checkIndexValue(c, index, loc, false);
  if (!index) return c.error(loc);
  const bool componentsUnchecked = isMatrixOrVectorObject(info.kind) && !isBasic(type);
  if (!componentsUnchecked && !checkRange(c, base, index, count, loc)) return c.error(loc);
  if (c.es && info.kind == TypeKind::Array && !requireConstantEs(c, base, type, index, loc))
    return c.error(loc);
  if (!dynamicAllowed) {
    const VarId variable = rootVariable(c.program, base);
    const std::optional<int64_t> i = literalInteger(c.program, c.constantOf(index));
    if (!i) {
      const bool resources = variable && c.expr(base).op == ExprOp::Variable &&
                             c.allows(Feature::DescriptorIndexing) &&
                             isResource(c.program.variables[variable].storage);
      if (resources) {
        // Declared before the extension was enabled.
        c.program.variables[variable].implicitSize = kSizedAtRunTime;
      } else {
        DiagBuilder report = c.report(DiagKind::UnsizedDynamicIndex, loc);
        if (const Member* m = memberOf(c.program, base))
          report.note(m->loc, "declared here, without a size");
        else if (variable)
          report.note(c.program.variables[variable].loc, "declared here, without a size");
        noteHowToSize(c, report, base, variable);
        return c.error(loc);
      }
    } else {
      const auto needed = static_cast<uint32_t>(*i < 0x7FFFFFFF ? *i + 1 : 0x7FFFFFFF);
      // gl_ClipDistancePerViewNV and similar members are arrays of views: the array without a size is an
      // element.
      const bool ofView = c.expr(base).op == ExprOp::Index;
      if (Member* m = memberOf(c.program, ofView ? c.expr(base).indexBase() : base))
        m->implicitSize = std::max(m->implicitSize, needed);
      else if (variable && c.expr(base).op == ExprOp::Variable)
        c.program.variables[variable].implicitSize =
            std::max(c.program.variables[variable].implicitSize, needed);
    }
  }
  if (info.kind == TypeKind::Array && info.arraySize() == kRuntimeArray) noteResourceIndex(c, base, index);
  if (info.kind == TypeKind::Array) markSamplerIndex(c, element, index);
  const Expr b = c.expr(base);
  const Expr i = c.expr(index);
  if (b.op == ExprOp::Constant && i.op == ExprOp::Constant) {
    const ConstId operands[2] = {b.constant(), i.constant()};
    const ConstId folded = foldOperation(c, ExprOp::Index, element, operands, loc);
    if (folded)
      return c.program.addExpr(
          Expr::constant({element, resultFlags(c.program, element, b.flags), loc}, folded));
  }
  // The result has the precision of the indexed object, regardless of the index.
  uint8_t flags = resultFlags(c.program, element, b.flags);
  flags |= (b.flags & kExprLvalue) | (i.flags & (kExprNonUniform | kExprSideEffects));
  return c.program.addExpr(Expr::index({element, flags, loc}, base, index));
}

}  // namespace coopc::frontend
