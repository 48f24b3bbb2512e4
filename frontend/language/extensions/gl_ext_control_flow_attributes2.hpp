// GL_EXT_control_flow_attributes2: adds [[min_iterations(N)]], [[max_iterations(N)]],
// [[iteration_multiple(N)]], [[peel_count(N)]], [[partial_count(N)]].
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_control_flow_attributes2 = {
    .name = "GL_EXT_control_flow_attributes2",
    .minSpirv = 0x00010400,
    .clause = "GL_EXT_control_flow_attributes2",
};

}  // namespace coopc::frontend
