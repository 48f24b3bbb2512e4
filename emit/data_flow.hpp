// Analyses of the whole program before anything is emitted.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::emit {

/// Which expressions must not be contracted (GLSL 4.9.1, `precise`); empty if there are none.
IdVector<frontend::ExprId, uint8_t> preciseExpressions(const frontend::Program& program);

/// Which global variables the entry point reaches; empty if none has an initializer that is computed at run
/// time.
IdVector<frontend::VarId, uint8_t> usedGlobals(const frontend::Program& program);

}  // namespace coopc::emit
