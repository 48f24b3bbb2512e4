// The number types of components of matrices, vectors and buffers, under the short names by which device
// profiles, cases, reports and messages refer to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/float_format.hpp"

namespace coopc {

/// BF16 is bfloat16; E4M3 and E5M2 are the 8-bit formats of SPV_EXT_float8 (E4M3 has no infinity and one NaN
/// per sign).
enum class NumberType : uint8_t { F16, BF16, F32, F64, E4M3, E5M2, S8, S16, S32, S64, U8, U16, U32, U64 };

struct NumberTypeInfo {
  NumberType type;
  std::string_view name;
  uint8_t bytes;  ///< 1, 2, 4 or 8
  bool isFloat;
  bool isSigned;
  FloatFormat format;  ///< of floats
};

/// Indexed by NumberType.
inline constexpr std::array kNumberTypes = {
    NumberTypeInfo{NumberType::F16, "f16", 2, true, true, kFloat16},
    NumberTypeInfo{NumberType::BF16, "bf16", 2, true, true, kBFloat16},
    NumberTypeInfo{NumberType::F32, "f32", 4, true, true, kFloat32},
    NumberTypeInfo{NumberType::F64, "f64", 8, true, true, kFloat64},
    NumberTypeInfo{NumberType::E4M3, "e4m3", 1, true, true, kFloatE4M3},
    NumberTypeInfo{NumberType::E5M2, "e5m2", 1, true, true, kFloatE5M2},
    NumberTypeInfo{NumberType::S8, "s8", 1, false, true, {}},
    NumberTypeInfo{NumberType::S16, "s16", 2, false, true, {}},
    NumberTypeInfo{NumberType::S32, "s32", 4, false, true, {}},
    NumberTypeInfo{NumberType::S64, "s64", 8, false, true, {}},
    NumberTypeInfo{NumberType::U8, "u8", 1, false, false, {}},
    NumberTypeInfo{NumberType::U16, "u16", 2, false, false, {}},
    NumberTypeInfo{NumberType::U32, "u32", 4, false, false, {}},
    NumberTypeInfo{NumberType::U64, "u64", 8, false, false, {}},
};
static_assert(kNumberTypes.size() == size_t(NumberType::U64) + 1);
static_assert([] {
  for (size_t i = 0; i < kNumberTypes.size(); ++i) {
    if (kNumberTypes[i].type != NumberType(i)) return false;
  }
  return true;
}());

constexpr const NumberTypeInfo& numberTypeInfo(NumberType type) { return kNumberTypes[size_t(type)]; }

/// "f16", "bf16", "f32", "f64", "e4m3", "e5m2", "s8" ... "u64".
constexpr std::string_view numberName(NumberType type) { return numberTypeInfo(type).name; }
constexpr std::optional<NumberType> parseNumberType(std::string_view name) {
  for (const NumberTypeInfo& row : kNumberTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

constexpr size_t byteSize(NumberType type) { return numberTypeInfo(type).bytes; }
constexpr bool isFloat(NumberType type) { return numberTypeInfo(type).isFloat; }
constexpr bool isSigned(NumberType type) { return numberTypeInfo(type).isSigned; }

}  // namespace coopc
