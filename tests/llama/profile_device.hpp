// A device made of its profile (profiles/*.json): what would run there is known here, without the device.
#pragma once

#include <string_view>

#include "harness/device.hpp"
#include "harness/result.hpp"

namespace coopc::tests::llama {

/// Features, matrix shapes, subgroup size and invocations in a workgroup are the profile's; limits that profiles do not say are
/// those of common devices. It has no handle: nothing can be run on it.
coopc::harness::Result<coopc::harness::PhysicalDevice> deviceOfProfile(std::string_view json);

}  // namespace coopc::tests::llama
