// Constructors (GLSL 4.60, 5.4) and initializer lists (4.1.11).
//
// Conversions come first: afterwards every item of a Construct list has the component type of the result, so
// that emission only has to put components together. Cooperative matrices and vectors go to
// check/extensions/matrices/rules.
#include "frontend/check/declarations.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/extensions/ray_tracing.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

ExprId constructNode(Checker& c, TypeId type, std::span<const ExprId> items, SourceLoc loc) {
  uint8_t flags = 0;
  IdBuffer<ConstId, 16> constants;
  bool constant = true;
  for (ExprId item : items) {
    const Expr& e = c.expr(item);
    flags = joinFlags(flags, e.flags);
    constant = constant && e.op == ExprOp::Constant;
    if (constant) constants.push(e.constant());
  }
  // Constructors do not propagate non-uniformity (GL_EXT_nonuniform_qualifier).
  flags = resultFlags(c.program, type, static_cast<uint8_t>(flags & ~kExprNonUniform));
  if (constant) {
    const ConstId folded = foldOperation(c, ExprOp::Construct, type, constants.view(), loc);
    if (folded) return c.program.addExpr(Expr::constant({type, flags, loc}, folded));
  }
  return c.program.addConstruct({type, flags, loc}, items);
}

// Splat, MatrixDiagonal, MatrixResize, or a Swizzle by `selection`.
ExprId unaryConstruct(Checker& c, ExprOp op, TypeId type, ExprId value, SourceLoc loc,
                      uint32_t selection = 0) {
  const Expr e = c.expr(value);
  const ExprHead head = {type, resultFlags(c.program, type, static_cast<uint8_t>(e.flags & ~kExprNonUniform)),
                         loc};
  if (e.op == ExprOp::Constant) {
    const ConstId k = e.constant();
    const ConstId folded = foldOperation(c, op, type, {&k, 1}, loc, selection);
    if (folded) return c.program.addExpr(Expr::constant(head, folded));
  }
  return c.program.addExpr(op == ExprOp::Swizzle ? Expr::swizzle(head, value, selection)
                                                 : Expr::unary(op, head, value));
}

ExprId firstComponents(Checker& c, ExprId vector, uint32_t count, SourceLoc loc) {
  constexpr uint32_t kXyzw = 0u << 4 | 1u << 8 | 2u << 12 | 3u << 16;
  const uint32_t packed = count | (kXyzw & ((1u << (4 + 4 * count)) - 1));
  return unaryConstruct(c, ExprOp::Swizzle, basicType(basicScalar(c.typeOf(vector)), count), vector, loc,
                        packed);
}

// The result of a constructor that changes nothing: the same value, but neither an l-value nor non-uniform
// (constructors do not propagate non-uniformity, GL_EXT_nonuniform_qualifier).
ExprId plainValue(Checker& c, ExprId value) {
  Expr e = c.expr(value);
  if ((e.flags & (kExprLvalue | kExprNonUniform)) == 0) return value;
  e.flags &= static_cast<uint8_t>(~(kExprLvalue | kExprNonUniform));
  return c.program.addExpr(e);
}

// Element `index` of a vector or matrix value by a constant index.
ExprId elementOf(Checker& c, ExprId value, uint32_t index, SourceLoc loc) {
  return checkIndex(c, value, c.constant(c.program.constants.int32(static_cast<int32_t>(index)), loc), loc);
}

// Converts the components of a scalar, vector or matrix value to another component type.
ExprId convertComponents(Checker& c, ExprId value, Scalar to) {
  Shape shape;
  if (!shapeOf(c.program, c.typeOf(value), shape) || shape.scalar == to) return value;
  return makeConvert(c, value, shapeType(c.program, shape, to));
}

