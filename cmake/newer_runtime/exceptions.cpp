// Objects of GCC 14 and later call __cxa_call_terminate (of the C++ ABI, 2.5.3) where an exception would
// leave a noexcept function. The shared libstdc++ of older versions has it and does not export it.
#include <cxxabi.h>
#include <exception>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 15

// NOLINTNEXTLINE(bugprone-reserved-identifier): the ABI's own name.
extern "C" __attribute__((weak, noreturn)) void __cxa_call_terminate(void* exception) noexcept {
  if (exception != nullptr) __cxxabiv1::__cxa_begin_catch(exception);
  std::terminate();
}

#endif
