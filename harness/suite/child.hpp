// Functions in separate processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

#include "harness/result.hpp"

namespace coopc::harness::suite {

/// Calls `make` in a child process and returns its result; nothing if the child died or took longer.
Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds);

/// Calls make(0) ... make(count - 1), each in a separate child process, at most `jobs` at a time, and passes
/// their results on in the caller's process, in the order in which they end. An error says how the process
/// ended ("ended by signal 11", "took longer than 60 s"). The caller must have no other threads.
void inChildren(size_t count, size_t jobs, const std::function<std::string(size_t)>& make, uint32_t seconds,
                const std::function<void(size_t, Result<std::string>)>& take);

/// Waits until the process has ended; its status as waitpid() gives it.
int waitFor(pid_t process);

}  // namespace coopc::harness::suite