// Whether a constructor converts between the component types (5.4.1): all numbers and bools convert, except
// where storage-only types and the encodings lack a conversion.
bool requireConstructible(Checker& c, Scalar from, Scalar to, TypeId type, ExprId arg) {
  if (from == to) return true;
  const SourceLoc loc = c.expr(arg).loc;
  if (to >= Scalar::FloatE2M1) {
    const ConstId k = c.constantOf(arg);
    if (!k || c.program.constants[k].isSpec) {
      c.report(DiagKind::MicroscalingConversion, loc, {c.typeText(basicType(to))});
      return false;
    }
  }
  for (auto [a, b] : {std::pair(from, to), std::pair(to, from)}) {
    if (a == Scalar::Bool && b >= Scalar::BFloat16) {
      c.report(DiagKind::EncodingBool, loc, {c.typeText(basicType(b))}).note({}, "convert by way of `float`");
      return false;
    }
    // Storage-only types convert to and from 32-bit types of their kind (GL_EXT_shader_16bit_storage, 5.4.1).
    // Constants of another kind are accepted too, because existing shaders contain `float16_t(0)`; they are
    // converted at compile time.
    const bool listed = a == Scalar::Float16 ? b == Scalar::Float : b == Scalar::Int || b == Scalar::Uint;
    if (!hasArithmetic(c, a) && !listed && !c.constantOf(arg)) {
      c.report(DiagKind::StorageOnlyConversion, loc,
               {c.typeText(c.typeOf(arg)), c.typeText(type), c.needs(arithmeticFeature(a))});
      return false;
    }
  }
  return true;
}

bool reportConstruct(Checker& c, TypeId type, ExprId arg) {
  c.report(DiagKind::NotConstructible, c.expr(arg).loc, {c.typeText(type), c.typeText(c.typeOf(arg))});
  return false;
}

uint32_t componentCount(TypeId type) { return basicRows(type) * basicColumns(type); }

// --------------------------------------------------------------------------------------------------- scalars

ExprId constructScalar(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  if (args.size() != 1) {
    c.report(args.empty() ? DiagKind::ConstructorTooFew : DiagKind::ConstructorUnusedArgument,
             args.empty() ? loc : c.expr(args[1]).loc, {c.typeText(type)});
    return c.error(loc);
  }
  ExprId value = args[0];
  const TypeId from = c.typeOf(value);
  Shape shape;
  if (!shapeOf(c.program, from, shape)) {
    const TypeKind kind = c.program.types.kind(from);
    if (kind == TypeKind::Reference && type == basicType(Scalar::Uint64)) return makeConvert(c, value, type);
    if (kind == TypeKind::CoopVec) {
      const ExprId first = elementOf(c, value, 0, loc);
      return c.isError(first) ? first : constructScalar(c, type, {&first, 1}, loc);
    }
    reportConstruct(c, type, value);
    return c.error(loc);
  }
  if (!requireConstructible(c, shape.scalar, basicScalar(type), type, value)) return c.error(loc);
  if (shape.kind != TypeKind::Scalar &&
      !requireArithmetic(c, shape.scalar, c.expr(value).loc, "component selection"))
    return c.error(loc);
  // "Scalar constructors with non-scalar parameters can be used to take the first element" (5.4.1).
  if (shape.kind == TypeKind::Matrix || shape.kind == TypeKind::LongVector)
    value = elementOf(c, value, 0, loc);
  if (c.isError(value)) return value;
  if (isVectorType(c.typeOf(value))) value = firstComponents(c, value, 1, loc);
  return plainValue(c, makeConvert(c, value, type));
}

// ----------------------------------------------------------------------------------------- vectors, matrices

