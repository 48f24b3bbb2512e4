// The path of the running program.
#pragma once

#include <string>

#if defined(_WIN32)
#include "base/windows.hpp"
#elif defined(__APPLE__)
#include <cstdint>

#include <mach-o/dyld.h>
#else
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/auxv.h>
#endif

namespace coopc {

/// The running program's file as the system reports it; "" if it does not.
inline std::string runningProgram() {
#if defined(_WIN32)
  std::wstring wide(32768, L'\0');
  const DWORD size = GetModuleFileNameW(nullptr, wide.data(), static_cast<DWORD>(wide.size()));
  std::string path = size < wide.size() ? toUtf8(std::wstring_view(wide).substr(0, size)) : "";
#elif defined(__APPLE__)
  std::string path(4096, '\0');
  auto size = static_cast<uint32_t>(path.size());
  path.resize(_NSGetExecutablePath(path.data(), &size) == 0 ? path.find('\0') : 0);
#else
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 && static_cast<size_t>(size) < path.size() ? static_cast<size_t>(size) : 0);
#endif
#ifdef __linux__
  if (path.empty()) {
    // Some small containers have no /proc. This is the name with which the system started the program.
    const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    path = name != nullptr ? name : "";
  }
#endif
  return path;
}

}  // namespace coopc
