// Overload resolution (GLSL 4.60, 6.1, with GL_EXT_shader_explicit_arithmetic_types' ranking) over user
// functions and the tables of built-ins.
//
// A call of a built-in is first compared with the generic prototypes without conversions: the component type
// and the vector size come from the arguments, an exact match ends the search, and nothing is allocated. If
// no prototype matches exactly, prototypes are expanded to all component types that implicit conversions
// reach (shapes never convert), and the candidates are compared pair by pair as the text says.
#include "frontend/check/builtins/resolve.hpp"

#include <algorithm>
#include <string>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/builtins/prototypes.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/ray_tracing.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/language/texture_form.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

using namespace builtins;

void noteUnknownCall(const Checker& c, std::span<const ExprId> args, SourceLoc loc) {
  if (c.options.observer == nullptr) return;
  Observer::UnknownCall& call = c.options.observer->unknownCalls.emplace_back();
  call.at = loc;
  for (const ExprId arg : args) call.arguments.push_back(c.typeOf(arg));
}

namespace {

constexpr uint32_t kMaxCandidates = 48;
constexpr uint32_t kNotesShown = 8;

// The parts of an argument's type. `parts` is false for types that no generic prototype takes.
struct Arg {
  TypeId type = kErrorType;
  bool parts = false;
  bool coopVec = false;
  Scalar scalar = Scalar::Float;
  uint8_t rows = 1;  // 0: a long vector or cooperative vector of `length` components
  uint8_t columns = 1;
  ConstId length = {};
};

Arg argOf(const Checker& c, TypeId type) {
  Arg a;
  a.type = type;
  if (isBasic(type)) {
    a.parts = true;
    a.scalar = basicScalar(type);
    a.rows = static_cast<uint8_t>(basicRows(type));
    a.columns = static_cast<uint8_t>(basicColumns(type));
    return a;
  }
  const TypeInfo info = c.type(type);
  if (info.kind != TypeKind::LongVector && info.kind != TypeKind::CoopVec) return a;
  a.parts = true;
  a.coopVec = info.kind == TypeKind::CoopVec;
  a.scalar = info.scalar;
  a.rows = 0;
  a.length = c.program.types.params(type)[0];
  return a;
}

// The values of the variables of a generic prototype.
struct Binding {
  Scalar t = Scalar::Float;
  uint8_t n = 0xFF;  // 0xFF: not yet known; 0: a long vector
  uint8_t c = 0xFF;
  ConstId length = {};
  bool coopVec = false;
};

Scalar scalarOf(Pattern p, const Binding& b) {
  return patternScalar(p) == kScalarT ? b.t : static_cast<Scalar>(patternScalar(p));
}
uint32_t sizeOf(uint32_t code, const Binding& b) {
  return code == kSizeN ? b.n : code == kSizeC ? b.c : code;
}

TypeId typeOf(Checker& c, Pattern p, const Binding& b) {
  if (p == kVoidPattern) return kVoidType;
  if (isObjectPattern(p)) return objectType(p);
  const Scalar s = scalarOf(p, b);
  if (patternRows(p) == kSizeLong) {
    const ConstId length = c.program.constants.uint32(longPatternSize(p));
    return c.program.types.internParameterized(TypeKind::LongVector, s, {&length, 1});
  }
  const uint32_t rows = sizeOf(patternRows(p), b);
  if (rows == 0)
    return c.program.types.internParameterized(b.coopVec ? TypeKind::CoopVec : TypeKind::LongVector, s,
                                               {&b.length, 1});
  return basicType(s, rows, sizeOf(patternColumns(p), b));
}

// Whether the argument has the shape of the pattern; determines N and C.
bool shapeFits(const Checker& c, Pattern p, const Arg& a, Binding& b) {
  if (isObjectPattern(p)) return a.type == objectType(p);
  if (!a.parts) return false;
  const uint32_t rows = patternRows(p);
  if (rows == kSizeLong) {
    return a.rows == 0 && !a.coopVec &&
           literalInteger(c.program, a.length) == static_cast<int64_t>(longPatternSize(p));
  }
  const auto bind = [](uint8_t& variable, uint8_t size) {
    if (variable == 0xFF) variable = size;
    return variable == size;
  };
  if (rows == kSizeN && a.rows == 0) {
    if (patternColumns(p) != 1 || !bind(b.n, 0)) return false;
    if (!b.length) {
      b.length = a.length;
      b.coopVec = a.coopVec;
    }
    return b.length == a.length && b.coopVec == a.coopVec;
  }
  if (a.rows == 0) return false;
  const auto size = [&](uint32_t code, uint8_t actual) {
    return code == kSizeN ? bind(b.n, actual) : code == kSizeC ? bind(b.c, actual) : code == actual;
  };
  return size(rows, a.rows) && size(patternColumns(p), a.columns);
}

bool allowsSizes(const FnRow& r, const Binding& b) {
  if (b.n == 0) return b.coopVec ? (r.flags & kRowCoopVec) != 0 : (r.sizes & 8) != 0;
  const auto allowed = [&](uint8_t n) { return n == 0xFF || ((r.sizes >> (n - 1)) & 1) != 0; };
  return allowed(b.n) && allowed(b.c);
}

bool shapesFit(const Checker& c, const FnRow& r, std::span<const Arg> args, Binding& b) {
  if (r.paramCount != args.size()) return false;
  const ParamPattern* p = params(r);
  for (size_t i = 0; i < args.size(); ++i)
    if (!shapeFits(c, p[i].type, args[i], b)) return false;
  return allowsSizes(r, b);
}

// The feature that functions of this kind need to accept components of the type; Feature::Count if they need
// none.
Feature gateOf(const FnRow& r, Scalar s) {
  if (r.flags & (kRowAtomicFloat | kRowAtomicFloat2)) {
    if (s == Scalar::Float16) return Feature::Float16Atomics;
    if (isFloatScalar(s))
      return r.flags & kRowAtomicFloat ? Feature::FloatAtomics : Feature::FloatMinMaxAtomics;
  }
  const bool wide = s == Scalar::Int64 || s == Scalar::Uint64;
  // The forms with scopes include 64-bit types (GL_KHR_memory_scope_semantics, 8.11).
  if (builtinGroup(r.op) == BuiltinGroup::Atomic && wide && !(r.flags & kRowScoped))
    return Feature::Int64Atomics;
  if (r.flags & kRowSubgroup) {
    if (s == Scalar::Int8 || s == Scalar::Uint8) return Feature::SubgroupInt8;
    if (s == Scalar::Int16 || s == Scalar::Uint16) return Feature::SubgroupInt16;
    if (wide) return Feature::SubgroupInt64;
    if (s == Scalar::Float16) return Feature::SubgroupFloat16;
  }
  return s == Scalar::BFloat16 ? Feature::BFloat16Arguments : Feature::Count;
}

// Whether functions of this kind accept components of the type under the extensions in force.
bool componentAvailable(const Checker& c, const FnRow& r, Scalar s) {
  const Feature gate = gateOf(r, s);
  if (gate != Feature::Count) return c.allows(gate);
  if (s == Scalar::Bool || s == Scalar::Int || s == Scalar::Uint || s == Scalar::Float ||
      (r.flags & kRowAnyScalar))
    return true;
  if (s == Scalar::Double) return c.allows(Feature::DoubleArguments);
  return hasArithmetic(c, s);
}

bool patternsAvailable(const Checker& c, const FnRow& r, const Binding& b) {
  const ParamPattern* p = params(r);
  for (uint32_t i = 0; i < r.paramCount; ++i)
    if (!isObjectPattern(p[i].type) && !componentAvailable(c, r, scalarOf(p[i].type, b))) return false;
  // Values of a storage type only come from memory or a constructor (GL_EXT_shader_16bit_storage, 4.1.X).
  if (r.result == kVoidPattern) return true;
  const Scalar result = scalarOf(r.result, b);
  return gateOf(r, result) != Feature::Count || hasArithmetic(c, result);
}

bool isOutput(ParamMode m) { return m == ParamMode::Out || m == ParamMode::AtomicWrite; }
// Conversion in the parameter's direction. Memory that an atomic works on must have exactly the parameter's
// type.
bool converts(const Checker& c, TypeId arg, TypeId param, ParamMode m) {
  if (arg == param) return true;
  if (m == ParamMode::AtomicMemory || m == ParamMode::AtomicRead || m == ParamMode::AtomicWrite) return false;
  return isOutput(m) ? implicitlyConverts(c, param, arg) : implicitlyConverts(c, arg, param);
}

Prototype instantiate(Checker& c, const FnRow& r, const Binding& b) {
  Prototype p;
  p.row = &r;
  p.result = typeOf(c, r.result, b);
  const ParamPattern* pattern = params(r);
  for (uint32_t i = 0; i < r.paramCount; ++i) p.add(typeOf(c, pattern[i].type, b), pattern[i].mode);
  return p;
}

// --------------------------------------------------------------------------------------------------- ranking

bool isWideningOfNV(Scalar from, Scalar to) {
  return isFloatScalar(from) == isFloatScalar(to) && isSignedScalar(from) == isSignedScalar(to) &&
         scalarBits(from) < scalarBits(to);
}

// The rank of a conversion (6.1): smaller is better; equal ranks are not ordered, except as better() says.
uint32_t conversionRank(const Checker& c, TypeId from, TypeId to) {
  if (from == to) return 0;
  if (!isBasic(from) || !isBasic(to)) return 3;
  const Scalar f = basicScalar(from), t = basicScalar(to);
  if (c.allows(Feature::ExplicitTypeRanking)) {
    const bool promotion =
        ((f == Scalar::Int8 || f == Scalar::Uint8 || f == Scalar::Int16 || f == Scalar::Uint16) &&
         t == Scalar::Int) ||
        ((f == Scalar::Float16 || f == Scalar::Float) && t == Scalar::Double);
    return promotion ? 1 : 2;
  }
  if (followsSizedTypesOfNV(c) && isWideningOfNV(f, t)) return 1;
  return f == Scalar::Float && t == Scalar::Double ? 1 : 2;
}
bool better(const Checker& c, TypeId fromA, TypeId toA, TypeId fromB, TypeId toB) {
  const uint32_t a = conversionRank(c, fromA, toA), b = conversionRank(c, fromB, toB);
  if (a != b) return a < b;
  // GL_NV_gpu_shader5, 6.1, rule 3: of two widenings, the one to fewer bits or from more bits is better.
  if (a == 1 && followsSizedTypesOfNV(c)) {
    if (fromA == fromB) return scalarBits(basicScalar(toA)) < scalarBits(basicScalar(toB));
    return toA == toB && scalarBits(basicScalar(fromA)) > scalarBits(basicScalar(fromB));
  }
  if (a != 2 || c.allows(Feature::ExplicitTypeRanking)) return false;
  // int or uint to float is better than to double; with GL_NV_gpu_shader5, so is any integer.
  const auto integer = [&](TypeId t) {
    const Scalar s = basicScalar(t);
    return s == Scalar::Int || s == Scalar::Uint ||
           (followsSizedTypesOfNV(c) && s != Scalar::Bool && !isFloatScalar(s));
  };
  return integer(fromA) && integer(fromB) && basicScalar(toA) == Scalar::Float &&
         basicScalar(toB) == Scalar::Double;
}

struct Param {
  TypeId type;
  bool in, out;
};
Param paramOf(const Checker& c, const Prototype& p, uint32_t i) {
  if (!p.fn) return {p.types[i], !isOutput(p.modes[i]), isOutput(p.modes[i])};
  const Variable& v = c.program.variables[c.program.functions[p.fn].params[i]];
  const bool out = v.direction == Direction::Out || v.direction == Direction::InOut;
  return {v.type, v.direction != Direction::Out, out};
}

// A is a better match than B if it is better for at least one argument and worse for none.
bool betterMatch(const Checker& c, const Prototype& a, const Prototype& b, std::span<const ExprId> args) {
  bool some = false;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const TypeId t = c.typeOf(args[i]);
    const Param pa = paramOf(c, a, i), pb = paramOf(c, b, i);
    const TypeId fromA = pa.in ? t : pa.type, toA = pa.in ? pa.type : t;
    const TypeId fromB = pb.in ? t : pb.type, toB = pb.in ? pb.type : t;
    if (better(c, fromB, toB, fromA, toA)) return false;
    some = some || better(c, fromA, toA, fromB, toB);
  }
  return some;
}

