// GL_EXT_expect_assume: adds expectEXT and assumeEXT.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_expect_assume = {
    .name = "GL_EXT_expect_assume",
    .clause = "GL_EXT_expect_assume",
};

}  // namespace coopc::frontend
