// GL_EXT_debug_printf: adds debugPrintfEXT and string literals as its format.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_debug_printf = {
    .name = "GL_EXT_debug_printf",
    .clause = "GL_EXT_debug_printf",
};

}  // namespace coopc::frontend
