// Paths as texts: which of them name one file, and their parts.
#pragma once

#include <string>
#include <string_view>

namespace coopc::tool {

/// The path without `.`, empty parts and `x/..`: enough to see that two outputs are one file.
std::string normalPath(std::string_view path);
/// The last part of a path.
std::string_view fileOf(std::string_view path);

}  // namespace coopc::tool
