// GL_ARB_shader_ballot: adds gl_SubGroupSizeARB and its family, ballotARB, readInvocationARB,
// readFirstInvocationARB.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_ballot = {
    .name = "GL_ARB_shader_ballot",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_ballot",
};

}  // namespace coopc::frontend