// Collects the arguments of a vector or matrix that is made of several values: converts them, in order, and
// checks their count.
bool collectComponents(Checker& c, TypeId type, std::span<const ExprId> args, uint32_t needed, bool matrix,
                       SourceLoc loc, IdBuffer<ExprId, 16>& items) {
  const Scalar s = isBasic(type) ? basicScalar(type) : c.type(type).scalar;
  uint32_t have = 0;
  for (ExprId arg : args) {
    if (have >= needed) {
      c.report(DiagKind::ConstructorUnusedArgument, c.expr(arg).loc, {c.typeText(type)});
      return false;
    }
    const TypeId from = c.typeOf(arg);
    if (!isBasic(from)) {
      const TypeKind kind = c.program.types.kind(from);
      const bool isLong = kind == TypeKind::LongVector || kind == TypeKind::CoopVec;
      const int64_t length =
          isLong ? literalInteger(c.program, c.program.types.params(from)[0]).value_or(0) : 0;
      if (length > 0) {
        // Split into components, because these types have no swizzles.
        if ((c.expr(arg).flags & kExprSideEffects) != 0) return reportConstruct(c, type, arg);
        const Scalar component = c.type(from).scalar;
        if (!requireConstructible(c, component, s, type, arg)) return false;
        for (int64_t i = 0; i < length && have < needed; ++i, ++have)
          items.push(convertComponents(c, elementOf(c, arg, static_cast<uint32_t>(i), loc), s));
        continue;
      }
      return reportConstruct(c, type, arg);
    }
    if (matrix && isMatrixType(from)) {
      c.report(DiagKind::ConstructorMatrixMixed, c.expr(arg).loc, {c.typeText(type)});
      return false;
    }
    const Scalar component = basicScalar(from);
    if (!requireConstructible(c, component, s, type, arg)) return false;
    // Storage-only types are converted one by one (GL_EXT_shader_16bit_storage, 5.4.2). They may be composed
    // into another type, but not into or out of their own vectors.
    const bool takesPart = component == s || componentCount(from) > needed - have;
    if (!requireArithmetic(c, s, loc, "composing") ||
        (takesPart && !requireArithmetic(c, component, c.expr(arg).loc, "composing")))
      return false;
    ExprId value = arg;
    const uint32_t count = componentCount(from);
    if (have + count > needed && isVectorType(from)) value = firstComponents(c, value, needed - have, loc);
    items.push(convertComponents(c, value, s));
    have += count;
  }
  if (have < needed) {
    c.report(DiagKind::ConstructorComponents, loc, {c.typeText(type), needed, have});
    return false;
  }
  return true;
}

bool requireReferenceUvec2(Checker& c, TypeId reference, SourceLoc loc) {
  if (c.allows(Feature::BufferReferenceUvec2)) return true;
  c.report(DiagKind::ReferenceUvec2, loc, {c.typeText(reference), c.needs(Feature::BufferReferenceUvec2)});
  return false;
}

ExprId constructVector(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const Scalar s = basicScalar(type);
  if (args.size() == 1) {
    const ExprId arg = args[0];
    const TypeId from = c.typeOf(arg);
    if (!isBasic(from) && type == basicType(Scalar::Uint, 2) &&
        c.program.types.kind(from) == TypeKind::Reference) {
      return requireReferenceUvec2(c, from, loc) ? makeConvert(c, arg, type) : c.error(loc);
    }
    if (isScalarType(from) || (isVectorType(from) && basicRows(from) == basicRows(type))) {
      if (!requireConstructible(c, basicScalar(from), s, type, arg)) return c.error(loc);
      if (isScalarType(from)) {
        if (!requireArithmetic(c, s, loc, "composing")) return c.error(loc);
        return unaryConstruct(c, ExprOp::Splat, type, convertComponents(c, arg, s), loc);
      }
      return plainValue(c, makeConvert(c, arg, type));
    }
  }
  IdBuffer<ExprId, 16> items;
  if (!collectComponents(c, type, args, basicRows(type), false, loc, items)) return c.error(loc);
  if (items.size() == 1 && c.typeOf(items[0]) == type) return plainValue(c, items[0]);
  return constructNode(c, type, items.view(), loc);
}

