// Built-in functions and overload resolution (GLSL 4.60, 6.1). The tables are constexpr and generic over vector sizes
// (genType); concrete signatures exist only while a call is being resolved.
#pragma once

#include <span>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Resolves `name(args)` among the user's functions in scope and the built-ins that version, stage and extensions give.
/// Converts arguments, checks out and inout arguments for l-values, constant and literal parameters, folds; reports.
ExprId resolveCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);

/// Built-in variables and constants by NameInfo::builtinSymbol.
struct BuiltinSymbol {
  std::string_view name;
  TypeId type;          ///< basic type; kErrorType for special ones (gl_WorkGroupSize)
  uint32_t spvBuiltIn;  ///< spv::BuiltIn, for variables
  bool constant;        ///< a constant of value `value`
  int32_t value;
  ExtensionSet anyOf;                 ///< any of these gives it too
  uint16_t minVersion, minEsVersion;  ///< 0: not by version (by extension, or not at all)
  bool input;
  int32_t more[2];  ///< components 2 and 3 of constants of type ivec3
};
const BuiltinSymbol& builtinSymbol(uint16_t index);  ///< index is NameInfo::builtinSymbol - 1
/// The value of a built-in constant, or of a component of it, as -flimit says or the table.
int32_t builtinConstantValue(const Checker& c, const BuiltinSymbol& symbol, unsigned component = 0);
/// `#extension NAME : warn`: the use of what only such extensions bring is reported (GLSL 4.60, 3.3).
void warnOfExtension(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc);
bool builtinSymbolAvailable(const Checker& c, const BuiltinSymbol& symbol);

/// Built-in type names by NameInfo::builtinType: vec4, float16_t, u8vec4, sampler2DShadow, image2DArray, ...
struct BuiltinTypeName {
  std::string_view name;
  TypeId basic;                       ///< kErrorType for opaque types
  uint32_t imageDesc;                 ///< packed ImageDesc for opaque types
  ExtensionSet anyOf;                 ///< any of these gives it too
  uint16_t minVersion, minEsVersion;  ///< 0: not by version (by extension, or not at all)
};
const BuiltinTypeName& builtinTypeName(uint16_t index);  ///< index is NameInfo::builtinType - 1
bool builtinTypeAvailable(const Checker& c, const BuiltinTypeName& type);

/// Whether the target's SPIR-V can carry what one of the enabled extensions of `anyOf` gives; reports where it cannot.
bool requireTarget(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc);
/// Gives the module the Vulkan memory model, which `what` needs. Its first use is reported for targets below SPIR-V 1.3,
/// which cannot declare the model (SPV_KHR_vulkan_memory_model).
void useVulkanMemoryModel(Checker& c, std::string_view what, SourceLoc loc);

/// Classification at interning (lex/names.cpp): constexpr hash tables over all tables' names; 0: none, else index + 1.
uint16_t findBuiltinName(std::string_view text, uint32_t hash);
uint16_t findBuiltinSymbol(std::string_view text, uint32_t hash);
uint16_t findBuiltinType(std::string_view text, uint32_t hash);
/// For misspelt names: calls `visit` with every built-in name available.
void forEachBuiltinName(const Checker& c, void (*visit)(void*, std::string_view), void* context);

}  // namespace coopc::frontend
