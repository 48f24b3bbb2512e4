// The parser's state, shared by the files of this folder: the current token (token_cursor.hpp), the panic
// flag of error recovery, and the context of the place (loops, switches, default layouts and precisions, the
// function's attributes).
//
// Recovery: the first syntax error of a construct reports and sets `panic`; while it is set nothing is
// reported or consumed by expect(), every parse function returns quickly, and the nearest statement or
// declaration skips to its end (`;` or the matching `}`) and clears it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/id_buffer.hpp"
#include "frontend/check/checker.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/qualifiers.hpp"
#include "frontend/check/statements.hpp"
#include "frontend/parse/brackets.hpp"
#include "frontend/parse/token_cursor.hpp"

namespace coopc::frontend {

/// The extension that makes a word a keyword; "" if it needs none, or if no extension does.
std::string_view keywordExtension(Tok keyword);

/// The construct before which a semicolon is missing.
enum class After : uint8_t { Statement, Declaration, Member, LoopStart, LoopCondition };

/// The arguments of a call.
using Arguments = IdBuffer<ExprId, 8>;

struct GlslParser : TokenCursor {
  bool panic = false;
  /// the buffer reference whose block is being read without an earlier declaration
  TypeId undeclaredReference = kErrorType;
  bool inHeapBlock = false;  ///< its members may be reference blocks
  uint32_t nesting = 0;

  BlockDefaults blockDefaults;
  struct OpaquePrecision {
    TypeId type;
    Precision precision;
  };
  std::vector<OpaquePrecision> opaquePrecisions;  ///< `precision highp image2D;`, innermost last
  struct PrecisionMark {
    Precision defaultInt, defaultFloat;
    uint32_t opaque;
  };
  std::vector<PrecisionMark> precisionMarks;

  /// names of types that were reported as unavailable; few, so searched linearly
  std::vector<NameId> reportedNames;
  bool hasReturn = false;  ///< the current function contains a `return`
  bool breaks = false;     ///< the innermost loop or switch contains a `break`
  uint32_t loopDepth = 0;
  uint32_t breakDepth = 0;  ///< loops and switches
  SourceLoc blockEnd;       ///< the `}` of the last block that was read
  std::vector<SwitchState*> switches;
  bool switchBody = false;  ///< the statement being parsed is directly in the block of a switch

  GlslParser(const PreprocessedSource& s, Checker& checker) : TokenCursor(s, checker) {}

  // ------------------------------------------------------------------------------------- tokens (parser.cpp)
  bool accept(Tok kind);
  /// Consumes a token of that kind, or reports that it is missing (`before` what, if given) and sets panic.
  /// `opened`: the place of the bracket that `kind` closes.
  bool expect(Tok kind, std::string_view before = {}, SourceLoc opened = {});
  /// Reports the current token, as `kind` or, if it is a reserved or removed keyword, as that; then sets
  /// panic.
  void syntaxError(DiagKindOf<DiagArgKind::Text> kind);
  /// Reports `expected WHAT, found TOKEN`, at the token or at `loc`; then sets panic.
  void expected(std::string_view what, SourceLoc loc = {}, SourceLoc opened = {});
  void closeAngle();  ///< expects the `>` of type parameters; takes one half of a `>>`
  /// Skips to the end of a statement or declaration, or to the word that starts the next statement if
  /// `statements` is set, and leaves panic mode.
  void recover(bool statements = false);
  bool wasReportedHere();
  uint32_t reportedAt = uint32_t(-1);  ///< the token at which the last syntax error was reported
  bool nestingError();
  void fatalStop();
  void pushScope();
  void popScope();
  void run();

  // ------------------------------------------------------------------ other languages (other_languages.cpp)
  static constexpr uint32_t kMaxAngleTokens = 24;
  std::string_view habitNote(std::string_view what) const;
  bool skipAngles(Tok end = Tok::Identifier);
  bool atUnknownTemplate();
  bool isUsedAsName() const;
  bool takeKeywordAsName();

  // ------------------------------------------------------------------ missing semicolons (semicolon.cpp)
  /// Like expect(), before `what`; leaves panic mode and returns true if only the semicolon is missing.
  bool expectSemicolon(After what);
  bool onlySemicolonIsMissing(After what);
  static bool onlyStartsStatement(Tok kind);
  bool endsDefaults(const Qualifiers& q) const;
  bool endsStructure();
  bool skipDeclarator();
  /// Whether an operand follows an operand on the same line. An operator may be missing then, so the type of
  /// the first operand is not that of the whole expression.
  bool operandFollows();
  bool atChange(Tok end) const;
  bool atPrefixStep() const;
  /// `newLine`: whether the returned token is on a later line than the token before it.
  Tok peekAfterOperand(bool& call, bool* newLine = nullptr) const;
  bool loopStart = false;  ///< in the first part of a loop's header

