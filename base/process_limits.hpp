// Limits for processes that do one piece of work, which may hang or take all memory. Only where processes can
// be forked.
#pragma once

#include <cstddef>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace coopc {

/// Sets the limit at which the system acts; it is never more than the process may have already.
inline void limitResource(decltype(RLIMIT_CPU) what, rlim_t most) {
  rlimit limits{};
  if (getrlimit(what, &limits) != 0) return;
  limits.rlim_cur = limits.rlim_max == RLIM_INFINITY || most < limits.rlim_max ? most : limits.rlim_max;
  setrlimit(what, &limits);
}

/// Bytes of address space that this process has, or 0.
inline size_t addressSpace() {
  unsigned long long pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
  std::fclose(file);
  return size_t(pages) * size_t(sysconf(_SC_PAGESIZE));
}

}  // namespace coopc
