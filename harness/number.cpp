// Conversions of the number types of cases and buffers: of integers here, of floats in base/float_format.hpp.
#include "harness/number.hpp"

#include <cmath>
#include <cstring>

#include "base/float_format.hpp"

namespace coopc::harness {
namespace {

uint64_t maskOf(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// Maps float bits to a line on which neighbors differ by one and both zeros are 0.
int64_t order(const NumberTypeInfo& f, uint64_t bits) {
  const unsigned magnitudeBits = f.bytes * 8u - 1u;
  const auto magnitude = static_cast<int64_t>(bits & maskOf(magnitudeBits));
  return (bits >> magnitudeBits & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace

double toDouble(NumberType type, uint64_t bits) {
  const NumberTypeInfo& f = numberTypeInfo(type);
  if (f.isFloat) return decodeFloat(f.format, bits);
  const int64_t value = toInt64(type, bits);
  return f.isSigned ? static_cast<double>(value) : static_cast<double>(static_cast<uint64_t>(value));
}

uint64_t fromDouble(NumberType type, double value) {
  const NumberTypeInfo& f = numberTypeInfo(type);
  if (f.isFloat) return encodeFloat(f.format, value);
  if (std::isnan(value)) return 0;
  const unsigned bits = f.bytes * 8u;
  const double low = f.isSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0.0;
  const double high = std::ldexp(1.0, static_cast<int>(bits) - (f.isSigned ? 1 : 0));  // one past the largest
  if (value <= low) return fromInt64(type, f.isSigned ? static_cast<int64_t>(low) : 0);
  if (value >= high) return maskOf(f.isSigned ? bits - 1 : bits);
  return f.isSigned ? fromInt64(type, static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
}

int64_t toInt64(NumberType type, uint64_t bits) {
  const NumberTypeInfo& f = numberTypeInfo(type);
  const unsigned shift = 64u - f.bytes * 8u;
  if (f.isSigned) return static_cast<int64_t>(bits << shift) >> shift;
  return static_cast<int64_t>(bits << shift >> shift);
}

uint64_t fromInt64(NumberType type, int64_t value) {
  return static_cast<uint64_t>(value) & maskOf(numberTypeInfo(type).bytes * 8u);
}

uint64_t fromWide(NumberType type, Wide value) {
  const unsigned bits = numberTypeInfo(type).bytes * 8u;
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

int64_t truncate(double value) { return toInt64(NumberType::S64, fromDouble(NumberType::S64, value)); }

bool isNan(NumberType type, uint64_t bits) { return isFloat(type) && std::isnan(toDouble(type, bits)); }

uint64_t ulpDistance(NumberType type, uint64_t a, uint64_t b) {
  const NumberTypeInfo& f = numberTypeInfo(type);
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
