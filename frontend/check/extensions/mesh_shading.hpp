// The rules of GL_EXT_mesh_shader and GL_NV_mesh_shader, except the rules of interfaces and primitives.
#pragma once

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

/// Whether the text follows GL_NV_mesh_shader. If both extensions are enabled, it follows GL_EXT_mesh_shader.
bool isMeshOfNV(const Checker& c);

/// The largest values of max_vertices and max_primitives, and the smallest of both.
struct MeshLimits {
  uint32_t least, vertices, primitives;
};
MeshLimits meshLimits(Checker& c);
/// The built-in constant that limits local_size_x, _y and _z in the stage.
std::string_view groupSizeLimit(const Checker& c);

/// Whether the variable is an array of the indices of a mesh's primitives.
bool isMeshIndices(const Variable& v);
/// The number of elements of such an array, or of primitives; 0 if it has not been declared so far.
uint32_t meshIndexCount(Checker& c, const Variable& v);
uint32_t meshPrimitiveCount(Checker& c);

/// Reports `perprimitive*`, `perviewNV` and `taskNV` where they are not allowed. `outer`: the block's
/// qualifiers if this is a member; `block`: the declaration is a block.
void checkMeshQualifiers(Checker& c, const Qualifiers& q, const Qualifiers* outer, Storage storage,
                         bool block, std::string_view what);
/// Whether a block of `taskNV` may be declared; reports if not.
bool checkTaskMemory(Checker& c, const Qualifiers& q, SourceLoc loc);
/// The type of an output with an element for each view: if it has no size, the number of views becomes its
/// size. `arrayed`: `type` is an array over vertices or primitives. kErrorType after a report.
TypeId perViewType(Checker& c, TypeId type, bool arrayed, NameId name, SourceLoc loc);

/// Checks the declaration of a task payload; for a block, `type` is kErrorType. False if it cannot be
/// declared.
bool checkTaskPayload(Checker& c, const Qualifiers& q, NameId name, TypeId type, SourceLoc loc);

/// Whether the value of an output may be read; reports if not.
bool checkMeshRead(Checker& c, ExprId value);
/// Whether an output may be written in this part of the shader; reports if not.
bool checkMeshWrite(Checker& c, ExprId target, SourceLoc loc);

/// Called at the end of the text: finds the array of indices that belongs to the primitives.
void finishMeshShading(Checker& c);

}  // namespace coopc::frontend
