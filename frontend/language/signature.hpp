// The form of the tables of built-in functions. A table row (`FnDef`) holds one prototype of the
// specification's text, generic as there ("genFType clamp(genFType x, float minVal, float maxVal)"), in a
// small notation that is read at compile time to produce the flat rows (`FnRow`) that the compiler uses
// (builtins/tables.cpp). Nothing is built at start-up.
//
// Notation: RESULT(PARAM,PARAM,...). A type is SCALAR[.SIZE], or SCALAR.ROWS.COLUMNS of a matrix:
//   SCALAR  b i8 u8 i16 u16 i u i64 u64 f16 f d bf e4 e5 e2 e23 e32 e8 mx: that scalar type; T: the row's
//           component type, any of `scalars`
//   SIZE    1 (default), 2, 3, 4; 8, 16 (GL_EXT_long_vector); N: the row's vector size, any of `sizes`; C: a
//           second size (matrix columns)
//   A is accelerationStructureEXT, R rayQueryEXT, H hitObjectEXT, K hitObjectNV. G is T.N; v is void.
//   Matrices: M is N rows and C columns of T, W its transpose (C rows, N columns), Q square.
// A parameter may start with one of
//   >  out                     !  must be a constant expression
//   &  inout: memory that an atomic operation works on (buffer or shared variable; 8.11)
//   @  in: memory that is read atomically               ^  out: memory that is written atomically
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "frontend/language/availability.hpp"
#include "frontend/language/builtins/op.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend::builtins {

// ----------------------------------------------------------------------------------------------------- types

/// A type of a prototype: scalar code | rows code << 5 | columns code << 8. Size codes 1..4 are sizes, N and
/// C the row's variables.
using Pattern = uint16_t;
constexpr uint32_t kScalarT = 31;
constexpr uint32_t kSizeN = 5;
constexpr uint32_t kSizeC = 6;
constexpr Pattern kVoidPattern = 0xFFFF;
constexpr Pattern makePattern(uint32_t scalar, uint32_t rows = 1, uint32_t columns = 1) {
  return static_cast<Pattern>(scalar | rows << 5 | columns << 8);
}
constexpr uint32_t patternScalar(Pattern p) { return p & 31; }
constexpr uint32_t patternRows(Pattern p) { return (p >> 5) & 7; }
constexpr uint32_t patternColumns(Pattern p) { return (p >> 8) & 7; }

/// A type with a fixed id that is not basic, as row code 0.
constexpr Pattern makeObjectPattern(TypeId type) { return makePattern(type.index(), 0, 0); }
constexpr bool isObjectPattern(Pattern p) { return patternRows(p) == 0; }
constexpr TypeId objectType(Pattern p) { return TypeId(patternScalar(p)); }

/// Vector sizes beyond 4 (GL_EXT_long_vector), as row code 7; the columns code tells which size.
constexpr uint32_t kSizeLong = 7;
constexpr Pattern makeLongPattern(uint32_t scalar, uint32_t size) {
  return makePattern(scalar, kSizeLong, size == 8 ? 1 : 2);
}
constexpr uint32_t longPatternSize(Pattern p) { return patternColumns(p) == 1 ? 8 : 16; }

/// Offset: a texel offset, which may be variable, but must be in range if it is constant.
enum class ParamMode : uint8_t { In, Out, Constant, Offset, AtomicMemory, AtomicRead, AtomicWrite };

struct ParamPattern {
  Pattern type = 0;
  ParamMode mode = ParamMode::In;
};

