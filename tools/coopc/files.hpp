// Files as plain system calls: no streams, nothing to initialize.
#pragma once

#include <string>
#include <string_view>

namespace coopc::tool {

/// Replaces the file ("-": standard output). False with errno set.
bool writeFile(const std::string& path, const void* data, size_t size);

/// The path without `.`, empty parts and `x/..`: enough to see that two outputs are one file.
std::string normalPath(std::string_view path);
/// The folder part of a path with its slash, or "".
std::string_view folderOf(std::string_view path);
/// The last part of a path.
std::string_view fileOf(std::string_view path);

}  // namespace coopc::tool
