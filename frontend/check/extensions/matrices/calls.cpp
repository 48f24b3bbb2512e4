// Calls of the functions of GL_KHR_cooperative_matrix, and of the reduce, per-element, transpose and
// coordinate functions of GL_NV_cooperative_matrix2 and GL_EXT_cooperative_matrix_maintenance1 (8.X
// "Cooperative Matrix Functions"). Argument lists keep the order of the source; the emitter distinguishes
// operands by their types.
#include <spirv/unified1/spirv.hpp11>

#include "base/spirv_version.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {

namespace {

// With checks off, scalars are accepted too, so callers must test for them.
bool requireCoopMat(Checker& c, NameId name, uint32_t index, ExprId arg) {
  if (isCoopMat(c, c.typeOf(arg))) return true;
  if (isScalarType(c.typeOf(arg))) return !forbidArgument(c, name, index, "a cooperative matrix", arg);
  badArgument(c, name, index, "a cooperative matrix", arg);
  return false;
}

bool areCoopMats(const Checker& c, std::span<const ExprId> args) {
  for (const ExprId a : args) {
    if (!isCoopMat(c, c.typeOf(a))) return false;
  }
  return true;
}

// Warnings about errors at run time that constants reveal (VUID 08986): the start and the stride of
// the matrix must be aligned to the smaller of 16 bytes and the size of a row (row major) or column (column
// major).
void warnAlignment(Checker& c, NameId name, std::span<const ExprId> args, Storage storage) {
  const TypeId matrix = c.typeOf(args[0]);
  const TypeId elementType = c.type(c.typeOf(args[1])).element();
  const std::optional<int64_t> layout = literalArgument(c, args[4]);
  if (!layout) return;
  const MatrixParameters shape = matrixParameters(c.program, matrix);
  const int64_t count = literalInteger(c.program, *layout == 0 ? shape.columns : shape.rows).value_or(0);
  if (count <= 0) return;
  const uint64_t lineBytes = static_cast<uint64_t>(count) * scalarBits(c.type(matrix).scalar) / 8;
  const uint64_t alignment = lineBytes < 16 ? lineBytes : 16;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) return;
  const uint64_t elementBytes = layoutOf(c.program, elementType, Packing::Scalar, Major::Column).size;
  if (const std::optional<int64_t> literal = literalArgument(c, args[3])) {
    const uint64_t stride = static_cast<uint32_t>(*literal);
    const uint64_t bytes = stride * elementBytes;
    if (bytes % alignment != 0) {
      c.report(DiagKind::MatrixStrideAlignment, c.expr(args[3]).loc,
               {stride, c.names.text(name), bytes, alignment});
    }
  }
  const std::optional<int64_t> element = literalArgument(c, args[2]);
  if (!element) return;
  const std::optional<uint64_t> base =
      storage == Storage::StorageBlock ? constantBufferOffset(c, args[1]) : uint64_t{0};
  if (!base) return;
  const uint64_t bytes = *base + static_cast<uint64_t>(static_cast<uint32_t>(*element)) * elementBytes;
  if (bytes % alignment != 0)
    c.report(DiagKind::MatrixBaseAlignment, c.expr(args[2]).loc, {bytes, alignment});
}

// SPV_ARM_cooperative_matrix_layouts, 2.16.1: for the blocked layouts, the stride is the number of blocks
// that are interleaved. The matrix consists of whole groups of such blocks, each of 4 rows of 16 bytes. False
// after an error.
constexpr auto kRowBlocked = static_cast<int64_t>(spv::CooperativeMatrixLayout::RowBlockedInterleavedARM);
constexpr auto kColumnBlocked =
    static_cast<int64_t>(spv::CooperativeMatrixLayout::ColumnBlockedInterleavedARM);
