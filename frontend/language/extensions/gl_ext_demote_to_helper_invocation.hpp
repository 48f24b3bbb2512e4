// GL_EXT_demote_to_helper_invocation: adds the statement demote and helperInvocationEXT(), of fragment
// shaders.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_demote_to_helper_invocation = {
    .name = "GL_EXT_demote_to_helper_invocation",
    .clause = "GL_EXT_demote_to_helper_invocation",
};

}  // namespace coopc::frontend
