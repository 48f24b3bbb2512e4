// GL_ARB_shading_language_include: adds the directive #include; here with the same search as
// GL_GOOGLE_include_directive.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shading_language_include = {
    .name = "GL_ARB_shading_language_include",
    .minEsVersion = 0,
    .implies = {ExtensionId::GL_GOOGLE_cpp_style_line_directive},
    .clause = "GL_ARB_shading_language_include",
};

}  // namespace coopc::frontend
