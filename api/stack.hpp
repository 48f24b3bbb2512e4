// How deeply a text may nest, given the stack that a compile has: internal to api/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coopc {

/// The number of nesting levels, at most `most`, for which `stackBytes` suffice. 0 bytes: the rest of this
/// thread's stack.
uint32_t nestingForStack(size_t stackBytes, uint32_t most);

}  // namespace coopc
