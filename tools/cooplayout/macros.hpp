// The preprocessor for reading shaders: conditionals and macros without parameters. The compiler has a
// complete one; this one is small enough for the page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace coopc::cooplayout {

/// `text` with macros without parameters expanded and directives removed; of conditionals, only the active
/// branch is kept. Line numbers do not change. `names` are defined from outside: they are not expanded, and
/// definitions in the text are ignored. Undefined names in a condition are 0, as are conditions that cannot
/// be parsed.
std::string withoutMacros(std::string_view text, const std::map<std::string, int64_t>& names);

}  // namespace coopc::cooplayout
