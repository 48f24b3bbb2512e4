// GL_EXT_buffer_reference: adds the layout qualifiers buffer_reference and buffer_reference_align: blocks as
// types of pointers.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_buffer_reference = {
    .name = "GL_EXT_buffer_reference",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_buffer_reference",
};

}  // namespace coopc::frontend
