// The preprocessor's part of reading a shader: conditionals and macros without parameters. The compiler has a whole one; this one is
// small enough for the page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace coopc::cooplayout {

/// `text` with macros without parameters replaced, directives left out, and of conditionals the branch that counts; lines keep their
/// numbers. `names` are defined from outside: they are not replaced, and what the text defines them as does not count. What a condition
/// names and nobody defines is 0, as is a condition that cannot be read.
std::string withoutMacros(std::string_view text, const std::map<std::string, int64_t>& names);

}  // namespace coopc::cooplayout
