// Conversions of bits between types: GL_EXT_shader_explicit_arithmetic_types with the older extensions that
// it incorporates, GL_EXT_bfloat16, GL_EXT_float_e4m3, GL_EXT_float_e5m2, GL_EXT_float_e2m1
// and its family.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kExplicit = byExtension(
    {ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int8,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int16,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int32,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int64,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float16,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float32,
     ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64, ExtensionId::GL_ARB_gpu_shader_int64,
     ExtensionId::GL_AMD_gpu_shader_half_float, ExtensionId::GL_AMD_gpu_shader_int16});
/// Also overloads of GL_NV_gpu_shader5, 8.3.
constexpr Availability kHalfPacks = [] {
  Availability packs = kExplicit;
  packs.anyOf.set(ExtensionId::GL_NV_gpu_shader5);
  return packs;
}();
/// Several extensions have values of 64-bit types (GL_ARB_shader_ballot, GL_ARB_shader_clock) without the
/// functions that split them into 32-bit halves; the reference compiler has these functions from 4.50 on.
constexpr Availability k64Bits = {450, 0, kExplicit.anyOf};
constexpr Availability k64Packs = {450, 0, kHalfPacks.anyOf};
constexpr Availability kBFloat16 = byExtension({ExtensionId::GL_EXT_bfloat16});
constexpr Availability kE4M3 = byExtension({ExtensionId::GL_EXT_float_e4m3});
constexpr Availability kE5M2 = byExtension({ExtensionId::GL_EXT_float_e5m2});
constexpr Availability kE2M1 = byExtension({ExtensionId::GL_EXT_float_e2m1});
constexpr Availability kE2M3 = byExtension({ExtensionId::GL_EXT_float_e2m3});
constexpr Availability kE3M2 = byExtension({ExtensionId::GL_EXT_float_e3m2});
constexpr Availability kUE8M0 = byExtension({ExtensionId::GL_EXT_float_ue8m0});
constexpr Availability kMxInt8 = byExtension({ExtensionId::GL_EXT_float_mxint8});

// Families of functions that differ only in the type.
#define COOPC_BIT_CASTS(name, Name, bits, t, available)                                                       \
  {name "BitsToIntEXT", BuiltinOp::BitcastFloatEncoding, available, "i" bits ".N(" t ".N)", 0, kAnySize,      \
   kRowAnyScalar},                                                                                            \
      {name "BitsToUintEXT", BuiltinOp::BitcastFloatEncoding, available, "u" bits ".N(" t ".N)", 0, kAnySize, \
       kRowAnyScalar},                                                                                        \
      {"intBitsTo" Name "EXT", BuiltinOp::BitcastFloatEncoding, available, t ".N(i" bits ".N)", 0, kAnySize,  \
       kRowAnyScalar},                                                                                        \
  {                                                                                                           \
    "uintBitsTo" Name "EXT", BuiltinOp::BitcastFloatEncoding, available, t ".N(u" bits ".N)", 0, kAnySize,    \
        kRowAnyScalar                                                                                         \
  }
#define COOPC_SATURATE_FROM(t, from, available)                                                           \
  {                                                                                                       \
    "saturatedConvertEXT", BuiltinOp::SaturatedConvert, available, "v(>" t ".N," from ".N)", 0, kAnySize, \
        kRowAnyScalar                                                                                     \
  }
#define COOPC_SATURATED(t, available)                                                \
  COOPC_SATURATE_FROM(t, "f16", available), COOPC_SATURATE_FROM(t, "bf", available), \
      COOPC_SATURATE_FROM(t, "f", available), COOPC_SATURATE_FROM(t, "d", available)
#define COOPC_SIX_BIT(name, op, signature, available) \
  { name "EXT", BuiltinOp::op, available, signature, 0, 0, kRowAnyScalar }
