// Static libraries of newer Debian suites (SPIRV-Tools) are compiled with glibc 2.38 or later. Its headers
// give strtoul and similar functions other names in C23, because they accept binary numbers (0b101) as well.
// Older C libraries lack these names, so here they lead to the functions of C17. Only SPIRV-Tools' assembler
// and its check of a version number call them, with texts that have no such prefix.
#include <cstdlib>

#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 38)

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own names.
__attribute__((weak)) unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
  return std::strtoul(text, end, base);
}
__attribute__((weak)) long long __isoc23_strtoll(const char* text, char** end, int base) {
  return std::strtoll(text, end, base);
}
__attribute__((weak)) unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
  return std::strtoull(text, end, base);
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"

#endif
