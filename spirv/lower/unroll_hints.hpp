// The Unroll hints of a module's own loops around multiply-adds of workgroup scope. Such a multiply-add
// becomes many instructions, with barriers or a loop among them, so that a device gains nothing by unrolling
// the loop around it.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/lower/passes.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Drops the hints of loops that have one of these instructions, which are multiply-adds, in order, or makes
/// them the opposite. Called before anything is rewritten.
void dropUnrollHints(Module& module, const std::vector<uint32_t>& products, bool makeOpposite,
                     Report& report);

}  // namespace coopc::spirv::lower
