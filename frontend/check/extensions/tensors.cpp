// Tensors: GL_ARM_tensors, 4.1.X "Tensor Types" and 8.X "Tensor Functions". There are no overloads to choose
// from: the type of `data` follows from the tensor's type.
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

namespace {

// 7.3.X: the bits of `tensorOperands`.
enum TensorOperand : uint32_t { kNonTemporal = 1, kOutOfBoundsValue = 2 };

// The element type; kErrorType after a report.
TypeId elementType(Checker& c, const TypeArgument& a) {
  if (!a.isType) {
    if (!c.isError(a.value)) c.report(DiagKind::TensorElementMissing, a.loc);
    return kErrorType;
  }
  if (a.type == kErrorType) return kErrorType;
  const auto needs = [&](Feature feature) {
    if (c.allows(feature)) return a.type;
    c.report(DiagKind::TensorElementExtension, a.loc, {c.typeText(a.type), c.needs(feature)});
    return kErrorType;
  };
  if (!isScalarType(a.type)) {
    c.report(DiagKind::TensorElementType, a.loc, {c.typeText(a.type)});
    return kErrorType;
  }
  switch (basicScalar(a.type)) {
    case Scalar::BFloat16: return needs(Feature::BFloat16Tensors);
    case Scalar::FloatE5M2: return needs(Feature::FloatE5M2Tensors);
    case Scalar::FloatE4M3: return needs(Feature::FloatE4M3Tensors);
    case Scalar::FloatE2M1:
    case Scalar::FloatE2M3:
    case Scalar::FloatE3M2:
    case Scalar::FloatE8M0:
    case Scalar::MxInt8:
      c.report(DiagKind::TensorElementUnlisted, a.loc, {c.typeText(a.type)});
      return kErrorType;
    default: return a.type;
  }
}

// The rank, as a uint constant if it is a literal; none after a report.
ConstId rankOf(Checker& c, const TypeArgument& a) {
  if (!a.isType && c.isError(a.value)) return {};
  const ConstId k = a.isType ? ConstId() : c.constantOf(a.value);
  const TypeId t = a.isType ? a.type : c.typeOf(a.value);
  if (t == kErrorType) return {};
  if (!k || (t != kInt && t != kUint)) {
    c.report(DiagKind::TensorRankConstant, a.loc);
    return {};
  }
  const std::optional<int64_t> rank = defaultInteger(c.program, k);
  if (!rank) return k;
  if (*rank < 1) {
    c.report(DiagKind::TensorRankRange, a.loc, {*rank});
    return {};
  }
  return literalInteger(c.program, k) ? c.program.constants.uint32(static_cast<uint32_t>(*rank)) : k;
}

// The value of a constant in a tensor's type or an array's size. The default of a specialization constant
// counts.
int64_t valueOf(const Checker& c, ConstId k) { return defaultInteger(c.program, k).value_or(-1); }

bool requireCount(Checker& c, NameId name, std::span<const ExprId> args, uint32_t min, uint32_t max,
                  SourceLoc loc) {
  if (args.size() >= min && args.size() <= max) return true;
  std::string wanted = std::to_string(min);
  if (max != min) wanted += " to " + std::to_string(max);
  c.report(DiagKind::TensorArgumentCount, loc, {c.names.text(name), wanted, args.size()});
  return false;
}

bool bad(Checker& c, NameId name, uint32_t index, std::string_view what, ExprId arg) {
  c.report(DiagKind::TensorArgument, c.expr(arg).loc,
           {index, c.names.text(name), what, c.typeText(c.typeOf(arg))});
  return false;
}

bool requireTensor(Checker& c, NameId name, ExprId arg) {
  return c.program.types.kind(c.typeOf(arg)) == TypeKind::Tensor || bad(c, name, 1, "a tensor", arg);
}

struct Access {
  Checker& c;
  BuiltinOp op;
  NameId name;
  std::span<const ExprId> args;
  TypeId tensor = kErrorType;
  TypeId element = kErrorType;

  bool reads() const { return op == BuiltinOp::TensorRead; }
  SourceLoc at(uint32_t i) const { return c.expr(args[i]).loc; }

  bool object() {
    if (!requireTensor(c, name, args[0])) return false;
    tensor = c.typeOf(args[0]);
    element = basicType(c.type(tensor).scalar);
    const uint32_t q = accessQualifiers(c.program, args[0]);
    if (reads() && (q & kQualWriteonly) != 0) {
      c.report(DiagKind::TensorWriteonly, at(0), {c.names.text(name)});
      return false;
    }
    if (!reads() && (q & kQualReadonly) != 0) {
      c.report(DiagKind::TensorReadonly, at(0), {c.names.text(name)});
      return false;
    }
    return true;
  }

