// `cooprun --doctor`: what a device has, what the Vulkan layer would give it, and what a minute of the conformance suite finds wrong with
// its driver.
#pragma once

#include <string>

#include "harness/device.hpp"

namespace coopc::cooprun {

/// Prints the report, as text or as one JSON object. No instance may be open: the suite's workers are forked. 0: nothing was
/// found wrong, 1: cases failed.
int doctor(const harness::PhysicalDevice& device, const std::string& program, bool json);

}  // namespace coopc::cooprun
