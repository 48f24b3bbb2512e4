// GL_EXT_shader_image_int64: adds i64image*, u64image* and their formats.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_image_int64 = {
    .name = "GL_EXT_shader_image_int64",
    .clause = "GL_EXT_shader_image_int64",
};

}  // namespace coopc::frontend
