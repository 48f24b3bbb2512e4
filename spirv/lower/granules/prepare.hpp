// Steps of the granules pass that bring a module into the form that is planned.
#pragma once

#include "spirv/lower/passes.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Transposition by decoration becomes transposition by opcode.
void transposeByOpcode(Module& module, Report& report);

/// Phis of matrices that are made elsewhere, by calls or in structures, become variables.
void replacePhisByVariables(Module& module);

}  // namespace coopc::spirv::lower
