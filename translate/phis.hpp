// Orders phis so that SPIRV-Cross needs no copies of them.
#pragma once

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross writes the phis of a block as variables, which the predecessors assign one after the other. If
/// a phi takes the value of an earlier one, SPIRV-Cross keeps the old value in a copy, and (up to version
/// 1.4.357 of the Vulkan SDK at least) sometimes uses a copy in a scope that does not see its declaration.
/// All phis take their values at once (SPIR-V, OpPhi), so their order is free: phis that read others come
/// first. Phis that read each other in a circle stay unchanged.
void orderPhis(spirv::Module& module);

}  // namespace coopc::translating
