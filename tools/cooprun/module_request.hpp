// A module without a case file, as a request whose pipeline can be made.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "harness/result.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::cooprun {

/// Bindings and push constants from the module's reflection; its only compute entry point; `constants` (by
/// SpecId, as far as the module has them). The request refers to `module`. An error names what no request can
/// describe.
harness::Result<vk::RunRequest> requestOfModule(std::span<const uint32_t> module,
                                                const std::map<uint32_t, uint64_t>& constants);

}  // namespace coopc::cooprun
