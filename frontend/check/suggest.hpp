// The name that an unknown one was probably meant to be, for the diagnostics that report it.
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Adds the GLSL equivalent of a name of HLSL, or else the name in scope, built-in or keyword that is closest
/// to `wrong` by edit distance (a transposition counts one; within a third of the length). Nothing where none
/// is, or where many errors were reported already.
void suggestFor(const Checker& c, DiagBuilder& report, SourceLoc loc, std::string_view wrong);

/// Whether suggestFor() knows `name` as a name of HLSL.
bool isHlslName(std::string_view name);

}  // namespace coopc::frontend
