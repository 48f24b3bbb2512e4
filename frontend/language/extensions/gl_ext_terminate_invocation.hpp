// GL_EXT_terminate_invocation: adds the statement terminateInvocation, of fragment shaders.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_terminate_invocation = {
    .name = "GL_EXT_terminate_invocation",
    .clause = "GL_EXT_terminate_invocation",
};

}  // namespace coopc::frontend
