// Attachments of the framebuffer that fragment shaders read: GL_EXT_shader_tile_image, and subpass inputs.
#pragma once

#include "frontend/check/checker.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

/// A variable with `tileImageEXT` or of an attachment type. Returns false if it cannot be declared.
bool checkTileImage(Checker& c, const Qualifiers& q, const Declarator& d);
/// Called at the end of the text, when all sizes are known: checks locations, and which variables share them.
void finishTileImages(Checker& c);
/// Called when it is known which variables are used: checks the input attachments that subpass inputs select.
void finishSubpassInputs(Checker& c);

}  // namespace coopc::frontend
