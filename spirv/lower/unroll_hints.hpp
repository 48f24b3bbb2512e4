// The Unroll hints of a module's own loops around multiply-adds of workgroup scope. Such a multiply-add
// becomes many instructions, with barriers or a loop among them, so that a device gains nothing by unrolling
// the loop around it.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/lower/passes.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

enum class InsteadOfUnroll : uint8_t { Nothing, DontUnroll };

/// Replaces the Unroll hints of loops that contain one of `products`, multiply-adds by their indexes in
/// ascending order. Called before anything is rewritten.
void dropUnrollHints(Module& module, const std::vector<uint32_t>& products, InsteadOfUnroll instead,
                     Report& report);

}  // namespace coopc::spirv::lower
