// The sections of a module (SPIR-V 2.4), into which passes insert what they declare.
#pragma once

#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Inserts instructions at the end of the section to which `like` belongs, in front of the functions.
void insertInSection(Module& module, spv::Op like, const std::vector<Instruction>& instructions);

}  // namespace coopc::spirv::lower
