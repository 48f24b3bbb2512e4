// Numbers to bits and back, for every floating-point format that shaders and modules name: IEEE 754's
// binary16, 32 and 64, bfloat16, and the small ones of SPV_EXT_float8 and SPV_EXT_ocp_microscaling_types. One
// conversion for all, by integers: neither the host's rounding mode nor its types matter.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace coopc {

/// A format with a sign, an exponent and a mantissa, in this order from the highest bit down; at most those
/// of a double.
struct FloatFormat {
  /// The meaning of the highest exponent: as in IEEE 754; one NaN for each sign, all ones, and no infinity;
  /// only numbers.
  enum class Top : uint8_t { Ieee, OneNan, Finite };

  uint8_t exponentBits = 0;
  uint8_t mantissaBits = 0;
  Top top = Top::Ieee;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint32_t width() const { return 1u + exponentBits + mantissaBits; }
  /// The bits of the largest finite number.
  constexpr uint64_t largest() const {
    const uint64_t all = (uint64_t{1} << (exponentBits + mantissaBits)) - 1;
    if (top == Top::Finite) return all;
    return top == Top::OneNan ? all - 1 : (all >> mantissaBits << mantissaBits) - 1;
  }
  friend constexpr bool operator==(const FloatFormat&, const FloatFormat&) = default;
};

inline constexpr FloatFormat kFloat16{5, 10, FloatFormat::Top::Ieee};
inline constexpr FloatFormat kBFloat16{8, 7, FloatFormat::Top::Ieee};
inline constexpr FloatFormat kFloat32{8, 23, FloatFormat::Top::Ieee};
inline constexpr FloatFormat kFloat64{11, 52, FloatFormat::Top::Ieee};
inline constexpr FloatFormat kFloatE5M2{5, 2, FloatFormat::Top::Ieee};
inline constexpr FloatFormat kFloatE4M3{4, 3, FloatFormat::Top::OneNan};
inline constexpr FloatFormat kFloatE3M2{3, 2, FloatFormat::Top::Finite};
inline constexpr FloatFormat kFloatE2M3{2, 3, FloatFormat::Top::Finite};
inline constexpr FloatFormat kFloatE2M1{2, 1, FloatFormat::Top::Finite};

/// Rounded once, to nearest, ties to even; subnormal numbers are kept. A number that is too large becomes
/// infinity, or NaN if the format has no infinity, or the largest number if it has neither. A NaN becomes the
/// quiet NaN with its sign, or the largest number if there is none.
constexpr uint64_t encodeFloat(const FloatFormat& f, double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t sign = (bits >> 63) << (f.exponentBits + f.mantissaBits);
  const uint64_t beyond =
      f.top == FloatFormat::Top::Finite ? f.largest() : f.largest() + 1;  // infinity, or NaN
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) {
    if (fraction == 0) return sign | beyond;
    if (f.top == FloatFormat::Top::Ieee) return sign | beyond | uint64_t{1} << (f.mantissaBits - 1);
    return f.top == FloatFormat::Top::OneNan ? sign | beyond : beyond;
  }
  // |value| is significand * 2^(scale - 1075); the format counts in units of 2^(unit - bias - mantissaBits).
  const uint64_t significand = exponent == 0 ? fraction : fraction | uint64_t{1} << 52;
  const int scale = exponent == 0 ? 1 : exponent;
  const int lowest = 1 - f.bias();
  const int unit = scale - 1023 < lowest ? lowest : scale - 1023;
  const int shift = unit - f.mantissaBits - scale + 1075;  // at least 52 - mantissaBits
  uint64_t rounded = 0;
  if (shift < 64) {
    rounded = significand >> shift;
    const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t half = shift == 0 ? 0 : uint64_t{1} << (shift - 1);
    if (shift != 0 && (rest > half || (rest == half && (rounded & 1) != 0))) ++rounded;
  }
  // The leading one of a normal number adds 1 to the exponent field, and so does a carry out of the mantissa.
  const uint64_t result = (static_cast<uint64_t>(unit - lowest) << f.mantissaBits) + rounded;
  return sign | (result > f.largest() ? beyond : result);
}

/// Exact. Bits above the format's width are ignored.
inline double decodeFloat(const FloatFormat& f, uint64_t bits) {
  const uint64_t magnitude = bits & ((uint64_t{1} << (f.exponentBits + f.mantissaBits)) - 1);
  double value;
  if (magnitude > f.largest()) {
    const bool infinity = f.top == FloatFormat::Top::Ieee && magnitude == f.largest() + 1;
    value = infinity ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto exponent = static_cast<int>(magnitude >> f.mantissaBits);
    const uint64_t mantissa = magnitude & ((uint64_t{1} << f.mantissaBits) - 1);
    const uint64_t leading = exponent == 0 ? 0 : uint64_t{1} << f.mantissaBits;
    value = std::ldexp(static_cast<double>(leading | mantissa),
                       (exponent == 0 ? 1 : exponent) - f.bias() - f.mantissaBits);
  }
  return (bits >> (f.exponentBits + f.mantissaBits) & 1) != 0 ? -value : value;
}

}  // namespace coopc
