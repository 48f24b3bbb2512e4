// A device simulated from its profile (profiles/*.json), to find out without the device what would run there.
#pragma once

#include <string_view>

#include "harness/result.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::tests::llama {

/// Features, matrix shapes, subgroup size and workgroup size come from the profile; other limits are those of
/// common devices. There is no handle, so nothing can run on it.
coopc::harness::Result<coopc::vk::PhysicalDevice> deviceOfProfile(std::string_view json);

}  // namespace coopc::tests::llama
