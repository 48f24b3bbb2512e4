// Encodings by integers alone: the host's rounding mode does not matter, but for float, which has the host's own format.
#include "frontend/program/numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace coopc::frontend {
namespace {

/// A small floating-point format: IEEE-like but for the ends of its range.
struct Format {
  int exponentBits;
  int mantissaBits;
  int bias;
  enum class Ends : uint8_t { Ieee, NanOnly, Finite } ends;  ///< NanOnly: all ones is NaN, no infinity (E4M3)
  bool isSigned = true;
};

Format formatOf(Scalar s) {
  switch (s) {
    case Scalar::Float16: return {5, 10, 15, Format::Ends::Ieee};
    case Scalar::BFloat16: return {8, 7, 127, Format::Ends::Ieee};
    case Scalar::FloatE5M2: return {5, 2, 15, Format::Ends::Ieee};
    case Scalar::FloatE4M3: return {4, 3, 7, Format::Ends::NanOnly};
    case Scalar::FloatE2M1: return {2, 1, 1, Format::Ends::Finite};
    case Scalar::FloatE2M3: return {2, 3, 1, Format::Ends::Finite};
    case Scalar::FloatE3M2: return {3, 2, 3, Format::Ends::Finite};
    default: return {8, 23, 127, Format::Ends::Ieee};
  }
}

/// Largest magnitude encoding that is a finite number.
uint64_t largestFinite(const Format& f) {
  const uint64_t all = (uint64_t{1} << (f.exponentBits + f.mantissaBits)) - 1;
  switch (f.ends) {
    case Format::Ends::Ieee: return (((uint64_t{1} << f.exponentBits) - 1) << f.mantissaBits) - 1;
    case Format::Ends::NanOnly: return all - 1;
    case Format::Ends::Finite: return all;
  }
  return all;
}

uint64_t encodeSmall(const Format& f, double value) {
  const uint64_t sign = std::signbit(value) ? uint64_t{1} << (f.exponentBits + f.mantissaBits) : 0;
  const uint64_t finite = largestFinite(f);
  if (std::isnan(value)) {
    if (f.ends == Format::Ends::Finite) return finite;  // there is no NaN: the largest number stands for it
    if (f.ends == Format::Ends::NanOnly) return sign | (finite + 1);
    return sign | ((finite + 1) | (uint64_t{1} << (f.mantissaBits - 1)));
  }
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  uint64_t encoding = finite + 1;  // overflow, until shown otherwise
  if (!std::isinf(magnitude)) {
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude = m * 2^exponent, m in [0.5, 1)
    int e = exponent - 1;
    if (e < 1 - f.bias) e = 1 - f.bias;  // subnormal: fixed exponent
    // Exact: scaling by powers of two; the result is below 2^(mantissaBits + 1).
    const double scaled = std::ldexp(magnitude, f.mantissaBits - e);
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0)) whole += 1;
    // Adding the mantissa to the exponent's place carries into the exponent where rounding went up to a power of two.
    const auto mantissa = static_cast<uint64_t>(whole);
    const int biased = e + f.bias;
    if (biased < (1 << f.exponentBits) + 1)
      encoding = (static_cast<uint64_t>(biased - 1) << f.mantissaBits) + mantissa;
  }
  if (encoding > finite) encoding = f.ends == Format::Ends::Finite ? finite : finite + 1;
  return sign | encoding;
}

double decodeSmall(const Format& f, uint64_t bits) {
  const uint64_t magnitude = bits & ((uint64_t{1} << (f.exponentBits + f.mantissaBits)) - 1);
  const bool negative = (bits >> (f.exponentBits + f.mantissaBits)) & 1;
  double v = 0;
  if (magnitude > largestFinite(f)) {
    v = f.ends == Format::Ends::Ieee && magnitude == largestFinite(f) + 1
            ? std::numeric_limits<double>::infinity()
            : std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto exponent = static_cast<int>(magnitude >> f.mantissaBits);
    const auto mantissa = static_cast<double>(magnitude & ((uint64_t{1} << f.mantissaBits) - 1));
    const auto hidden = static_cast<double>(uint64_t{1} << f.mantissaBits);
    v = exponent == 0 ? std::ldexp(mantissa, 1 - f.bias - f.mantissaBits)
                      : std::ldexp(mantissa + hidden, exponent - f.bias - f.mantissaBits);
  }
  return negative ? -v : v;
}

/// double to float, to nearest even, by integers: the host's rounding mode does not matter.
uint64_t encodeSingle(double value) {
  if (std::isnan(value)) return std::signbit(value) ? 0xFFC00000u : 0x7FC00000u;
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/// An integer as a double that rounds like the integer itself into every narrower format: what does not fit into 53
/// bits is rounded to odd.
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
    case Scalar::Float: return encodeSingle(value);
    case Scalar::Double: return std::bit_cast<uint64_t>(value);
    case Scalar::FloatE8M0: {  // powers of two, no sign, 255 is NaN; toward zero, as scales are derived
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
    default: return encodeSmall(formatOf(type), value);
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
    default: return decodeSmall(formatOf(type), bits);
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
    return !(v == 0);  // NaN is not zero
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
  // Float to integer: towards zero. Out of range is undefined (5.4.1); here it wraps as far as 64 bits go.
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
