// Shared by the matrix rules: checks of type parameters, arguments and buffers.
#include "frontend/check/extensions/matrices/support.hpp"

#include <algorithm>
#include <string>

#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {

MatrixParameters matrixParameters(const Program& program, TypeId matrix) {
  const auto p = program.types.params(matrix);
  return {p[0], p[1], p[2], p.size() > 3 ? p[3] : ConstId()};
}

bool hasUse(const Checker& c, TypeId matrix, MatrixUse use) {
  return literalInteger(c.program, matrixParameters(c.program, matrix).use) == static_cast<int64_t>(use);
}

bool useConverts(const Checker& c, TypeId from, TypeId to) {
  if (matrixParameters(c.program, from).use == matrixParameters(c.program, to).use) return true;
  const auto isOperand = [&](TypeId t) { return hasUse(c, t, kMatrixUseA) || hasUse(c, t, kMatrixUseB); };
  const bool forward = hasUse(c, from, kMatrixUseAccumulator) && isOperand(to);
  const bool back = hasUse(c, to, kMatrixUseAccumulator) && isOperand(from);
  return (forward && c.allows(Feature::AccumulatorToOperand)) ||
         (back && c.allows(Feature::OperandToAccumulator));
}

std::string constText(const Checker& c, ConstId id) { return constantText(c.program, c.names, id); }

std::string useText(const Checker& c, TypeId matrix) {
  const ConstId use = matrixParameters(c.program, matrix).use;
  if (const std::optional<int64_t> value = literalInteger(c.program, use)) {
    const std::string_view name = builtinConstantName("gl_MatrixUse", static_cast<uint64_t>(*value));
    if (!name.empty()) return std::string(name);
  }
  return constText(c, use);
}

uint32_t tensorDimensions(const Checker& c, TypeId tensor) {
  const int64_t v = defaultInteger(c.program, c.program.types.params(tensor)[0]).value_or(0);
  return v >= 1 && v <= kMaxTensorDimensions ? static_cast<uint32_t>(v) : 0;
}

namespace {

// Adds a note for each form of a function, as editors show it.
void noteForms(DiagBuilder& report, SourceLoc loc, std::string_view name) {
  struct Form {
    std::string_view function, prototype;
  };
  constexpr Form kForms[] = {
#define BUILTIN_TEXT(FUNCTION, PROTOTYPE, WHAT) {FUNCTION, PROTOTYPE},
#include "frontend/check/extensions/matrices/prototypes.def"
#undef BUILTIN_TEXT
  };
  const auto count =
      std::count_if(std::begin(kForms), std::end(kForms), [&](const Form& f) { return f.function == name; });
  for (const Form& f : kForms)
    if (f.function == name)
      report.note(loc, (count == 1 ? "it is `" : "a form is `") + std::string(f.prototype) + "`");
}

}  // namespace

bool requireArgumentCount(Checker& c, NameId name, std::span<const ExprId> args, uint32_t min, uint32_t max,
                          SourceLoc loc) {
  if (args.size() >= min && args.size() <= max) return true;
  std::string wanted = std::to_string(min);
  if (max == kNone) {
    wanted = "at least " + wanted;
  } else if (max != min) {
    wanted += (max == min + 1 ? " or " : " to ") + std::to_string(max);
  }
  DiagBuilder report = c.report(DiagKind::MatrixArgumentCount, loc,
                                {c.names.text(name), wanted, static_cast<uint64_t>(args.size())});
  noteForms(report, loc, c.names.text(name));
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
  if (!wide || !c.allows(Feature::Indices64Bit)) return uintArgument(c, name, index, arg);
  const TypeId uint64 = basicType(Scalar::Uint64);
  return t == uint64 ? arg : makeConvert(c, arg, uint64);
}

namespace {

// Reports an argument that is not an array: perhaps the block with the array, or an element of the array.
void reportBuffer(Checker& c, NameId name, uint32_t index, ExprId buffer) {
  const Expr e = c.expr(buffer);
  DiagBuilder report =
      c.report(DiagKind::MatrixArgument, e.loc,
               {index, c.names.text(name), "an array in buffer or shared storage", c.typeText(e.type)});
  if (e.op == ExprOp::Index && c.program.types.kind(c.typeOf(e.accessBase())) == TypeKind::Array) {
    report.note(e.loc, "give the whole array, and as the next argument the index where the matrix starts");
  } else if (c.program.types.kind(e.type) == TypeKind::Struct) {
    for (const Member& m : c.program.membersOf(c.program.types[e.type].structure()))
      if (c.program.types.kind(m.type) == TypeKind::Array) {
        report.note(m.loc, "member `" + std::string(c.names.text(m.name)) + "` is an array");
        break;
      }
  }
}

}  // namespace

