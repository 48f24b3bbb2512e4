// Measures which invocation of a device holds which element of a cooperative matrix: a matrix with known
// elements is loaded, and each invocation writes its components. Numbers from 1 to 8 are exact in every
// component type, so rows and columns are found digit by digit in base 8, with a load for each digit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/result.hpp"
#include "harness/suite/list.hpp"
#include "layout/measured.hpp"

namespace coopc::harness::suite {

struct MapProbe {
  ShaderMatrix matrix;
  uint32_t invocations = 32;  ///< of the workgroup, which has one matrix
  /// Instead of loading the numbers, per-element operations compute them from the row and column that the
  /// driver gives them.
  bool perElement = false;
};

/// All types, uses and scopes that the device lists, in the smallest sizes, without the per-element twins.
/// Component types that the suite's shaders do not support are left out.
std::vector<MapProbe> mapProbes(const TargetDevice& device);

/// A program that leaves the numbers for elementMap() in its buffers.
Program mapProgram(const MapProbe& probe);

/// `buffers`: their contents after the program has run. An error if a component holds no element of the
/// matrix, or an element is held by no invocation.
Result<layout::MeasuredMatrix> elementMap(const MapProbe& probe,
                                          std::span<const std::vector<uint8_t>> buffers);

}  // namespace coopc::harness::suite