bool blocksFit(Checker& c, NameId name, std::span<const ExprId> args, int64_t layout) {
  // "This extension requires SPIR-V 1.6", even if the names come with GL_KHR_cooperative_matrix.
  if (c.options.spirvVersion < kSpirv16) {
    c.report(DiagKind::TargetTooOld, c.expr(args[4]).loc,
             {builtinConstantName("gl_CooperativeMatrixLayout", static_cast<uint64_t>(layout)), "1.6",
              spirvVersionText(c.options.spirvVersion)})
        .note({}, targetHint(kSpirv16));
    return false;
  }
  const std::optional<int64_t> literal = literalArgument(c, args[3]);
  // If the stride is a specialization constant, the pipeline decides.
  if (!literal && c.constantOf(args[3])) return true;
  const int64_t stride = literal.value_or(0);
  if (stride != 1 && stride != 2 && stride != 4)
    return !forbid(c, DiagKind::MatrixBlockedStride, c.expr(args[3]).loc, {c.names.text(name)});
  const TypeId matrix = c.typeOf(args[0]);
  const MatrixParameters shape = matrixParameters(c.program, matrix);
  const bool byRows = layout == kRowBlocked;
  const int64_t rows = 4 * (byRows ? 1 : stride);
  const int64_t columns = 128 / scalarBits(c.type(matrix).scalar) * (byRows ? stride : 1);
  const bool wholeRows = literalInteger(c.program, shape.rows).value_or(0) % rows == 0;
  const bool wholeColumns = literalInteger(c.program, shape.columns).value_or(0) % columns == 0;
  return (wholeRows && wholeColumns) || !forbid(c, DiagKind::MatrixBlockedShape, c.expr(args[0]).loc,
                                                {c.names.text(name), rows, columns, c.typeText(matrix)});
}

}  // namespace

// void coopMatLoad(out coopmat m, T[] buf, uint element, uint stride, int matrixLayout)
// void coopMatStore(coopmat m, out T[] buf, uint element, uint stride, int matrixLayout)
ExprId checkMatrixLoadStore(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> in,
                            SourceLoc loc) {
  if (!requireArgumentCount(c, name, in, 5, 5, loc)) return c.error(loc);
  ExprId args[5] = {in[0], in[1], in[2], in[3], in[4]};
  const bool load = op == BuiltinOp::CoopMatLoad;
  if (!requireCoopMat(c, name, 1, args[0])) return c.error(loc);
  const std::optional<Storage> storage = requireBuffer(c, name, 2, args[1], false);
  if (!storage) return c.error(loc);
  if (load ? !requireValue(c, args[1]) || !requireLvalue(c, args[0], c.expr(args[0]).loc, "the loaded matrix")
           : !requireLvalue(c, args[1], c.expr(args[1]).loc, "the stored array")) {
    return c.error(loc);
  }
  args[2] = offsetArgument(c, name, 3, args[2]);
  args[3] = uintArgument(c, name, 4, args[3]);
  if (!args[2] || !args[3]) return c.error(loc);
  const TypeId lt = c.typeOf(args[4]);
  if (lt != kInt && lt != kUint) {
    const Expr e = c.expr(args[4]);
    DiagBuilder report = c.report(DiagKind::MatrixArgument, e.loc,
                                  {5, c.names.text(name), "a matrix layout of type `int`", c.typeText(lt)});
    if (lt == kBool)  // `colMajor` of GL_NV_cooperative_matrix
      report.note(e.loc,
                  "write `gl_CooperativeMatrixLayoutRowMajor` or `gl_CooperativeMatrixLayoutColumnMajor`");
    return c.error(e.loc);
  }
  const ConstId layout = c.constantOf(args[4]);
  if (!layout && forbid(c, DiagKind::MatrixArgumentConstant, c.expr(args[4]).loc,
                        {5, c.names.text(name), "matrix layout"})) {
    return c.error(loc);
  }
  const std::optional<int64_t> order = literalInteger(c.program, layout);
  const bool blocked = order == kRowBlocked || order == kColumnBlocked;
  if (order && *order != 0 && *order != 1 && !blocked &&
      forbid(c, DiagKind::MatrixLayoutRange, c.expr(args[4]).loc, {*order})) {
    return c.error(loc);
  }
  if (!load && literalArgument(c, args[3]) == 0) {
    c.report(DiagKind::MatrixStoreStrideZero, c.expr(args[3]).loc);
  }
  if (areCoopMats(c, {args, 1})) {
    if (!blocked) {
      warnAlignment(c, name, args, *storage);
    } else if (!blocksFit(c, name, args, *order)) {
      return c.error(loc);
    }
  }
  return makeCall(c, op, kVoidType, args, loc);
}

