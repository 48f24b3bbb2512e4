// Constant expressions (4.3.3). Composites are split into scalars, which are folded and composed again.
//
// Specialization constants (5.12) keep their operations: a result that depends on one is a SpecOp node over
// scalars, and composites are composites of such nodes, so that SPIR-V needs scalar OpSpecConstantOp and
// OpSpecConstantComposite only. Operations that are not in the list of 5.12 (floating point, built-in
// functions) are not constant expressions.
#include "frontend/check/folding.hpp"

#include "frontend/check/expressions_common.hpp"
#include "frontend/check/folding_numbers.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/numbers.hpp"

namespace coopc::frontend {
namespace {

// Comparisons of more scalars are evaluated at run time.
constexpr uint32_t kMaxCompared = 1u << 16;
constexpr uint32_t kMaxDepth = 256;
struct Folder {
  Checker& c;
  SourceLoc loc;
  FoldIssue issue = FoldIssue::None;
  uint32_t steps = 0;

  Constants& constants() { return c.program.constants; }
  const Constant& at(ConstId id) { return c.program.constants[id]; }
};

bool isIntOrBool(Scalar s) { return s == Scalar::Bool || isIntScalar(s); }
bool isIeeeFloat(Scalar s) { return s == Scalar::Float16 || s == Scalar::Float || s == Scalar::Double; }

// Conversions of specialization constants that 5.12 lists, and conversions between floats (decision 62).
bool convertsSpecialized(Scalar from, Scalar to) {
  return (isIntOrBool(from) && isIntOrBool(to)) || (isIeeeFloat(from) && isIeeeFloat(to));
}

ConstId foldScalarConvert(Folder& f, ConstId value, Scalar to) {
  const Constant k = f.at(value);
  const Scalar from = basicScalar(k.type);
  if (from == to) return value;
  if (k.isSpec) {
    if (!convertsSpecialized(from, to)) return {};
    return f.constants().specOp(ExprOp::Convert, basicType(to), {&value, 1});
  }
  bool overflow = false;
  const uint64_t bits = convertScalar(from, k.bits, to, &overflow);
  if (overflow) f.issue = FoldIssue::ConversionOverflow;
  return f.constants().scalar(basicType(to), bits);
}

ConstId foldScalarUnary(Folder& f, ExprOp op, ConstId value) {
  const Constant k = f.at(value);
  const Scalar s = basicScalar(k.type);
  if (op == ExprOp::Plus) return value;
  if (k.isSpec) {
    const bool allowed = ((op == ExprOp::Negate || op == ExprOp::BitNot) && isIntScalar(s)) ||
                         (op == ExprOp::LogicalNot && s == Scalar::Bool);
    return allowed ? f.constants().specOp(op, k.type, {&value, 1}) : ConstId();
  }
  const std::optional<uint64_t> result = foldUnaryScalar(op, s, k.bits);
  return result ? f.constants().scalar(k.type, *result) : ConstId();
}

ConstId foldScalarBinary(Folder& f, ExprOp op, TypeId result, ConstId a, ConstId b) {
  const Constant x = f.at(a), y = f.at(b);
  const Scalar s = basicScalar(x.type);
  if (x.isSpec || y.isSpec) {
    if (!isIntOrBool(s)) return {};
    // A division by a constant zero is undefined here as everywhere.
    if (!y.isSpec && y.bits == 0 && (op == ExprOp::Div || op == ExprOp::Mod))
      f.issue = FoldIssue::DivisionByZero;
    const ConstId operands[2] = {a, b};
    return f.constants().specOp(op, result, operands);
  }
  const std::optional<uint64_t> bits = foldBinaryScalar(op, s, x.bits, basicScalar(y.type), y.bits, f.issue);
  return bits ? f.constants().scalar(result, *bits) : ConstId();
}

// A composite of a vector, matrix or long vector type from the parts that `make(i)` returns; none if one of
// the parts is none.
template <typename Make>
ConstId composeParts(Folder& f, TypeId type, uint32_t count, Make make) {
  IdBuffer<ConstId, 16> parts;
  for (uint32_t i = 0; i < count; ++i) {
    const ConstId part = make(i);
    if (!part) return {};
    parts.push(part);
  }
  return f.constants().composite(type, parts.view());
}

// How many parts of an operand of type `type` operators process one by one: 1 if a cooperative matrix or
// vector has equal components, 0 if the parts are not known.
uint32_t operatorParts(const Program& program, TypeId type, std::initializer_list<ConstId> operands) {
  if (hasParts(program, type)) return partCount(program, type);
  if (!isObject(program, type)) return 0;
  bool same = true;
  for (ConstId o : operands)
    same = same && (isScalarType(program.constants[o].type) || isReplicated(program, o));
  return same ? 1 : partCount(program, type);
}

ConstId foldConvert(Folder& f, TypeId type, ConstId value) {
  const TypeId from = f.at(value).type;
  if (from == type) return value;
  if (isScalarType(from) && isScalarType(type)) return foldScalarConvert(f, value, basicScalar(type));
  // The number of parts is kept. A replicated value stays replicated only if the result is also an object
  // (isObject()).
  const bool toParts = isObject(f.c.program, from) && !isObject(f.c.program, type);
  const uint32_t count = toParts ? partCount(f.c.program, type) : operatorParts(f.c.program, from, {value});
  const bool replicated = count == 1 && isReplicated(f.c.program, value) && isObject(f.c.program, type);
  if (count == 0 || (!replicated && count != partCount(f.c.program, type))) return {};
  const TypeId part = partType(f.c.program, type);
  return composeParts(f, type, count,
                      [&](uint32_t i) { return foldConvert(f, part, constituent(f.c.program, value, i)); });
}

ConstId foldUnary(Folder& f, ExprOp op, ConstId value) {
  const TypeId type = f.at(value).type;
  if (op == ExprOp::Plus) return value;
  if (isScalarType(type)) return foldScalarUnary(f, op, value);
  const uint32_t count = operatorParts(f.c.program, type, {value});
  if (count == 0) return {};
  return composeParts(f, type, count,
                      [&](uint32_t i) { return foldUnary(f, op, constituent(f.c.program, value, i)); });
}

// Component by component; scalars are replicated to the shape of the other operand.
ConstId foldComponents(Folder& f, ExprOp op, TypeId type, ConstId a, ConstId b) {
  const TypeId ta = f.at(a).type, tb = f.at(b).type;
  const bool scalarA = isScalarType(ta), scalarB = isScalarType(tb);
  if (scalarA && scalarB) return isScalarType(type) ? foldScalarBinary(f, op, type, a, b) : ConstId();
  const uint32_t count = operatorParts(f.c.program, type, {a, b});
  if (count == 0) return {};
  const TypeId part = partType(f.c.program, type);
  return composeParts(f, type, count, [&](uint32_t i) {
    return foldComponents(f, op, part, scalarA ? a : constituent(f.c.program, a, i),
                          scalarB ? b : constituent(f.c.program, b, i));
  });
}

// Linear algebra (5.10): each product and each sum is rounded to the component type; terms are added from
// left to right.
ConstId foldMatrixProduct(Folder& f, TypeId type, ConstId a, ConstId b) {
  Program& p = f.c.program;
  const TypeId ta = f.at(a).type, tb = f.at(b).type;
  const Scalar s = basicScalar(ta);
  const uint32_t inner = isMatrixType(ta) ? basicColumns(ta) : basicRows(ta);
  const uint32_t rows = isMatrixType(ta) ? basicRows(ta) : 1;
  const uint32_t columns = isMatrixType(tb) ? basicColumns(tb) : 1;
  const TypeId scalar = basicType(s);
  auto element = [&](ConstId m, uint32_t column, uint32_t row) {
    return isMatrixType(f.at(m).type) ? constituent(p, constituent(p, m, column), row)
                                      : constituent(p, m, row);
  };
  auto product = [&](uint32_t row, uint32_t column) -> ConstId {
    ConstId sum;
    for (uint32_t k = 0; k < inner; ++k) {
      const ConstId left = isMatrixType(ta) ? element(a, k, row) : constituent(p, a, k);
      const ConstId right = isMatrixType(tb) ? element(b, column, k) : constituent(p, b, k);
      const ConstId term = foldScalarBinary(f, ExprOp::Mul, scalar, left, right);
      if (!term) return {};
      sum = k == 0 ? term : foldScalarBinary(f, ExprOp::Add, scalar, sum, term);
      if (!sum) return {};
    }
    return sum;
  };
  if (!isMatrixType(ta)) return composeParts(f, type, columns, [&](uint32_t i) { return product(0, i); });
  if (!isMatrixType(tb)) return composeParts(f, type, rows, [&](uint32_t i) { return product(i, 0); });
  return composeParts(f, type, columns, [&](uint32_t column) {
    return composeParts(f, basicType(s, rows), rows, [&](uint32_t row) { return product(row, column); });
  });
}

// 1 if equal, 0 if different, -1 if not known here. Compares all components, members or elements (5.9).
int compareConstants(Folder& f, ConstId a, ConstId b, uint32_t depth = 0) {
  if (++f.steps > kMaxCompared || depth > kMaxDepth) return -1;
  const Constant x = f.at(a), y = f.at(b);
  if (x.isSpec || y.isSpec) return -1;
  if (x.kind == ConstKind::Null && y.kind == ConstKind::Null) return 1;
  if (isScalarType(x.type)) {
    const std::optional<uint64_t> equal =
        foldBinaryScalar(ExprOp::Equal, basicScalar(x.type), x.bits, basicScalar(y.type), y.bits, f.issue);
    return equal ? int(*equal) : -1;
  }
  const uint32_t count = partCount(f.c.program, x.type);
  if (count == 0) return -1;
  int result = 1;
  for (uint32_t i = 0; i < count; ++i) {
    const int part =
        compareConstants(f, constituent(f.c.program, a, i), constituent(f.c.program, b, i), depth + 1);
    if (part < 0) return -1;
    if (part == 0) result = 0;
  }
  return result;
}

ConstId foldEquality(Folder& f, ExprOp op, ConstId a, ConstId b) {
  if (isScalarType(f.at(a).type)) return foldScalarBinary(f, op, kBool, a, b);
  const int equal = compareConstants(f, a, b);
  return equal < 0 ? ConstId() : f.constants().boolean((equal == 1) == (op == ExprOp::Equal));
}

ConstId foldBinary(Folder& f, ExprOp op, TypeId type, ConstId a, ConstId b) {
  const TypeId ta = f.at(a).type, tb = f.at(b).type;
  if (op == ExprOp::Equal || op == ExprOp::NotEqual) return foldEquality(f, op, a, b);
  const bool linear = op == ExprOp::Mul && ((isMatrixType(ta) && (isMatrixType(tb) || isVectorType(tb))) ||
                                            (isVectorType(ta) && isMatrixType(tb)));
  return linear ? foldMatrixProduct(f, type, a, b) : foldComponents(f, op, type, a, b);
}

ConstId foldSwizzle(Folder& f, TypeId type, ConstId base, uint64_t literal) {
  const auto count = static_cast<uint32_t>(literal & 15);
  const bool scalar = isScalarType(f.at(base).type);
  auto component = [&](uint32_t i) {
    const auto from = static_cast<uint32_t>((literal >> (4 + 4 * i)) & 15);
    return scalar ? base : constituent(f.c.program, base, from);
  };
  if (count == 1) return component(0);
  return composeParts(f, type, count, component);
}

ConstId foldIndex(Folder& f, ConstId base, ConstId index) {
  // "An array access with a specialization constant as an index does not result in a constant expression"
  // (4.3.3).
  const std::optional<int64_t> i = literalInteger(f.c.program, index);
  if (!i) return {};
  const TypeId type = f.at(base).type;
  int64_t count = partCount(f.c.program, type);
  // Cooperative vectors with equal components may have more components than constants that are split.
  if (f.c.program.types.kind(type) == TypeKind::CoopVec && isReplicated(f.c.program, base))
    count = literalInteger(f.c.program, f.c.program.types.params(type)[0]).value_or(0);
  if (*i < 0 || *i >= count) return {};
  return constituent(f.c.program, base, static_cast<uint32_t>(*i));
}

ConstId foldSelect(Folder& f, TypeId type, ConstId condition, ConstId a, ConstId b) {
  const Constant k = f.at(condition);
  if (!k.isSpec) return k.bits != 0 ? a : b;
  if (a == b) return a;
  if (isScalarType(type)) {
    const ConstId operands[3] = {condition, a, b};
    return f.constants().specOp(ExprOp::Select, type, operands);
  }
  const uint32_t count = hasParts(f.c.program, type) ? partCount(f.c.program, type) : 0;
  if (count == 0) return {};
  const TypeId part = partType(f.c.program, type);
  return composeParts(f, type, count, [&](uint32_t i) {
    return foldSelect(f, part, condition, constituent(f.c.program, a, i), constituent(f.c.program, b, i));
  });
}

// The scalars of a value in the order in which constructors consume them (matrices by columns).
bool appendScalars(Folder& f, ConstId value, IdBuffer<ConstId, 16>& scalars) {
  const TypeId type = f.at(value).type;
  if (isScalarType(type)) {
    scalars.push(value);
    return true;
  }
  const bool parts = hasParts(f.c.program, type) || f.c.program.types.kind(type) == TypeKind::CoopVec;
  const uint32_t count = parts ? partCount(f.c.program, type) : 0;
  for (uint32_t i = 0; i < count; ++i)
    if (!appendScalars(f, constituent(f.c.program, value, i), scalars)) return false;
  return count != 0;
}

ConstId foldConstruct(Folder& f, TypeId type, std::span<const ConstId> operands) {
  if (f.c.program.types.kind(type) == TypeKind::CoopVec) {
    const std::optional<int64_t> length = literalInteger(f.c.program, f.c.program.types.params(type)[0]);
    if (!length) return {};
    IdBuffer<ConstId, 16> parts;
    for (ConstId o : operands)
      if (!appendScalars(f, o, parts)) return {};
    if (*length <= 0 || parts.size() < static_cast<size_t>(*length)) return {};
    return f.constants().composite(type, parts.view().first(static_cast<size_t>(*length)));
  }
  if (!hasParts(f.c.program, type)) {
    // Vectors and matrices of specialization constants are specialization constants; arrays and structures
    // only with GL_EXT_spec_constant_composites.
    for (ConstId o : operands)
      if (f.at(o).isSpec && !f.c.allows(Feature::SpecConstantComposites)) return {};
    return f.constants().composite(type, operands);
  }
  const uint32_t count = partCount(f.c.program, type);
  if (count == 0) return {};
  IdBuffer<ConstId, 16> scalars;
  for (ConstId o : operands)
    if (!appendScalars(f, o, scalars)) return {};
  const uint32_t rows = isMatrixType(type) ? basicRows(type) : 1;
  if (scalars.size() < count * rows) return {};
  if (!isMatrixType(type)) return f.constants().composite(type, scalars.view().first(count));
  const TypeId column = basicType(basicScalar(type), rows);
  return composeParts(f, type, count, [&](uint32_t i) {
    return f.constants().composite(column, scalars.view().subspan(i * rows, rows));
  });
}

ConstId foldSplat(Folder& f, TypeId type, ConstId value) {
  const TypeKind kind = f.c.program.types.kind(type);
  if (kind == TypeKind::CoopMat || kind == TypeKind::CoopMatNV || kind == TypeKind::CoopVec)
    return f.constants().composite(type, {&value, 1});
  const uint32_t count = partCount(f.c.program, type);
  return count == 0 ? ConstId() : composeParts(f, type, count, [&](uint32_t) { return value; });
}

// MatrixDiagonal and MatrixResize: the result of `source(column, row)`, or the component of the identity
// matrix.
template <typename Source>
ConstId composeMatrix(Folder& f, TypeId type, Source source) {
  const Scalar s = basicScalar(type);
  const uint32_t rows = basicRows(type);
  return composeParts(f, type, basicColumns(type), [&](uint32_t column) {
    return composeParts(f, basicType(s, rows), rows, [&](uint32_t row) { return source(column, row); });
  });
}

void reportIssue(Folder& f) {
  switch (f.issue) {
    case FoldIssue::None: break;
    case FoldIssue::DivisionByZero: f.c.report(DiagKind::DivisionByZero, f.loc); break;
    case FoldIssue::ShiftTooWide: f.c.report(DiagKind::ShiftTooWide, f.loc); break;
    case FoldIssue::ConversionOverflow: f.c.report(DiagKind::ConversionOverflow, f.loc); break;
  }
}

ConstId foldAny(Folder& f, ExprOp op, TypeId type, std::span<const ConstId> o, uint64_t literal) {
  Program& p = f.c.program;
  switch (op) {
    case ExprOp::Convert: return foldConvert(f, type, o[0]);
    case ExprOp::Negate:
    case ExprOp::Plus:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot: return foldUnary(f, op, o[0]);
    case ExprOp::Add:
    case ExprOp::Sub:
    case ExprOp::Mul:
    case ExprOp::Div:
    case ExprOp::Mod:
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight:
    case ExprOp::BitAnd:
    case ExprOp::BitOr:
    case ExprOp::BitXor:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual:
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::LogicalAnd:
    case ExprOp::LogicalOr:
    case ExprOp::LogicalXor: return foldBinary(f, op, type, o[0], o[1]);
    case ExprOp::Swizzle: return foldSwizzle(f, type, o[0], literal);
    case ExprOp::Member: return constituent(p, o[0], static_cast<uint32_t>(literal));
    case ExprOp::Index: return foldIndex(f, o[0], o[1]);
    case ExprOp::Select: return foldSelect(f, type, o[0], o[1], o[2]);
    case ExprOp::Construct: return foldConstruct(f, type, o);
    case ExprOp::Splat: return foldSplat(f, type, o[0]);
    case ExprOp::MatrixDiagonal: {
      const ConstId zero = f.constants().scalar(basicType(basicScalar(type)), 0);
      return composeMatrix(f, type,
                           [&](uint32_t column, uint32_t row) { return column == row ? o[0] : zero; });
    }
    case ExprOp::MatrixResize: {
      const TypeId from = f.at(o[0]).type;
      const Scalar s = basicScalar(type);
      return composeMatrix(f, type, [&](uint32_t column, uint32_t row) -> ConstId {
        if (column < basicColumns(from) && row < basicRows(from))
          return constituent(p, constituent(p, o[0], column), row);
        return f.constants().scalar(basicType(s), encodeFloat(s, column == row ? 1.0 : 0.0));
      });
    }
    default: return {};
  }
}

}  // namespace

ConstId foldOperation(Checker& c, ExprOp op, TypeId type, std::span<const ConstId> operands, SourceLoc loc,
                      uint64_t literal) {
  for (ConstId o : operands)
    if (!o) return {};
  Folder f{c, loc};
  const ConstId result = foldAny(f, op, type, operands, literal);
  if (f.issue != FoldIssue::None) reportIssue(f);
  return result;
}

}  // namespace coopc::frontend
