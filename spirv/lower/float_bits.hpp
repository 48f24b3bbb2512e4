// Conversions between 32-bit floats and the bits of smaller ones, written as code. They use integer
// operations, so that the driver's rounding mode and its treatment of subnormal numbers do not matter.
#pragma once

#include "base/float_format.hpp"
#include "spirv/lower/code.hpp"

namespace coopc::spirv::lower {

struct FloatEncoding {
  FloatFormat format;
  bool saturates = false;  ///< numbers out of range become the largest finite number
  bool truncates = false;  ///< rounds toward zero; otherwise to nearest, ties to even

  friend bool operator==(const FloatEncoding&, const FloatEncoding&) = default;
};

/// The bits of the 32-bit float `value` in the format, as a number of the type `integer`, which has its width
/// or 32 bits.
Id encodeFloat(Code& c, const FloatEncoding& encoding, NamedId integer, NamedId value);
/// The 32-bit float whose bits in the format are `value`: an unsigned integer of the format's width, or one
/// of 32 bits whose other bits are not read.
Id decodeFloat(Code& c, const FloatFormat& format, NamedId value);
/// Converts a double to a 32-bit float that rounds to the same 8-bit float: the lowest bit is set if any
/// discarded bit was (rounding to odd). Uses integers, because drivers optimize a conversion there and back
/// away.
Id narrowDouble(Code& c, NamedId value);

}  // namespace coopc::spirv::lower