// coopmat coopMatMulAdd(coopmat A, coopmat B, coopmat C, int matrixOperands = 0)
ExprId checkMatrixMulAdd(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (!requireArgumentCount(c, name, args, 3, 4, loc)) return c.error(loc);
  static constexpr std::string_view kLetters[3] = {"A", "B", "C"};
  static constexpr std::string_view kUses[3] = {"gl_MatrixUseA", "gl_MatrixUseB", "gl_MatrixUseAccumulator"};
  MatrixParameters s[3];
  TypeId t[3];
  for (uint32_t i = 0; i < 3; ++i) {
    if (!requireCoopMat(c, name, i + 1, args[i])) return c.error(loc);
    t[i] = c.typeOf(args[i]);
    if (isCoopMat(c, t[i])) s[i] = matrixParameters(c.program, t[i]);
  }
  if (!areCoopMats(c, args.first(3))) return makeCall(c, BuiltinOp::CoopMatMulAdd, t[2], args.first(3), loc);
  bool ok = true;
  for (uint32_t i = 0; i < 3; ++i) {
    // If the use is a specialization constant, the pipeline decides.
    if (literalInteger(c.program, s[i].use).value_or(i) != i) {
      ok = !forbid(c, DiagKind::MulAddUse, c.expr(args[i]).loc,
                   {kLetters[i], c.names.text(name), kUses[i], c.typeText(t[i]), useText(c, t[i])});
    }
  }
  for (uint32_t i = 1; i < 3; ++i) {
    if (s[i].scope != s[0].scope) {
      ok = !forbid(c, DiagKind::MulAddScope, c.expr(args[i]).loc,
                   {c.names.text(name), c.typeText(t[0]), c.typeText(t[i])}) &&
           ok;
      break;
    }
  }
  const auto same = [&](std::string_view leftName, ConstId left, std::string_view rightName, ConstId right,
                        ExprId at) {
    if (left == right) return;
    reportForbidden(c, DiagKind::MulAddShape, c.expr(at).loc,
                    {c.names.text(name), leftName, constText(c, left), rightName, constText(c, right)})
        .note(c.expr(args[0]).loc, "A is `" + c.typeText(t[0]) + "`")
        .note(c.expr(args[1]).loc, "B is `" + c.typeText(t[1]) + "`")
        .note(c.expr(args[2]).loc, "C is `" + c.typeText(t[2]) + "`");
    ok = ok && c.options.checksOff;
  };
  same("columns of A", s[0].columns, "rows of B", s[1].rows, args[1]);
  same("rows of A", s[0].rows, "rows of C", s[2].rows, args[2]);
  same("columns of B", s[1].columns, "columns of C", s[2].columns, args[2]);
  if (!ok) return c.error(loc);
  for (uint32_t i = 1; i < 3; ++i) {
    if (isFloatScalar(c.type(t[i]).scalar) != isFloatScalar(c.type(t[0]).scalar)) {
      c.report(DiagKind::MulAddComponents, c.expr(args[i]).loc,
               {c.names.text(name), c.typeText(t[0]), c.typeText(t[i]), "floating-point and integer"});
      return c.error(loc);
    }
  }
  if (args.size() > 3) {
    // A literal of the instruction: decision 17.
    const ConstId operands = c.constantOf(args[3]);
    const TypeId ot = c.typeOf(args[3]);
    if (ot != kInt && ot != kUint) return badArgument(c, name, 4, "matrix operands of type `int`", args[3]);
    if (!operands || c.program.constants[operands].isSpec) {
      c.report(DiagKind::MatrixArgumentLiteral, c.expr(args[3]).loc,
               {4, c.names.text(name), "matrix operands"});
      return c.error(loc);
    }
    const int64_t value = literalInteger(c.program, operands).value_or(0);
    if ((value & ~int64_t{0x10}) != 0 &&
        forbid(c, DiagKind::MatrixOperandsRange, c.expr(args[3]).loc, {value})) {
      return c.error(loc);
    }
    if ((value & 0x10) != 0 && isFloatScalar(c.type(t[2]).scalar) &&
        forbid(c, DiagKind::MatrixSaturationFloat, c.expr(args[3]).loc, {c.typeText(t[2])})) {
      return c.error(loc);
    }
  }
  const ExprId call = makeCall(c, BuiltinOp::CoopMatMulAdd, t[2], args, loc);
  c.program.exprs[call].flags = 0;
  return call;
}

