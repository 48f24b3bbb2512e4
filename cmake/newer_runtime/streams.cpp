// Objects of GCC 13 and later that include <iostream> refer to this symbol, so that the linker takes the part
// of a newer libstdc++ that sets up std::cout and the other streams. Up to GCC 12, each object sets them up
// itself, by the static object that the header defines; here it does so for all of SPIRV-Tools. Nobody calls
// the function.
#include <version>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13

#include <iostream>

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): libstdc++'s own name, mangled.
extern "C" __attribute__((weak)) void _ZSt21ios_base_library_initv() {}

#endif
