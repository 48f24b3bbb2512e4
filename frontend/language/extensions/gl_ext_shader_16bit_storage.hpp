// GL_EXT_shader_16bit_storage: adds 16-bit types in blocks, without arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_16bit_storage = {
    .name = "GL_EXT_shader_16bit_storage",
    .clause = "GL_EXT_shader_16bit_storage",
};

}  // namespace coopc::frontend
