// GL_GOOGLE_include_directive: adds the directive `#include "name"` and `#include <name>` (and the names in
// #line).
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_GOOGLE_include_directive = {
    .name = "GL_GOOGLE_include_directive",
    .implies = {ExtensionId::GL_GOOGLE_cpp_style_line_directive},
    .clause = "GL_GOOGLE_include_directive",
};

}  // namespace coopc::frontend
