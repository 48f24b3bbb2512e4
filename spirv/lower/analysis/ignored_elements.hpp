// Matrices that per-element operations take and ignore.
#pragma once

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Per-element operations whose functions ignore the element get an undefined matrix. Removes phis of
/// matrices that nothing else uses then.
void dropIgnoredElements(Module& module);

}  // namespace coopc::spirv::lower
