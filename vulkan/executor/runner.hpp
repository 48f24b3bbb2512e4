// Runs one compute module once (and, if asked, many times for timing) on a device.
#pragma once

#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/preflight.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

/// Buffers and images in `request` get their final contents. A device that hangs longer than the timeout, or
/// is lost, gives Failed; its Vulkan objects are then not destroyed, because that could hang as well.
RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request);
/// The same for a request that preflight() has checked: the module is not read again.
RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request,
               Preflight checked);

}  // namespace coopc::vk
