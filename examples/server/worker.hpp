// A worker: a process with one thread, which compiles each request in a separate process that has limits of
// time and memory and can open no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace service {

struct Limits {
  uint32_t milliseconds = 10000;      ///< of one compile, on the clock
  size_t memory = size_t{512} << 20;  ///< bytes of one compile's process, beyond what the program takes
};

/// How a compile's process ended.
enum class End : uint32_t {
  Done,  ///< the payload is a result
  TimeLimit,
  MemoryLimit,  ///< or the result is as large
  Crashed,      ///< a defect of the compiler: the payload says which signal
  Killed,       ///< from outside, by SIGKILL: another attempt may succeed
};

struct WorkerAnswer {
  End end = End::Killed;
  uint64_t peakKib = 0;  ///< resident memory of the compile's process
  std::string payload;
};

/// The most bytes of an answer, whose payload is one result.
inline uint64_t mostOfAnswer(const Limits& limits) { return limits.memory + 4096; }
std::string toBytes(const WorkerAnswer& answer);
bool fromBytes(const std::string& bytes, WorkerAnswer& answer);

/// Serves requests from the socket, which is file 0, until it is closed. The exit code.
int runWorker(const Limits& limits);

}  // namespace service
