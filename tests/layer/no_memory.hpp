// Makes an allocation fail in the calling thread.
#pragma once

namespace coopc::tests {

/// While this exists, the thread's first `new` in the layer fails with std::bad_alloc. Later ones succeed,
/// because recording the failure may need memory.
class NoMemory {
 public:
  NoMemory();
  ~NoMemory();
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
};

}  // namespace coopc::tests
