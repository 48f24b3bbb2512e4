// Number formats. A float format is described by its exponent and mantissa widths; encoding rounds the double's 53-bit
// significand once, to nearest even, at the position that the format's (possibly subnormal) exponent gives.
#include "harness/number.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace coopc::harness {
namespace {

struct Format {
  std::string_view name;
  uint8_t bytes;
  bool isFloat;
  bool isSigned;
  uint8_t exponentBits;  // floats only
  uint8_t mantissaBits;
  bool hasInfinity;
};

// Indexed by NumberType.
constexpr Format kFormats[] = {
    {"f16", 2, true, true, 5, 10, true},   {"bf16", 2, true, true, 8, 7, true},
    {"f32", 4, true, true, 8, 23, true},   {"f64", 8, true, true, 11, 52, true},
    {"e4m3", 1, true, true, 4, 3, false},  {"e5m2", 1, true, true, 5, 2, true},
    {"s8", 1, false, true, 0, 0, false},   {"s16", 2, false, true, 0, 0, false},
    {"s32", 4, false, true, 0, 0, false},  {"s64", 8, false, true, 0, 0, false},
    {"u8", 1, false, false, 0, 0, false},  {"u16", 2, false, false, 0, 0, false},
    {"u32", 4, false, false, 0, 0, false}, {"u64", 8, false, false, 0, 0, false},
};

const Format& format(NumberType type) { return kFormats[static_cast<size_t>(type)]; }

uint64_t maskOf(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// `value` * 2^-shift, rounded to nearest even. Shifts of 64 and more give 0, as the significand has 53 bits.
uint64_t shiftRightRounded(uint64_t value, unsigned shift) {
  if (shift == 0) return value;
  if (shift >= 64) return 0;
  const uint64_t kept = value >> shift;
  const uint64_t rest = value & maskOf(shift);
  const uint64_t half = uint64_t{1} << (shift - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

uint64_t encodeFloat(const Format& f, double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t sign = (bits >> 63) << (f.exponentBits + f.mantissaBits);
  const uint64_t topExponent = maskOf(f.exponentBits);
  const uint64_t infinity = topExponent << f.mantissaBits;
  // e4m3 uses its top exponent for numbers too; only the all-ones mantissa is NaN there.
  const uint64_t nan =
      f.hasInfinity ? infinity | uint64_t{1} << (f.mantissaBits - 1) : infinity | maskOf(f.mantissaBits);
  if (std::isnan(value)) return sign | nan;
  const uint64_t overflow = f.hasInfinity ? infinity : nan;
  if (std::isinf(value)) return sign | overflow;
  if (value == 0) return sign;

  const int bias = static_cast<int>(maskOf(f.exponentBits - 1u));
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const auto significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
  exponent -= 1;  // value = 1.xxx * 2^exponent

  uint64_t result;
  const int lowest = 1 - bias;
  if (exponent >= lowest) {
    // The leading one adds 1 to the exponent field; a carry out of the mantissa does the same by itself.
    const uint64_t mantissa = shiftRightRounded(significand, 52u - f.mantissaBits);
    result = (static_cast<uint64_t>(exponent - lowest) << f.mantissaBits) + mantissa;
  } else {
    result = shiftRightRounded(significand, 52u - f.mantissaBits + static_cast<unsigned>(lowest - exponent));
  }
  const uint64_t largest = f.hasInfinity ? infinity - 1 : nan - 1;
  return sign | (result > largest ? overflow : result);
}

double decodeFloat(const Format& f, uint64_t bits) {
  const uint64_t mantissa = bits & maskOf(f.mantissaBits);
  const uint64_t exponent = bits >> f.mantissaBits & maskOf(f.exponentBits);
  const bool negative = (bits >> (f.exponentBits + f.mantissaBits) & 1) != 0;
  const int bias = static_cast<int>(maskOf(f.exponentBits - 1u));
  double magnitude;
  if (f.hasInfinity && exponent == maskOf(f.exponentBits)) {
    magnitude =
        mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (!f.hasInfinity && exponent == maskOf(f.exponentBits) && mantissa == maskOf(f.mantissaBits)) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(mantissa), 1 - bias - f.mantissaBits);
  } else {
    magnitude = std::ldexp(static_cast<double>(mantissa | uint64_t{1} << f.mantissaBits),
                           static_cast<int>(exponent) - bias - f.mantissaBits);
  }
  return negative ? -magnitude : magnitude;
}

// Maps float bits to a line on which neighbours differ by one and both zeros are 0.
int64_t order(const Format& f, uint64_t bits) {
  const unsigned magnitudeBits = f.bytes * 8u - 1u;
  const auto magnitude = static_cast<int64_t>(bits & maskOf(magnitudeBits));
  return (bits >> magnitudeBits & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::string_view numberName(NumberType type) { return format(type).name; }

std::optional<NumberType> parseNumberType(std::string_view name) {
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    if (kFormats[i].name == name) return static_cast<NumberType>(i);
  }
  return std::nullopt;
}

size_t byteSize(NumberType type) { return format(type).bytes; }
bool isFloat(NumberType type) { return format(type).isFloat; }
bool isSigned(NumberType type) { return format(type).isSigned; }

double toDouble(NumberType type, uint64_t bits) {
  const Format& f = format(type);
  if (f.isFloat) return decodeFloat(f, bits);
  const int64_t value = toInt64(type, bits);
  return f.isSigned ? static_cast<double>(value) : static_cast<double>(static_cast<uint64_t>(value));
}

uint64_t fromDouble(NumberType type, double value) {
  const Format& f = format(type);
  if (f.isFloat) return encodeFloat(f, value);
  if (std::isnan(value)) return 0;
  const unsigned bits = f.bytes * 8u;
  const double low = f.isSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0.0;
  const double high = std::ldexp(1.0, static_cast<int>(bits) - (f.isSigned ? 1 : 0));  // one past the largest
  if (value <= low) return fromInt64(type, f.isSigned ? static_cast<int64_t>(low) : 0);
  if (value >= high) return maskOf(f.isSigned ? bits - 1 : bits);
  return f.isSigned ? fromInt64(type, static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
}

int64_t toInt64(NumberType type, uint64_t bits) {
  const Format& f = format(type);
  const unsigned shift = 64u - f.bytes * 8u;
  if (f.isSigned) return static_cast<int64_t>(bits << shift) >> shift;
  return static_cast<int64_t>(bits << shift >> shift);
}

uint64_t fromInt64(NumberType type, int64_t value) {
  return static_cast<uint64_t>(value) & maskOf(format(type).bytes * 8u);
}

uint64_t fromWide(NumberType type, Wide value) {
  const unsigned bits = format(type).bytes * 8u;
  const Wide low = isSigned(type) ? -(Wide{1} << (bits - 1)) : Wide{0};
  const Wide high = (Wide{1} << (isSigned(type) ? bits - 1 : bits)) - 1;
  return static_cast<uint64_t>(value < low ? low : value > high ? high : value) & maskOf(bits);
}

uint64_t fromNumber(NumberType type, const Number& value) {
  if (value.whole() == nullptr || isFloat(type)) return fromDouble(type, value.real());
  return fromWide(type, *value.whole());
}

bool represents(NumberType type, const Number& value) {
  const uint64_t bits = fromNumber(type, value);
  if (value.whole() == nullptr) return toDouble(type, bits) == value.real();
  return static_cast<uint64_t>(toInt64(type, bits)) == static_cast<uint64_t>(*value.whole()) &&
         (isSigned(type) || *value.whole() >= 0);
}

int64_t truncated(double value) { return toInt64(NumberType::S64, fromDouble(NumberType::S64, value)); }

bool isNan(NumberType type, uint64_t bits) { return isFloat(type) && std::isnan(toDouble(type, bits)); }

uint64_t ulpDistance(NumberType type, uint64_t a, uint64_t b) {
  const Format& f = format(type);
  if (f.isFloat) {
    const bool nanA = isNan(type, a);
    const bool nanB = isNan(type, b);
    if (nanA || nanB) return nanA && nanB ? 0 : ~uint64_t{0};
    const int64_t x = order(f, a);
    const int64_t y = order(f, b);
    return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
                 : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
  }
  const int64_t x = toInt64(type, a);
  const int64_t y = toInt64(type, b);
  const bool less = f.isSigned ? x < y : static_cast<uint64_t>(x) < static_cast<uint64_t>(y);
  return less ? static_cast<uint64_t>(y) - static_cast<uint64_t>(x)
              : static_cast<uint64_t>(x) - static_cast<uint64_t>(y);
}

uint64_t loadBits(NumberType type, const void* data, size_t index) {
  const size_t bytes = byteSize(type);
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(data) + index * bytes, bytes);
  return bits;
}

void storeBits(NumberType type, void* data, size_t index, uint64_t bits) {
  const size_t bytes = byteSize(type);
  std::memcpy(static_cast<char*>(data) + index * bytes, &bits, bytes);
}

}  // namespace coopc::harness
