// The name that an unknown one was probably meant to be, for the diagnostics that report it.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Where an unknown name stands: a type, or another word of a declaration, is expected there, or a variable
/// or function.
enum class NamePlace : uint8_t { Type, Value };

/// Adds the name that was probably meant by `wrong`: a name in scope in other upper and lower case, or else
/// what GLSL has for a word of HLSL, Metal, WGSL or C++, or else the name in scope, built-in name or keyword
/// that is closest by edit distance (see base/suggestion.hpp). Adds nothing if no name is close, or if many
/// errors have been reported already.
void suggestFor(const Checker& c, DiagBuilder& report, SourceLoc loc, std::string_view wrong,
                NamePlace place = NamePlace::Value);

/// Whether suggestFor() recognizes `name`, as a type, as a word of another language.
bool isForeignName(std::string_view name);

}  // namespace coopc::frontend
