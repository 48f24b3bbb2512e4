// GL_EXT_device_group: adds gl_DeviceIndex.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_device_group = {
    .name = "GL_EXT_device_group",
    .clause = "GL_EXT_device_group",
};

}  // namespace coopc::frontend