/// Sets of scalars for T.
constexpr uint32_t bit(Scalar s) { return 1u << static_cast<uint32_t>(s); }
constexpr uint32_t kF = bit(Scalar::Float);
constexpr uint32_t kFH = kF | bit(Scalar::Float16);
constexpr uint32_t kD = bit(Scalar::Double);
constexpr uint32_t kFHD = kFH | kD;
constexpr uint32_t kI = bit(Scalar::Int);
constexpr uint32_t kU = bit(Scalar::Uint);
constexpr uint32_t kB = bit(Scalar::Bool);
constexpr uint32_t kI64 = bit(Scalar::Int64) | bit(Scalar::Uint64);
constexpr uint32_t kSigned = kI | bit(Scalar::Int8) | bit(Scalar::Int16) | bit(Scalar::Int64);
constexpr uint32_t kUnsigned = kU | bit(Scalar::Uint8) | bit(Scalar::Uint16) | bit(Scalar::Uint64);
constexpr uint32_t kInts = kSigned | kUnsigned;
constexpr uint32_t kNumbers = kInts | kFHD;
constexpr uint32_t kAllBasic = kNumbers | kB;

/// Sets of sizes for N and C: bit n - 1 is size n.
constexpr uint8_t kAnySize = 15;
constexpr uint8_t kVectors = 14;

// ---------------------------------------------------------------------------------------------- availability

constexpr Availability kCore{110, 300, {}};
/// Core in ESSL 3.20, and in 3.10 by extension.
constexpr Availability kCoreImageAtomics{110, 320, {ExtensionId::GL_OES_shader_image_atomic}};
constexpr Availability kCoreGpuShader5{
    110, 320, {ExtensionId::GL_OES_gpu_shader5, ExtensionId::GL_EXT_gpu_shader5}};
constexpr Availability kCoreDesktop{110, 0, {}};
constexpr Availability kCoreInterpolation{110, 320, {ExtensionId::GL_OES_shader_multisample_interpolation}};
/// Acceleration structures and ray flags belong to both extensions.
constexpr AnyExtension kRays = {ExtensionId::GL_EXT_ray_tracing, ExtensionId::GL_EXT_ray_query};
constexpr Availability kHalfFloat{0, 0, {ExtensionId::GL_AMD_gpu_shader_half_float}};
constexpr Availability kInt16Exponent{0, 0, {ExtensionId::GL_AMD_gpu_shader_int16}};

enum RowFlags : uint16_t {
  kRowCustom = 1u << 0,     ///< the extension checks the whole call: checkMatrixCall
  kRowTexture = 1u << 1,    ///< the first argument's sampler, texture or image type decides (textures.cpp)
  kRowVariadic = 1u << 2,   ///< a string, then anything: debugPrintfEXT
  kRowSubgroup = 1u << 3,   ///< small and 64-bit T need GL_EXT_shader_subgroup_extended_types_*
  kRowAnyScalar = 1u << 4,  ///< the operand types only have to exist: bit casts, packing
  kRowSideEffects = 1u << 5,
  kRowScoped = 1u << 6,        ///< the last operands are scopes and semantics (GL_KHR_memory_scope_semantics)
  kRowNoFold = 1u << 7,        ///< not a constant expression even with constant arguments
  kRowAtomicFloat = 1u << 8,   ///< the float scalars of T need GL_EXT_shader_atomic_float (float16: float2)
  kRowAtomicFloat2 = 1u << 9,  ///< the float scalars of T need GL_EXT_shader_atomic_float2
  kRowDerivative = 1u << 10,   ///< in stages without derivatives, GL_KHR_compute_shader_derivatives adds it
  kRowCoopVec = 1u << 11,      ///< coopvecNV arguments are accepted too (GL_NV_cooperative_vector)
  kRowHighp = 1u << 12,        ///< the prototype says highp for the result (ES)
};

struct FnDef {
  std::string_view name;
  BuiltinOp op;
  Availability availability;
  std::string_view signature{};
  uint32_t scalars = 0;
  uint8_t sizes = kAnySize;
  uint16_t flags = 0;
  StageMask stages = kAnyStage;
};

// ------------------------------------------------------------------------------------------------- flat rows