// Whether two sizes differ for certain: if they are specialization constants, the pipeline decides.
bool areDifferent(const Checker& c, ConstId a, ConstId b) {
  const std::optional<int64_t> x = literalInteger(c.program, a), y = literalInteger(c.program, b);
  return x && y && *x != *y;
}

// coopMatReduceNV and coopMatReduceEXT: void f(out coopmat result, coopmat m, int reduceMask, T combineOp).
ExprId checkMatrixReduce(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (!requireArgumentCount(c, name, args, 4, 4, loc)) return c.error(loc);
  if (!requireCoopMat(c, name, 1, args[0]) || !requireCoopMat(c, name, 2, args[1])) return c.error(loc);
  if (!requireLvalue(c, args[0], c.expr(args[0]).loc, "the reduced matrix")) return c.error(loc);
  const TypeId result = c.typeOf(args[0]);
  const TypeId matrix = c.typeOf(args[1]);
  if (!areCoopMats(c, args.first(2))) {
    const CallbackContract any{
        "combine function", BuiltinOp::CoopMatReduce, componentType(c, matrix), {}, {}, 0};
    if (!checkCallback(c, name, 4, args[3], any)) return c.error(loc);
    return makeCall(c, BuiltinOp::CoopMatReduce, kVoidType, args, loc);
  }
  bool ok = true;
  for (uint32_t i = 0; i < 2; ++i) {
    const TypeId t = c.typeOf(args[i]);
    const std::optional<int64_t> use = literalInteger(c.program, matrixParameters(c.program, t).use);
    if (use && *use != kMatrixUseAccumulator) {
      ok = !forbid(c, DiagKind::ReduceUse, c.expr(args[i]).loc,
                   {c.names.text(name), c.typeText(t), useText(c, t)});
    }
  }
  const MatrixParameters to = matrixParameters(c.program, result);
  const MatrixParameters from = matrixParameters(c.program, matrix);
  if (c.type(result).scalar != c.type(matrix).scalar || to.scope != from.scope) {
    ok = !forbid(c, DiagKind::ReduceComponent, c.expr(args[0]).loc,
                 {c.names.text(name), c.typeText(componentType(c, matrix)), c.typeText(result)}) &&
         ok;
  }
  const ConstId maskConstant = c.constantOf(args[2]);
  const TypeId mt = c.typeOf(args[2]);
  if (mt != kInt && mt != kUint) return badArgument(c, name, 3, "a reduce mask of type `int`", args[2]);
  if (!maskConstant || c.program.constants[maskConstant].isSpec) {
    c.report(DiagKind::MatrixArgumentLiteral, c.expr(args[2]).loc, {3, c.names.text(name), "reduce mask"});
    return c.error(loc);
  }
  const int64_t mask = literalInteger(c.program, maskConstant).value_or(0);
  if ((mask < 1 || mask > 4) && forbid(c, DiagKind::ReduceMaskRange, c.expr(args[2]).loc, {mask})) {
    return c.error(loc);
  }
  const auto shape = [&](std::string_view kind, std::string_view wanted) {
    ok = !forbid(c, DiagKind::ReduceShape, c.expr(args[0]).loc,
                 {kind, wanted, c.typeText(result), c.typeText(matrix)}) &&
         ok;
  };
  if (mask == 1 && areDifferent(c, to.rows, from.rows)) shape("row", "the matrix's number of rows");
  if (mask == 2 && areDifferent(c, to.columns, from.columns))
    shape("column", "the matrix's number of columns");
  if (mask == 4) {
    const auto half = [&](ConstId small, ConstId large) {
      const std::optional<int64_t> a = literalInteger(c.program, small);
      const std::optional<int64_t> b = literalInteger(c.program, large);
      return !a || !b || *a * 2 == *b;
    };
    if (!half(to.rows, from.rows) || !half(to.columns, from.columns))
      shape("2x2", "half the matrix's rows and columns");
  }
  if (!ok) return c.error(loc);
  const Scalar component = c.type(matrix).scalar;
  // Decision 37.
  if (!isIntScalar(component) && !isArithmeticFloat(component))
    c.report(DiagKind::ReduceSmallFloats, c.expr(args[1]).loc, {c.typeText(basicType(component))});
  // Decision 8; GL_EXT_cooperative_matrix_maintenance1 has no such sentence.
  if (!isFloatScalar(component) && c.names.text(name) == "coopMatReduceNV")
    c.report(DiagKind::ReduceIntegers, c.expr(args[1]).loc, {c.names.text(name), c.typeText(matrix)});
  CallbackContract contract{
      "combine function", BuiltinOp::CoopMatReduce, componentType(c, matrix), {}, {}, 0};
  const FnId fn = checkCallback(c, name, 4, args[3], contract);
  if (!fn) return c.error(loc);
  return makeCall(c, BuiltinOp::CoopMatReduce, kVoidType, args, loc);
}

