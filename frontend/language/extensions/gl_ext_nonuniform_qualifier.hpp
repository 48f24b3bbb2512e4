// GL_EXT_nonuniform_qualifier: adds nonuniformEXT and unsized arrays of descriptors.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_nonuniform_qualifier = {
    .name = "GL_EXT_nonuniform_qualifier",
    .clause = "GL_EXT_nonuniform_qualifier",
};

}  // namespace coopc::frontend
