// Replaces the program's operator new, so that one allocation can be made to fail.
#include "tests/layer/no_memory.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local bool fails = false;
}

void* operator new(std::size_t size) {
  if (fails) {
    fails = false;
    throw std::bad_alloc();
  }
  if (void* const memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace coopc::tests {

NoMemory::NoMemory() { fails = true; }
NoMemory::~NoMemory() { fails = false; }

}  // namespace coopc::tests
