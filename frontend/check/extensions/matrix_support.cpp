// Shared by the matrix rules. See matrix_support.hpp.
#include "frontend/check/extensions/matrix_support.hpp"

#include "frontend/check/extensions/matrix_rules.hpp"
#include "frontend/program/block_layout.hpp"

namespace coopc::frontend {

namespace {

/// Depth-bounded: constants are built bottom-up from source expressions, whose nesting is limited, but a default is
/// only a courtesy, so the bound is small.
bool evaluateDefault(const Program& program, ConstId id, int64_t& value, uint32_t depth, uint32_t& budget) {
  const Constant& k = program.constants[id];
  if (depth > 32 || budget-- == 0) return false;
  if (k.kind == ConstKind::Scalar || k.kind == ConstKind::Spec) {
    if (!isScalarType(k.type)) return false;
    const Scalar s = basicScalar(k.type);
    if (isFloatScalar(s)) return false;
    const uint32_t bits = scalarBits(s);
    value = static_cast<int64_t>(k.bits);
    if (isSignedScalar(s) && bits < 64) {
      value = static_cast<int64_t>(k.bits << (64 - bits)) >> (64 - bits);
    }
    return true;
  }
  if (k.kind == ConstKind::Null) {
    value = 0;
    return isScalarType(k.type);
  }
  if (k.kind != ConstKind::SpecOp) return false;
  const auto operands = program.constants.operands(id);
  int64_t v[3] = {};
  if (operands.empty() || operands.size() > 3) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!evaluateDefault(program, operands[i], v[i], depth + 1, budget)) return false;
  }
  const auto u = [&](int n) { return static_cast<uint64_t>(v[n]); };
  uint64_t bits = 0;
  switch (k.op) {
    case ExprOp::Convert:
      // To bool, everything but 0 is true.
      bits = k.type == kBool ? static_cast<uint64_t>(v[0] != 0) : u(0);
      break;
    case ExprOp::Plus: bits = u(0); break;
    case ExprOp::Negate: bits = uint64_t{0} - u(0); break;
    case ExprOp::BitNot: bits = ~u(0); break;
    case ExprOp::LogicalNot: bits = v[0] == 0 ? 1 : 0; break;
    case ExprOp::Add: bits = u(0) + u(1); break;
    case ExprOp::Sub: bits = u(0) - u(1); break;
    case ExprOp::Mul: bits = u(0) * u(1); break;
    case ExprOp::Div:
    case ExprOp::Mod: {
      if (v[1] == 0 || v[1] == -1) return false;
      const bool isUnsigned = isScalarType(k.type) && !isSignedScalar(basicScalar(k.type));
      if (k.op == ExprOp::Div)
        bits = isUnsigned ? u(0) / u(1) : static_cast<uint64_t>(v[0] / v[1]);
      else
        bits = isUnsigned ? u(0) % u(1) : static_cast<uint64_t>(v[0] % v[1]);
      break;
    }
    case ExprOp::ShiftLeft:
      if (v[1] < 0 || v[1] > 63) return false;
      bits = u(0) << v[1];
      break;
    case ExprOp::ShiftRight:
      if (v[1] < 0 || v[1] > 63) return false;
      bits = static_cast<uint64_t>(v[0] >> v[1]);
      break;
    case ExprOp::BitAnd: bits = u(0) & u(1); break;
    case ExprOp::BitOr: bits = u(0) | u(1); break;
    case ExprOp::LogicalXor:
    case ExprOp::BitXor: bits = u(0) ^ u(1); break;
    case ExprOp::Less: bits = v[0] < v[1] ? 1 : 0; break;
    case ExprOp::LessEqual: bits = v[0] <= v[1] ? 1 : 0; break;
    case ExprOp::Greater: bits = v[0] > v[1] ? 1 : 0; break;
    case ExprOp::GreaterEqual: bits = v[0] >= v[1] ? 1 : 0; break;
    case ExprOp::Equal: bits = v[0] == v[1] ? 1 : 0; break;
    case ExprOp::NotEqual: bits = v[0] != v[1] ? 1 : 0; break;
    case ExprOp::LogicalAnd: bits = (v[0] != 0 && v[1] != 0) ? 1 : 0; break;
    case ExprOp::LogicalOr: bits = (v[0] != 0 || v[1] != 0) ? 1 : 0; break;
    case ExprOp::Select: bits = v[0] != 0 ? u(1) : u(2); break;
    default: return false;
  }
  if (!isScalarType(k.type)) return false;
  // The value that the type holds.
  const Scalar s = basicScalar(k.type);
  const uint32_t width = scalarBits(s);
  if (width < 64) {
    bits <<= 64 - width;
    bits = isSignedScalar(s) ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> (64 - width))
                             : bits >> (64 - width);
  }
  value = static_cast<int64_t>(bits);
  return true;
}

}  // namespace

bool defaultInteger(const Program& program, ConstId id, int64_t& value) {
  uint32_t budget = 1000;  // expressions share operands: a short text may stand for a tree of any size
  return id && evaluateDefault(program, id, value, 0, budget);
}

