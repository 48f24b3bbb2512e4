// Built-in functions and overload resolution (GLSL 4.60, 6.1). The tables are constexpr and generic over vector sizes
// (genType); concrete signatures exist only while a call is being resolved.
#pragma once

#include <span>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Resolves `name(args)` among the user's functions in scope and the available built-ins.
/// Converts arguments, checks out and inout arguments for l-values, constant and literal parameters, folds; reports.
ExprId resolveCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);

}  // namespace coopc::frontend
