// The state of a query, with answers that are computed once: internal to api/, shared by the files of this
// folder.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/kept.hpp"
#include "coopc/query.hpp"
#include "frontend/check/checker.hpp"
#include "frontend/lex/token.hpp"

namespace coopc {

/// The declaration that a name refers to.
struct Referent {
  enum class Kind : uint8_t { None, Variable, Function, Struct, Member, Macro, Component } kind = Kind::None;
  uint32_t id = 0;  ///< VarId, FnId, StructId (also of Member); Macro: where it is defined (SourceLoc::raw)
  uint32_t member = 0;  ///< Member: its index
  frontend::NameId name;
};

struct Mention {
  TextRange at;
  Referent of;
  bool declaration = false;
  bool inMacro = false;
};

/// A file's tokens as the lexer gives them, before macros and directives.
struct FileTokens {
  std::vector<frontend::Token> tokens;
  uint32_t base = 0;  ///< SourceLoc::raw of the file's first character
  uint32_t begin(size_t i) const { return tokens[i].loc.raw - base; }
  uint32_t end(size_t i) const { return begin(i) + tokens[i].length; }
  /// The last token that starts before or at `offset`; tokens.size() if there is none.
  size_t before(uint32_t offset) const;
};

/// Whether the line of the place is a directive: it begins with `#`.
bool isInDirective(std::string_view text, size_t offset);

/// Kinds of tokens, for fixes that replace a part of a text.
bool isOperator(frontend::Tok kind);  ///< of expressions; assignments too
bool isAssigning(frontend::Tok kind);
bool isOpening(frontend::Tok kind);  ///< a bracket of any kind
bool isClosing(frontend::Tok kind);

struct Query::Impl : Kept {
  // --- Places (query.cpp)
  const frontend::SourceManager& sources() const { return session->sources; }
  const frontend::Names& names() const { return session->names; }
  std::string_view nameText(frontend::NameId id) const { return names().text(id); }
  /// The place of the characters; none for a macro that was defined on the command line, or without a place.
  TextRange range(frontend::SourceLoc loc, uint32_t length) const;
  TextRange nameRange(frontend::SourceLoc loc, frontend::NameId name) const;
  /// The places of one of result.diagnostics.
  DiagnosticPlaces placesOf(size_t diagnostic) const;
  /// The place and the lines of #include that lead to its file, innermost first.
  std::vector<std::pair<frontend::FileId, uint32_t>> chain(frontend::FileId file, uint32_t offset) const;
  /// Whether `loc` is read before the place of `chain`.
  bool precedes(frontend::SourceLoc loc,
                const std::vector<std::pair<frontend::FileId, uint32_t>>& chain) const;
  const FileTokens& tokens(frontend::FileId file) const;
  /// Whether the place is in a comment, or in a string.
  bool inComment(frontend::FileId file, uint32_t offset) const;

  // --- Extensions (fixes.cpp)
  /// Whether a directive before the place enables it.
  bool isOn(frontend::ExtensionId id, frontend::FileId file, uint32_t offset) const;
  /// Where an #extension line is added: after the line of #version in the main file, or at its start.
  uint32_t directivesEnd() const;
  TextEdit extensionLine(std::string_view name) const;

  // --- Macros that are like functions (macros.cpp)
  /// The macro whose parameters or body the place is in; nullptr: none.
  const frontend::Observer::Macro* macroDefinedAt(frontend::FileId file, uint32_t offset) const;
  /// Its parameters where it is defined; none for a macro that no file defines.
  std::vector<TextRange> macroParameters(const frontend::Observer::Macro& macro) const;
  /// The definition that is in force at the place; nullptr: none.
  const frontend::Observer::Macro* macroInForce(frontend::NameId name, frontend::FileId file,
                                                uint32_t offset) const;
  /// The macro whose arguments the place is in. None if the innermost list around the place is not a macro's,
  /// or if there is no list.
  std::optional<CallForms> macroCallAt(frontend::FileId file, uint32_t offset) const;