MatrixShape matrixShape(const Program& program, TypeId matrix) {
  const auto p = program.types.params(matrix);
  return {p[0], p[1], p[2], p.size() > 3 ? p[3] : ConstId()};
}

bool hasUse(const Checker& c, TypeId matrix, MatrixUse use) {
  int64_t v = 0;
  return literalInteger(c.program, matrixShape(c.program, matrix).use, v) && v == static_cast<int64_t>(use);
}

bool useConverts(const Checker& c, TypeId from, TypeId to) {
  if (matrixShape(c.program, from).use == matrixShape(c.program, to).use) return true;
  const bool nv2 = c.has(ExtensionId::GL_NV_cooperative_matrix2);
  const bool maintenance = c.has(ExtensionId::GL_EXT_cooperative_matrix_maintenance1);
  const auto isOperand = [&](TypeId t) { return hasUse(c, t, kMatrixUseA) || hasUse(c, t, kMatrixUseB); };
  const bool forward = hasUse(c, from, kMatrixUseAccumulator) && isOperand(to);
  const bool back = hasUse(c, to, kMatrixUseAccumulator) && isOperand(from);
  return ((nv2 || maintenance) && forward) || (maintenance && back);
}

std::string constText(const Checker& c, ConstId id) { return constantText(c.program, c.names, id); }

std::string useText(const Checker& c, TypeId matrix) {
  int64_t v = 0;
  const ConstId use = matrixShape(c.program, matrix).use;
  if (literalInteger(c.program, use, v)) {
    static constexpr const char* kNames[] = {"gl_MatrixUseA", "gl_MatrixUseB", "gl_MatrixUseAccumulator"};
    if (v >= 0 && v < 3) return kNames[v];
  }
  return constText(c, use);
}

uint32_t tensorDimensions(const Checker& c, TypeId tensor) {
  int64_t v = 0;
  if (!defaultInteger(c.program, c.program.types.params(tensor)[0], v)) return 0;
  return v >= 1 && v <= kMaxTensorDimensions ? static_cast<uint32_t>(v) : 0;
}

DiagBuilder reportForbidden(Checker& c, DiagKind kind, SourceLoc loc, std::initializer_list<DiagArg> args) {
  return c.diagnostics.report(kind, loc, args, c.options.checksOff);
}

bool forbid(Checker& c, DiagKind kind, SourceLoc loc, std::initializer_list<DiagArg> args) {
  reportForbidden(c, kind, loc, args);
  return !c.options.checksOff;
}

bool requireArgumentCount(Checker& c, NameId name, std::span<const ExprId> args, uint32_t min, uint32_t max,
                          SourceLoc loc) {
  if (args.size() >= min && args.size() <= max) return true;
  std::string wanted = std::to_string(min);
  if (max == kNone) {
    wanted = "at least " + wanted;
  } else if (max != min) {
    wanted += (max == min + 1 ? " or " : " to ") + std::to_string(max);
  }
  c.report(DiagKind::MatrixArgumentCount, loc,
           {c.names.text(name), wanted, static_cast<uint64_t>(args.size())});
  return false;
}

bool anyError(const Checker& c, std::span<const ExprId> args) {
  for (const ExprId a : args) {
    if (c.expr(a).op == ExprOp::Error) return true;
  }
  return false;
}

ExprId badArgument(Checker& c, NameId name, uint32_t index, std::string_view what, ExprId arg) {
  const Expr e = c.expr(arg);
  c.report(DiagKind::MatrixArgument, e.loc, {index, c.names.text(name), what, c.typeText(e.type)});
  return c.error(e.loc);
}

bool forbidArgument(Checker& c, NameId name, uint32_t index, std::string_view what, ExprId arg) {
  const Expr e = c.expr(arg);
  return forbid(c, DiagKind::MatrixArgument, e.loc, {index, c.names.text(name), what, c.typeText(e.type)});
}

ExprId uintArgument(Checker& c, NameId name, uint32_t index, ExprId arg) {
  const TypeId t = c.typeOf(arg);
  if (t == kUint) return arg;
  if (t == kInt) return makeConvert(c, arg, kUint);
  if (const ExprId converted = convertImplicitly(c, arg, kUint)) return converted;
  if (isScalarType(t)) return forbidArgument(c, name, index, "a 32-bit integer", arg) ? ExprId() : arg;
  badArgument(c, name, index, "a 32-bit integer", arg);
  return {};
}

ExprId offsetArgument(Checker& c, NameId name, uint32_t index, ExprId arg) {
  const TypeId t = c.typeOf(arg);
  const bool wide = isScalarType(t) && isIntScalar(basicScalar(t)) && scalarBits(basicScalar(t)) == 64;
  if (!wide || !c.has(ExtensionId::GL_EXT_shader_64bit_indexing)) return uintArgument(c, name, index, arg);
  const TypeId uint64 = basicType(Scalar::Uint64);
  return t == uint64 ? arg : makeConvert(c, arg, uint64);
}

