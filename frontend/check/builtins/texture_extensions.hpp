// Internal to builtins/: prototypes of the functions of BuiltinGroup::TextureExtension.
#pragma once

#include "frontend/check/builtins/prototypes.hpp"

namespace coopc::frontend::builtins {

/// Like texturePrototypes().
uint32_t extensionPrototypes(Checker& c, const FnRow& row, TypeId image, ImageDesc desc,
                             std::array<Prototype, kMaxTexturePrototypes>& out);

}  // namespace coopc::frontend::builtins
