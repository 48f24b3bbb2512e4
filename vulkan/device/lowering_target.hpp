// A device as a target of spirv/lower.
#pragma once

#include "spirv/lower/target.hpp"
#include "vulkan/device/physical_device.hpp"

namespace coopc::vk {

/// The target of lowering: the device, with its properties.
spirv::lower::Target loweringTarget(const PhysicalDevice& device);

}  // namespace coopc::vk
