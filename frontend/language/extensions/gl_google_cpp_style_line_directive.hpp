// GL_GOOGLE_cpp_style_line_directive: lets #line take a file name in quotes, and makes __FILE__ such a name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_GOOGLE_cpp_style_line_directive = {
    .name = "GL_GOOGLE_cpp_style_line_directive",
    .clause = "GL_GOOGLE_cpp_style_line_directive",
};

}  // namespace coopc::frontend
