// Declarations of primitives and patches in tessellation, geometry and mesh shaders (GLSL 4.60, 4.4.1.1,
// 4.4.1.2, 4.4.2.2, 4.4.2.3; GL_EXT_mesh_shader, 4.4.2.5), and the sizes of arrays over vertices and
// primitives that follow from them.
#pragma once

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

/// `layout(...) in;` (`in`) or `layout(...) out;` of these stages.
void declarePrimitives(Checker& c, PrimitiveEntry& entry, const LayoutQualifiers& layout, bool in);
/// The number of vertices that inputs or outputs are arrays over; 0: not declared so far.
uint32_t vertexCount(Checker& c, Storage storage);
/// Gives an array over vertices its size, if that is known; reports another size.
void sizeArrayed(Checker& c, VarId variable);
/// Called at the end of the text: checks which declarations are missing, and where barriers and calls for
/// streams are allowed.
void finishPrimitives(Checker& c);

}  // namespace coopc::frontend
