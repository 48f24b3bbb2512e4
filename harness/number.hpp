// Number formats of tensors, in software: conversions between the bits of a component and host numbers, and
// distances in units in the last place. Independent of what the host's compiler offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "base/number_type.hpp"

namespace coopc::harness {

using coopc::byteSize;
using coopc::isFloat;
using coopc::isSigned;
using coopc::numberName;
using coopc::NumberType;
using coopc::parseNumberType;

/// The value of a float component; exact for every type. For integers, the nearest double.
double toDouble(NumberType type, uint64_t bits);

/// Float types: round to nearest even, subnormals kept, overflow to infinity (e4m3: to NaN), NaN to a quiet
/// NaN. Integers: truncated towards zero and clamped to the type's range; NaN gives 0.
uint64_t fromDouble(NumberType type, double value);

/// Integer types: sign- or zero-extended. u64 values above 2^63 come back as negative numbers with the same
/// bits.
int64_t toInt64(NumberType type, uint64_t bits);
/// Integer types: the low bits of `value`, as two's complement arithmetic on a device gives.
uint64_t fromInt64(NumberType type, int64_t value);

/// Wide enough for the sums and products of 64-bit numbers that occur here (a start plus a step times an
/// index).
__extension__ typedef __int128 Wide;
/// Integer types: clamped to the type's range.
uint64_t fromWide(NumberType type, Wide value);

/// A number in a case file. An integer keeps all of its 64 bits; a double would keep 53.
class Number {
 public:
  Number() = default;
  explicit Number(int64_t whole) : value_(whole) {}
  explicit Number(double real) : value_(real) {}
  /// Null if the number was written as a real number.
  const int64_t* whole() const { return std::get_if<int64_t>(&value_); }
  /// The nearest double.
  double real() const {
    return whole() != nullptr ? static_cast<double>(*whole()) : std::get<double>(value_);
  }

 private:
  std::variant<int64_t, double> value_{int64_t{0}};
};

/// Like fromDouble(), but integers are not converted to double on the way.
uint64_t fromNumber(NumberType type, const Number& value);
/// Integer types: whether the type can represent exactly this number.
bool represents(NumberType type, const Number& value);

/// Truncated towards zero and clamped to 64 bits; NaN gives 0.
int64_t truncate(double value);

bool isNan(NumberType type, uint64_t bits);

/// How many representable values lie between two components: 0 for equal values (+0 and -0 are equal, all
/// NaNs are equal), the largest uint64 when exactly one is NaN. For integers the absolute difference.
uint64_t ulpDistance(NumberType type, uint64_t a, uint64_t b);

/// The component at `index` of an array of `type`, little endian, without alignment.
uint64_t loadBits(NumberType type, const void* data, size_t index);
void storeBits(NumberType type, void* data, size_t index, uint64_t bits);

}  // namespace coopc::harness
