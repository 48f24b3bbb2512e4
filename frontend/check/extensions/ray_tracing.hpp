// The rules of GL_EXT_ray_tracing, GL_EXT_ray_query and the extensions of both, hit objects among them.
#pragma once

#include <span>

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

/// The storage that a qualifier of ray tracing (isRayWord()) declares.
Storage rayStorage(StorageWord word);
/// "a ray payload", "a hit attribute".
std::string_view rayDataText(Storage storage);
/// Checks the declaration of a payload, hit attribute or callable data; for a block, `type` is kErrorType.
/// False if it cannot be declared.
bool checkRayData(Checker& c, const Qualifiers& q, NameId name, TypeId type, SourceLoc loc);
void checkAccelerationStructure(Checker& c, const Qualifiers& q, const Declarator& d);
/// Checks a block of `layout(shaderRecordEXT) buffer`.
void checkShaderRecord(Checker& c, const Qualifiers& q, SourceLoc loc);
/// Whether the name is the constant of GL_EXT_opacity_micromap_ray_query_mode.
bool isEnableOpacityMicromap(const Checker& c, NameId name);
/// Checks the redeclaration of that constant with a type. False after a report.
bool checkEnableOpacityMicromap(Checker& c, const Qualifiers& q, const Declarator& d);
/// `layout(primitive_culling);`
void declarePrimitiveCulling(Checker& c, const Qualifiers& q);
/// accelerationStructureEXT(address)
ExprId constructAccelerationStructure(Checker& c, std::span<const ExprId> args, SourceLoc loc);
/// The variable whose location is the constant `argument` of a call; an error node after a report.
ExprId rayDataArgument(Checker& c, BuiltinOp op, ExprId argument);
/// Whether the function writes an array about a hit: rayQueryGetIntersectionTriangleVertexPositionsEXT and
/// similar functions.
bool isHitArrayCall(BuiltinOp op);
ExprId checkHitArray(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// Checks `hitobjectshaderrecordext` and `hitobjectshaderrecordnv` on a block.
void checkHitObjectRecord(Checker& c, const Qualifiers& q);
/// Rules between the variables that the entry point reaches.
void finishRayTracing(Checker& c);

}  // namespace coopc::frontend
