// GL_QCOM_tile_shading: attachments in tile memory, and how compute shaders are distributed over a tile.
#pragma once

#include "frontend/check/checker.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

/// A uniform variable with `tile_attachmentQCOM`.
void checkTileAttachment(Checker& c, const Qualifiers& q, const Declarator& d);
/// A call of a function of textures or images, whose first argument may be a tile attachment.
bool checkTileAttachmentCall(Checker& c, BuiltinOp op, NameId name, ExprId image);
/// The shading rates of a compute shader's `layout(...) in`.
void declareShadingRates(Checker& c, const LayoutQualifiers& layout);

}  // namespace coopc::frontend
