// The encodings of GLSL's scalar types. base/float_format.hpp converts those that have sign, exponent and
// mantissa.
#include "frontend/program/numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "base/float_format.hpp"

namespace coopc::frontend {
namespace {

// The format of any floating-point type except FloatE8M0 and MxInt8, which do not have sign, exponent and
// mantissa.
const FloatFormat& formatOf(Scalar s) {
  switch (s) {
    case Scalar::Float16: return kFloat16;
    case Scalar::BFloat16: return kBFloat16;
    case Scalar::FloatE5M2: return kFloatE5M2;
    case Scalar::FloatE4M3: return kFloatE4M3;
    case Scalar::FloatE2M1: return kFloatE2M1;
    case Scalar::FloatE2M3: return kFloatE2M3;
    case Scalar::FloatE3M2: return kFloatE3M2;
    default: return kFloat32;
  }
}

// An integer as a double, such that rounding the double to any narrower format gives the same as rounding the
// integer: integers of more than 53 bits are rounded to odd.
double integerForRounding(bool negative, uint64_t magnitude) {
  const int extra = 64 - 53 - std::countl_zero(magnitude | 1);
  double v = 0;
  if (extra <= 0) {
    v = static_cast<double>(magnitude);
  } else {
    uint64_t kept = magnitude >> extra;
    if (magnitude & ((uint64_t{1} << extra) - 1)) kept |= 1;
    v = std::ldexp(static_cast<double>(kept), extra);
  }
  return negative ? -v : v;
}

}  // namespace

uint64_t encodeFloat(Scalar type, double value) {
  switch (type) {
    case Scalar::Double: return std::bit_cast<uint64_t>(value);
    case Scalar::FloatE8M0: {  // powers of two, no sign, 255 is NaN; rounds toward zero, as block scales do
      if (std::isnan(value) || (std::isinf(value) && value > 0)) return 255;
      if (!(value > 0)) return 0;
      int exponent = 0;
      std::frexp(value, &exponent);
      int e = exponent - 1;
      e = e < -127 ? -127 : e > 127 ? 127 : e;
      return static_cast<uint64_t>(e) + 127;
    }
    case Scalar::MxInt8: {  // two's complement in units of 1/64
      if (std::isnan(value)) return 0;
      const double scaled = value * 64;
      const double clamped = scaled < -127 ? -127 : scaled > 127 ? 127 : scaled;  // -128 is left unused
      return static_cast<uint64_t>(static_cast<int64_t>(std::nearbyint(clamped))) & 255;
    }
    default: return coopc::encodeFloat(formatOf(type), value);
  }
}

double decodeFloat(Scalar type, uint64_t bits) {
  switch (type) {
    case Scalar::Float: return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Scalar::Double: return std::bit_cast<double>(bits);
    case Scalar::FloatE8M0:
      return (bits & 255) == 255 ? std::numeric_limits<double>::quiet_NaN()
                                 : std::ldexp(1.0, static_cast<int>(bits & 255) - 127);
    case Scalar::MxInt8: return static_cast<double>(static_cast<int8_t>(bits & 255)) / 64;
    default: return coopc::decodeFloat(formatOf(type), bits);
  }
}

uint64_t wrapInteger(Scalar type, uint64_t value) {
  const uint32_t bits = scalarBits(type);
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

int64_t signedValue(Scalar type, uint64_t bits) {
  if (!isSignedScalar(type)) return static_cast<int64_t>(bits);
  const uint32_t unused = 64 - scalarBits(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

uint64_t convertScalar(Scalar from, uint64_t bits, Scalar to, bool* overflow) {
  if (from == to) return bits;
  if (to == Scalar::Bool) {
    if (!isFloatScalar(from)) return bits != 0;
    const double v = decodeFloat(from, bits);
    return !(v == 0);  // true for NaN
  }
  if (isFloatScalar(to)) {
    if (isFloatScalar(from)) return encodeFloat(to, decodeFloat(from, bits));
    if (from == Scalar::Bool) return encodeFloat(to, bits ? 1.0 : 0.0);
    const int64_t v = signedValue(from, bits);
    const bool negative = isSignedScalar(from) && v < 0;
    if (to == Scalar::Double)
      return encodeFloat(to, isSignedScalar(from) ? static_cast<double>(v) : static_cast<double>(bits));
    return encodeFloat(to, integerForRounding(negative, negative ? ~static_cast<uint64_t>(v) + 1 : bits));
  }
  if (!isFloatScalar(from)) return wrapInteger(to, static_cast<uint64_t>(signedValue(from, bits)));
  // A float to an integer: the fraction is dropped. Out of the type's range the value is undefined (5.4.1).
  const double v = std::trunc(decodeFloat(from, bits));
  const uint32_t width = scalarBits(to);
  const double high = std::ldexp(1.0, static_cast<int>(isSignedScalar(to) ? width - 1 : width));
  const double low = isSignedScalar(to) ? -high : 0.0;
  if (!(v >= low && v < high)) {
    if (overflow) *overflow = true;
  }
  constexpr double kTwo63 = 9223372036854775808.0;
  if (std::isnan(v)) return 0;
  if (v >= 0) {
    if (v >= 2 * kTwo63) return wrapInteger(to, ~uint64_t{0});
    return wrapInteger(to, static_cast<uint64_t>(v));
  }
  if (v < -kTwo63) return wrapInteger(to, uint64_t{1} << 63);
  return wrapInteger(to, static_cast<uint64_t>(static_cast<int64_t>(v)));
}

}  // namespace coopc::frontend
