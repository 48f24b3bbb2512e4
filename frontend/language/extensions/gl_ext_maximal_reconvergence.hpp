// GL_EXT_maximal_reconvergence: adds the attribute [[maximally_reconverges]] of the entry point.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_maximal_reconvergence = {
    .name = "GL_EXT_maximal_reconvergence",
    .clause = "GL_EXT_maximal_reconvergence",
};

}  // namespace coopc::frontend
