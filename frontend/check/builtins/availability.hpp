// Which of the built-ins are there: version, profile and the extensions in force decide. Also the values of built-in constants
// and the warnings that `#extension NAME : warn` asks for.
#pragma once

#include "frontend/check/checker.hpp"
#include "frontend/language/builtin_names.hpp"

namespace coopc::frontend {

/// The value of a built-in constant, or of a component of it, as -flimit says or the table.
int32_t builtinConstantValue(const Checker& c, const BuiltinSymbol& symbol, unsigned component = 0);
bool builtinSymbolAvailable(const Checker& c, const BuiltinSymbol& symbol);

bool builtinTypeAvailable(const Checker& c, const BuiltinTypeName& type);

/// For misspelt names: calls `visit` with every built-in name available.
void forEachBuiltinName(const Checker& c, void (*visit)(void*, std::string_view), void* context);

/// `#extension NAME : warn`: the use of what only such extensions bring is reported (GLSL 4.60, 3.3).
void warnOfExtension(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc);
}  // namespace coopc::frontend
