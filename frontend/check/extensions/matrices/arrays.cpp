// Calls of GL_QCOM_cooperative_matrix_conversion: from arrays to arrays of other components, and between an
// invocation's array and its row (for B, its column) of a cooperative matrix.
#include <spirv/unified1/spirv.hpp11>

#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {

namespace {

struct ArrayOf {
  Scalar component{};
  std::optional<int64_t> length;  // none if it is a specialization constant
};

bool isWordOrHalf(Scalar s) {
  return s == Scalar::Int || s == Scalar::Uint || s == Scalar::Float || s == Scalar::Float16;
}

// An argument that is a one-dimensional array of such a component; none after a report.
std::optional<ArrayOf> requireArray(Checker& c, NameId name, uint32_t index, ExprId arg,
                                    bool (*takes)(Scalar), std::string_view what) {
  const TypeId type = c.typeOf(arg);
  const bool fits = c.program.types.kind(type) == TypeKind::Array && c.type(type).hasArraySize() &&
                    isScalarType(c.type(type).element()) && takes(basicScalar(c.type(type).element()));
  if (!fits) {
    badArgument(c, name, index, what, arg);
    return {};
  }
  return ArrayOf{basicScalar(c.type(type).element()), literalInteger(c.program, c.type(type).arraySize())};
}

// The size of a row of A and of a column of B: 8 components of 32 bits, 16 of 16, 32 of 8.
constexpr int64_t kOperandBits = 256;

constexpr std::string_view kWordsOrHalves = "a sized array of `int`, `uint`, `float` or `float16_t`";

ExprId checkArrays(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> in, SourceLoc loc) {
  const bool part = op == BuiltinOp::ExtractSubArray;
  if (!requireArgumentCount(c, name, in, part ? 3 : 2, part ? 3 : 2, loc)) return c.error(loc);
  ExprId args[3] = {in[0], in[1], part ? in[2] : ExprId()};
  ExprId& to = args[part ? 2 : 1];
  const std::optional<ArrayOf> from = requireArray(c, name, 1, args[0], isWordOrHalf, kWordsOrHalves);
  if (!from) return c.error(loc);
  const std::optional<ArrayOf> result = requireArray(c, name, part ? 3 : 2, to, isWordOrHalf, kWordsOrHalves);
  if (!result || !requireValue(c, args[0]) || !requireLvalue(c, to, c.expr(to).loc, "the resulting array"))
    return c.error(loc);
  if (part) {
    const TypeId t = c.typeOf(args[1]);
    if (t != kInt && t != kUint) return badArgument(c, name, 2, "an index of type `int`", args[1]);
    if (from->component != result->component &&
        forbid(c, DiagKind::ArrayComponents, c.expr(to).loc,
               {c.names.text(name), c.typeText(c.typeOf(args[0])), c.typeText(c.typeOf(to))}))
      return c.error(loc);
    const std::optional<int64_t> first = literalArgument(c, args[1]);
    if (from->length && result->length && first && (*first < 0 || *first > *from->length - *result->length))
      c.report(DiagKind::ArrayPartRange, c.expr(args[1]).loc,
               {c.names.text(name), *result->length, *first, c.typeText(c.typeOf(args[0])), *from->length});
  } else if (from->length && result->length) {
    const uint64_t bytes = uint64_t(*from->length) * scalarBits(from->component) / 8;
    const uint64_t resultBytes = uint64_t(*result->length) * scalarBits(result->component) / 8;
    if (bytes != resultBytes && forbid(c, DiagKind::ArrayBytes, c.expr(to).loc,
                                       {c.names.text(name), c.typeText(c.typeOf(args[0])), bytes,
                                        c.typeText(c.typeOf(to)), resultBytes}))
      return c.error(loc);
  }
  return makeCall(c, op, kVoidType, {args, part ? 3u : 2u}, loc);
}

// The component types that a matrix may have, by its use.
bool takesComponent(Scalar s, bool accumulator) {
  const bool byte = s == Scalar::Int8 || s == Scalar::Uint8;
  return s == Scalar::Float || s == Scalar::Float16 ||
         (accumulator ? s == Scalar::Int || s == Scalar::Uint : byte);
}

// The rules for a matrix and the array that an invocation passes or receives; false after a report.
bool fitTogether(Checker& c, NameId name, ExprId matrix, ExprId array, const ArrayOf& a) {
  const TypeId type = c.typeOf(matrix);
  const Scalar component = c.type(type).scalar;
  const MatrixParameters shape = matrixParameters(c.program, type);
  const std::optional<int64_t> use = literalInteger(c.program, shape.use);
  const bool accumulator = use == kMatrixUseAccumulator;
  constexpr auto kSubgroup = static_cast<int64_t>(spv::Scope::Subgroup);
  if (literalInteger(c.program, shape.scope).value_or(kSubgroup) != kSubgroup ||
      (use && !takesComponent(component, accumulator))) {
    if (forbid(c, DiagKind::ArrayMatrix, c.expr(matrix).loc, {c.names.text(name), c.typeText(type)}))
      return false;
  }
  if (a.component != component && a.component != Scalar::Uint) {
    if (forbid(c, DiagKind::ArrayMatrixComponent, c.expr(array).loc,
               {c.names.text(name), c.typeText(basicType(component)), c.typeText(type),
                c.typeText(c.typeOf(array))}))
      return false;
  }
  // As many components as a row has (for B, a column), or the words that hold them.
  if (!use) return true;
  std::optional<int64_t> line = literalInteger(c.program, use == kMatrixUseB ? shape.rows : shape.columns);
  if (!accumulator) {
    const int64_t most = kOperandBits / scalarBits(component);
    if (line && *line != most &&
        forbid(c, DiagKind::ArrayMatrixSize, c.expr(matrix).loc,
               {c.names.text(name), c.typeText(basicType(component)), most, c.typeText(type)}))
      return false;
    // The number of words is known even if the length of the row is a specialization constant.
    if (a.component != component) line = most;
  }
  const int64_t perElement = a.component == component ? 1 : 32 / scalarBits(component);
  if (!a.length || !line || *line == 0 || perElement == 0 || *a.length * perElement == *line) return true;
  return !forbid(c, DiagKind::ArrayMatrixLength, c.expr(array).loc,
                 {c.names.text(name), *line / perElement, c.typeText(c.typeOf(array)), c.typeText(type)});
}

// The row of an accumulator that belongs to an invocation has one of four lengths.
bool isRowLength(int64_t length) { return length == 8 || length == 16 || length == 32 || length == 64; }

// void vectorToCoopmatQCOM(SrcEltTy vec[], coopmat cm); void coopmatToVectorQCOM(coopmat cm, DstEltTy vec[])
ExprId checkArrayAndMatrix(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                           SourceLoc loc) {
  if (!requireArgumentCount(c, name, args, 2, 2, loc)) return c.error(loc);
  const uint32_t matrixAt = op == BuiltinOp::ArrayToCoopMat ? 1 : 0;
  const ExprId matrix = args[matrixAt], array = args[1 - matrixAt];
  if (!isCoopMat(c, c.typeOf(matrix)))
    return badArgument(c, name, matrixAt + 1, "a cooperative matrix", matrix);
  const auto any = [](Scalar s) { return isWordOrHalf(s) || s == Scalar::Int8 || s == Scalar::Uint8; };
  const std::optional<ArrayOf> a =
      requireArray(c, name, 2 - matrixAt, array, any, "a sized array of numbers");
  if (!a || !requireValue(c, args[0]) ||
      !requireLvalue(c, args[1], c.expr(args[1]).loc,
                     matrixAt == 1 ? "the resulting matrix" : "the resulting array") ||
      !fitTogether(c, name, matrix, array, *a))
    return c.error(loc);
  if (matrixAt == 0 && hasUse(c, c.typeOf(matrix), kMatrixUseAccumulator) && a->length &&
      !isRowLength(*a->length) &&
      forbid(c, DiagKind::ArrayRowLength, c.expr(array).loc,
             {c.names.text(name), c.typeText(c.typeOf(array))}))
    return c.error(loc);
  return makeCall(c, op, kVoidType, args, loc);
}

}  // namespace

ExprId checkArrayConversion(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc) {
  const bool arrays = op == BuiltinOp::BitCastArray || op == BuiltinOp::ExtractSubArray;
  return arrays ? checkArrays(c, op, name, args, loc) : checkArrayAndMatrix(c, op, name, args, loc);
}

}  // namespace coopc::frontend