struct FnRow {
  BuiltinOp op;
  uint16_t flags;
  uint16_t firstParam;  ///< in the parameter pool
  uint8_t paramCount;
  uint8_t sizes;
  Pattern result;
  uint16_t next;  ///< the next row of the same name; 0xFFFF: none
  uint16_t availability;
  StageMask stages;
  uint32_t scalars;
};
constexpr uint16_t kNoRow = 0xFFFF;
/// The most parameters of a built-in function (hitObjectTraceMotionReorderExecuteEXT).
constexpr uint32_t kMaxParams = 15;

/// Not constexpr: a table that reaches this call is not a constant expression, so the build fails.
inline void malformedSignature(const char*) {}

/// Reading the notation.
struct SignatureReader {
  std::string_view text;
  size_t at = 0;

  constexpr char peek() const { return at < text.size() ? text[at] : '\0'; }

  constexpr uint32_t scalar() {
    const size_t from = at;
    while ((peek() >= 'a' && peek() <= 'z') || (peek() >= '0' && peek() <= '9')) ++at;
    const std::string_view word = text.substr(from, at - from);
    constexpr std::array<std::string_view, 20> kNames = {"b",   "i8",  "u8",  "i16", "u16", "i",  "u",
                                                         "i64", "u64", "f16", "f",   "d",   "bf", "e4",
                                                         "e5",  "e2",  "e23", "e32", "e8",  "mx"};
    static_assert(kNames.size() == static_cast<size_t>(Scalar::Count), "in the order of Scalar");
    for (uint32_t i = 0; i < kNames.size(); ++i)
      if (!word.empty() && kNames[i] == word) return i;
    malformedSignature("unknown scalar in a built-in's signature");
    return 0;
  }
  constexpr uint32_t size() {
    if (peek() != '.') return 1;
    ++at;
    const char c = peek();
    ++at;
    if (c == '8') return 8;
    if (c == '1' && peek() == '6') {
      ++at;
      return 16;
    }
    if (c == 'N') return kSizeN;
    if (c == 'C') return kSizeC;
    if (c < '1' || c > '4') malformedSignature("bad size in a built-in's signature");
    return static_cast<uint32_t>(c - '0');
  }
  constexpr Pattern type() {
    switch (peek()) {
      case 'v': ++at; return kVoidPattern;
      case 'A': ++at; return makeObjectPattern(kAccelerationStructureType);
      case 'R': ++at; return makeObjectPattern(kRayQueryType);
      case 'H': ++at; return makeObjectPattern(kHitObjectType);
      case 'K': ++at; return makeObjectPattern(kHitObjectNVType);
      case 'G': ++at; return makePattern(kScalarT, kSizeN);
      case 'M': ++at; return makePattern(kScalarT, kSizeN, kSizeC);
      case 'W': ++at; return makePattern(kScalarT, kSizeC, kSizeN);
      case 'Q': ++at; return makePattern(kScalarT, kSizeN, kSizeN);
      case 'T': {
        ++at;
        const uint32_t n = size();
        if (n > kSizeC) malformedSignature("a long vector of any component type");
        return makePattern(kScalarT, n);
      }
      default: {
        const uint32_t s = scalar();
        const uint32_t n = size();
        if (n <= 4 && peek() == '.') return makePattern(s, n, size());
        return n > kSizeC ? makeLongPattern(s, n) : makePattern(s, n);
      }
    }
  }
  constexpr ParamPattern param() {
    ParamPattern p;
    switch (peek()) {
      case '>':
        p.mode = ParamMode::Out;
        ++at;
        break;
      case '!':
        p.mode = ParamMode::Constant;
        ++at;
        break;
      case '&':
        p.mode = ParamMode::AtomicMemory;
        ++at;
        break;
      case '@':
        p.mode = ParamMode::AtomicRead;
        ++at;
        break;
      case '^':
        p.mode = ParamMode::AtomicWrite;
        ++at;
        break;
      default: break;
    }
    p.type = type();
    return p;
  }
  constexpr void expect(char c) {
    if (peek() != c) malformedSignature("malformed signature of a built-in");
    ++at;
  }
};

}  // namespace coopc::frontend::builtins