ExprId constructMatrix(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const Scalar s = basicScalar(type);
  if (args.size() == 1) {
    const ExprId arg = args[0];
    const TypeId from = c.typeOf(arg);
    if (isScalarType(from) || isMatrixType(from)) {
      if (!requireConstructible(c, basicScalar(from), s, type, arg)) return c.error(loc);
      if (!requireArithmetic(c, s, loc, "composing") ||
          !requireArithmetic(c, basicScalar(from), c.expr(arg).loc, "composing"))
        return c.error(loc);
      const ExprId value = convertComponents(c, arg, s);
      if (isScalarType(from)) return unaryConstruct(c, ExprOp::MatrixDiagonal, type, value, loc);
      if (c.typeOf(value) != type) return unaryConstruct(c, ExprOp::MatrixResize, type, value, loc);
      return plainValue(c, value);
    }
  }
  IdBuffer<ExprId, 16> items;
  if (!collectComponents(c, type, args, componentCount(type), true, loc, items)) return c.error(loc);
  return constructNode(c, type, items.view(), loc);
}

ExprId constructLongVector(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const TypeInfo info = c.type(type);
  const ConstId count = c.program.types.params(type)[0];
  if (args.size() == 1) {
    const ExprId arg = args[0];
    const TypeId from = c.typeOf(arg);
    if (isScalarType(from)) {
      if (!requireConstructible(c, basicScalar(from), info.scalar, type, arg)) return c.error(loc);
      return unaryConstruct(c, ExprOp::Splat, type, convertComponents(c, arg, info.scalar), loc);
    }
    const TypeKind kind = c.program.types.kind(from);
    if ((kind == TypeKind::LongVector || kind == TypeKind::CoopVec) &&
        c.program.types.params(from)[0] == count) {
      if (!requireConstructible(c, c.type(from).scalar, info.scalar, type, arg)) return c.error(loc);
      return plainValue(c, makeConvert(c, arg, type));
    }
  }
  int64_t needed = literalInteger(c.program, count).value_or(0);
  if (needed <= 0 || needed > 0x7FFFFFFF) {
    // Whether the number of components fits depends on the value of the constant (decision 27). All
    // components are accepted; if they do not fit the default, there is a warning.
    needed = 0;
    for (ExprId arg : args) {
      const TypeId from = c.typeOf(arg);
      int64_t part = isBasic(from) ? componentCount(from) : 0;
      if (!isBasic(from) &&
          (c.type(from).kind == TypeKind::LongVector || c.type(from).kind == TypeKind::CoopVec))
        part = literalInteger(c.program, c.program.types.params(from)[0]).value_or(0);
      if (part <= 0) {
        c.report(DiagKind::ConstructorSpecLength, loc, {c.typeText(type)});
        return c.error(loc);
      }
      needed += part;
    }
    const std::optional<int64_t> wanted = defaultInteger(c.program, count);
    if (wanted && *wanted != needed)
      c.report(DiagKind::ConstructorSpecDefault, loc, {c.typeText(type), *wanted, needed});
  }
  IdBuffer<ExprId, 16> items;
  if (!collectComponents(c, type, args, static_cast<uint32_t>(needed), false, loc, items))
    return c.error(loc);
  return constructNode(c, type, items.view(), loc);
}

// ---------------------------------------------------------------------------------------- structs and arrays

// "Arrays and structures containing 16-bit types do not have constructors" without arithmetic on those types.
bool requireAggregateArithmetic(Checker& c, TypeId type, TypeId part, SourceLoc loc) {
  while (!isBasic(part)) {
    const TypeInfo info = c.type(part);
    if (info.kind != TypeKind::Array) return true;
    part = info.element();
  }
  const Scalar s = basicScalar(part);
  if (hasArithmetic(c, s)) return true;
  c.report(DiagKind::StorageOnlyAggregate, loc,
           {c.typeText(type), c.typeText(part), c.needs(arithmeticFeature(s))});
  return false;
}

