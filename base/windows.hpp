// Windows' interface, whose strings are UTF-16. Only for code that is specific to Windows: no header outside
// base/ includes this one.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <string>
#include <string_view>
// clang-format off
#include <windows.h>
#include <shellapi.h>  // needs windows.h before it
// clang-format on

namespace coopc {

/// UTF-8 to UTF-16; invalid sequences are replaced.
inline std::wstring toWide(std::string_view text) {
  const int from = static_cast<int>(text.size());
  std::wstring wide(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), from, nullptr, 0)),
                    L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), from, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

/// UTF-16 to UTF-8; invalid sequences are replaced.
inline std::string toUtf8(std::wstring_view wide) {
  const int from = static_cast<int>(wide.size());
  const int size = WideCharToMultiByte(CP_UTF8, 0, wide.data(), from, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), from, text.data(), size, nullptr, nullptr);
  return text;
}

}  // namespace coopc
