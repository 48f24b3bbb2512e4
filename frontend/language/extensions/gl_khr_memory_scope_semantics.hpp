// GL_KHR_memory_scope_semantics: adds devicecoherent and its family, nonprivate, gl_Scope*, gl_Semantics*,
// gl_StorageSemantics*, atomicLoad, atomicStore, scoped barriers and atomics.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_memory_scope_semantics = {
    .name = "GL_KHR_memory_scope_semantics",
    .minVersion = 420,
    .clause = "GL_KHR_memory_scope_semantics",
};

}  // namespace coopc::frontend
