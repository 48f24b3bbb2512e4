// Tensor layouts and views, and the loads and stores that use them (GL_NV_cooperative_matrix2, 4.1.X and
// 8.X). Ill-formed calls are errors; values that are certain to be wrong at run time give warnings.
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/program/block_layout.hpp"

namespace coopc::frontend {

namespace {

bool isKind(const Checker& c, ExprId e, TypeKind kind) { return c.program.types.kind(c.typeOf(e)) == kind; }

void warnBaseAlignment(Checker& c, ExprId buffer, ExprId elementOffset, Storage storage) {
  const std::optional<int64_t> element = literalArgument(c, elementOffset);
  if (!element) return;
  const std::optional<uint64_t> base =
      storage == Storage::StorageBlock ? constantBufferOffset(c, buffer) : uint64_t{0};
  if (!base) return;
  const uint64_t size =
      layoutOf(c.program, c.type(c.typeOf(buffer)).element(), Packing::Scalar, Major::Column).size;
  const uint64_t bytes = *base + static_cast<uint64_t>(static_cast<uint32_t>(*element)) * size;
  if (bytes % 16 != 0) c.report(DiagKind::TensorBaseAlignment, c.expr(elementOffset).loc, {bytes});
}

// Decision 10.
void warnViewDimensions(Checker& c, ExprId layout, ExprId view) {
  const uint32_t l = tensorDimensions(c, c.typeOf(layout));
  const auto params = c.program.types.params(c.typeOf(view));
  const uint32_t v = tensorDimensions(c, c.typeOf(view));
  const Constant& has = c.program.constants[params[1]];
  if (l == 0 || v == 0 || has.isSpec || has.bits != 0) return;
  if (v < l) c.report(DiagKind::TensorViewFewerDimensions, c.expr(view).loc, {v, l});
  if (v > l) c.report(DiagKind::TensorViewMoreDimensions, c.expr(view).loc, {v, l});
}

void warnZero(Checker& c, NameId name, std::span<const ExprId> values, uint32_t first, uint32_t step,
              std::string_view what) {
  for (uint32_t i = first; i < values.size(); i += step) {
    if (literalArgument(c, values[i]) == 0) {
      c.report(DiagKind::TensorZero, c.expr(values[i]).loc, {what, (i - 1) / step, c.names.text(name)});
    }
  }
}

// createTensorLayoutNV and createTensorViewNV: their arguments are type parameters.
ExprId checkCreate(Checker& c, BuiltinOp op, std::span<const ExprId> args, SourceLoc loc) {
  std::vector<TypeArgument> params;
  for (const ExprId a : args) params.push_back({kErrorType, a, false, c.expr(a).loc});
  const Tok keyword = op == BuiltinOp::CreateTensorLayout ? Tok::KwTensorLayout : Tok::KwTensorView;
  const TypeId type = checkTypeArguments(c, keyword, params, loc);
  if (type == kErrorType) return c.error(loc);
  const ExprId call = makeCall(c, op, type, {}, loc);
  c.program.exprs[call].flags = 0;
  return call;
}

}  // namespace

// void coopMatLoadTensorNV(inout coopmat m, T[] buf, uint elementOffset, tensorLayoutNV layout
//                          [, tensorViewNV view] [, T2 decodeFunc])
// void coopMatStoreTensorNV(coopmat m, out T[] buf, uint elementOffset, tensorLayoutNV layout
//                           [, tensorViewNV view])
ExprId checkTensorLoadStore(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> in,
                            SourceLoc loc) {
  const bool load = op == BuiltinOp::CoopMatLoadTensor;
  const bool vectors = c.allows(Feature::DecodeVectorFunctions);
  // There is one argument too many because the extension is missing; the function itself is reported below.
  const bool another = load && !vectors && in.size() == 7 && c.expr(in[6]).op == ExprOp::FunctionName;
  if (!another && !requireArgumentCount(c, name, in, 4, load ? (vectors ? 7 : 6) : 5, loc))
    return c.error(loc);
  std::vector<ExprId> args(in.begin(), in.end());
  if (!isKind(c, args[0], TypeKind::CoopMat)) return badArgument(c, name, 1, "a cooperative matrix", args[0]);
  const std::optional<Storage> storage = requireBuffer(c, name, 2, args[1], true);
  if (!storage) return c.error(loc);
  if (load ? !requireValue(c, args[1]) || !requireLvalue(c, args[0], c.expr(args[0]).loc, "the loaded matrix")
           : !requireLvalue(c, args[1], c.expr(args[1]).loc, "the stored array")) {
    return c.error(loc);
  }
  args[2] = offsetArgument(c, name, 3, args[2]);
  if (!args[2]) return c.error(loc);
  const ExprId layout = args[3];
  const bool isLayout = isKind(c, layout, TypeKind::TensorLayout);
  if (!isLayout && !isKind(c, layout, TypeKind::TensorView))
    return badArgument(c, name, 4, "a tensor layout", layout);
  if (!isLayout && forbidArgument(c, name, 4, "a tensor layout", layout)) return c.error(loc);
  ExprId view;
  uint32_t decode = 0;        // positions; 0 if absent
  uint32_t decodeVector = 0;  // GL_NV_cooperative_matrix_decode_vector: directly after the decode function
  for (uint32_t i = 4; i < args.size(); ++i) {
    const bool function = load && c.expr(args[i]).op == ExprOp::FunctionName;
    if (i == 4 && isKind(c, args[i], TypeKind::TensorView)) {
      view = args[i];
    } else if (function && decode == 0) {
      decode = i;
    } else if (function && vectors && decodeVector == 0) {
      decodeVector = i;
    } else if (function && !vectors) {
      c.report(DiagKind::DecodeVectorExtension, c.expr(args[i]).loc,
               {i + 1, c.names.text(name), c.needs(Feature::DecodeVectorFunctions)});
      return c.error(loc);
    } else {
      const std::string_view what = !load    ? "a tensor view"
                                    : i == 4 ? "a tensor view or a function"
                                             : "a function";
      const bool isName = c.expr(args[i]).op == ExprOp::FunctionName;
      if (i != 4 || (!isName && !isKind(c, args[i], TypeKind::TensorLayout)))
        return badArgument(c, name, i + 1, what, args[i]);
      if (forbidArgument(c, name, i + 1, what, args[i])) return c.error(loc);
      if (isName) decode = i;
    }
  }
  if (view && isLayout) warnViewDimensions(c, layout, view);
  warnBaseAlignment(c, args[1], args[2], *storage);
  if (decode) {
    if (*storage != Storage::StorageBlock) {
      if (forbid(c, DiagKind::DecodeBufferStorage, c.expr(args[1]).loc)) return c.error(loc);
    }
    CallbackContract contract{"decode function",
                              BuiltinOp::CoopMatLoadTensor,
                              componentType(c, c.typeOf(args[0])),
                              {},
                              {},
                              tensorDimensions(c, c.typeOf(layout))};
    if (!checkCallback(c, name, decode + 1, args[decode], contract)) return c.error(loc);
    contract.vectorResult = true;
    if (decodeVector && !checkCallback(c, name, decodeVector + 1, args[decodeVector], contract))
      return c.error(loc);
  }
  return makeCall(c, op, kVoidType, args, loc);
}

ExprId checkTensorValue(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> in, SourceLoc loc) {
  if (op == BuiltinOp::CreateTensorLayout || op == BuiltinOp::CreateTensorView) {
    if (!requireArgumentCount(c, name, in, 1,
                              op == BuiltinOp::CreateTensorLayout ? 2 : 2 + kMaxTensorDimensions, loc)) {
      return c.error(loc);
    }
    return checkCreate(c, op, in, loc);
  }
  const bool isView = op == BuiltinOp::SetTensorViewDimensions || op == BuiltinOp::SetTensorViewStride ||
                      op == BuiltinOp::SetTensorViewClip;
  if (!requireArgumentCount(c, name, in, 1, kNone, loc)) return c.error(loc);
  const std::string_view wanted = isView ? "a tensor view" : "a tensor layout";
  if (!isKind(c, in[0], isView ? TypeKind::TensorView : TypeKind::TensorLayout)) {
    if (!isKind(c, in[0], isView ? TypeKind::TensorLayout : TypeKind::TensorView))
      return badArgument(c, name, 1, wanted, in[0]);
    if (forbidArgument(c, name, 1, wanted, in[0])) return c.error(loc);
  }
  const TypeId type = c.typeOf(in[0]);
  const uint32_t dim = tensorDimensions(c, type);
  uint32_t values = dim;
  switch (op) {
    case BuiltinOp::SliceTensorLayout: values = 2 * dim; break;
    case BuiltinOp::SetTensorLayoutClampValue: values = 1; break;
    case BuiltinOp::SetTensorViewClip: values = 4; break;
    default: break;
  }
  // Functions that take one value for each dimension can be emitted with another number of values.
  const bool fixed = op == BuiltinOp::SetTensorLayoutClampValue || op == BuiltinOp::SetTensorViewClip;
  if (!fixed && in.size() != values + 1 && in.size() > 1 && in.size() <= 1 + 2 * kMaxTensorDimensions) {
    if (forbid(c, DiagKind::MatrixArgumentCount, loc,
               {c.names.text(name), std::to_string(values + 1), static_cast<uint64_t>(in.size())})) {
      return c.error(loc);
    }
  } else if (!requireArgumentCount(c, name, in, values + 1, values + 1, loc)) {
    return c.error(loc);
  }
  std::vector<ExprId> args(in.begin(), in.end());
  for (uint32_t i = 1; i < args.size(); ++i) {
    args[i] = uintArgument(c, name, i + 1, args[i]);
    if (!args[i]) return c.error(loc);
  }
  switch (op) {
    case BuiltinOp::SetTensorLayoutBlockSize: warnZero(c, name, args, 1, 1, "block size"); break;
    case BuiltinOp::SetTensorLayoutDimension: warnZero(c, name, args, 1, 1, "dimension"); break;
    case BuiltinOp::SliceTensorLayout: warnZero(c, name, args, 2, 2, "span"); break;
    case BuiltinOp::SetTensorLayoutStride:
      // "s<i> must be at least s<i+1>*ceiling(dim<i+1> / blockSize[i+1])": at least s<i+1> whatever the
      // dimensions are.
      for (uint32_t i = 1; i + 1 < args.size(); ++i) {
        const std::optional<int64_t> outer = literalArgument(c, args[i]);
        const std::optional<int64_t> inner = literalArgument(c, args[i + 1]);
        if (outer && inner && static_cast<uint32_t>(*outer) < static_cast<uint32_t>(*inner)) {
          c.report(DiagKind::TensorStrideTooSmall, c.expr(args[i]).loc, {i - 1, *outer, i, *inner});
        }
      }
      break;
    case BuiltinOp::SetTensorViewDimensions:
    case BuiltinOp::SetTensorViewStride: {
      if (!isKind(c, in[0], TypeKind::TensorView)) break;  // with checks off
      const Constant& has = c.program.constants[c.program.types.params(type)[1]];
      if (!has.isSpec && has.bits == 0) {
        c.report(DiagKind::TensorViewWithoutDimensions, loc, {c.names.text(name)});  // decision 22
      } else if (op == BuiltinOp::SetTensorViewDimensions) {
        warnZero(c, name, args, 1, 1, "dimension");
      }
      break;
    }
    default: break;
  }
  const ExprId call = makeCall(c, op, type, args, loc);
  c.program.exprs[call].flags = 0;
  return call;
}

}  // namespace coopc::frontend
