// How deeply a text may nest on the stack that a compile has: internal to api/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coopc {

/// Levels of nesting, at most `most`, that `stackBytes` take; 0: what is left of this thread's stack.
uint32_t nestingForStack(size_t stackBytes, uint32_t most);

}  // namespace coopc
