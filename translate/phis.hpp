// Orders phis so that SPIRV-Cross needs no copies of them.
#pragma once

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross writes the phis of a block as variables, which the blocks before it assign one after the
/// other. Where a phi takes the value that one above it had, it keeps the old value in a copy, and (up to
/// version 1.4.357 of the Vulkan SDK at least) sometimes uses a copy in a scope that does not see its
/// declaration. Phis are taken all at once (SPIR-V, OpPhi), so their order is free: those that read others
/// come first. Phis that read each other in a circle stay as they are.
void orderPhis(spirv::Module& module);

}  // namespace coopc::translating
