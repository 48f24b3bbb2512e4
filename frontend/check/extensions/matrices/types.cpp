// Parameterized types: coopmat, tensorLayoutNV, tensorViewNV, coopvecNV, vector and the first version's
// fcoopmatNV family. Parameters become interned constants, with literals normalized to uint (hasDimensions:
// bool), so that equal types have one id, however their parameters are spelled (decision 18).
#include <spirv/unified1/spirv.hpp11>

#include "frontend/check/declarations.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

namespace {

struct ParameterizedType {
  Checker& c;
  std::string_view name;
  std::span<const TypeArgument> args;
  SourceLoc loc;
  Tok keyword;

  std::string_view clause() const { return typeParametersClause(keyword, false); }

  bool count(uint32_t min, uint32_t max) {
    if (args.size() >= min && args.size() <= max) return true;
    std::string wanted = std::to_string(min);
    if (max != min) wanted += " to " + std::to_string(max);
    c.report(DiagKind::TypeParameterCount, loc, {name, wanted, static_cast<uint64_t>(args.size())})
        .clause(clause());
    return false;
  }

  // A component type: kErrorType after a report.
  TypeId component(uint32_t index) {
    const TypeArgument& a = args[index];
    if (!a.isType) {
      if (!c.isError(a.value))
        c.report(DiagKind::TypeParameterWantsType, a.loc, {index + 1, name}).clause(clause());
      return kErrorType;
    }
    if (a.type == kErrorType) return kErrorType;
    if (!isScalarType(a.type)) {
      c.report(DiagKind::MatrixComponentType, a.loc, {name, c.typeText(a.type)}).clause(clause());
      return kErrorType;
    }
    if (basicScalar(a.type) == Scalar::Bool) {
      reportForbidden(c, DiagKind::MatrixComponentType, a.loc, {name, c.typeText(a.type)}).clause(clause());
      if (!c.options.checksOff) return kErrorType;
    }
    switch (basicScalar(a.type)) {
      case Scalar::FloatE2M1:
      case Scalar::FloatE2M3:
      case Scalar::FloatE3M2:
      case Scalar::FloatE8M0:
      case Scalar::MxInt8:
        // The shader takes responsibility for a component that it names by number (decision 42).
        if (name == "vector" || a.byNumber) break;
        c.report(DiagKind::MatrixMicroscaling, a.loc, {name, c.typeText(a.type)});
        return kErrorType;
      default: break;
    }
    return a.type;
  }

  // An integral constant (specialization constants allowed), literals as uint constants; none after a report.
  ConstId value(uint32_t index, std::string_view what) {
    const TypeArgument& a = args[index];
    if (a.isType) {
      if (a.type != kErrorType)
        c.report(DiagKind::TypeParameterWantsValue, a.loc, {index + 1, name, c.typeText(a.type)})
            .clause(clause());
      return {};
    }
    if (c.isError(a.value)) return {};
    const ConstId k = c.constantOf(a.value);
    const TypeId t = c.typeOf(a.value);
    if (!k || !isScalarType(t) || !isIntScalar(basicScalar(t))) {
      c.report(DiagKind::TypeParameterNotConstant, a.loc, {index + 1, what, name}).clause(clause());
      return {};
    }
    if (scalarBits(basicScalar(t)) != 32) {
      reportForbidden(c, DiagKind::TypeParameterNotConstant, a.loc, {index + 1, what, name}).clause(clause());
      return c.options.checksOff ? k : ConstId();
    }
    if (const std::optional<int64_t> v = literalInteger(c.program, k))
      return c.program.constants.uint32(static_cast<uint32_t>(*v));
    return k;
  }

