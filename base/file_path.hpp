// File names for std::filesystem, which on Windows interprets char strings in the system's code page.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace coopc {

inline std::filesystem::path filePath(std::string_view text) {
  return std::u8string_view(reinterpret_cast<const char8_t*>(text.data()), text.size());
}

/// In UTF-8, with / as the separator.
inline std::string pathText(const std::filesystem::path& path) {
  const std::u8string text = path.generic_u8string();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

}  // namespace coopc
