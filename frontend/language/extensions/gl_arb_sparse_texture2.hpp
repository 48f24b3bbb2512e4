// GL_ARB_sparse_texture2: adds the sparse*ARB texture and image functions.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_sparse_texture2 = {
    .name = "GL_ARB_sparse_texture2",
    .minEsVersion = 0,
    .clause = "GL_ARB_sparse_texture2",
};

}  // namespace coopc::frontend