#define COOPC_SIX_BITS(name, t, available)                                                              \
  COOPC_SIX_BIT("packFloat4x" name, PackFloatE2M1, "u8.3(" t ".4)", available),                         \
      COOPC_SIX_BIT("packFloat8x" name, PackFloatE2M1, "u16.3(" t ".8)", available),                    \
      COOPC_SIX_BIT("packFloat16x" name, PackFloatE2M1, "u.3(" t ".16)", available),                    \
      COOPC_SIX_BIT("unpackFloat4x" name, UnpackFloatE2M1, t ".4(u8.3)", available),                    \
      COOPC_SIX_BIT("unpackFloat8x" name, UnpackFloatE2M1, t ".8(u16.3)", available),                   \
      COOPC_SIX_BIT("unpackFloat16x" name, UnpackFloatE2M1, t ".16(u.3)", available), {                 \
    "bitcastExtract" name "EXT", BuiltinOp::BitcastExtractE2M1, available, t ".N(u8.N,u)", 0, kAnySize, \
        kRowAnyScalar                                                                                   \
  }

constexpr FnDef kArithmeticTypeFunctions[] = {
    {"halfBitsToInt16", BuiltinOp::BitcastToInt, kExplicit, "i16.N(f16.N)"},
    {"halfBitsToUint16", BuiltinOp::BitcastToUint, kExplicit, "u16.N(f16.N)"},
    {"float16BitsToInt16", BuiltinOp::BitcastToInt, kExplicit, "i16.N(f16.N)"},
    {"float16BitsToUint16", BuiltinOp::BitcastToUint, kExplicit, "u16.N(f16.N)"},
    {"doubleBitsToInt64", BuiltinOp::BitcastToInt, k64Packs, "i64.N(d.N)"},
    {"doubleBitsToUint64", BuiltinOp::BitcastToUint, k64Packs, "u64.N(d.N)"},
    {"int16BitsToHalf", BuiltinOp::BitcastToFloat, kExplicit, "f16.N(i16.N)"},
    {"uint16BitsToHalf", BuiltinOp::BitcastToFloat, kExplicit, "f16.N(u16.N)"},
    {"int16BitsToFloat16", BuiltinOp::BitcastToFloat, kExplicit, "f16.N(i16.N)"},
    {"uint16BitsToFloat16", BuiltinOp::BitcastToFloat, kExplicit, "f16.N(u16.N)"},
    {"int64BitsToDouble", BuiltinOp::BitcastToFloat, k64Packs, "d.N(i64.N)"},
    {"uint64BitsToDouble", BuiltinOp::BitcastToFloat, k64Packs, "d.N(u64.N)"},

    {"pack64", BuiltinOp::PackBits, k64Bits, "i64(i.2)"},
    {"pack64", BuiltinOp::PackBits, k64Bits, "u64(u.2)"},
    {"pack64", BuiltinOp::PackBits, kExplicit, "i64(i16.4)"},
    {"pack64", BuiltinOp::PackBits, kExplicit, "u64(u16.4)"},
    {"pack32", BuiltinOp::PackBits, kExplicit, "i(i16.2)"},
    {"pack32", BuiltinOp::PackBits, kExplicit, "u(u16.2)"},
    {"pack32", BuiltinOp::PackBits, kExplicit, "i(i8.4)"},
    {"pack32", BuiltinOp::PackBits, kExplicit, "u(u8.4)"},
    {"pack16", BuiltinOp::PackBits, kExplicit, "i16(i8.2)"},
    {"pack16", BuiltinOp::PackBits, kExplicit, "u16(u8.2)"},
    {"unpack32", BuiltinOp::UnpackBits, k64Bits, "i.2(i64)"},
    {"unpack32", BuiltinOp::UnpackBits, k64Bits, "u.2(u64)"},
    {"unpack16", BuiltinOp::UnpackBits, kExplicit, "i16.4(i64)"},
    {"unpack16", BuiltinOp::UnpackBits, kExplicit, "u16.4(u64)"},
    {"unpack16", BuiltinOp::UnpackBits, kExplicit, "i16.2(i)"},
    {"unpack16", BuiltinOp::UnpackBits, kExplicit, "u16.2(u)"},
    {"unpack8", BuiltinOp::UnpackBits, kExplicit, "i8.4(i)"},
    {"unpack8", BuiltinOp::UnpackBits, kExplicit, "u8.4(u)"},
    {"unpack8", BuiltinOp::UnpackBits, kExplicit, "i8.2(i16)"},
    {"unpack8", BuiltinOp::UnpackBits, kExplicit, "u8.2(u16)"},
    {"packInt2x32", BuiltinOp::PackBits, k64Packs, "i64(i.2)"},
    {"packUint2x32", BuiltinOp::PackBits, k64Packs, "u64(u.2)"},
    {"unpackInt2x32", BuiltinOp::UnpackBits, k64Packs, "i.2(i64)"},
    {"unpackUint2x32", BuiltinOp::UnpackBits, k64Packs, "u.2(u64)"},
    {"packFloat2x16", BuiltinOp::PackBits, kHalfPacks, "u(f16.2)"},
    {"unpackFloat2x16", BuiltinOp::UnpackBits, kHalfPacks, "f16.2(u)"},
    {"packInt2x16", BuiltinOp::PackBits, kExplicit, "i(i16.2)"},
    {"packInt4x16", BuiltinOp::PackBits, kExplicit, "i64(i16.4)"},
    {"packUint2x16", BuiltinOp::PackBits, kExplicit, "u(u16.2)"},
    {"packUint4x16", BuiltinOp::PackBits, kExplicit, "u64(u16.4)"},
    {"unpackInt2x16", BuiltinOp::UnpackBits, kExplicit, "i16.2(i)"},
    {"unpackInt4x16", BuiltinOp::UnpackBits, kExplicit, "i16.4(i64)"},
    {"unpackUint2x16", BuiltinOp::UnpackBits, kExplicit, "u16.2(u)"},
    {"unpackUint4x16", BuiltinOp::UnpackBits, kExplicit, "u16.4(u64)"},

    COOPC_BIT_CASTS("bfloat16", "BFloat16", "16", "bf", kBFloat16),
    COOPC_BIT_CASTS("floate5m2", "Floate5m2", "8", "e5", kE5M2),
    COOPC_BIT_CASTS("floate4m3", "Floate4m3", "8", "e4", kE4M3),
    COOPC_BIT_CASTS("floatue8m0", "Floatue8m0", "8", "e8", kUE8M0),
    COOPC_BIT_CASTS("floatmxint8", "Floatmxint8", "8", "mx", kMxInt8),
    COOPC_SATURATED("e5", kE5M2),
    COOPC_SATURATED("e4", kE4M3),

    // Vectors of 8 and 16 components are long vectors (GL_EXT_long_vector): resolved in resolve.cpp.
    {"packFloat2xfe2m1EXT", BuiltinOp::PackFloatE2M1, kE2M1, "u8(e2.2)", 0, 0, kRowAnyScalar},
    {"packFloat4xfe2m1EXT", BuiltinOp::PackFloatE2M1, kE2M1, "u16(e2.4)", 0, 0, kRowAnyScalar},
    {"packFloat8xfe2m1EXT", BuiltinOp::PackFloatE2M1, kE2M1, "u(e2.8)", 0, 0, kRowAnyScalar},
    {"packFloat16xfe2m1EXT", BuiltinOp::PackFloatE2M1, kE2M1, "u.2(e2.16)", 0, 0, kRowAnyScalar},
    {"unpackFloat2xfe2m1EXT", BuiltinOp::UnpackFloatE2M1, kE2M1, "e2.2(u8)", 0, 0, kRowAnyScalar},
    {"unpackFloat4xfe2m1EXT", BuiltinOp::UnpackFloatE2M1, kE2M1, "e2.4(u16)", 0, 0, kRowAnyScalar},
    {"unpackFloat8xfe2m1EXT", BuiltinOp::UnpackFloatE2M1, kE2M1, "e2.8(u)", 0, 0, kRowAnyScalar},
    {"unpackFloat16xfe2m1EXT", BuiltinOp::UnpackFloatE2M1, kE2M1, "e2.16(u.2)", 0, 0, kRowAnyScalar},
    {"bitcastExtractfe2m1EXT", BuiltinOp::BitcastExtractE2M1, kE2M1, "e2.N(u8.N,u)", 0, kAnySize,
     kRowAnyScalar},
    COOPC_SIX_BITS("fe2m3", "e23", kE2M3),
    COOPC_SIX_BITS("fe3m2", "e32", kE3M2),
};
#undef COOPC_SIX_BITS
#undef COOPC_BIT_CASTS
#undef COOPC_SATURATED
#undef COOPC_SATURATE_FROM
#undef COOPC_SIX_BIT

}  // namespace coopc::frontend::builtins
