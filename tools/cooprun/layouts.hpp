// cooprun --layouts: measures which invocation of the device holds which element of its matrices, and writes
// the result to a file for cooplayout device.
#pragma once

#include <string>
#include <vector>

#include "layout/measured.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::cooprun {

/// The measured layouts of a device's matrices, in the smallest sizes that it lists. If the device has
/// per-element operations, the rows and columns that these receive are measured as well, and must agree.
struct MeasuredLayouts {
  layout::MeasuredDevice device;
  std::vector<std::string> problems;  ///< why matrices were left out
};
MeasuredLayouts measureLayouts(const vk::Instance& instance, const vk::PhysicalDevice& device);

}  // namespace coopc::cooprun
