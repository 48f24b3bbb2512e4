// CPU references: the expected contents of a buffer after a case has run. They come from plain loops and from
// `layout`, never from a module.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/result.hpp"

namespace coopc::harness {

struct ExpectedValue {
  enum class Kind {
    Number,     ///< `number` for float types, `integer` (its low bits) for integer types
    Bits,       ///< a number, given by its bits in the target's type
    Untouched,  ///< what was there before
    Anything,   ///< the specification defines nothing
  };
  Kind kind = Kind::Number;
  double number = 0;
  int64_t integer = 0;
  uint64_t bits = 0;
  double magnitude = 0;  ///< the sum of the absolute values of all summands; for Tolerance::magnitude

  static ExpectedValue ofNumber(double value) { return {Kind::Number, value, static_cast<int64_t>(0), 0, 0}; }
  static ExpectedValue ofBits(uint64_t bits) { return {Kind::Bits, 0, 0, bits, 0}; }
  static ExpectedValue makeUntouched() { return {Kind::Untouched, 0, 0, 0, 0}; }
  static ExpectedValue anything() { return {Kind::Anything, 0, 0, 0, 0}; }
};

/// Computes components one by one, so that a sample of a large result costs little. Refers to the
/// ReferenceInput that it was made from.
struct Reference {
  std::function<ExpectedValue(uint64_t index)> element;
};

/// A buffer or image that a case has filled, with its contents before the run.
struct NamedData {
  const BufferSpec* buffer = nullptr;
  std::span<const uint8_t> bytes;
};

struct ReferenceInput {
  const Case* subject = nullptr;
  std::map<std::string, NamedData, std::less<>> buffers;
  const Table* arguments = nullptr;
  NumberType targetType = NumberType::F32;
  uint64_t targetCount = 0;
  /// The size of an image or of a drawing's target; 0 for a buffer.
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;
};

/// Makes the reference called `name`, or reports an error in its arguments: an unknown name or argument, a
/// buffer that is missing or too small. docs/cases.md lists the names and their arguments.
Result<Reference> makeReference(const std::string& name, const ReferenceInput& input);

}  // namespace coopc::harness
