// Whether a device with cooperative vectors supports those that a module uses.
#pragma once

#include <string>

#include "spirv/device_profile.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower::vectors {

/// The first property of a cooperative vector that a module uses and a device does not list, in one line; ""
/// if there is none. Properties that the device's profile does not have are not checked. Sizes that depend on
/// specialization constants are computed from their defaults.
std::string misfit(const Module& module, const DeviceVectors& device);

}  // namespace coopc::spirv::lower::vectors