  // ------------------------------------------------------------ missing brackets (missing_brackets.cpp)
  /// The parentheses of a statement's header.
  struct Header {
    uint32_t begin;  ///< the index of its first token
    SourceLoc loc;
    bool opened;  ///< it begins with `(`
    Tok end;      ///< what may follow its `)` and is not skipped: `{`, or `;` after `do`
  };
  Header openHeader(std::string_view before, Tok end = Tok::LeftBrace);
  /// Expects the `)` of a header, before `before`; always leaves panic mode.
  void closeHeader(const Header& header, std::string_view before);
  /// Skips past the `)` of the header (not past braces) and leaves panic mode.
  void recoverParen(const Header& header);
  void recoverInitializer(uint32_t begin);
  /// Consumes `{` before `before`, or reports that it is missing. Returns whether to continue as if it were
  /// there; if not, sets panic.
  bool openBrace(std::string_view before);
  bool insertLeftBrace(std::string_view what);
  bool isLeftBraceTooMany();
  bool insertRightBrace(std::string_view what);
  bool lacksBraceOfBody();
  bool endFunctionBefore(uint32_t begin, std::string_view what);
  bool isAfterEarlyEnd();
  void skipRestOfFunction();
  bool atFunctionName() const;
  bool beginsExpression() const;
  void beginConstruct() { brackets.beginConstruct(pos); }
  Brackets brackets{source.tokens, c.diagnostics, reportedNames};
  bool unwinding = false;        ///< all blocks of the current function end here
  bool afterFunction = false;    ///< a function with a body was read
  bool earlyEnd = false;         ///< isAfterEarlyEnd() at the last error
  uint32_t definitionAhead = 0;  ///< the index of a token before which no function ended early
  uint32_t statementBegin = 0;   ///< the index of the first token of the local declaration that is being read

  /// Counts the nesting depth during its lifetime; `ok` is false (after a fatal report) beyond the limit.
  struct Nest {
    GlslParser& p;
    bool ok;
    explicit Nest(GlslParser& parser) : p(parser), ok(true) {
      if (++p.nesting > p.c.options.limits.nesting) ok = p.nestingError();
    }
    ~Nest() { --p.nesting; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;
  };

  // ---------------------------------------------------------------------- expressions (expression.cpp)
  ExprId parseExpression();
  ExprId parseExpressionFrom(ExprId left);  ///< the rest, after a unary expression that has already been read
  ExprId parseCommas(ExprId left);
  ExprId parseAssignment();
  ExprId parseAssignmentFrom(ExprId left);
  ExprId parseConditional();
  ExprId parseConditionalFrom(ExprId left);
  ExprId parseConstantExpression();  ///< conditional_expression in a constant context
  ExprId parseBinary(int minPrecedence, ExprId left);
  ExprId parseUnary();
  bool atTypecast() const;
  ExprId parseTypecast();
  ExprId parsePostfix();
  ExprId parsePostfixRest(ExprId e);
  ExprId parsePrimary();
  ExprId parseConstructor();
  /// Parses `( arguments )` into `args`; the current token is `(`. False in panic mode. `callee`: a
  /// function's name and its place.
  bool parseArguments(Arguments& args, NameId callee = {}, SourceLoc calleeLoc = {});
  bool readArguments(Arguments& args);
  void noteArgument(bool comma) {
    if (c.options.observer != nullptr) [[unlikely]]
      c.options.observer->argument(tok.loc, comma);
  }
  ExprId parseInitializer(TypeId target, bool& nullInit, std::string_view what);

  // ---------------------------------------------------------------------------------- types (type.cpp)
  /// Whether a type_specifier begins here. The name of a type that is not enabled counts: it gets its
  /// diagnostic.
  bool atTypeStart();
  /// Whether the language has a type of this name, in some version or with some extension.
  bool isTypeOfLanguage(NameId name) const;
  bool atDisabledType();
  bool atQualifier() const;
  Tok disabledQualifier() const;
  void parseQualifiers(Qualifiers& q);
  void parseLayout(Qualifiers& q);
  TypeId parseTypeSpecifier(bool allowStructDefinition, std::string_view where);
  TypeId parseTypeNonArray(bool allowStructDefinition, std::string_view where);
  TypeId parseTypeParameters(Tok keyword, SourceLoc loc);
  TypeId parseStruct(bool allowed, std::string_view where);
  /// Returns whether the `}` is missing, which was reported.
  bool parseMembers(std::vector<MemberDecl>& members, std::string_view where);
  bool atInlineReference(const Qualifiers& q);
  TypeId parseInlineReference(Qualifiers& q);
  bool lacksBraceOfMembers();
  bool parseArraySizes(std::vector<ConstId>& sizes);
  TypeId unknownType();
  bool firstReport(NameId name);  ///< whether `name` has not yet been reported as unavailable
  Precision precisionFor(const Qualifiers& q, TypeId type, SourceLoc loc);

