// Converts a matrix of cooperative vectors from one type and layout to another (vkCmdConvertCooperativeVectorMatrixNV). Workgroups
// share the rows, and an invocation converts every 64th element of a row. Numbers are converted by their bits, as on the host
// (layer/vectors/matrices.cpp), so that neither the device's rounding nor its treatment of subnormal numbers matters.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t at[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Halves { uint16_t at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };

// Written by layer/vectors/device.cpp (Parameters). Strides are in elements.
layout(push_constant) uniform Parameters {
  Bytes source, destination;
  uint rows, columns;
  uint sourceRow, sourceColumn;
  uint destinationRow, destinationColumn, destinationColumns;
  uint sourceBytes, destinationBytes;
  uint sourceFormat, destinationFormat;  // bits of the exponent and the mantissa; whether only the largest code is a NaN
  uint isSame;                           // the types are the same: the bits are copied
};

struct Format {
  uint exponentBits, mantissaBits;
  bool oneNan;
};
Format formatOf(uint packed) { return Format(packed & 255u, packed >> 8 & 255u, packed >> 16 != 0u); }
uint largestOf(Format f) {
  const uint all = (1u << (f.exponentBits + f.mantissaBits)) - 1u;
  return f.oneNan ? all - 1u : (all >> f.mantissaBits << f.mantissaBits) - 1u;
}
uint biasOf(Format f) { return (1u << (f.exponentBits - 1u)) - 1u; }

uint read(uint index) {
  if (sourceBytes == 1u) return uint(Bytes(source).at[index]);
  if (sourceBytes == 2u) return uint(Halves(source).at[index]);
  return Words(source).at[index];
}
void write(uint index, uint bits) {
  if (destinationBytes == 1u) Bytes(destination).at[index] = uint8_t(bits);
  else if (destinationBytes == 2u) Halves(destination).at[index] = uint16_t(bits);
  else Words(destination).at[index] = bits;
}

// Returns the bits of the 32-bit float with the same value, which exists for every number of the formats.
uint decode(Format f, uint bits) {
  if (f.mantissaBits == 23u) return bits;
  const uint sign = (bits >> (f.exponentBits + f.mantissaBits)) << 31;
  const uint magnitude = bits & ((1u << (f.exponentBits + f.mantissaBits)) - 1u);
  const uint largest = largestOf(f);
  if (magnitude > largest) return sign | (!f.oneNan && magnitude == largest + 1u ? 0x7F800000u : 0x7FC00000u);
  const uint exponent = magnitude >> f.mantissaBits;
  const uint mantissa = magnitude & ((1u << f.mantissaBits) - 1u);
  if (exponent != 0u) return sign | (exponent + 127u - biasOf(f)) << 23 | mantissa << (23u - f.mantissaBits);
  if (mantissa == 0u) return sign;
  const uint top = uint(findMSB(mantissa));
  return sign | (128u + top - f.mantissaBits - biasOf(f)) << 23 | (mantissa << (23u - top) & 0x7FFFFFu);
}

// Rounds a 32-bit float, given by its bits, to the nearest number of the format, ties to even.
uint encode(Format f, uint bits) {
  if (f.mantissaBits == 23u) return bits;
  const uint sign = bits >> 31 << (f.exponentBits + f.mantissaBits);
  const uint exponent = bits >> 23 & 255u, fraction = bits & 0x7FFFFFu;
  const uint largest = largestOf(f);
  if (exponent == 255u && fraction != 0u) return sign | (largest + 1u) | (f.oneNan ? 0u : 1u << (f.mantissaBits - 1u));
  // 8-bit floats saturate.
  const uint beyond = f.exponentBits + f.mantissaBits == 7u ? largest : largest + 1u;
  if (exponent == 255u) return sign | beyond;
  const uint significand = exponent == 0u ? fraction : fraction | 0x800000u;
  const int scale = max(int(exponent), 1), lowest = 1 - int(biasOf(f));
  const int unit = max(scale - 127, lowest);
  const int shift = unit - int(f.mantissaBits) - scale + 150;
  uint rounded = 0u;
  if (shift <= 24) {
    rounded = significand >> shift;
    const uint rest = significand & ((1u << shift) - 1u), half_ = 1u << (shift - 1);
    if (rest > half_ || (rest == half_ && (rounded & 1u) != 0u)) ++rounded;
  }
  const uint result = (uint(unit - lowest) << f.mantissaBits) + rounded;
  return sign | (result > largest ? beyond : result);
}

void main() {
  const Format from = formatOf(sourceFormat), to = formatOf(destinationFormat);
  for (uint row = gl_WorkGroupID.x; row < rows; row += gl_NumWorkGroups.x) {
    for (uint column = gl_LocalInvocationID.x; column < destinationColumns; column += 64u) {
      uint bits = 0u;
      if (column < columns) {
        bits = read(row * sourceRow + column * sourceColumn);
        if (isSame == 0u) bits = encode(to, decode(from, bits));
      }
      write(row * destinationRow + column * destinationColumn, bits);
    }
  }
}
