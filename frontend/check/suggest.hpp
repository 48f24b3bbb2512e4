// The nearest known name to a misspelt one, for the diagnostics that say "did you mean".
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// The name in scope, built-in or keyword that is closest to `wrong` by edit distance (a transposition counts one), or
/// "" where none is close enough (a third of the length) or many errors were reported already.
std::string_view suggestName(const Checker& c, std::string_view wrong);

}  // namespace coopc::frontend