// ---------------------------------------------------------------------------------------------- descriptions

std::string argumentTypes(const Checker& c, std::span<const ExprId> args) {
  std::string text;
  for (size_t i = 0; i < args.size(); ++i) {
    if (i) text += ", ";
    text += c.typeText(c.typeOf(args[i]));
    if (text.size() > 400) return text + ", ...";
  }
  return text;
}

std::string functionText(const Checker& c, FnId fn) {
  const Function& f = c.program.functions[fn];
  // A result type that was reported has no name.
  std::string text = f.result == kErrorType ? "" : c.typeText(f.result) + " ";
  text += std::string(c.names.text(f.name)) + "(";
  for (uint32_t i = 0; i < f.params.size(); ++i) {
    const Variable& v = c.program.variables[f.params[i]];
    if (i) text += ", ";
    if (v.direction == Direction::Out) text += "out ";
    if (v.direction == Direction::InOut) text += "inout ";
    text += c.typeText(v.type);
    if (text.size() > 400) return text + ", ...)";
  }
  return text + ")";
}

// The generic type names of chapter 8 and of GL_EXT_shader_explicit_arithmetic_types.
std::string patternText(const Checker& c, Pattern p, uint32_t scalars) {
  if (p == kVoidPattern) return "void";
  if (isObjectPattern(p)) return c.typeText(objectType(p));
  const uint32_t rows = patternRows(p), columns = patternColumns(p);
  const bool generic = patternScalar(p) == kScalarT;
  if (rows == kSizeLong)
    return "vector<" + c.typeText(basicType(static_cast<Scalar>(patternScalar(p)))) + ", " +
           std::to_string(longPatternSize(p)) + ">";
  if (columns != 1) return scalars == kF ? "mat" : "matrix";
  if (!generic && rows <= 4) return c.typeText(basicType(static_cast<Scalar>(patternScalar(p)), rows));
  std::string kind;
  if (!generic) {
    switch (static_cast<Scalar>(patternScalar(p))) {
      case Scalar::Bool: kind = "genBType"; break;
      case Scalar::Int: kind = "genIType"; break;
      case Scalar::Uint: kind = "genUType"; break;
      case Scalar::Float: kind = "genFType"; break;
      case Scalar::Double: kind = "genDType"; break;
      default: kind = "gen " + c.typeText(basicType(static_cast<Scalar>(patternScalar(p)))); break;
    }
    return kind;
  }
  const bool floats = (scalars & (kFHD | bit(Scalar::BFloat16))) != 0;
  const bool ints = (scalars & kInts) != 0;
  kind = floats && !ints ? "genFType" : ints && !floats && !(scalars & kUnsigned) ? "genIType" : "genType";
  if (rows == 1) kind += " component";
  return kind;
}