std::optional<Storage> requireBuffer(Checker& c, NameId name, uint32_t index, ExprId buffer,
                                     bool anyElement) {
  const Expr e = c.expr(buffer);
  if (c.program.types.kind(e.type) != TypeKind::Array) {
    reportBuffer(c, name, index, buffer);
    return std::nullopt;
  }
  // Through a buffer reference there is no root variable. In all other cases, the variable's storage decides.
  ExprId at = buffer;
  bool reference = false;
  Storage storage = Storage::Private;
  bool lvalue = true;
  for (bool walking = true; walking;) {
    const Expr& step = c.expr(at);
    switch (step.op) {
      case ExprOp::Member:
      case ExprOp::Index:
        switch (c.program.types.kind(c.typeOf(step.accessBase()))) {
          case TypeKind::Reference:
          case TypeKind::BufferType:
            reference = true;
            storage = c.program.structs[c.type(c.typeOf(step.accessBase())).structure()].storage;
            walking = false;
            break;
          default: at = step.accessBase(); break;
        }
        break;
      case ExprOp::Variable: walking = false; break;
      default:
        lvalue = false;
        walking = false;
        break;
    }
  }
  if (!reference && lvalue) {
    storage = c.program.variables[c.expr(at).variable()].storage;
  }
  if (storage != Storage::StorageBlock && storage != Storage::Shared && storage != Storage::SharedBlock) {
    if (forbid(c, DiagKind::MatrixBufferStorage, e.loc, {c.names.text(name)})) return std::nullopt;
  }
  const TypeId element = c.type(e.type).element();
  if (element == kErrorType) return std::nullopt;
  const TypeInfo info = c.type(element);
  if (!anyElement) {
    const bool shape = info.kind == TypeKind::Scalar ||
                       (info.kind == TypeKind::Vector && (info.rows == 2 || info.rows == 4));
    if (!shape || info.scalar == Scalar::Bool) {
      if (forbid(c, DiagKind::MatrixBufferElement, e.loc, {c.names.text(name), c.typeText(element)}))
        return std::nullopt;
    }
  }
  return storage;
}

ExprId makeCall(Checker& c, BuiltinOp op, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  return c.program.addBuiltinCall({type, kExprSideEffects, loc}, op, args);
}

std::optional<int64_t> literalArgument(const Checker& c, ExprId arg) {
  return literalInteger(c.program, c.constantOf(arg));
}

std::optional<uint64_t> constantBufferOffset(const Checker& c, ExprId buffer) {
  uint64_t bytes = 0;
  for (ExprId at = buffer;;) {
    const Expr& e = c.expr(at);
    if (e.op == ExprOp::Variable) {
      const Variable& v = c.program.variables[e.variable()];
      return v.storage == Storage::StorageBlock ? std::optional(bytes) : std::nullopt;
    }
    if (e.op == ExprOp::Member) {
      const TypeInfo base = c.type(c.typeOf(e.memberBase()));
      if (base.kind != TypeKind::Struct || !c.program.structs[base.structure()].block) return std::nullopt;
      const uint32_t offset = c.program.membersOf(base.structure())[e.memberIndex()].offset;
      if (offset == kNoLayout) return std::nullopt;
      bytes += offset;
      // An array of blocks starts again at each element.
      at = e.memberBase();
      while (c.expr(at).op == ExprOp::Index) at = c.expr(at).indexBase();
      continue;
    }
    return std::nullopt;
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
    case BuiltinOp::BitCastArray:
    case BuiltinOp::ExtractSubArray:
    case BuiltinOp::ArrayToCoopMat:
    case BuiltinOp::CoopMatToArray: return checkArrayConversion(c, op, name, args, loc);
    case BuiltinOp::CoopMatLoadTensor:
    case BuiltinOp::CoopMatStoreTensor: return checkTensorLoadStore(c, op, name, args, loc);
    case BuiltinOp::TensorRead:
    case BuiltinOp::TensorWrite: return checkTensorAccess(c, op, name, args, loc);
    case BuiltinOp::TensorSize: return checkTensorSize(c, name, args, loc);
    case BuiltinOp::CoopMatLoadNV:
    case BuiltinOp::CoopMatStoreNV:
    case BuiltinOp::CoopMatMulAddNV:
    case BuiltinOp::CoopVecMatMul:
    case BuiltinOp::CoopVecMatMulAdd:
    case BuiltinOp::CoopVecLoad:
    case BuiltinOp::CoopVecStore:
    case BuiltinOp::CoopVecOuterProductAccumulate:
    case BuiltinOp::CoopVecReduceSumAccumulate: return checkVectorCall(c, op, name, args, loc);
    // Functions of tensor layouts and views. An operation without a case here also ends up there, and is
    // refused because its first argument is not a tensor layout.
    default: return checkTensorValue(c, op, name, args, loc);
  }
}

}  // namespace coopc::frontend
