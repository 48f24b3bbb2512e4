// A device in the form that spirv/lower asks.
#pragma once

#include "harness/device/physical_device.hpp"
#include "spirv/lower/target.hpp"

namespace coopc::harness {

/// What modules are lowered for: the device, with what it said of itself.
spirv::lower::Target loweringTarget(const PhysicalDevice& device);

}  // namespace coopc::harness
