// A function in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

#include "harness/device/result.hpp"

namespace coopc::harness::suite {

/// Calls `make` in a child process and returns what it returned; nothing where the child died or took longer.
Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds);

/// Waits until the process has ended; its status as waitpid() gives it.
int waitFor(pid_t process);

}  // namespace coopc::harness::suite