std::string parameterText(const Checker& c, const ParamPattern& p, uint32_t scalars) {
  std::string text;
  if (p.mode == ParamMode::Out || p.mode == ParamMode::AtomicWrite) text += "out ";
  if (p.mode == ParamMode::AtomicMemory) text += "inout ";
  return text + patternText(c, p.type, scalars);
}

std::string rowText(const Checker& c, std::string_view name, const FnRow& r) {
  std::string text = patternText(c, r.result, r.scalars) + " " + std::string(name) + "(";
  const ParamPattern* p = params(r);
  for (uint32_t i = 0; i < r.paramCount; ++i) {
    if (i) text += ", ";
    text += parameterText(c, p[i], r.scalars);
  }
  return text + ")";
}

std::string prototypeText(const Checker& c, std::string_view name, const Prototype& p) {
  if (p.fn) return functionText(c, p.fn);
  std::string text = c.typeText(p.result) + " " + std::string(name) + "(";
  for (uint32_t i = 0; i < p.count; ++i) {
    if (i) text += ", ";
    if (p.modes[i] == ParamMode::Out || p.modes[i] == ParamMode::AtomicWrite) text += "out ";
    if (p.modes[i] == ParamMode::AtomicMemory) text += "inout ";
    text += c.typeText(p.types[i]);
  }
  return text + ")";
}

std::string countText(size_t n) { return std::to_string(n) + (n == 1 ? " argument" : " arguments"); }

// Why a user function was not a candidate.
std::string mismatchText(const Checker& c, FnId fn, std::span<const ExprId> args) {
  const Function& f = c.program.functions[fn];
  if (f.params.size() != args.size()) return "takes " + countText(f.params.size());
  for (uint32_t i = 0; i < args.size(); ++i) {
    const Variable& v = c.program.variables[f.params[i]];
    const TypeId t = c.typeOf(args[i]);
    const std::string place = "argument " + std::to_string(i + 1) + ": ";
    if (v.direction != Direction::Out && !implicitlyConverts(c, t, v.type))
      return place + "`" + c.typeText(t) + "` does not convert to `" + c.typeText(v.type) + "`";
    if ((v.direction == Direction::Out || v.direction == Direction::InOut) &&
        !implicitlyConverts(c, v.type, t))
      return place + "the result of type `" + c.typeText(v.type) + "` does not convert to `" + c.typeText(t) +
             "`";
  }
  return "";
}

std::string neededText(const Checker& c, const FnRow& r) {
  const Availability& a = rowAvailability(c, r);
  const uint16_t version = c.es ? a.es : a.desktop;
  std::string text;
  if (a.anyOf.named != kAllExtensions)
    text = "`#extension " + std::string(extensionName(a.anyOf.named)) + " : require`";
  if (version != 0) {
    if (!text.empty()) text += " or ";
    text += "`#version " + std::to_string(version) + (c.es ? " es`" : "`");
  }
  return text.empty() ? std::string(c.es ? "a desktop `#version`" : "`#version 310 es`") : text;
}

