// Module to words.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// The module's words, header included; OpNop is left out.
std::vector<uint32_t> writeModule(const Module& module);

}  // namespace coopc::spirv
