// Types, qualifiers, variables, blocks and functions: what the parser calls when it has read a declaration.
// Owned by the parser's author: the functions are internal to parse/ and check/; this header holds what others need.
#pragma once

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// The variable that stands for a built-in (gl_GlobalInvocationID, ...), created at its first use. `symbol`: index into
/// the built-in symbols.
VarId builtinVariable(Checker& c, uint16_t symbol, SourceLoc loc);
/// Whether values of the type may be copied, assigned, compared as a whole; whether it contains an opaque, runtime-sized,
/// cooperative matrix or tensor part.
bool containsKind(const Program& program, TypeId type, TypeKind kind);
bool containsOpaque(const Program& program, TypeId type);

}  // namespace coopc::frontend
