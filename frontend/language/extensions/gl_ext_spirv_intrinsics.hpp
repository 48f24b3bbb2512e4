// GL_EXT_spirv_intrinsics: adds spirv_instruction, spirv_type, spirv_decorate and their family.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_spirv_intrinsics = {
    .name = "GL_EXT_spirv_intrinsics",
    .clause = "GL_EXT_spirv_intrinsics",
};

}  // namespace coopc::frontend
