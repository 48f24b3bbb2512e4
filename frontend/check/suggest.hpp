// The name that an unknown one was probably meant to be, for the diagnostics that report it.
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Adds the GLSL equivalent of a name of HLSL, or else the name in scope, built-in name or keyword that is
/// closest to `wrong` by edit distance (see base/suggestion.hpp). Adds nothing if no name is close, or if
/// many errors have been reported already.
void suggestFor(const Checker& c, DiagBuilder& report, SourceLoc loc, std::string_view wrong);

/// Whether suggestFor() recognizes `name` as a name of HLSL.
bool isHlslName(std::string_view name);

}  // namespace coopc::frontend
