// GL_EXT_long_vector: adds vector<T, N> with any number of components.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_long_vector = {
    .name = "GL_EXT_long_vector",
    .minVersion = 450,
    .minEsVersion = 0,
    .clause = "GL_EXT_long_vector",
};

}  // namespace coopc::frontend
