// Paths as texts: their parts, and whether two of them name the same file.
#pragma once

#include <string>
#include <string_view>

namespace coopc::tool {

/// The path without `.`, empty parts and `x/..`, which is enough to detect that two outputs are the same
/// file.
std::string normalPath(std::string_view path);
/// The last part of a path.
std::string_view fileOf(std::string_view path);

}  // namespace coopc::tool