  ConstId boolean(uint32_t index) {
    const TypeArgument& a = args[index];
    if (!a.isType && c.isError(a.value)) return {};
    const ConstId k = a.isType ? ConstId() : c.constantOf(a.value);
    if (!k) {
      c.report(DiagKind::TensorViewHasDimensionsBool, a.loc);
      return {};
    }
    if (c.typeOf(a.value) != kBool && forbid(c, DiagKind::TensorViewHasDimensionsBool, a.loc)) return {};
    return k;
  }

  // Dim, 1 to 5; for specialization constants the default counts (decision 26). None after a report.
  // `isLayout`: a type whose further parameters do not depend on Dim.
  std::optional<uint32_t> dimensions(ConstId dim, bool isLayout) {
    const int64_t v = defaultInteger(c.program, dim).value_or(0);
    if (v < 1 || v > kMaxTensorDimensions) {
      if (isLayout && !forbid(c, DiagKind::TensorDimensionRange, args[0].loc, {name, v}))
        return static_cast<uint32_t>(v);
      if (!isLayout) c.report(DiagKind::TensorDimensionRange, args[0].loc, {name, v});
      return {};
    }
    if (!literalInteger(c.program, dim))
      c.report(DiagKind::TensorDimensionSpecialized, args[0].loc, {name, v});
    return static_cast<uint32_t>(v);
  }

  TypeId coopmat() {
    if (!count(5, 5)) return kErrorType;
    const TypeId comp = component(0);
    const ConstId params[4] = {value(1, "scope"), value(2, "number of rows"), value(3, "number of columns"),
                               value(4, "use")};
    if (comp == kErrorType || !params[0] || !params[1] || !params[2] || !params[3]) return kErrorType;
    const std::optional<int64_t> use = literalInteger(c.program, params[3]);
    if (use && (*use < 0 || *use > 2) &&
        forbid(c, DiagKind::MatrixUseRange, args[4].loc,
               {static_cast<int64_t>(static_cast<int32_t>(*use))})) {
      return kErrorType;
    }
    return c.program.types.internParameterized(TypeKind::CoopMat, basicScalar(comp), params);
  }

  TypeId tensorLayout() {
    if (!count(1, 2)) return kErrorType;
    const ConstId dim = value(0, "number of dimensions");
    const ConstId clamp = args.size() > 1 ? value(1, "clamp mode") : c.program.constants.uint32(0);
    if (!dim || !clamp || !dimensions(dim, true)) return kErrorType;
    const std::optional<int64_t> mode = literalInteger(c.program, clamp);
    constexpr auto kLast = int64_t(spv::TensorClampMode::RepeatMirrored);
    if (mode && (*mode < 0 || *mode > kLast) &&
        forbid(c, DiagKind::ClampModeRange, args[1].loc,
               {static_cast<int64_t>(static_cast<int32_t>(*mode))})) {
      return kErrorType;
    }
    const ConstId params[2] = {dim, clamp};
    return c.program.types.internParameterized(TypeKind::TensorLayout, Scalar::Uint, params);
  }

  // Dim, hasDimensions = false, permutation = identity.
  TypeId tensorView() {
    if (!count(1, 2 + kMaxTensorDimensions)) return kErrorType;
    const ConstId dim = value(0, "number of dimensions");
    const uint32_t n = dim ? dimensions(dim, false).value_or(0) : 0;
    const ConstId hasDimensions = args.size() > 1 ? boolean(1) : c.program.constants.boolean(false);
    if (!n || !hasDimensions) return kErrorType;
    if (args.size() > 2 && args.size() != 2 + n) {
      c.report(DiagKind::TypeParameterCount, loc,
               {name, "1, 2 or " + std::to_string(2 + n), static_cast<uint64_t>(args.size())})
          .clause(clause());
      return kErrorType;
    }
    ConstId params[2 + kMaxTensorDimensions] = {dim, hasDimensions};
    uint32_t seen = 0;
    bool literal = true;
    for (uint32_t i = 0; i < n; ++i) {
      params[2 + i] = args.size() > 2 ? value(2 + i, "permutation") : c.program.constants.uint32(i);
      if (!params[2 + i]) return kErrorType;
      const std::optional<int64_t> p = literalInteger(c.program, params[2 + i]);
      if (!p) {
        literal = false;  // decided when specialized
      } else if (*p < 0 || *p >= n || (seen >> *p) & 1) {
        seen |= 1u << 31;
      } else {
        seen |= 1u << *p;
      }
    }
    if ((seen >> 31) || (literal && seen != (1u << n) - 1)) {
      // The message prints the whole list as given; the error would not be visible without it.
      std::string text;
      for (uint32_t i = 0; i < n; ++i) text += (i ? ", " : "") + constText(c, params[2 + i]);
      if (forbid(c, DiagKind::TensorViewPermutation, args.size() > 2 ? args[2].loc : loc, {text, n - 1}))
        return kErrorType;
    }
    return c.program.types.internParameterized(TypeKind::TensorView, Scalar::Uint, {params, 2 + n});
  }