ExprId constructStruct(Checker& c, TypeId type, StructId s, std::span<const ExprId> args, SourceLoc loc) {
  const uint32_t count = c.program.structs[s].members.size();
  if (c.program.structs[s].block) {
    c.report(DiagKind::NoConstructor, loc, {c.typeText(type)})
        .note(c.program.structs[s].loc, "declared here as a block");
    return c.error(loc);
  }
  if (args.size() != count) {
    c.report(DiagKind::ConstructorMembers, loc, {c.typeText(type), count, static_cast<unsigned>(args.size())})
        .note(c.program.structs[s].loc, "`" + c.typeText(type) + "` is declared here");
    return c.error(loc);
  }
  IdBuffer<ExprId, 16> items;
  for (uint32_t i = 0; i < count; ++i) {
    const Member m = c.program.membersOf(s)[i];
    if (!requireAggregateArithmetic(c, type, m.type, loc)) return c.error(loc);
    const ExprId value = convertImplicitly(c, args[i], m.type);
    if (!value) {
      convertOrReport(c, args[i], m.type, c.expr(args[i]).loc,
                      "member `" + std::string(c.names.text(m.name)) + "`");
      return c.error(loc);
    }
    items.push(value);
  }
  return constructNode(c, type, items.view(), loc);
}

// The type `pattern` with its unsized dimensions taken from `actual`, the type of a value; kErrorType if they
// do not fit.
TypeId completeArray(Checker& c, TypeId pattern, TypeId actual) {
  if (pattern == actual) return actual;
  if (isBasic(pattern) || isBasic(actual)) return {};
  const TypeInfo p = c.type(pattern), a = c.type(actual);
  if (p.kind != TypeKind::Array || a.kind != TypeKind::Array ||
      (p.arraySize() != kUnsizedArray && p.arraySize() != a.arraySize()))
    return {};
  const TypeId element = completeArray(c, p.element(), a.element());
  return element == kErrorType ? kErrorType : c.program.types.array(element, a.arraySize());
}

bool hasUnsized(const Checker& c, TypeId type) {
  while (!isBasic(type)) {
    const TypeInfo info = c.type(type);
    if (info.kind != TypeKind::Array) return false;
    if (info.arraySize() == kUnsizedArray) return true;
    type = info.element();
  }
  return false;
}

ExprId constructArray(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const TypeInfo info = c.type(type);
  if (info.arraySize() == kRuntimeArray) {
    c.report(DiagKind::NoConstructor, loc, {c.typeText(type)});
    return c.error(loc);
  }
  if (args.empty()) {
    c.report(DiagKind::ConstructorTooFew, loc, {c.typeText(type)});
    return c.error(loc);
  }
  TypeId element = info.element();
  if (hasUnsized(c, element)) {
    const TypeId complete = completeArray(c, element, c.typeOf(args[0]));
    if (complete && !hasUnsized(c, complete)) element = complete;
  }
  if (!requireAggregateArithmetic(c, type, element, loc)) return c.error(loc);
  if (info.arraySize() != kUnsizedArray) {
    const std::optional<int64_t> size = literalInteger(c.program, info.arraySize());
    if (!size) {
      // "Arrays sized by specialization constants" are never known to match a number of arguments.
      c.report(DiagKind::ConstructorSpecLength, loc, {c.typeText(type)});
      return c.error(loc);
    }
    if (*size != static_cast<int64_t>(args.size())) {
      c.report(DiagKind::ConstructorElements, loc,
               {c.typeText(type), *size, static_cast<unsigned>(args.size())});
      return c.error(loc);
    }
  }
  IdBuffer<ExprId, 16> items;
  for (size_t i = 0; i < args.size(); ++i) {
    const ExprId value = convertImplicitly(c, args[i], element);
    if (!value) {
      convertOrReport(c, args[i], element, c.expr(args[i]).loc, "element " + std::to_string(i));
      return c.error(loc);
    }
    items.push(value);
  }
  const ConstId size = info.arraySize() != kUnsizedArray
                           ? info.arraySize()
                           : c.program.constants.uint32(static_cast<uint32_t>(args.size()));
  return constructNode(c, c.program.types.array(element, size), items.view(), loc);
}