// void coopMatPerElementNV(out coopmat result, coopmat m, T elemOp, ...)
ExprId checkMatrixPerElement(Checker& c, NameId name, std::span<const ExprId> in, SourceLoc loc) {
  if (!requireArgumentCount(c, name, in, 3, kNone, loc)) return c.error(loc);
  std::vector<ExprId> args(in.begin(), in.end());
  if (!requireCoopMat(c, name, 1, args[0]) || !requireCoopMat(c, name, 2, args[1])) return c.error(loc);
  if (!requireLvalue(c, args[0], c.expr(args[0]).loc, "the resulting matrix")) return c.error(loc);
  const TypeId matrix = c.typeOf(args[1]);
  if (c.typeOf(args[0]) != matrix &&
      forbid(c, DiagKind::PerElementResult, c.expr(args[0]).loc,
             {c.names.text(name), c.typeText(matrix), c.typeText(c.typeOf(args[0]))})) {
    return c.error(loc);
  }
  std::vector<TypeId> extra;
  for (size_t i = 3; i < args.size(); ++i) {
    const TypeId t = c.typeOf(args[i]);
    if (!requireValue(c, args[i])) return c.error(loc);
    if (isCoopMat(c, t)) {
      if (t != matrix &&
          forbid(c, DiagKind::PerElementMatrix, c.expr(args[i]).loc,
                 {static_cast<uint64_t>(i + 1), c.names.text(name), c.typeText(matrix), c.typeText(t)})) {
        return c.error(loc);
      }
      extra.push_back(componentType(c, matrix));
    } else {
      extra.push_back(t);
    }
  }
  CallbackContract contract{
      "per-element function", BuiltinOp::CoopMatPerElement, componentType(c, matrix), extra, args, 0};
  const FnId fn = checkCallback(c, name, 3, args[2], contract);
  if (!fn) return c.error(loc);
  return makeCall(c, BuiltinOp::CoopMatPerElement, kVoidType, args, loc);
}