  TypeId vectorLike(TypeKind kind, DiagKindOf<DiagArgKind::Integer> lengthKind) {
    if (!count(2, 2)) return kErrorType;
    const TypeArgument& first = args[0];
    TypeId comp = kErrorType;
    if (kind == TypeKind::LongVector && first.isType && first.type == kBool) {
      comp = kBool;  // GL_EXT_long_vector allows bool components
    } else {
      comp = component(0);
    }
    const ConstId length = value(1, "number of components");
    if (comp == kErrorType || !length) return kErrorType;
    if (const std::optional<int64_t> literal = literalInteger(c.program, length)) {
      const int64_t n = *literal;
      if (n < 1 || n > 0x7fffffff) {
        const int64_t shown = static_cast<int64_t>(static_cast<int32_t>(n));
        if (kind == TypeKind::CoopVec) {
          if (forbid(c, lengthKind, args[1].loc, {shown})) return kErrorType;
        } else {
          c.report(lengthKind, args[1].loc, {shown});
          return kErrorType;
        }
      }
      if (kind == TypeKind::LongVector && n >= 2 && n <= 4)
        return basicType(basicScalar(comp), static_cast<uint32_t>(n));
    }
    return c.program.types.internParameterized(kind, basicScalar(comp), {&length, 1});
  }

  // fcoopmatNV<bits, scope, rows, columns> and its integer siblings.
  TypeId firstVersion() {
    if (!count(4, 4)) return kErrorType;
    const ConstId bits = value(0, "component width");
    const ConstId params[3] = {value(1, "scope"), value(2, "number of rows"), value(3, "number of columns")};
    if (!bits || !params[0] || !params[1] || !params[2]) return kErrorType;
    Scalar scalar = Scalar::Count;
    if (const std::optional<int64_t> width = literalInteger(c.program, bits)) {
      const bool isFloat = keyword == Tok::KwFcoopmatNV;
      const bool isSigned = keyword == Tok::KwIcoopmatNV;
      switch (*width) {
        case 8: scalar = isFloat ? Scalar::Count : isSigned ? Scalar::Int8 : Scalar::Uint8; break;
        case 16: scalar = isFloat ? Scalar::Float16 : isSigned ? Scalar::Int16 : Scalar::Uint16; break;
        case 32: scalar = isFloat ? Scalar::Float : isSigned ? Scalar::Int : Scalar::Uint; break;
        case 64: scalar = isFloat ? Scalar::Double : isSigned ? Scalar::Int64 : Scalar::Uint64; break;
        default: break;
      }
    }
    if (scalar == Scalar::Count) {
      c.report(DiagKind::MatrixBitsRange, args[0].loc,
               {name, keyword == Tok::KwFcoopmatNV ? "16, 32 or 64" : "8, 16, 32 or 64", constText(c, bits)});
      return kErrorType;
    }
    return c.program.types.internParameterized(TypeKind::CoopMatNV, scalar, params);
  }
};

}  // namespace

