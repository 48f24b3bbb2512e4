// Which invocation of a device holds which element of a matrix, according to measurements, and the text
// format that stores this:
//
//   device NAME
//   driver NAME AND VERSION
//   verified COMMAND THAT MEASURED THE MATRICES BELOW
//   matrix TYPE USE SCOPE ROWS COLUMNS INVOCATIONS
//   INVOCATION.COMPONENT ...        ROWS lines of COLUMNS
//
// There may be any number of matrices; each belongs to the last `verified` line before it. Lines that start
// with # are comments. An element that several invocations hold lists them with commas: 0.1,16.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rule.hpp"

namespace coopc::layout {

/// Component `component` of invocation `invocation` (its index in the workgroup or the subgroup).
struct Holder {
  uint32_t invocation = 0;
  uint32_t component = 0;
  bool operator==(const Holder&) const = default;
};

struct MeasuredMatrix {
  std::string type;   ///< "f16"
  std::string use;    ///< "a", "b", "acc"
  std::string scope;  ///< "subgroup", "workgroup", or the instruction whose fragment it is
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t invocations = 0;
  std::string verified;                     ///< the command
  std::vector<std::vector<Holder>> owners;  ///< row by row

  /// "f16 a subgroup 16 x 16 over 32"
  std::string name() const;
  /// Per invocation: one more than the highest number of a component that holds an element.
  uint32_t components() const;
};

struct MeasuredDevice {
  std::string device;
  std::string driver;
  std::vector<MeasuredMatrix> matrices;
};

/// A file with more elements than this is not read.
inline constexpr uint64_t kMaxMeasuredElements = uint64_t{1} << 20;

/// "0.1,16.1"
std::string print(const std::vector<Holder>& owners);
std::string print(const MeasuredDevice& device);

/// Reads such a text. Returns the first rule that it breaks, with the line, or no value.
std::optional<Broken> read(std::string_view text, MeasuredDevice& device);

/// The element that a component of an invocation holds.
struct MeasuredElement {
  uint32_t row = 0;
  uint32_t column = 0;
  bool operator==(const MeasuredElement&) const = default;
};

/// The registers that hold an element. Refuses elements outside the matrix.
Answer<std::vector<Holder>> ownersOf(const MeasuredMatrix& m, int64_t row, int64_t column);
/// The element in a register. Refuses invocations that do not exist, and components that hold nothing.
Answer<MeasuredElement> elementOf(const MeasuredMatrix& m, int64_t invocation, int64_t component);
/// The whole table of that direction: the element of component c of invocation p is at [c * invocations + p].
/// Empty if it would have more than kMaxMeasuredElements entries.
std::vector<std::optional<MeasuredElement>> elementsByOwner(const MeasuredMatrix& m);

}  // namespace coopc::layout
