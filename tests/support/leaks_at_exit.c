/* In builds with LeakSanitizer, programs that end by _Exit() look for leaks as those that return from main() do. */
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>
#include <unistd.h>

void _Exit(int code) {
  if (__lsan_do_recoverable_leak_check() != 0) code = 23; /* that of LSAN_OPTIONS in CMakePresets.json */
  _exit(code);
}
