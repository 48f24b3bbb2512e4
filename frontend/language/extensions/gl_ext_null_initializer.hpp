// GL_EXT_null_initializer: adds the initializer { }.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_null_initializer = {
    .name = "GL_EXT_null_initializer",
    .clause = "GL_EXT_null_initializer",
};

}  // namespace coopc::frontend
