// GL_EXT_scalar_block_layout: adds the layout qualifier scalar.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_scalar_block_layout = {
    .name = "GL_EXT_scalar_block_layout",
    .clause = "GL_EXT_scalar_block_layout",
};

}  // namespace coopc::frontend
