// Makes a request for a pipeline from a module without a case file.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "harness/result.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::cooprun {

/// Takes bindings and push constants from the module's reflection, and its only compute entry point.
/// `constants`: by SpecId; those that the module does not have are ignored. The request refers to `module`.
/// An error names what a request cannot describe.
harness::Result<vk::RunRequest> requestOfModule(std::span<const uint32_t> module,
                                                const std::map<uint32_t, uint64_t>& constants);

}  // namespace coopc::cooprun
