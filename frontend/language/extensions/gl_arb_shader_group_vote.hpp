// GL_ARB_shader_group_vote: adds anyInvocationARB, allInvocationsARB, allInvocationsEqualARB.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_group_vote = {
    .name = "GL_ARB_shader_group_vote",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_group_vote",
};

}  // namespace coopc::frontend