// ------------------------------------------------------------------------------------------------ finishing

bool isTextureObject(const Checker& c, TypeId t) { return c.type(t).kind == TypeKind::Image; }

// The call of the chosen prototype: arguments converted, l-values checked, constants folded.
ExprId finishBuiltin(Checker& c, const Prototype& p, NameId name, std::span<const ExprId> args,
                     SourceLoc loc) {
  IdBuffer<ExprId, 16> list;
  uint8_t flags = 0;
  bool constant = true;
  const FnRow& r = *p.row;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const ParamMode mode = p.modes[i];
    ExprId arg = args[i];
    const bool memory =
        mode == ParamMode::AtomicMemory || mode == ParamMode::AtomicRead || mode == ParamMode::AtomicWrite;
    if (mode == ParamMode::Out) {
      const std::string what =
          "argument " + std::to_string(i + 1) + " of `" + std::string(c.names.text(name)) + "`";
      if (!requireLvalue(c, arg, c.expr(arg).loc, what)) return c.error(loc);
    } else if (!memory) {  // what atomics work on: call_rules.cpp
      requireValue(c, arg, true);
      if (c.typeOf(arg) != p.types[i]) arg = convertImplicitly(c, arg, p.types[i]);
      const bool literal =
          builtinGroup(r.op) == BuiltinGroup::RayTracing || builtinGroup(r.op) == BuiltinGroup::RayQuery;
      const ConstId known = c.constantOf(arg);
      if (mode == ParamMode::Constant && (!known || (literal && c.program.constants[known].isSpec))) {
        c.report(DiagKind::ArgumentNotConstant, c.expr(args[i]).loc, {i + 1, c.names.text(name)});
        return c.error(loc);
      }
    }
    constant = constant && c.constantOf(arg);
    // The precision of the result (8, introduction) comes from all operands, from the sampler or image alone,
    // or from all operands except offsets and counts of bits.
    const bool ignored = (r.op == BuiltinOp::BitfieldExtract && i >= 1) ||
                         (r.op == BuiltinOp::BitfieldInsert && i >= 2) || ((r.flags & kRowTexture) && i >= 1);
    const uint8_t own = c.expr(arg).flags;
    flags = joinFlags(flags, ignored ? static_cast<uint8_t>(own & kExprSideEffects) : own);
    list.push(arg);
  }
  flags &=
      static_cast<uint8_t>(~kExprNonUniform);  // GL_EXT_nonuniform_qualifier: does not pass through functions
  if (r.flags & kRowHighp) flags = static_cast<uint8_t>((flags & ~kExprRelaxed) | kExprHighp);
  flags = resultFlags(c.program, p.result, flags);
  if (r.flags & kRowSideEffects) flags |= kExprSideEffects;
  for (uint32_t i = 0; i < p.count; ++i)
    if (isOutput(p.modes[i])) flags |= kExprSideEffects;
  if (!checkCallRules(c, p, name, list.view(), loc)) return c.error(loc);
  if (builtinGroup(r.op) == BuiltinGroup::RayTracing) {
    for (uint32_t i = 0; i < p.count; ++i) {
      if (p.modes[i] != ParamMode::Constant) continue;
      list[i] = rayDataArgument(c, r.op, list[i]);
      if (c.isError(list[i])) return c.error(loc);
    }
  }
  if (constant && !(r.flags & (kRowNoFold | kRowSideEffects)) && list.size() != 0) {
    IdBuffer<ConstId, 16> values;
    for (uint32_t i = 0; i < list.size(); ++i) values.push(c.constantOf(list[i]));
    if (const ConstId folded = foldBuiltin(c, r.op, p.result, values.view())) return c.constant(folded, loc);
  }
  return c.program.addBuiltinCall({p.result, flags, loc}, r.op, list.view());
}

// The rules of GL_EXT_spirv_intrinsics for arguments that become literals or pointers (6.1.1). `given`:
// before conversion.
bool checkIntrinsicArgument(Checker& c, FnId fn, uint32_t i, const Variable& v, ExprId given,
                            ExprId converted) {
  const std::string_view name = c.names.text(c.program.functions[fn].name);
  if (v.qualifiers & kQualSpirvLiteral) {
    const ConstId k = c.constantOf(converted);
    const bool literal = k && !c.program.constants[k].isSpec && isScalarType(c.program.constants[k].type) &&
                         scalarBits(basicScalar(c.program.constants[k].type)) <= 32;
    if (!literal) c.report(DiagKind::SpirvLiteralArgument, c.expr(given).loc, {i + 1, name});
    return literal;
  }
  if ((v.qualifiers & kQualSpirvByReference) && c.program.functions[fn].spirvInstruction) {
    const bool place = given == converted && (c.expr(given).flags & kExprLvalue) != 0;
    if (!place)
      c.report(DiagKind::SpirvReferenceArgument, c.expr(given).loc, {i + 1, name, c.typeText(v.type)});
    return place;
  }
  return true;
}

ExprId finishUser(Checker& c, FnId fn, std::span<const ExprId> args, SourceLoc loc) {
  IdBuffer<ExprId, 16> list;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const Variable v = c.program.variables[c.program.functions[fn].params[i]];
    ExprId arg = args[i];
    if (v.direction == Direction::Out || v.direction == Direction::InOut) {
      if (!requireLvalue(c, arg, c.expr(arg).loc,
                         "argument " + std::to_string(i + 1) + " of `" +
                             std::string(c.names.text(c.program.functions[fn].name)) + "`"))
        return c.error(loc);
    } else if (c.typeOf(arg) != v.type) {
      arg = convertImplicitly(c, arg, v.type);
    }
    if (v.direction != Direction::Out && !c.program.functions[fn].spirvInstruction)
      requireValue(c, args[i], true);
    checkParameterQualifiers(c, fn, i, arg);
    if (!checkIntrinsicArgument(c, fn, i, v, args[i], arg)) return c.error(loc);
    list.push(arg);
  }
  const Function& f = c.program.functions[fn];
  const uint8_t flags = static_cast<uint8_t>(resultFlags(c.program, f.result, flagsOfPrecision(f.precision)) |
                                             kExprSideEffects);
  return c.program.addCall({f.result, flags, loc}, fn, list.view());
}

