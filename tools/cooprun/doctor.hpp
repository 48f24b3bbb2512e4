// `cooprun --doctor`: what a device has, what the Vulkan layer would add, and which faults a minute of the
// conformance suite finds in its driver.
#pragma once

#include <string>

#include "vulkan/executor/instance.hpp"

namespace coopc::cooprun {

/// Prints the report, as text or as one JSON object. No Vulkan instance may exist, because the suite's
/// workers are forked. 0: no fault was found, 1: cases failed.
int doctor(const vk::PhysicalDevice& device, const std::string& program, bool json);

}  // namespace coopc::cooprun
