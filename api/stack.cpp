// The parser and the emitter recurse over nested expressions, statements and types, as deeply as the nesting
// limit allows, so that limit depends on the available stack. The numbers were measured and have a margin
// (GCC 12, -O3: 18 KiB, and 1557 bytes per level for nested loops, which need most);
// tests/api/stack_tests.cpp checks them.
#include "api/stack.hpp"

#include <algorithm>

#if defined(__linux__)
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#elif defined(_WIN32)
#include "base/windows.hpp"
#endif

namespace coopc {
namespace {

// Bytes of stack that a compile needs without any nesting, and per nesting level.
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr size_t kBase = 128 * 1024;
constexpr size_t kLevel = 16 * 1024;
#else
constexpr size_t kBase = 32 * 1024;
constexpr size_t kLevel = 1700;
#endif

// A thread's stack: the addresses from `low` up to, not including, `high`. Both 0: it is not known.
struct Stack {
  uintptr_t low = 0;
  uintptr_t high = 0;
};

#if defined(__linux__)
Stack findStack() {
  Stack stack;
  if (getpid() == gettid()) {
    // For the main thread the C library would read /proc. Its stack grows up to the limit, and this function
    // is called near its start.
    struct rlimit limit {};
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return stack;
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const size_t size = std::min<size_t>(limit.rlim_cur, size_t{8} << 20);
    stack.high = here + size;
    stack.low = here > size ? here - size : 1;
    return stack;
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* start = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &start, &size) == 0) {
    stack.low = reinterpret_cast<uintptr_t>(start);
    stack.high = stack.low + size;
  }
  pthread_attr_destroy(&attributes);
  return stack;
}
#elif defined(_WIN32)
Stack findStack() {
  ULONG_PTR low = 0;
  ULONG_PTR high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return {low, high};
}
#else
Stack findStack() { return {}; }
#endif

// 0: not known, for example on a fiber's stack.
size_t stackLeft() {
  // A thread's stack never moves.
  thread_local const Stack stack = findStack();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here > stack.low && here < stack.high ? here - stack.low : 0;
}

}  // namespace

uint32_t nestingForStack(size_t stackBytes, uint32_t most) {
  const size_t bytes = stackBytes != 0 ? stackBytes : stackLeft();
  if (bytes == 0) return most;
  const size_t levels = bytes > kBase ? (bytes - kBase) / kLevel : 0;
  return static_cast<uint32_t>(std::clamp<size_t>(levels, 1, most));
}

}  // namespace coopc