// -------------------------------------------------------------------------------------------------- searches

// The best candidate, which is better than each of the others, or nullptr.
const Prototype* best(const Checker& c, std::span<const Prototype> candidates, std::span<const ExprId> args) {
  if (candidates.empty()) return nullptr;
  const Prototype* b = &candidates[0];
  for (const Prototype& p : candidates.subspan(1))
    if (betterMatch(c, p, *b, args)) b = &p;
  for (const Prototype& p : candidates)
    if (&p != b && !betterMatch(c, *b, p, args)) return nullptr;
  return b;
}

ExprId reportAmbiguous(Checker& c, NameId name, std::span<const Prototype> candidates,
                       std::span<const ExprId> args, SourceLoc loc) {
  DiagBuilder d = c.report(DiagKind::AmbiguousCall, loc, {c.names.text(name), argumentTypes(c, args)});
  uint32_t shown = 0;
  for (const Prototype& p : candidates) {
    // Candidates that another one beats are not part of the ambiguity.
    const bool beaten = std::any_of(candidates.begin(), candidates.end(), [&](const Prototype& o) {
      return &o != &p && betterMatch(c, o, p, args);
    });
    if (beaten) continue;
    if (shown++ == kNotesShown) break;
    d.note(p.fn ? c.program.functions[p.fn].loc : SourceLoc{},
           "candidate: `" + prototypeText(c, c.names.text(name), p) + "`");
  }
  return c.error(loc);
}

bool userConverts(const Checker& c, FnId fn, std::span<const ExprId> args) {
  const Function& f = c.program.functions[fn];
  if (f.params.size() != args.size()) return false;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const Variable& v = c.program.variables[f.params[i]];
    const TypeId t = c.typeOf(args[i]);
    if (t == v.type) continue;
    if (v.direction != Direction::Out && !implicitlyConverts(c, t, v.type)) return false;
    if ((v.direction == Direction::Out || v.direction == Direction::InOut) &&
        !implicitlyConverts(c, v.type, t))
      return false;
  }
  return true;
}

// The row that takes arguments of these types without conversions, or nullptr.
const FnRow* exactRow(const Checker& c, uint16_t firstRowIndex, std::span<const Arg> shapes, Binding& bound) {
  for (uint16_t i = firstRowIndex; i != kNoRow; i = row(i).next) {
    const FnRow& r = row(i);
    Binding b;
    if ((r.flags & (kRowTexture | kRowCustom | kRowVariadic)) || !rowAvailable(c, r) ||
        !shapesFit(c, r, shapes, b))
      continue;
    const ParamPattern* p = params(r);
    uint32_t k = 0;
    if (r.scalars != 0) {
      while (patternScalar(p[k].type) != kScalarT) ++k;
      b.t = shapes[k].scalar;
      if (!(r.scalars & bit(b.t))) continue;
    }
    const auto fits = [&](uint32_t at) {
      return isObjectPattern(p[at].type) || shapes[at].scalar == scalarOf(p[at].type, b);
    };
    for (k = 0; k < r.paramCount && fits(k);) ++k;
    if (k != r.paramCount || !patternsAvailable(c, r, b)) continue;
    bound = b;
    return &r;
  }
  return nullptr;
}

// The user's function that takes the arguments without conversions, or none.
FnId exactUser(const Checker& c, FnId firstFn, std::span<const ExprId> args) {
  for (FnId fn = firstFn; fn; fn = c.program.functions[fn].nextOverload) {
    const Function& f = c.program.functions[fn];
    if (f.params.size() != args.size()) continue;
    uint32_t i = 0;
    while (i < f.params.size() && c.program.variables[f.params[i]].type == c.typeOf(args[i])) ++i;
    if (i == f.params.size()) return fn;
  }
  return {};
}

ExprId resolveUser(Checker& c, NameId name, FnId firstFn, std::span<const ExprId> args, SourceLoc loc) {
  if (const FnId fn = exactUser(c, firstFn, args)) return finishUser(c, fn, args, loc);
  std::vector<Prototype> candidates;
  for (FnId fn = firstFn; fn; fn = c.program.functions[fn].nextOverload) {
    if (!userConverts(c, fn, args)) continue;
    Prototype& p = candidates.emplace_back();
    p.fn = fn;
  }
  if (const Prototype* p = best(c, candidates, args)) return finishUser(c, p->fn, args, loc);
  if (!candidates.empty()) return reportAmbiguous(c, name, candidates, args, loc);
  if (c.wasSkipped(name)) return c.error(loc);  // a skipped declaration may have declared it

  noteUnknownCall(c, args, loc);
  DiagBuilder d = c.report(DiagKind::NoMatchingFunction, loc, {c.names.text(name), argumentTypes(c, args)});
  uint32_t shown = 0;
  for (FnId fn = firstFn; fn && shown < kNotesShown; fn = c.program.functions[fn].nextOverload, ++shown)
    d.note(c.program.functions[fn].loc, "`" + functionText(c, fn) + "`: " + mismatchText(c, fn, args));
  if (c.names[name].builtinName != 0)
    d.note({}, "the built-in functions of the name do not take them either");
  return c.error(loc);
}

bool protoConverts(const Checker& c, const Prototype& p, std::span<const ExprId> args) {
  if (p.count != args.size()) return false;
  for (uint32_t i = 0; i < p.count; ++i)
    if (!converts(c, c.typeOf(args[i]), p.types[i], p.modes[i])) return false;
  return true;
}

