// GL_EXT_spec_constant_composites: lets specialization constants be composites.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_spec_constant_composites = {
    .name = "GL_EXT_spec_constant_composites",
    .clause = "GL_EXT_spec_constant_composites",
};

}  // namespace coopc::frontend