// void coopMatTransposeNV(out coopmat result, coopmat m): accumulator to B; the component type should stay
// (decision 9).
// void coopMatTransposeEXT(out coopmat result, coopmat m): accumulator to A or B; the component type may
// change. This is a conversion of the use, with a decoration (SPV_EXT_cooperative_matrix_maintenance1).
ExprId checkMatrixTranspose(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc) {
  if (!requireArgumentCount(c, name, args, 2, 2, loc)) return c.error(loc);
  if (!requireCoopMat(c, name, 1, args[0]) || !requireCoopMat(c, name, 2, args[1])) return c.error(loc);
  if (!requireLvalue(c, args[0], c.expr(args[0]).loc, "the transposed matrix")) return c.error(loc);
  const TypeId result = c.typeOf(args[0]);
  const TypeId matrix = c.typeOf(args[1]);
  if (!areCoopMats(c, args)) return makeCall(c, op, kVoidType, args, loc);
  const bool converts = op == BuiltinOp::CoopMatTransposeConvert;
  const MatrixParameters to = matrixParameters(c.program, result);
  const MatrixParameters from = matrixParameters(c.program, matrix);
  const std::optional<int64_t> fromUse = literalInteger(c.program, from.use);
  const std::optional<int64_t> toUse = literalInteger(c.program, to.use);
  if (((fromUse && *fromUse != kMatrixUseAccumulator) ||
       (toUse && *toUse != kMatrixUseB && !(converts && *toUse == kMatrixUseA))) &&
      forbid(c, DiagKind::TransposeUse, loc,
             {c.names.text(name), converts ? "`gl_MatrixUseA` or `gl_MatrixUseB`" : "`gl_MatrixUseB`",
              useText(c, matrix), useText(c, result)})) {
    return c.error(loc);
  }
  const auto differ = [&](std::string_view what) {
    return forbid(c, DiagKind::TransposeShape, c.expr(args[0]).loc,
                  {c.names.text(name), what, c.typeText(result), c.typeText(matrix)});
  };
  if (to.scope != from.scope && differ("scope")) return c.error(loc);
  if (areDifferent(c, to.rows, from.columns) && differ("columns as rows")) return c.error(loc);
  if (areDifferent(c, to.columns, from.rows) && differ("rows as columns")) return c.error(loc);
  if (!converts && c.type(result).scalar != c.type(matrix).scalar)
    c.report(DiagKind::TransposeComponent, c.expr(args[0]).loc,
             {c.names.text(name), c.typeText(result), c.typeText(matrix)});
  return makeCall(c, op, kVoidType, args, loc);
}

// uvec2 coopMatGetCoordinateEXT(coopmat m, uint index)
ExprId checkMatrixGetCoordinate(Checker& c, NameId name, std::span<const ExprId> in, SourceLoc loc) {
  if (!requireArgumentCount(c, name, in, 2, 2, loc)) return c.error(loc);
  if (!requireCoopMat(c, name, 1, in[0])) return c.error(loc);
  const ExprId args[2] = {in[0], uintArgument(c, name, 2, in[1])};
  if (!args[1]) return c.error(loc);
  return makeCall(c, BuiltinOp::CoopMatGetCoordinate, basicType(Scalar::Uint, 2), args, loc);
}

// void saturatedConvertEXT(out coopmat result, coopmat value), GL_EXT_float_e5m2 and GL_EXT_float_e4m3:
// "valid if the result type is constructible from the value type", and clamping is to the new types.
ExprId checkMatrixSaturatedConvert(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (!requireArgumentCount(c, name, args, 2, 2, loc)) return c.error(loc);
  for (uint32_t i = 0; i < 2; ++i) {
    if (isCoopMat(c, c.typeOf(args[i]))) continue;
    badArgument(c, name, i + 1, "a cooperative matrix", args[i]);
    return c.error(loc);
  }
  if (!requireLvalue(c, args[0], c.expr(args[0]).loc, "the converted matrix")) return c.error(loc);
  const TypeId result = c.typeOf(args[0]);
  const TypeId matrix = c.typeOf(args[1]);
  const Scalar to = c.type(result).scalar, from = c.type(matrix).scalar;
  const MatrixParameters a = matrixParameters(c.program, result), b = matrixParameters(c.program, matrix);
  const bool components = to == Scalar::FloatE4M3 || to == Scalar::FloatE5M2;
  const bool shape =
      a.scope == b.scope && a.rows == b.rows && a.columns == b.columns && useConverts(c, matrix, result);
  if (!components || !shape) {
    const DiagArgs<DiagArgKind::Text, DiagArgKind::Text, DiagArgKind::Text> texts = {
        c.names.text(name), c.typeText(matrix), c.typeText(result)};
    // A conversion between other floats can be emitted, but must not have the decoration.
    if (shape && isFloatScalar(to) && isFloatScalar(from) && to != from) {
      if (forbid(c, DiagKind::SaturatedMatrix, loc, texts)) return c.error(loc);
    } else {
      c.report(DiagKind::SaturatedMatrix, loc, texts);
      return c.error(loc);
    }
  }
  return makeCall(c, BuiltinOp::SaturatedConvert, kVoidType, args, loc);
}

}  // namespace coopc::frontend
