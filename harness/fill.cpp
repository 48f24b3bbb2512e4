// Fill patterns. Random ones hash the index instead of running a generator.
#include "harness/fill.hpp"

#include <cmath>

namespace coopc::harness {
namespace {

double unit(uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11), -53); }

// low + step * index, without losing bits if everything is an integer.
uint64_t rampBits(const Fill& fill, NumberType type, uint64_t index) {
  const int64_t* low = fill.low.whole();
  const int64_t* step = fill.step.whole();
  if (low != nullptr && step != nullptr && !isFloat(type))
    return fromWide(type, Wide{*low} + Wide{*step} * Wide{index});
  return fromDouble(type, fill.low.real() + fill.step.real() * static_cast<double>(index));
}

// The integers from `low` to `high`, all equally likely.
uint64_t integerBits(const Fill& fill, NumberType type, uint64_t random) {
  const int64_t* whole = fill.low.whole();
  const int64_t* last = fill.high.whole();
  if (whole != nullptr && last != nullptr && !isFloat(type)) {
    const uint64_t count = static_cast<uint64_t>(*last) - static_cast<uint64_t>(*whole) + 1;
    return fromWide(type, Wide{*whole} + Wide{random % count});
  }
  const double low = std::ceil(fill.low.real());
  const auto count = static_cast<uint64_t>(std::max(0.0, std::floor(fill.high.real()) - low)) + 1;
  return fromDouble(type, low + static_cast<double>(random % count));
}

}  // namespace

uint64_t hash(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0x9E3779B97F4A7C15u + (index + 1) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint64_t fillBits(const Fill& fill, NumberType type, uint64_t index) {
  switch (fill.pattern) {
    case Fill::Pattern::Zero: return 0;
    case Fill::Pattern::Poison: {
      uint64_t bits = 0;
      for (size_t i = 0; i < byteSize(type); ++i) bits = bits << 8 | kPoisonByte;
      return bits;
    }
    case Fill::Pattern::Constant: return fromNumber(type, fill.low);
    case Fill::Pattern::Ramp: return rampBits(fill, type, fill.modulo != 0 ? index % fill.modulo : index);
    case Fill::Pattern::Integers: return integerBits(fill, type, hash(fill.seed, index));
    case Fill::Pattern::Random: {
      const double low = fill.low.real();
      return fromDouble(type, low + (fill.high.real() - low) * unit(hash(fill.seed, index)));
    }
    case Fill::Pattern::Choice:
      return fromNumber(type, fill.values[hash(fill.seed, index) % fill.values.size()]);
    case Fill::Pattern::Values: return fromNumber(type, fill.values[index % fill.values.size()]);
    case Fill::Pattern::Hex: {
      uint64_t bits = 0;
      for (size_t i = byteSize(type); i-- > 0;) {
        bits = bits << 8 | fill.bytes[(index * byteSize(type) + i) % fill.bytes.size()];
      }
      return bits;
    }
  }
  return 0;
}

std::vector<uint8_t> fillBuffer(const BufferSpec& buffer) {
  // Padding between members is poison, so that reading it shows in the results.
  std::vector<uint8_t> bytes(buffer.bytes(), kPoisonByte);
  for (const Field& field : buffer.fields) {
    for (uint64_t record = 0; record < buffer.count; ++record) {
      uint8_t* at = bytes.data() + record * buffer.recordBytes + field.offset;
      for (uint64_t i = 0; i < field.count; ++i) {
        storeBits(field.type, at, i, fillBits(field.fill, field.type, record * field.count + i));
      }
    }
  }
  return bytes;
}

std::vector<uint8_t> fillImage(const CaseImage& image) {
  vk::RunImage levels{image, {}};
  levels.form.levels = image.levels;
  std::vector<uint8_t> bytes(levels.bytes());
  const uint64_t count = bytes.size() / byteSize(image.type);
  for (uint64_t i = 0; i < count; ++i)
    storeBits(image.type, bytes.data(), i, fillBits(image.fill, image.type, i));
  return bytes;
}

std::vector<uint8_t> fillRecord(const std::vector<Field>& fields, uint64_t bytes) {
  BufferSpec buffer;
  buffer.count = 1;
  buffer.recordBytes = bytes;
  buffer.fields = fields;
  return fillBuffer(buffer);
}

}  // namespace coopc::harness
