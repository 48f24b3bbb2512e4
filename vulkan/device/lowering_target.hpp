// A device in the form that spirv/lower asks.
#pragma once

#include "spirv/lower/target.hpp"
#include "vulkan/device/physical_device.hpp"

namespace coopc::harness {

/// What modules are lowered for: the device, with what it said of itself.
spirv::lower::Target loweringTarget(const PhysicalDevice& device);

}  // namespace coopc::harness