  // --------------------------------------------------------- GL_EXT_spirv_intrinsics (spirv.cpp)
  void parseSpirvInstruction(Qualifiers& q);
  void parseSpirvStorageClass(Qualifiers& q);
  /// One spirv_decorate-qualifier; none in panic mode.
  SpirvDecorationId parseSpirvDecorate();
  void addDecoration(std::vector<SpirvDecorationId>& list, SpirvDecorationId decoration, SourceLoc loc);
  void parseSpirvExecutionMode();
  TypeId parseSpirvType();
  ExprId parseSpirvDecorated();
  bool parseSpirvRequirement(SpirvRequirements& r);
  bool parseSpirvNumber(uint32_t& value);
  bool parseSpirvLiterals(std::vector<SpirvOperand>& operands);
  std::unordered_map<std::string, SpirvTypeId> spirvTypes;  ///< by their parts; look-ups only

  // -------------------------------------------------------------------- declarations (declaration.cpp)
  void parseExternalDeclaration();
  bool skipNumthreads();
  void skipLostAttribute();
  /// The declaration after its qualifiers; statements are appended to `out` inside functions.
  void parseDeclaration(Qualifiers& q, std::vector<StmtId>* out);
  void rejectLocalFunction(NameId name, SourceLoc loc);
  void parseDeclarators(const Qualifiers& q, TypeId base, std::vector<StmtId>* out);
  VarId parseDeclarator(const Qualifiers& q, TypeId base, NameId name, SourceLoc loc,
                        std::vector<StmtId>* out);
  bool atMemberAfterName() const;
  bool lacksBraceOfBlock(const Qualifiers& q);
  void parseBlock(const Qualifiers& q);
  /// Tells the observer that a declaration names something that was declared before.
  void noteSymbol(NameId name, SourceLoc at) {
    if (c.options.observer == nullptr) return;
    const Symbol* s = c.scopes.find(name);
    if (s != nullptr && !(s->loc == at)) c.options.observer->use(s->kind, name, s->id, s->member, at);
  }
  void parseFunction(const Qualifiers& q, TypeId result, NameId name, SourceLoc loc);
  void parseParameters(std::vector<ParameterDecl>& parameters, NameId function);
  void parsePrecision();
  struct FunctionAttributes {
    bool controlUniform = false;
    bool maximallyReconverges = false;
    uint8_t control = 0;  ///< FunctionControl
  } functionAttributes;

  // ------------------------------------------------------------------------ statements (statement.cpp)
  void parseStatement(std::vector<StmtId>& out, bool directly);
  StmtId parseCompound(bool newScope);
  /// The statements as a block; reports statements that can never run.
  StmtId makeBlock(SourceLoc loc, std::span<const StmtId> items);
  /// Code that is read during the lifetime of this object is repeated: the condition, step and body of a
  /// loop.
  struct Loop {
    GlslParser& p;
    uint32_t outerLoop;
    bool outerBreaks;
    explicit Loop(GlslParser& parser);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    StmtId body(bool newScope) const;
  };
  /// Whether the loop that was read, with this condition or none, can be left only by jumps out of the
  /// function.
  bool isEndless(StmtId condition) const;
  StmtId parseScopedStatement(bool newScope);  ///< one statement as a node: several become a Block
  void parseLocalDeclaration(std::vector<StmtId>& out);
  void parseSimple(std::vector<StmtId>& out);
  StmtId parseIf(const ControlAttributes& attributes);
  StmtId parseSwitch(const ControlAttributes& attributes);
  void parseCase(std::vector<StmtId>& out);
  StmtId parseFor(const ControlAttributes& attributes);
  StmtId parseWhile(const ControlAttributes& attributes);
  StmtId parseDo(const ControlAttributes& attributes);
  StmtId parseCondition();
  static bool isJump(Tok kind);  ///< a jump_statement begins with it
  void parseJump(std::vector<StmtId>& out);
  void parseExpressionStatement(std::vector<StmtId>& out);
  bool atAttributes() const { return at(Tok::LeftBracket) && peek() == Tok::LeftBracket; }
  void parseAttributes(ControlAttributes* attributes);
};

}  // namespace coopc::frontend
