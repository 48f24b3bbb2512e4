// Functions for the sources of scripts/mutants' build, which includes this file at the head of each source
// with faults.
//
// COOPC_MUTANT=N selects fault N. With COOPC_MUTANTS_REACHED=FOLDER, each process records there which faults
// it reached: one byte per fault, in a file that is mapped, so that processes that crash or end early leave
// it as well.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace coopc_mutants {

inline unsigned selected = 0;  ///< faults are counted from 1
inline unsigned char* reached = nullptr;

struct Start {
  static constexpr unsigned kBytes = 1u << 17;  ///< more faults than one build has

  Start() {
    if (reached != nullptr || selected != 0) return;
    if (const char* number = std::getenv("COOPC_MUTANT"))
      selected = static_cast<unsigned>(std::strtoul(number, nullptr, 10));
    if (const char* folder = std::getenv("COOPC_MUTANTS_REACHED")) {
      char name[512];
      std::snprintf(name, sizeof name, "%s/%ld", folder, static_cast<long>(getpid()));
      const int file = open(name, O_RDWR | O_CREAT, 0666);
      if (file < 0 || ftruncate(file, kBytes) != 0) std::abort();
      void* bytes = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (bytes == MAP_FAILED) std::abort();
      close(file);
      reached = static_cast<unsigned char*>(bytes);
    }
  }
};
inline const Start start __attribute__((init_priority(101)));

inline bool isSelected(unsigned number) {
  if (reached != nullptr) reached[number] = 1;
  return number == selected;
}

// Operands swapped. The result keeps the type of the written order.
#define COOPC_MUTANTS_SWAP(name, sign)                       \
  template <unsigned N, class A, class B>                    \
  constexpr auto name(A a, B b)->decltype(a sign b) {        \
    if (!__builtin_is_constant_evaluated() && isSelected(N)) \
      return static_cast<decltype(a sign b)>(b sign a);      \
    return a sign b;                                         \
  }
COOPC_MUTANTS_SWAP(subtract, -)
COOPC_MUTANTS_SWAP(divide, /)
COOPC_MUTANTS_SWAP(remainder, %)
COOPC_MUTANTS_SWAP(shiftLeft, <<)
COOPC_MUTANTS_SWAP(shiftRight, >>)
COOPC_MUTANTS_SWAP(less, <)
COOPC_MUTANTS_SWAP(greater, >)
COOPC_MUTANTS_SWAP(lessEqual, <=)
COOPC_MUTANTS_SWAP(greaterEqual, >=)
#undef COOPC_MUTANTS_SWAP

}  // namespace coopc_mutants

/// Constant evaluation has no faults.
constexpr bool coopc_mutant(unsigned number) {
  return !__builtin_is_constant_evaluated() && coopc_mutants::isSelected(number);
}
