// GL_EXT_shared_memory_block: adds blocks in shared memory, with explicit layouts.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shared_memory_block = {
    .name = "GL_EXT_shared_memory_block",
    .minSpirv = 0x00010400,
    .clause = "GL_EXT_shared_memory_block",
};

}  // namespace coopc::frontend
