// Conversions between 32-bit floats and the bits of smaller ones, by integer operations.
#include "spirv/lower/float_bits.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kMantissa32 = 23;            // mantissa bits of a 32-bit float
constexpr uint32_t kOne32 = 1u << kMantissa32;  // the leading one of a mantissa
constexpr uint32_t kInfinity32 = 0x7F800000;
constexpr uint32_t kNan32 = kInfinity32 | 1u << (kMantissa32 - 1);
constexpr uint32_t kMagnitude32 = 0x7FFFFFFF;
constexpr uint32_t kSign32 = 0x80000000;

// value / 2^shift, to nearest, ties to even. The shift is 1 to 31, and the sum must not overflow.
UInt round(Code& c, const UInt& value, const UInt& shift) {
  const UInt one = c.u32(1), odd = value >> shift & one;
  const UInt half = one << (shift - one);
  return (value + (half - one) + odd) >> shift;
}

UInt bitsOf(Code& c, NamedId value) {
  const Id u32 = c.globals.typeU32();
  return {c, c.make<op::Bitcast>(u32, {value})};
}
Id floatOf(Code& c, NamedUInt bits) {
  const Id f32 = c.globals.typeF32();
  return c.make<op::Bitcast>(f32, {bits});
}

}  // namespace

Id encodeFloat(Code& c, const FloatEncoding& encoding, NamedId integer, NamedId value) {
  const FloatFormat& f = encoding.format;
  const uint32_t width = f.width(), infinity = uint32_t(f.largest()) + 1;
  const uint32_t bias = uint32_t(kFloat32.bias() - f.bias());  // difference of the exponent biases
  const UInt bits = bitsOf(c, value), magnitude = bits & kMagnitude32;
  const UInt sign = bits >> (32 - width) & 1u << (width - 1);
  const UInt cut = c.u32(kMantissa32 - f.mantissaBits);
  const UInt shortened = encoding.truncates ? UInt(magnitude >> cut) : round(c, magnitude, cut);
  UInt result = shortened - (bias << f.mantissaBits);
  if (bias != 0) {
    // Below the smallest normal number the mantissa, with its leading one, is shifted down by the difference
    // of the exponents.
    const UInt significand = (magnitude & (kOne32 - 1)) | kOne32;
    const UInt exponent = magnitude >> kMantissa32;
    const UInt top = c.u32(kMantissa32 - f.mantissaBits + bias + 1), most = c.u32(kMantissa32 + 2);
    const UInt distance = top - exponent, shift = select(distance < most, distance, most);
    const UInt subnormal = round(c, significand, shift);
    result = select(magnitude < (bias + 1) << kMantissa32, subnormal, result);
  }
  result = select(uint32_t(f.largest()) < result, encoding.saturates ? infinity - 1 : infinity, result);
  const Bool isNan = kInfinity32 < magnitude;
  result = select(isNan, f.top == FloatFormat::Top::Ieee ? infinity | 1u << (f.mantissaBits - 1) : infinity,
                  result);
  const UInt word = result | sign;
  return Id(integer) == c.globals.typeU32() ? Id(word) : c.make<op::UConvert>(integer, {word});
}

Id decodeFloat(Code& c, const FloatFormat& f, NamedId value) {
  const uint32_t width = f.width(), bias = uint32_t(kFloat32.bias() - f.bias());
  const Id u32 = c.globals.typeU32(), f32 = c.globals.typeF32();
  const UInt word(c, c.globals.typeOf(value) == u32 ? Id(value) : c.make<op::UConvert>(u32, {value}));
  if (bias == 0) {
    const UInt bits = word << (32 - width);
    return floatOf(c, bits);
  }
  const uint32_t signBit = 1u << (width - 1);
  const UInt magnitude = word & (signBit - 1);
  const UInt sign = (word & signBit) << (32 - width);
  const UInt moved = magnitude << (kMantissa32 - f.mantissaBits);
  const UInt normal = moved + (bias << kMantissa32);
  // A subnormal number is its bits, as an integer, times the smallest subnormal number.
  const Id number = c.make<op::ConvertUToF>(f32, {magnitude});
  const uint32_t exponent = uint32_t(kFloat32.bias() + 1 - f.bias() - f.mantissaBits);
  const Id smallest = c.globals.scalar(f32, exponent << kMantissa32);
  const Id product = c.make<op::FMul>(f32, {number, smallest});
  const UInt subnormal = bitsOf(c, product);
  UInt result = select(magnitude < 1u << f.mantissaBits, subnormal, normal);
  const Bool isBeyond = uint32_t(f.largest()) < magnitude;
  const UInt infinity = c.u32(kInfinity32);
  const UInt beyond = f.top == FloatFormat::Top::Ieee ? UInt(moved | infinity) : c.u32(kNan32);
  result = select(isBeyond, beyond, result);
  const UInt bits = result | sign;
  return floatOf(c, bits);
}

Id narrowDouble(Code& c, NamedId value) {
  const Id u32 = c.globals.typeU32(), pairType = c.globals.typeVector(u32, 2),
           pair = c.make<op::Bitcast>(pairType, {value});
  const UInt low(c, c.extract(u32, pair, {0})), high(c, c.extract(u32, pair, {1}));
  const UInt zero = c.u32(0), one = c.u32(1), magnitude = high & kMagnitude32;
  // The exponent and the upper 20 bits of the mantissa move up by 3 bits, and the exponent's bias changes
  // from 1023 to 127.
  const UInt upper = (magnitude << 3) - uint32_t(uint64_t{1023 - 127} << kMantissa32);
  const UInt number = upper | low >> 29, rest = low & ((1u << 29) - 1);
  UInt result = number | select(equal(rest, zero), zero, one);
  // Below 2^-126 every 8-bit result is 0, and from 2^128 on it is out of range.
  result = select(magnitude < uint32_t{1023 - 126} << 20, zero, result);
  const Bool isHuge = (uint32_t{1023 + 128} << 20) - 1 < magnitude;
  result = select(isHuge, kInfinity32, result);
  const UInt marked = magnitude | select(equal(low, zero), zero, one);
  const Bool isNan = 0x7FF00000 < marked;
  result = select(isNan, kNan32, result);
  const UInt bits = result | (high & kSign32);
  return floatOf(c, bits);
}

}  // namespace coopc::spirv::lower
