// Allocations that fail, in a thread that asks for it.
#pragma once

namespace coopc::tests {

/// While it exists, the thread's first `new` of the layer's fails with std::bad_alloc, and later ones
/// succeed: what records that failure may need memory.
class NoMemory {
 public:
  NoMemory();
  ~NoMemory();
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
};

}  // namespace coopc::tests