// ", with an extension" if a prototype would fit with the extension that its component type needs.
std::string gateText(const Checker& c, const FnRow& r, std::span<const ExprId> args) {
  std::array<Arg, kMaxParams> parts;
  if (args.size() > kMaxParams) return "";
  for (size_t i = 0; i < args.size(); ++i) parts[i] = argOf(c, c.typeOf(args[i]));
  Binding b;
  if (!shapesFit(c, r, {parts.data(), args.size()}, b)) return "";
  const ParamPattern* p = params(r);
  for (uint32_t i = 0; i < r.paramCount; ++i) {
    if (isObjectPattern(p[i].type)) continue;
    const bool generic = patternScalar(p[i].type) == kScalarT;
    const Scalar s = parts[i].scalar;
    if (generic ? !(r.scalars & bit(s)) : scalarOf(p[i].type, b) != s) continue;
    if (componentAvailable(c, r, s)) continue;
    Feature gate = gateOf(r, s);
    if (gate == Feature::Count) gate = s == Scalar::Double ? Feature::DoubleArguments : arithmeticFeature(s);
    return ", for `" + c.typeText(basicType(s)) + "` with `#extension " + c.needs(gate) + " : require`";
  }
  return "";
}

// Explains, at the end of a message, why a texture without a sampler is a wrong argument; may be empty.
std::string textureHint(const Checker& c, const FnRow& r, TypeId t) {
  const ImageDesc desc = c.type(t).image();
  const BuiltinGroup group = builtinGroup(r.op);
  if (desc.kind != ImageKind::Texture || group == BuiltinGroup::Image || group == BuiltinGroup::ImageAtomic)
    return "";
  const bool samplerless = r.op == BuiltinOp::TextureSize || r.op == BuiltinOp::TextureQueryLevels ||
                           r.op == BuiltinOp::TextureSamples || r.op == BuiltinOp::TexelFetch ||
                           r.op == BuiltinOp::TexelFetchOffset;
  if (!samplerless) {
    std::string combined = c.typeText(t);
    combined.replace(combined.find("texture"), 7, "sampler");
    return ", which needs a sampler: `" + combined + "(texture, sampler)`";
  }
  if (c.allows(Feature::SamplerlessTextures)) return "";
  return " without `#extension " + c.needs(Feature::SamplerlessTextures) + " : require`";
}

ExprId reportNoBuiltin(Checker& c, NameId name, uint16_t firstRowIndex, std::span<const ExprId> args,
                       SourceLoc loc) {
  noteUnknownCall(c, args, loc);
  DiagBuilder d = c.report(DiagKind::NoMatchingFunction, loc, {c.names.text(name), argumentTypes(c, args)});
  uint32_t shown = 0;
  for (uint16_t i = firstRowIndex; i != kNoRow && shown < kNotesShown; i = row(i).next) {
    const FnRow& r = row(i);
    if (!rowAvailable(c, r) || (r.flags & (kRowCustom | kRowVariadic))) continue;
    ++shown;
    if (!(r.flags & kRowTexture)) {
      d.note({}, "there is `" + rowText(c, c.names.text(name), r) + "`" + gateText(c, r, args));
      continue;
    }
    const TypeId t = args.empty() ? kErrorType : c.typeOf(args[0]);
    if (!isTextureObject(c, t)) {
      d.note({}, "argument 1 must be a sampler, texture or image");
      continue;
    }
    std::array<Prototype, kMaxTexturePrototypes> prototypes;
    const uint32_t n = texturePrototypes(c, r, t, c.type(t).image(), prototypes);
    if (n == 0) d.note({}, "there is no overload for `" + c.typeText(t) + "`" + textureHint(c, r, t));
    for (uint32_t k = 0; k < n; ++k)
      d.note({}, "there is `" + prototypeText(c, c.names.text(name), prototypes[k]) + "`");
  }
  return c.error(loc);
}

ExprId resolveTexture(Checker& c, NameId name, uint16_t firstRowIndex, std::span<const ExprId> args,
                      SourceLoc loc) {
  if (args.empty() || !isTextureObject(c, c.typeOf(args[0])))
    return reportNoBuiltin(c, name, firstRowIndex, args, loc);
  const TypeId image = c.typeOf(args[0]);
  std::array<Prototype, kMaxTexturePrototypes> all;
  const uint32_t n = texturePrototypes(c, row(firstRowIndex), image, c.type(image).image(), all);
  uint32_t viable = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (protoConverts(c, all[i], args)) {
      if (i != viable) all[viable] = all[i];
      ++viable;
    }
  const std::span<const Prototype> candidates(all.data(), viable);
  if (const Prototype* p = best(c, candidates, args)) {
    // Existing programs fetch from texture buffers without the extension, and the reference compiler accepts
    // it.
    if (c.type(image).image().kind == ImageKind::Texture && p->row->op == BuiltinOp::TexelFetch &&
        !c.allows(Feature::SamplerlessTextures))
      c.report(DiagKind::SamplerlessBuffer, loc, {c.typeText(image), c.needs(Feature::SamplerlessTextures)});
    return finishBuiltin(c, *p, name, args, loc);
  }
  if (viable != 0) return reportAmbiguous(c, name, candidates, args, loc);
  return reportNoBuiltin(c, name, firstRowIndex, args, loc);
}

// Whether abortEXT can pass on a value: message types are "concrete", with "an explicit layout"
// (SPV_KHR_abort, OpAbortKHR).
bool isConcrete(const Checker& c, TypeId type) {
  for (const TypeKind kind : {TypeKind::CoopMat, TypeKind::CoopMatNV, TypeKind::CoopVec,
                              TypeKind::TensorLayout, TypeKind::TensorView, TypeKind::SpirvType})
    if (containsKind(c.program, type, kind)) return false;
  for (const Scalar s : {Scalar::FloatE2M1, Scalar::FloatE2M3, Scalar::FloatE3M2})
    if (containsScalar(c.program, type, s)) return false;
  return type != kStringType && !containsUnsized(c.program, type);
}