// -------------------------------------------------------------------------------------- references, samplers

ExprId constructReference(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  if (args.size() != 1) {
    c.report(args.empty() ? DiagKind::ConstructorTooFew : DiagKind::ConstructorUnusedArgument,
             args.empty() ? loc : c.expr(args[1]).loc, {c.typeText(type)});
    return c.error(loc);
  }
  const ExprId arg = args[0];
  const TypeId from = c.typeOf(arg);
  if (from == type) return plainValue(c, arg);
  if (!isBasic(from) && c.program.types.kind(from) == TypeKind::Reference) return makeConvert(c, arg, type);
  if (from == basicType(Scalar::Uint, 2))
    return requireReferenceUvec2(c, type, loc) ? makeConvert(c, arg, type) : c.error(loc);
  const ExprId address = isScalarType(from) ? convertImplicitly(c, arg, basicType(Scalar::Uint64)) : ExprId();
  if (address) return makeConvert(c, address, type);
  reportConstruct(c, type, arg);
  return c.error(loc);
}

// sampler2D(texture2D, sampler): 5.4.5 "Texture-Combined Sampler Constructors".
ExprId constructSampler(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const ImageDesc desc = c.type(type).image();
  if (desc.kind != ImageKind::Combined && desc.kind != ImageKind::CombinedShadow) {
    DiagBuilder report = c.report(DiagKind::NoConstructor, loc, {c.typeText(type)});
    // Before version 1.30, the functions that read textures were named like these types.
    if (desc.kind == ImageKind::Texture && args.size() > 1)
      report.note({}, "the function that reads a texture is `texture(sampler, coordinates)`");
    return c.error(loc);
  }
  if (args.size() != 2) {
    c.report(DiagKind::SamplerConstructorCount, loc, {c.typeText(type), static_cast<unsigned>(args.size())});
    return c.error(loc);
  }
  const TypeId ta = c.typeOf(args[0]), tb = c.typeOf(args[1]);
  ImageDesc texture = desc;
  texture.kind = ImageKind::Texture;
  if (ta != c.program.types.image(texture)) {
    c.report(DiagKind::SamplerConstructorTexture, c.expr(args[0]).loc,
             {c.typeText(type), c.typeText(c.program.types.image(texture)), c.typeText(ta)});
    return c.error(loc);
  }
  const bool image = !isBasic(tb) && c.program.types.kind(tb) == TypeKind::Image;
  const ImageKind kind = image ? c.type(tb).image().kind : ImageKind::Storage;
  if (kind != ImageKind::Sampler && kind != ImageKind::SamplerShadow) {
    c.report(DiagKind::SamplerConstructorSampler, c.expr(args[1]).loc, {c.typeText(type), c.typeText(tb)});
    return c.error(loc);
  }
  const uint8_t flags = (c.expr(args[0]).flags | c.expr(args[1]).flags) & kFlowFlags;
  return c.program.addSampledImage({type, flags, loc}, args[0], args[1]);
}

// ----------------------------------------------------------------------------------------- initializer lists

ExprId constructFromBraces(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  const TypeKind kind = c.program.types.kind(type);
  if (kind == TypeKind::Struct) return constructStruct(c, type, c.type(type).structure(), args, loc);
  if (kind == TypeKind::Array) return constructArray(c, type, args, loc);
  if (!isVectorType(type) && !isMatrixType(type) && kind != TypeKind::LongVector) {
    c.report(DiagKind::InitializerListType, loc, {c.typeText(type)});
    return c.error(loc);
  }
  const TypeId part =
      isMatrixType(type) ? basicType(basicScalar(type), basicRows(type)) : componentType(c.program, type);
  int64_t count = isMatrixType(type) ? basicColumns(type) : isVectorType(type) ? basicRows(type) : 0;
  if (kind == TypeKind::LongVector) {
    const std::optional<int64_t> length = literalInteger(c.program, c.program.types.params(type)[0]);
    if (!length) {
      c.report(DiagKind::ConstructorSpecLength, loc, {c.typeText(type)});
      return c.error(loc);
    }
    count = *length;
  }
  if (count != static_cast<int64_t>(args.size())) {
    c.report(DiagKind::InitializerListCount, loc,
             {static_cast<unsigned>(args.size()), c.typeText(type), count});
    return c.error(loc);
  }
  IdBuffer<ExprId, 16> items;
  for (size_t i = 0; i < args.size(); ++i) {
    const ExprId value = convertImplicitly(c, args[i], part);
    if (!value) {
      convertOrReport(c, args[i], part, c.expr(args[i]).loc,
                      (isMatrixType(type) ? "column " : "component ") + std::to_string(i));
      return c.error(loc);
    }
    items.push(value);
  }
  return constructNode(c, type, items.view(), loc);
}

}  // namespace

