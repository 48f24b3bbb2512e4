// GL_EXT_integer_dot_product: adds dotEXT, dotPacked4x8EXT, dotAccSatEXT, dotPacked4x8AccSatEXT.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_integer_dot_product = {
    .name = "GL_EXT_integer_dot_product",
    .minVersion = 450,
    .minEsVersion = 300,
    .clause = "GL_EXT_integer_dot_product",
};

}  // namespace coopc::frontend