bool requireBuffer(Checker& c, NameId name, uint32_t index, ExprId buffer, bool anyElement,
                   Storage& storage) {
  const Expr e = c.expr(buffer);
  if (c.program.types.kind(e.type) != TypeKind::Array) {
    badArgument(c, name, index, "an array in buffer or shared storage", buffer);
    return false;
  }
  // Through a buffer reference there is no root variable; otherwise the variable's storage decides.
  ExprId at = buffer;
  bool reference = false;
  bool lvalue = true;
  for (bool walking = true; walking;) {
    const Expr& step = c.expr(at);
    switch (step.op) {
      case ExprOp::Member:
      case ExprOp::Index:
        if (c.program.types.kind(c.typeOf(step.accessBase())) == TypeKind::Reference) {
          reference = true;
          walking = false;
        } else {
          at = step.accessBase();
        }
        break;
      case ExprOp::Variable: walking = false; break;
      default:
        lvalue = false;
        walking = false;
        break;
    }
  }
  storage = Storage::Private;
  if (reference) {
    storage = Storage::StorageBlock;
  } else if (lvalue) {
    storage = c.program.variables[c.expr(at).variable()].storage;
  }
  if (storage != Storage::StorageBlock && storage != Storage::Shared && storage != Storage::SharedBlock) {
    if (forbid(c, DiagKind::MatrixBufferStorage, e.loc, {c.names.text(name)})) return false;
  }
  const TypeId element = c.type(e.type).element();
  if (element == kErrorType) return false;
  const TypeInfo info = c.type(element);
  if (!anyElement) {
    const bool shape = info.kind == TypeKind::Scalar ||
                       (info.kind == TypeKind::Vector && (info.rows == 2 || info.rows == 4));
    if (!shape || info.scalar == Scalar::Bool) {
      return !forbid(c, DiagKind::MatrixBufferElement, e.loc, {c.names.text(name), c.typeText(element)});
    }
  }
  return true;
}

ExprId makeCall(Checker& c, BuiltinOp op, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  return c.program.addBuiltinCall({type, kExprSideEffects, loc}, op, args);
}

bool literalArgument(const Checker& c, ExprId arg, int64_t& value) {
  const ConstId k = c.constantOf(arg);
  return k && literalInteger(c.program, k, value);
}

bool constantBufferOffset(const Checker& c, ExprId buffer, uint64_t& bytes) {
  bytes = 0;
  for (ExprId at = buffer;;) {
    const Expr& e = c.expr(at);
    if (e.op == ExprOp::Variable) {
      const Variable& v = c.program.variables[e.variable()];
      return v.storage == Storage::StorageBlock;
    }
    if (e.op == ExprOp::Member) {
      const TypeInfo base = c.type(c.typeOf(e.memberBase()));
      if (base.kind != TypeKind::Struct || !c.program.structs[base.structure()].block) return false;
      const uint32_t offset = c.program.membersOf(base.structure())[e.memberIndex()].offset;
      if (offset == kNoLayout) return false;
      bytes += offset;
      // An array of blocks starts anew at each element.
      at = e.memberBase();
      while (c.expr(at).op == ExprOp::Index) at = c.expr(at).indexBase();
      continue;
    }
    return false;
  }
}

ExprId checkMatrixCall(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (anyError(c, args)) return c.error(loc);
  switch (op) {
    case BuiltinOp::CoopMatLoad:
    case BuiltinOp::CoopMatStore: return checkMatrixLoadStore(c, op, name, args, loc);
    case BuiltinOp::CoopMatMulAdd: return checkMatrixMulAdd(c, name, args, loc);
    case BuiltinOp::CoopMatReduce: return checkMatrixReduce(c, name, args, loc);
    case BuiltinOp::CoopMatPerElement: return checkMatrixPerElement(c, name, args, loc);
    case BuiltinOp::CoopMatTranspose:
    case BuiltinOp::CoopMatTransposeConvert: return checkMatrixTranspose(c, op, name, args, loc);
    case BuiltinOp::CoopMatGetCoordinate: return checkMatrixGetCoordinate(c, name, args, loc);
    case BuiltinOp::SaturatedConvert: return checkMatrixSaturatedConvert(c, name, args, loc);
    case BuiltinOp::CoopMatLoadTensor:
    case BuiltinOp::CoopMatStoreTensor: return checkTensorLoadStore(c, op, name, args, loc);
    case BuiltinOp::CoopMatLoadNV:
    case BuiltinOp::CoopMatStoreNV:
    case BuiltinOp::CoopMatMulAddNV:
    case BuiltinOp::CoopVecMatMul:
    case BuiltinOp::CoopVecMatMulAdd:
    case BuiltinOp::CoopVecLoad:
    case BuiltinOp::CoopVecStore:
    case BuiltinOp::CoopVecOuterProductAccumulate:
    case BuiltinOp::CoopVecReduceSumAccumulate: return checkVectorCall(c, op, name, args, loc);
    default: return checkTensorValue(c, op, name, args, loc);
  }
}

}  // namespace coopc::frontend