ExprId resolvePrintf(Checker& c, NameId name, const FnRow& r, std::span<const ExprId> args, SourceLoc loc) {
  const bool abort = r.op == BuiltinOp::Abort;  // "It may have no arguments"
  if (args.empty() ? !abort : c.typeOf(args[0]) != kStringType) {
    c.report(DiagKind::PrintfFormat, args.empty() ? loc : c.expr(args[0]).loc, {c.names.text(name)});
    return c.error(loc);
  }
  for (size_t i = 1; i < args.size(); ++i) {
    const TypeId t = c.typeOf(args[i]);
    // "Other arguments can be of any type": of any type that has values.
    if (t != kVoidType && t != kFunctionNameType && !containsOpaque(c.program, t) &&
        (!abort || isConcrete(c, t)))
      continue;
    c.report(abort ? DiagKind::AbortArgument : DiagKind::PrintfArgument, c.expr(args[i]).loc,
             {c.names.text(name), c.typeText(t)});
    return c.error(loc);
  }
  return c.program.addBuiltinCall({kVoidType, kExprSideEffects, loc}, r.op, args);
}

// Writes the prototypes that take the arguments with conversions; returns their number.
uint32_t convertingPrototypes(Checker& c, uint16_t firstRowIndex, std::span<const Arg> shapes,
                              std::span<const ExprId> args, std::array<Prototype, kMaxCandidates>& all) {
  uint32_t n = 0;
  for (uint16_t i = firstRowIndex; i != kNoRow; i = row(i).next) {
    const FnRow& r = row(i);
    Binding b;
    if (!rowAvailable(c, r) || !shapesFit(c, r, shapes, b)) continue;
    uint32_t scalars = r.scalars == 0 ? 1u : r.scalars;
    for (uint32_t s = 0; scalars != 0; ++s, scalars >>= 1) {
      if (!(scalars & 1)) continue;
      b.t = static_cast<Scalar>(s);
      if (!patternsAvailable(c, r, b)) continue;
      Prototype p = instantiate(c, r, b);
      if (!protoConverts(c, p, args)) continue;
      if (n == all.size()) {
        c.report(DiagKind::InternalError, c.expr(args[0]).loc,
                 {"a built-in function has too many prototypes"});
        return n;
      }
      all[n++] = p;
    }
  }
  return n;
}

ExprId resolveBuiltin(Checker& c, NameId name, uint16_t firstRowIndex, std::span<const ExprId> args,
                      SourceLoc loc) {
  std::array<Arg, kMaxParams> parts;
  if (args.size() > kMaxParams) return reportNoBuiltin(c, name, firstRowIndex, args, loc);
  for (size_t i = 0; i < args.size(); ++i) parts[i] = argOf(c, c.typeOf(args[i]));
  const std::span<const Arg> shapes(parts.data(), args.size());

  Binding exact;
  if (const FnRow* r = exactRow(c, firstRowIndex, shapes, exact))
    return finishBuiltin(c, instantiate(c, *r, exact), name, args, loc);

  std::array<Prototype, kMaxCandidates> all;
  const uint32_t n = convertingPrototypes(c, firstRowIndex, shapes, args, all);
  const std::span<const Prototype> candidates(all.data(), n);
  if (const Prototype* p = best(c, candidates, args)) return finishBuiltin(c, *p, name, args, loc);
  if (n != 0) return reportAmbiguous(c, name, candidates, args, loc);
  return reportNoBuiltin(c, name, firstRowIndex, args, loc);
}

std::string_view symbolKindText(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Type: return "a type";
    case SymbolKind::BlockMember: return "a block member";
    case SymbolKind::BlockName: return "a block";
    default: return "a variable";
  }
}

// The first available row of a built-in function; kNoRow if none is available.
uint16_t firstAvailable(const Checker& c, NameId name) {
  const uint16_t builtin = c.names[name].builtinName;
  if (builtin == 0) return kNoRow;
  for (uint16_t i = firstRow(static_cast<uint16_t>(builtin - 1)); i != kNoRow; i = row(i).next)
    if (rowAvailable(c, row(i))) return i;
  return kNoRow;
}

// Whether a built-in function of that name takes the arguments, with or without conversions.
bool builtinTakes(Checker& c, NameId name, std::span<const ExprId> args, bool exactly) {
  const uint16_t first = firstAvailable(c, name);
  if (first == kNoRow) return false;
  const FnRow& r = row(first);
  if (r.flags & (kRowCustom | kRowVariadic)) return !exactly;
  if (r.flags & kRowTexture) {
    if (args.empty() || !isTextureObject(c, c.typeOf(args[0]))) return false;
    const TypeId image = c.typeOf(args[0]);
    std::array<Prototype, kMaxTexturePrototypes> all;
    const uint32_t n = texturePrototypes(c, r, image, c.type(image).image(), all);
    return std::any_of(all.begin(), all.begin() + n, [&](const Prototype& p) {
      if (!exactly) return protoConverts(c, p, args);
      uint32_t i = 0;
      while (i < p.count && i < args.size() && p.types[i] == c.typeOf(args[i])) ++i;
      return i == p.count && i == args.size();
    });
  }
  if (args.size() > kMaxParams) return false;
  std::array<Arg, kMaxParams> parts;
  for (size_t i = 0; i < args.size(); ++i) parts[i] = argOf(c, c.typeOf(args[i]));
  const std::span<const Arg> shapes(parts.data(), args.size());
  Binding b;
  if (exactRow(c, first, shapes, b)) return true;
  if (exactly) return false;
  std::array<Prototype, kMaxCandidates> all;
  return convertingPrototypes(c, first, shapes, args, all) != 0;
}

// False if no function can take one of the arguments. (Built-in functions with their own rules have been
// checked before.)
bool checkArgumentKinds(Checker& c, NameId name, std::span<const ExprId> args) {
  for (uint32_t i = 0; i < args.size(); ++i) {
    const TypeId t = c.typeOf(args[i]);
    if (t != kVoidType && t != kFunctionNameType && t != kStringType) continue;
    c.report(t == kVoidType           ? DiagKind::ArgumentVoid
             : t == kFunctionNameType ? DiagKind::ArgumentFunctionName
                                      : DiagKind::ArgumentString,
             c.expr(args[i]).loc, {i + 1, c.names.text(name)});
    return false;
  }
  return true;
}

