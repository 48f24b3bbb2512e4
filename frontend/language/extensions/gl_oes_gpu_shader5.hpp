// GL_OES_gpu_shader5: fma(), textureGatherOffsets() and arrays of opaque types with indices that are no constants, for
// ESSL 3.10. ESSL 3.20 has them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_OES_gpu_shader5 = {
    .name = "GL_OES_gpu_shader5",
    .minVersion = 0,
    .clause = "GL_OES_gpu_shader5",
};

}  // namespace coopc::frontend