  // --- Names (names.cpp)
  const std::vector<Mention>& mentions() const;  ///< by file and place
  /// The prototypes and the definition of a function (Referent::id): indices into mentions().
  std::span<const size_t> declarationsOfFunction(uint32_t function) const;
  const Mention* mentionAt(frontend::FileId file, uint32_t offset) const;
  /// The places of a macro's parameter in its definition, the first in the list of parameters; none: no
  /// parameter is at the place.
  std::vector<TextRange> macroParameterAt(frontend::FileId file, uint32_t offset,
                                          TextRange* definition = nullptr) const;
  NameInfo describe(const Referent& of, const Mention* at) const;
  /// A keyword, a layout qualifier, a directive or an extension's name (words.cpp).
  std::optional<NameInfo> describeWord(frontend::FileId file, uint32_t offset) const;
  /// The same without its place. A word of both kinds is described as a keyword.
  std::optional<NameInfo> describeOfferedWord(std::string_view word) const;
  /// Whether a token is in the list of `layout(...)`.
  static bool isInLayout(const FileTokens& list, size_t token);
  std::optional<NameInfo> describeBuiltin(frontend::FileId file, uint32_t offset) const;
  /// The meaning of a built-in name at a place; none where it is not available.
  std::optional<NameInfo> describeBuiltin(frontend::FileId file, uint32_t offset,
                                          std::string_view name) const;
  std::vector<Occurrence> builtinOccurrences(frontend::FileId file, uint32_t offset) const;
  NameInfo describeVariable(frontend::VarId id) const;
  NameInfo describeFunction(frontend::FnId id) const;
  NameInfo describeStruct(frontend::StructId id) const;
  NameInfo describeMember(frontend::StructId id, uint32_t index) const;
  std::string heapOffset(const frontend::StructInfo& s, uint32_t index) const;  ///< as NameInfo::heapOffset
  std::string macroText(const frontend::Observer::Macro& m) const;              ///< `#define N 4`
  NameInfo describeMacro(uint32_t loc, frontend::NameId name) const;
  /// The tokens that a use of a macro becomes; empty where that is nothing, or not in a text.
  std::string expansionAt(const TextRange& use, uint32_t definition) const;
  std::string documentation(const TextRange& name) const;
  std::string typeText(frontend::TypeId type) const { return frontend::typeName(program, names(), type); }
  /// The structure whose members a value of the type has; none for other types.
  frontend::StructId structOf(frontend::TypeId type) const;
  /// The structure or block that the type of a declaration is, or has as its elements; none for other types.
  frontend::StructId objectType(const Referent& of) const;
  Referent referentOf(frontend::SymbolKind kind, uint32_t id, uint32_t member, frontend::NameId name) const;
  std::string functionLabel(frontend::FnId id, std::vector<std::pair<uint32_t, uint32_t>>* parameters) const;

  /// A call of the function with the names of its parameters.
  std::string callText(frontend::FnId id) const;
  /// The structure whose constructor is called with the arguments after the bracket `open`; none: another
  /// name is there.
  frontend::StructId constructedStruct(frontend::SourceLoc open) const;
  CallForm constructorForm(frontend::StructId id) const;

  /// The location after those that the text's inputs or outputs have (layout_fixes.cpp).
  uint64_t nextLocation(frontend::Storage storage) const;

  /// The definitions of functions, with the range from the first to the last token.
  struct Definition {
    frontend::FnId function;
    TextRange name, whole;
  };
  std::vector<Definition> definitions() const;

  /// The checker's state that decides what is available at a place: version, stage, extensions. `options`
  /// must live as long as the checker.
  void setAvailability(frontend::Checker& c, frontend::FileId file, uint32_t offset) const;

  mutable std::map<frontend::FileId, FileTokens> tokens_;
  mutable std::vector<Mention> mentions_;
  mutable std::vector<Referent> unwritten_;  ///< of names that no text has in one piece
  mutable bool mentioned_ = false;
  mutable std::unordered_map<uint32_t, std::vector<size_t>> functionDeclarations_;
};

/// The forms of a built-in function (NameInfo::builtinName - 1) that are available to a call.
std::vector<CallForm> builtinForms(const frontend::Checker& c, uint16_t builtinName,
                                   std::string_view function);
/// Calls of a built-in function with the names of its parameters (builtin_texts.def); one
/// that is empty: no table has them.
const std::vector<std::string>& builtinCalls(std::string_view function);

/// The description of a built-in variable (variable_texts.def); "" for constants.
std::string_view builtinVariableText(std::string_view name);

/// For an error about the decode function of a call, at its name there: the complete correct signature;
/// none: the call is another one, or its matrix and layout are not variables.
std::optional<Fix> decodeSignatureFix(const Query::Impl& d, const DiagnosticPlaces& places);

struct HlslFixes {
  std::vector<Fix> fixes;
  bool renames = true;  ///< whether the other name, `suggestion`, is right for the arguments
};
/// For an error about a function that is not declared: the replacements for a call of HLSL's function that
/// needs more than another name. No fixes if it is another function, or if the text around the call prevents
/// them.
HlslFixes hlslCallFixes(const Query::Impl& d, const TextRange& name, std::string_view suggestion);
/// The same for an error about a method that textures and images do not have in GLSL.
std::vector<Fix> hlslMethodFixes(const Query::Impl& d, const TextRange& method);

/// For an error about the type of a value: the value converted (5.4), or the declaration with the value's
/// type.
std::vector<Fix> conversionFixes(const Query::Impl& d, size_t diagnostic, const TextRange& at);
/// For an error about words, functions, variables or versions that GLSL for Vulkan no longer has.
std::vector<Fix> olderFixes(const Query::Impl& d, size_t diagnostic, const DiagnosticPlaces& places);
/// For an error about a location, a binding or `flat` that a declaration lacks.
std::vector<Fix> layoutFixes(const Query::Impl& d, size_t diagnostic, const TextRange& at);

/// Whether two names mean the same thing; overloads of a function do.
bool sameReferent(const Referent& a, const Referent& b);

}  // namespace coopc
