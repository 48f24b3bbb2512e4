// GL_EXT_multiview: adds gl_ViewIndex.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_multiview = {
    .name = "GL_EXT_multiview",
    .clause = "GL_EXT_multiview",
};

}  // namespace coopc::frontend
