// GL_EXT_shader_integer_mix: mix() of integers and booleans is part of the language that Vulkan takes, so that
// enabling it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_integer_mix = {
    .name = "GL_EXT_shader_integer_mix",
    .clause = "GL_EXT_shader_integer_mix",
};

}  // namespace coopc::frontend