TypeId scalarOfSpirvType(Program& p, TypeId type) {
  if (p.types.kind(type) != TypeKind::SpirvType) return type;
  const SpirvTypeId id = p.types[type].spirvType();
  const SpirvTypeInfo& t = p.spirvTypes[id];
  uint32_t words[2] = {0, kNone};
  if (!t.set.empty() || t.operands.empty() || t.operands.size() > 2) return type;
  for (size_t i = 0; i < t.operands.size(); ++i) {
    if (t.operands[i].kind != SpirvOperand::Kind::Literal) return type;
    words[i] = t.operands[i].word;
  }
  // Width, then signedness of integers, encoding of floating-point types (SPIR-V 3.49.6). SPIRV-Headers
  // 1.4.309 has no names for the encodings BFloat16KHR, Float8E4M3EXT and Float8E5M2EXT, nor for encodings of
  // SPV_EXT_ocp_microscaling_types.
  constexpr auto kInteger = spv::Op::OpTypeInt, kReal = spv::Op::OpTypeFloat;
  constexpr uint32_t kBFloat16 = 0, kE4M3 = 4214, kE5M2 = 4215;
  constexpr uint32_t kE2M3 = 4223, kE3M2 = 4224, kE2M1 = 4225, kE8M0 = 4226, kMxInt8 = 4227;
  constexpr struct {
    spv::Op opcode;
    uint32_t width, second;
    Scalar scalar;
  } kKnown[] = {
      {kInteger, 8, 0, Scalar::Uint8},      {kInteger, 8, 1, Scalar::Int8},
      {kInteger, 16, 0, Scalar::Uint16},    {kInteger, 16, 1, Scalar::Int16},
      {kInteger, 32, 0, Scalar::Uint},      {kInteger, 32, 1, Scalar::Int},
      {kInteger, 64, 0, Scalar::Uint64},    {kInteger, 64, 1, Scalar::Int64},
      {kReal, 16, kNone, Scalar::Float16},  {kReal, 32, kNone, Scalar::Float},
      {kReal, 64, kNone, Scalar::Double},   {kReal, 16, kBFloat16, Scalar::BFloat16},
      {kReal, 8, kE4M3, Scalar::FloatE4M3}, {kReal, 8, kE5M2, Scalar::FloatE5M2},
      {kReal, 6, kE2M3, Scalar::FloatE2M3}, {kReal, 6, kE3M2, Scalar::FloatE3M2},
      {kReal, 4, kE2M1, Scalar::FloatE2M1}, {kReal, 8, kE8M0, Scalar::FloatE8M0},
      {kReal, 8, kMxInt8, Scalar::MxInt8},
  };
  for (const auto& k : kKnown)
    if (static_cast<uint32_t>(k.opcode) == t.id && k.width == words[0] && k.second == words[1]) {
      p.spirvTypes[id].component = true;
      return basicType(k.scalar);
    }
  return type;
}

std::string_view typeParametersClause(Tok keyword, bool grammar) {
  switch (keyword) {
    case Tok::KwVector:
      return grammar ? "GL_EXT_long_vector, 9 \"Shading Language Grammar\""
                     : "GL_EXT_long_vector, 4.1.5 \"Vectors\"";
    case Tok::KwCoopvec:
      return grammar ? "GL_NV_cooperative_vector, 9 \"Shading Language Grammar\""
                     : "GL_NV_cooperative_vector, 4.1.X \"Cooperative Vector Types\"";
    case Tok::KwTensorLayout:
    case Tok::KwTensorView:
      return grammar ? "GL_NV_cooperative_matrix2, 9 \"Shading Language Grammar\""
                     : "GL_NV_cooperative_matrix2, 4.1.X \"Tensor Layout Types\"";
    case Tok::KwTensor:
      return grammar ? "GL_ARM_tensors, 9 \"Shading Language Grammar for Core Profile\""
                     : "GL_ARM_tensors, 4.1.X \"Tensor Types\"";
    case Tok::KwFcoopmatNV:
    case Tok::KwIcoopmatNV:
    case Tok::KwUcoopmatNV:
      return grammar ? "GL_NV_cooperative_matrix, 9 \"Shading Language Grammar\""
                     : "GL_NV_cooperative_matrix, 4.1.X \"Cooperative Matrix Types\"";
    default:
      return grammar ? "GL_KHR_cooperative_matrix, 9 \"Shading Language Grammar\""
                     : "GL_KHR_cooperative_matrix, 4.1.X \"Cooperative Matrix Types\"";
  }
}

