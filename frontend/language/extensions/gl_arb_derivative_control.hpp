// GL_ARB_derivative_control: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_derivative_control = {
    .name = "GL_ARB_derivative_control",
    .minEsVersion = 0,
    .clause = "GL_ARB_derivative_control",
};

}  // namespace coopc::frontend
