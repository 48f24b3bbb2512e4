// Built-in functions and overload resolution (GLSL 4.60, 6.1). The tables are constexpr and generic over
// vector sizes (genType); concrete signatures exist only while a call is being resolved.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Resolves `name(args)` among the user's functions in scope and the available built-ins.
/// Converts arguments, checks out and inout arguments for l-values, constant and literal parameters, folds;
/// reports.
ExprId resolveCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);

/// Tells the observer the types of the arguments of a call whose function or method, at `loc`, is unknown.
void noteUnknownCall(const Checker& c, std::span<const ExprId> args, SourceLoc loc);

/// A prototype of a built-in function as chapter 8 writes it, with generic types.
struct BuiltinPrototype {
  std::string text;                     ///< "genFType mix(genFType, genFType, float)"
  std::string result;                   ///< empty, as are the parameters, if no table lists them
  std::vector<std::string> parameters;  ///< types, with `out` and `inout`
};
/// The prototypes of a built-in function (NameInfo::builtinName - 1) that are available to a call.
std::vector<BuiltinPrototype> builtinPrototypes(const Checker& c, uint16_t name);

}  // namespace coopc::frontend
