// GL_NV_shader_texture_footprint: the structures that its functions write.
#pragma once

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// gl_TextureFootprint2DNV or gl_TextureFootprint3DNV, made at the first use.
TypeId footprintType(Checker& c, bool threeD);

}  // namespace coopc::frontend
