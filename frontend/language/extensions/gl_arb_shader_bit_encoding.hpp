// GL_ARB_shader_bit_encoding: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_bit_encoding = {
    .name = "GL_ARB_shader_bit_encoding",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_bit_encoding",
};

}  // namespace coopc::frontend
