// Runs one compute module once (and, if asked, many times for timing) on a device.
#pragma once

#include "harness/instance.hpp"
#include "harness/preflight.hpp"
#include "harness/run_request.hpp"

namespace coopc::harness {

/// Buffers and images in `request` get their final contents. A device that hangs longer than the timeout, or is lost,
/// gives Failed; its Vulkan objects are then left alone, as destroying them could hang too.
RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request);
/// As above, for a request that preflight() has checked: the module is not read again.
RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request,
               Preflight checked);

}  // namespace coopc::harness