ExprId reportUndeclared(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (c.wasSkipped(name)) return c.error(loc);
  noteUnknownCall(c, args, loc);
  const NameInfo& info = c.names[name];
  if (info.keyword == Tok::KwNonuniform) {
    c.report(DiagKind::FunctionNeedsExtension, loc,
             {info.text(), "`#extension " + std::string(extensionName(keywordGate(info.keyword).extension)) +
                               " : require`"});
    return c.error(loc);
  }
  DiagBuilder d = c.report(DiagKind::UndeclaredFunction, loc, {info.text()});
  suggestFor(c, d, loc, info.text());
  return c.error(loc);
}

// A call of a built-in function.
ExprId callBuiltin(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  const NameInfo& info = c.names[name];
  const uint16_t firstIndex = firstAvailable(c, name);
  if (firstIndex == kNoRow) {
    const FnRow& any = row(firstRow(static_cast<uint16_t>(info.builtinName - 1)));
    if (rowOfOtherStage(c, any))
      c.report(DiagKind::FunctionOtherStage, loc, {info.text(), stageInfo(c.options.stage).text});
    else
      c.report(DiagKind::FunctionNeedsExtension, loc, {info.text(), neededText(c, any)});
    return c.error(loc);
  }
  const FnRow& first = row(firstIndex);
  const Availability& a = rowAvailability(c, first);
  if ((c.es ? a.es : a.desktop) == 0) {
    if (!requireTarget(c, info.text(), a.anyOf, loc)) return c.error(loc);
    warnOfExtension(c, info.text(), a.anyOf, loc);
  }
  // If derivatives are zero, functions that depend on them have a value, except queries of the level of
  // detail.
  const bool derivative = builtinGroup(first.op) == BuiltinGroup::Derivative;
  const bool zero = c.derivativesAreZero() && first.op != BuiltinOp::TextureQueryLod;
  if ((derivative || needsDerivatives(first.op)) && !zero && !c.program.hasDerivatives()) {
    c.report(DiagKind::DerivativeGroupMissing, loc, {info.text()});
    return c.error(loc);
  }
  if (isHitArrayCall(first.op)) return checkHitArray(c, first.op, name, args, loc);
  if ((first.flags & kRowCustom) || (first.op == BuiltinOp::SaturatedConvert && !args.empty() &&
                                     c.type(c.typeOf(args[0])).kind == TypeKind::CoopMat))
    return checkMatrixCall(c, first.op, name, args, loc);
  if (first.flags & kRowVariadic) return resolvePrintf(c, name, first, args, loc);
  if (!checkArgumentKinds(c, name, args)) return c.error(loc);
  if (first.flags & kRowTexture) return resolveTexture(c, name, firstIndex, args, loc);
  return resolveBuiltin(c, name, firstIndex, args, loc);
}

// A call of a function that the user declared. By the text, its name hides the built-in functions (4.2.2).
// Existing programs overload them instead, and other compilers accept that. Exact matches come first, the
// user's function before the built-in one; then the user's with conversions, then the built-in one with
// conversions (decision 30).
ExprId callUser(Checker& c, NameId name, FnId firstFn, std::span<const ExprId> args, SourceLoc loc) {
  if (const FnId fn = exactUser(c, firstFn, args)) {
    if (!checkArgumentKinds(c, name, args)) return c.error(loc);
    return finishUser(c, fn, args, loc);
  }
  FnId converts;
  for (FnId fn = firstFn; fn && !converts; fn = c.program.functions[fn].nextOverload)
    if (userConverts(c, fn, args)) converts = fn;
  if (c.names[name].builtinName != 0 && builtinTakes(c, name, args, bool(converts))) {
    if (converts)
      c.report(DiagKind::HiddenBuiltin, loc, {c.names.text(name)})
          .note(c.program.functions[converts].loc, "`" + functionText(c, converts) + "` would convert them");
    return callBuiltin(c, name, args, loc);
  }
  if (!checkArgumentKinds(c, name, args)) return c.error(loc);
  return resolveUser(c, name, firstFn, args, loc);
}

}  // namespace

ExprId resolveCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  const Symbol* symbol = c.scopes.find(name);
  if (!symbol && c.names[name].builtinName == 0) return reportUndeclared(c, name, args, loc);
  for (ExprId arg : args)
    if (c.isError(arg)) return c.error(loc);
  if (!symbol) return callBuiltin(c, name, args, loc);
  if (symbol->kind == SymbolKind::Function) return callUser(c, name, symbol->function(), args, loc);
  const std::string_view text = c.names.text(name);
  c.report(DiagKind::NotAFunction, loc, {text, symbolKindText(symbol->kind)})
      .note(symbol->loc, "`" + std::string(text) + "` is declared here");
  return c.error(loc);
}

std::vector<BuiltinPrototype> builtinPrototypes(const Checker& c, uint16_t name) {
  std::vector<BuiltinPrototype> found;
  const std::string_view text = functionName(name);
  for (uint16_t r = firstRow(name); r != kNoRow; r = builtins::row(r).next) {
    const FnRow& row = builtins::row(r);
    if (!rowAvailable(c, row)) continue;
    BuiltinPrototype p;
    const bool listed = (row.flags & (kRowCustom | kRowVariadic | kRowTexture)) == 0;
    if (listed) {
      p.result = patternText(c, row.result, row.scalars);
      const ParamPattern* parameters = params(row);
      for (uint32_t i = 0; i < row.paramCount; ++i)
        p.parameters.push_back(parameterText(c, parameters[i], row.scalars));
    }
    p.text = listed ? rowText(c, text, row) : std::string(text) + "(...)";
    found.push_back(std::move(p));
  }
  return found;
}

}  // namespace coopc::frontend
