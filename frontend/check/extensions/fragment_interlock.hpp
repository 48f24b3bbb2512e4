// GL_ARB_fragment_shader_interlock: the critical section of a fragment shader.
#pragma once

#include "frontend/check/checker.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

/// A layout qualifier of `in` that says which invocations exclude each other from the critical section.
void declareInterlock(Checker& c, FragmentEntry& fragment, const LayoutQualifiers& layout);
/// Called at the end of the text: checks where the section begins and ends. A section without a layout
/// qualifier has the default one.
void finishInterlock(Checker& c);

}  // namespace coopc::frontend