ExprId checkConstruct(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc, bool braces) {
  bool failed = type == kErrorType;
  for (ExprId a : args) failed = failed || c.isError(a);
  if (failed) return c.error(loc);
  for (ExprId a : args)
    if (!requireValue(c, a)) return c.error(loc);
  if (braces) return constructFromBraces(c, type, args, loc);
  if (isScalarType(type)) return constructScalar(c, type, args, loc);
  if (isBasic(type))
    return isVectorType(type) ? constructVector(c, type, args, loc) : constructMatrix(c, type, args, loc);
  switch (c.program.types.kind(type)) {
    case TypeKind::Struct:
      if (c.program.descriptorsInStructs &&
          containsOpaque(c.program, type)) {  // its objects are in heaps (GL_EXT_structured_descriptor_heap)
        c.report(DiagKind::NoConstructor, loc, {c.typeText(type)});
        return c.error(loc);
      }
      return constructStruct(c, type, c.type(type).structure(), args, loc);
    case TypeKind::Array: return constructArray(c, type, args, loc);
    case TypeKind::Reference: return constructReference(c, type, args, loc);
    case TypeKind::Image: return constructSampler(c, type, args, loc);
    case TypeKind::AccelerationStructure: return constructAccelerationStructure(c, args, loc);
    case TypeKind::LongVector: return constructLongVector(c, type, args, loc);
    case TypeKind::CoopMat:
    case TypeKind::CoopMatNV: return checkMatrixConstruct(c, type, args, loc);
    case TypeKind::CoopVec: {
      // From one scalar or cooperative vector, or "with rules similar to vector constructors"
      // (GL_NV_cooperative_vector, 5.4.X).
      const TypeId first = args.empty() ? kErrorType : c.typeOf(args[0]);
      const bool parts = args.size() > 1 || (isBasic(first) && !isScalarType(first)) ||
                         c.program.types.kind(first) == TypeKind::LongVector;
      return parts ? constructLongVector(c, type, args, loc) : checkMatrixConstruct(c, type, args, loc);
    }
    default: c.report(DiagKind::NoConstructor, loc, {c.typeText(type)}); return c.error(loc);
  }
}

ExprId checkTypecast(Checker& c, TypeId type, ExprId operand, SourceLoc loc) {
  const bool convertible =
      type != kErrorType && (isBasic(type) || c.program.types.kind(type) == TypeKind::Reference);
  if (!c.allows(Feature::Typecasts)) {
    const std::string name = c.typeText(type);
    DiagBuilder report =
        c.report(DiagKind::ExtensionNeeded, loc, {"(" + name + ")", c.needs(Feature::Typecasts)});
    if (!convertible) return c.error(loc);
    report.note({}, "without it, write `" + name + "(...)`");
  }
  if (type == kErrorType || c.isError(operand)) return c.error(loc);
  if (!convertible) {
    c.report(DiagKind::TypecastType, loc, {c.typeText(type)});
    return c.error(loc);
  }
  return checkConstruct(c, type, {&operand, 1}, loc);
}

}  // namespace coopc::frontend
