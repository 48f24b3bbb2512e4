// GL_EXT_shader_realtime_clock: adds clockRealtimeEXT and clockRealtime2x32EXT.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_realtime_clock = {
    .name = "GL_EXT_shader_realtime_clock",
    .clause = "GL_EXT_shader_realtime_clock",
};

}  // namespace coopc::frontend
