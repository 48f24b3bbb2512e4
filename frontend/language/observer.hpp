// Receives what a compile finds in its text, for editors (include/coopc/query.hpp).
//
// A compile with an observer (CompileOptions::observer) records here what it otherwise discards: which
// declaration a name refers to, where scopes and arguments begin and end, what the operand before an
// incomplete `.` is, where macros are defined and expanded, which groups are inactive. The typed program
// has the rest, under the same ids. A compile without an observer only tests a pointer at these places.
//
// Places may be inside macros (SourceLoc::inMacro), and in any file.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/base/source.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"

namespace coopc::frontend {

/// The kind of a name in a scope (check/scopes.hpp).
enum class SymbolKind : uint8_t {
  Variable,
  Function,     ///< the first of the overloads (Function::nextOverload)
  Type,         ///< a struct, or the Reference for a buffer_reference block's name
  BlockMember,  ///< of the instance-less block that `variable()` is
  BlockName,    ///< a block's name: cannot be redeclared, cannot be used
};

class Observer {
 public:
  struct Macro {
    NameId name;
    SourceLoc at;   ///< of the name
    SourceLoc end;  ///< after the definition; of #undef: invalid
    bool functionLike = false;
  };
  struct MacroUse {
    NameId name;
    SourceLoc at;
    SourceLoc definition;  ///< invalid: predefined, or not defined (#ifdef)
  };
  struct Range {
    SourceLoc begin, end;
  };
  struct Inclusion {
    SourceLoc at;  ///< of the file's name, with its delimiters
    uint32_t length = 0;
    FileId file = 0;
  };
  struct Declaration {
    SymbolKind kind;
    NameId name;
    uint32_t id;      ///< VarId, FnId or TypeId, by the kind
    uint32_t member;  ///< of BlockMember
    SourceLoc at;
    SourceLoc from;  ///< the first token that sees the name
    uint32_t scope;  ///< index into scopes
  };
  struct Use {
    SymbolKind kind;
    NameId name;
    uint32_t id;
    uint32_t member;
    SourceLoc at;
  };
  struct Field {
    TypeId base;    ///< the operand's type
    NameId name;    ///< none: the name is missing
    SourceLoc dot;  ///< of the `.`
    SourceLoc at;   ///< of the name
  };
  struct Scope {
    SourceLoc begin, end;
    uint32_t parent = 0;
  };
  struct Call {
    NameId callee;  ///< none: a constructor or a method
    SourceLoc at;   ///< of the name
    SourceLoc open, close;
    FnId function;  ///< the overload that was chosen; none: a built-in function, or no function was chosen
  };
  /// The start of an argument, or a comma between two.
  struct Argument {
    uint32_t call;  ///< index into calls
    SourceLoc at;
    bool comma;
  };
  /// A call of a function that is not declared, of one whose overloads do not take the arguments, or of a
  /// method that the object does not have.
  struct UnknownCall {
    SourceLoc at;                   ///< of the name
    std::vector<TypeId> arguments;  ///< their types; none: errors
  };
  struct Definition {
    FnId function;
    SourceLoc at;
    bool hasBody;
  };

  std::vector<Macro> macros;  ///< in the order of the text, like all the others
  std::vector<MacroUse> macroUses;
  std::vector<Range> inactive;  ///< from after a directive to after the name of the one that ends the group
  std::vector<Inclusion> inclusions;
  std::vector<Declaration> declarations;
  std::vector<Use> uses;
  std::vector<Field> fields;
  std::vector<Scope> scopes;  ///< the first is the global one
  std::vector<Call> calls;
  std::vector<Argument> arguments;
  std::vector<UnknownCall> unknownCalls;
  std::vector<Definition> definitions;  ///< of functions, prototypes included
  std::vector<Range> externals;  ///< external declarations, from their first token to after their last one

  /// The place of the parser's current token.
  const SourceLoc* here = nullptr;

  Observer();
  void clear();  ///< a compile starts again

  void define(NameId name, SourceLoc at, SourceLoc end, bool functionLike);
  void useMacro(NameId name, SourceLoc at, SourceLoc definition);
  void skip(SourceLoc begin, SourceLoc end);
  void include(SourceLoc at, uint32_t length, FileId file);
  void declare(SymbolKind kind, NameId name, uint32_t id, uint32_t member, SourceLoc at);
  void declareFunction(FnId function, SourceLoc at, bool hasBody);
  void use(SymbolKind kind, NameId name, uint32_t id, uint32_t member, SourceLoc at);
  void field(TypeId base, NameId name, SourceLoc dot, SourceLoc at);
  void openScope(SourceLoc at);
  void closeScope(SourceLoc at);
  void openCall(NameId callee, SourceLoc at, SourceLoc open);
  void argument(SourceLoc at, bool comma);
  void closeCall(SourceLoc close);
  void resolveCall(SourceLoc at, FnId function);
  void external(SourceLoc begin, SourceLoc end);

 private:
  std::vector<uint32_t> openScopes_;
  std::vector<uint32_t> openCalls_;
};

}  // namespace coopc::frontend
