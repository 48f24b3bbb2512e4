// Which built-ins are available, as decided by version, profile and the extensions in force; the values of
// built-in constants; and the warnings for `#extension NAME : warn`.
#pragma once

#include "frontend/check/checker.hpp"
#include "frontend/language/builtins/names.hpp"

namespace coopc::frontend {

/// The value of a built-in constant, or of one of its components: given by -flimit, or else by the table.
int32_t builtinConstantValue(const Checker& c, const BuiltinSymbol& symbol, unsigned component = 0);
/// The same for the constant with this name, for rules that cite it.
int32_t builtinConstantValue(Checker& c, std::string_view name, unsigned component = 0);
/// Whether the stage has the variable, in any version.
bool builtinSymbolOfStage(const Checker& c, const BuiltinSymbol& symbol);
bool builtinSymbolAvailable(const Checker& c, const BuiltinSymbol& symbol);
/// Whether the gl_PerVertex blocks of the stage have the member.
bool builtinMemberAvailable(const Checker& c, const BuiltinSymbol& symbol);

bool builtinTypeAvailable(const Checker& c, const BuiltinTypeName& type);

/// For misspelled names: calls `visit` with every available built-in name.
void forEachBuiltinName(const Checker& c, void (*visit)(void*, std::string_view), void* context);

/// The built-in name that differs from `wrong` only in case, whether or not this version has it; "" if there
/// is none. `needs`: the extension that must be enabled for it, as text.
std::string_view builtinNameInOtherCase(const Checker& c, std::string_view wrong, std::string& needs);
/// The extensions of the language (GLSL or ESSL) each of which would make a built-in name available, for the
/// message; "" if there is none.
std::string extensionNames(const Checker& c, const ExtensionSet& set);

/// `#extension NAME : warn`: reports the use of something that only such extensions provide (GLSL 4.60, 3.3).
void warnOfExtension(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc);
}  // namespace coopc::frontend
