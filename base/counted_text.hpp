// A text that grows while a compile runs, whose memory counts for the limit of the compile.
#pragma once

#include <algorithm>
#include <string>

#include "base/memory_budget.hpp"

namespace coopc {

/// Makes room for `bytes` more in `text`, and charges the memory to the budget before it is allocated. One
/// call with an upper bound serves several short pieces that are appended after it.
inline void makeRoom(std::string& text, size_t bytes) {
  if (text.capacity() - text.size() >= bytes) return;
  const size_t capacity = std::max(text.size() + bytes, 2 * text.capacity());
  MemoryBudget::take(capacity - text.capacity());
  text.reserve(capacity);
}

}  // namespace coopc
