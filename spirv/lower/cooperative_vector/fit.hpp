// Whether a device that has cooperative vectors has those that a module uses.
#pragma once

#include <string>

#include "spirv/device_profile.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower::vectors {

/// The first that a module uses and a device does not list, in one line; "" if there is none. What the
/// device's profile does not say is not checked. Sizes that depend on specialization constants are computed
/// from their defaults.
std::string misfit(const Module& module, const DeviceVectors& device);

}  // namespace coopc::spirv::lower::vectors
