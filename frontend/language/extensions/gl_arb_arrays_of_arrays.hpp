// GL_ARB_arrays_of_arrays: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_arrays_of_arrays = {
    .name = "GL_ARB_arrays_of_arrays",
    .minEsVersion = 0,
    .clause = "GL_ARB_arrays_of_arrays",
};

}  // namespace coopc::frontend
