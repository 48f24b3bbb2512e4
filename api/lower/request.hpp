// Options of the public interface as lowering takes them.
#pragma once

#include <string>

#include "coopc/lower.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc {

/// "", or why the options cannot be used.
std::string requestOf(const LowerOptions& options, spirv::lower::LowerRequest& request);

}  // namespace coopc
