// cooprun --layouts: which invocation of the device holds which element of its matrices, measured and written to a file that
// cooplayout device reads.
#pragma once

#include <string>
#include <vector>

#include "harness/device.hpp"
#include "layout/measured.hpp"

namespace coopc::cooprun {

/// All matrices of a device in the smallest sizes that it lists. Where it has per-element operations, the rows and columns
/// that these are given are measured as well, and must agree.
struct MeasuredLayouts {
  layout::MeasuredDevice device;
  std::vector<std::string> problems;  ///< of matrices that are left out
};
MeasuredLayouts measureLayouts(const harness::Instance& instance, const harness::PhysicalDevice& device);

}  // namespace coopc::cooprun
