// Loads by per-element operations that wait for the arithmetic that uses them.
#pragma once

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class GranulePlan;

/// Plans which matrices are made granule by granule where they are used. Without this, an instruction that
/// combines two matrices, one of which a function loads only for it, would need all granules of both at once.
/// Called after loads ahead are planned.
void planLateLoads(const Module& module, GranulePlan& plan);

}  // namespace coopc::spirv::lower
