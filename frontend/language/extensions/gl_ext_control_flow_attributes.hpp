// GL_EXT_control_flow_attributes: adds [[unroll]], [[dont_unroll]], [[flatten]], [[dont_flatten]],
// [[dependency_infinite]], [[dependency_length(N)]].
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_control_flow_attributes = {
    .name = "GL_EXT_control_flow_attributes",
    .clause = "GL_EXT_control_flow_attributes",
};

}  // namespace coopc::frontend