  bool coordinates() {
    const TypeId t = c.typeOf(args[1]);
    const TypeInfo info = c.type(t);
    if (isBasic(t) || info.kind != TypeKind::Array || !info.hasArraySize() || info.element() != kUint)
      return bad(c, name, 2, "an array of `uint` with a coordinate for each dimension", args[1]);
    if (!requireValue(c, args[1])) return false;
    const ConstId rank = c.program.types.params(tensor)[0];
    if (info.arraySize() == rank || valueOf(c, info.arraySize()) == valueOf(c, rank)) return true;
    return !forbid(
        c, DiagKind::TensorCoordinates, at(1),
        {c.names.text(name), c.typeText(tensor), constText(c, rank), constText(c, info.arraySize())});
  }

  bool data() {
    const TypeId t = c.typeOf(args[2]);
    const TypeInfo info = c.type(t);
    const bool array = !isBasic(t) && info.kind == TypeKind::Array && info.hasArraySize();
    const TypeId own = array ? info.element() : t;
    if (!isScalarType(own)) {
      const std::string wanted = "of type `" + c.typeText(element) + "` or an array of that type";
      return bad(c, name, 3, wanted, args[2]);
    }
    if (own != element &&
        forbid(c, DiagKind::TensorData, at(2), {c.names.text(name), c.typeText(tensor), c.typeText(t)}))
      return false;
    return reads() ? requireLvalue(c, args[2], at(2), "the read data") : requireValue(c, args[2]);
  }

  bool operands() {
    if (args.size() < 4) return true;
    const TypeId t = c.typeOf(args[3]);
    if (t != kUint && t != kInt) return bad(c, name, 4, "tensor operands of type `uint`", args[3]);
    const std::optional<int64_t> literal = literalArgument(c, args[3]);
    if (!literal) {
      c.report(DiagKind::TensorOperandsLiteral, at(3), {c.names.text(name)});
      return false;
    }
    const int64_t mask = *literal;
    if ((mask & ~int64_t{kNonTemporal | kOutOfBoundsValue}) != 0) {
      c.report(DiagKind::TensorOperandsRange, at(3), {mask});
      return false;
    }
    const bool hasValue = (mask & kOutOfBoundsValue) != 0;
    if (hasValue && !reads() && forbid(c, DiagKind::TensorOutOfBoundsWrite, at(3), {c.names.text(name)}))
      return false;
    if (args.size() != (hasValue ? 5u : 4u)) {
      c.report(DiagKind::TensorOutOfBoundsMissing, hasValue ? at(3) : at(4),
               {hasValue ? "must follow" : "must not follow"});
      return false;
    }
    if (!hasValue) return true;
    if (c.typeOf(args[4]) != element && forbid(c, DiagKind::TensorOutOfBoundsType, at(4),
                                               {c.typeText(tensor), c.typeText(c.typeOf(args[4]))}))
      return false;
    return bool(c.constantOf(args[4])) || !forbid(c, DiagKind::TensorOutOfBoundsConstant, at(4));
  }
};

}  // namespace

TypeId checkTensorType(Checker& c, std::span<const TypeArgument> args, SourceLoc loc) {
  if (args.size() != 2) {
    c.report(DiagKind::TensorParameterCount, loc, {args.size()});
    return kErrorType;
  }
  const TypeId element = elementType(c, args[0]);
  const ConstId rank = rankOf(c, args[1]);
  if (element == kErrorType || !rank) return kErrorType;
  return c.program.types.internParameterized(TypeKind::Tensor, basicScalar(element), {&rank, 1});
}

ExprId checkTensorAccess(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  Access access{c, op, name, args};
  if (!requireCount(c, name, args, 3, 5, loc) || !access.object() || !access.coordinates() ||
      !access.data() || !access.operands())
    return c.error(loc);
  return makeCall(c, op, kVoidType, args, loc);
}

ExprId checkTensorSize(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (!requireCount(c, name, args, 2, 2, loc) || !requireTensor(c, name, args[0])) return c.error(loc);
  const TypeId t = c.typeOf(args[1]);
  if (t != kInt && t != kUint) {
    bad(c, name, 2, "a dimension of type `uint`", args[1]);
    return c.error(loc);
  }
  const ConstId k = c.constantOf(args[1]);
  if (!k && forbid(c, DiagKind::TensorDimensionConstant, c.expr(args[1]).loc, {c.names.text(name)}))
    return c.error(loc);
  const ConstId rank = c.program.types.params(c.typeOf(args[0]))[0];
  const int64_t dimension = k ? valueOf(c, k) : 0;
  if ((dimension < 0 || dimension >= valueOf(c, rank)) &&
      forbid(c, DiagKind::TensorDimension, c.expr(args[1]).loc,
             {c.typeText(c.typeOf(args[0])), constText(c, rank), dimension}))
    return c.error(loc);
  const ExprId result = makeCall(c, BuiltinOp::TensorSize, kUint, args, loc);
  c.program.exprs[result].flags = 0;
  return result;
}

}  // namespace coopc::frontend