TypeId checkTypeArguments(Checker& c, Tok keyword, std::span<const TypeArgument> args, SourceLoc loc) {
  const bool fits = requireTarget(c, tokenSpelling(keyword), {keywordGate(keyword).extension}, loc);
  // All of these types except long vectors and tensors require the Vulkan memory model (decision 28).
  if (fits && keyword != Tok::KwVector && keyword != Tok::KwTensor)
    useVulkanMemoryModel(c, tokenSpelling(keyword), loc);
  switch (keyword) {
    case Tok::KwCoopmat: return ParameterizedType{c, "coopmat", args, loc, keyword}.coopmat();
    case Tok::KwTensorLayout:
      return ParameterizedType{c, "tensorLayoutNV", args, loc, keyword}.tensorLayout();
    case Tok::KwTensorView: return ParameterizedType{c, "tensorViewNV", args, loc, keyword}.tensorView();
    case Tok::KwCoopvec:
      return ParameterizedType{c, "coopvecNV", args, loc, keyword}.vectorLike(TypeKind::CoopVec,
                                                                              DiagKind::CoopVecLength);
    case Tok::KwVector:
      return ParameterizedType{c, "vector", args, loc, keyword}.vectorLike(TypeKind::LongVector,
                                                                           DiagKind::LongVectorLength);
    case Tok::KwTensor: return checkTensorType(c, args, loc);
    case Tok::KwFcoopmatNV: return ParameterizedType{c, "fcoopmatNV", args, loc, keyword}.firstVersion();
    case Tok::KwIcoopmatNV: return ParameterizedType{c, "icoopmatNV", args, loc, keyword}.firstVersion();
    case Tok::KwUcoopmatNV: return ParameterizedType{c, "ucoopmatNV", args, loc, keyword}.firstVersion();
    default: return kErrorType;
  }
}

bool checkMatrixStorage(Checker& c, TypeId type, Storage storage, SourceLoc loc, std::string_view what) {
  switch (storage) {
    case Storage::Local:
    case Storage::Private:
    case Storage::Constant: return true;
    default: break;
  }
  // Shared variables need no layout in memory, so they can still be emitted.
  const auto reject = [&](DiagKindOf<DiagArgKind::Text, DiagArgKind::Text> kind) {
    if (storage == Storage::Shared) return !forbid(c, kind, loc, {c.typeText(type), what});
    c.report(kind, loc, {c.typeText(type), what});
    return false;
  };
  for (const TypeKind kind : {TypeKind::CoopMat, TypeKind::CoopMatNV, TypeKind::CoopVec}) {
    if (containsKind(c.program, type, kind)) return reject(DiagKind::MatrixStorage);
  }
  for (const TypeKind kind : {TypeKind::TensorLayout, TypeKind::TensorView}) {
    if (containsKind(c.program, type, kind)) return reject(DiagKind::TensorStorage);
  }
  // Types narrower than a byte cannot be stored in byte-addressed memory.
  for (const Scalar s : {Scalar::FloatE2M1, Scalar::FloatE2M3, Scalar::FloatE3M2}) {
    if (containsScalar(c.program, type, s)) return reject(DiagKind::NarrowFloatStorage);
  }
  return true;
}

}  // namespace coopc::frontend
