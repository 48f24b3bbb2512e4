// The preprocessor's state: internal to preprocess/.
//
// Tokens come from the file being read or from a stack of runs (macro bodies and arguments being rescanned).
// A macro is active while its run is on the stack; if its name occurs meanwhile, it is marked and never
// expanded again (the C++ rules for rescanning, [cpp.rescan]). Macro bodies are stored as tokens, with
// parameters resolved; a simple body is read in place, without a copy.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/language/availability.hpp"
#include "frontend/language/observer.hpp"
#include "frontend/lex/token_reader.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace coopc::frontend::preprocessing {

/// In macro bodies: a parameter; payload: its index.
constexpr Tok kParameter = Tok::ExtensionEvent;
/// Flags of body tokens, beyond TokenFlags.
enum BodyFlags : uint8_t {
  kPasteNext = 8,   ///< `##` is between this token and the next
  kPasteLeft = 16,  ///< the token is the right side of a `##`
};

enum class MacroKind : uint8_t { Object, Function, Line, File, Version };

struct Macro {
  NameId name;
  SourceLoc loc;  ///< invalid: predefined
  MacroKind kind = MacroKind::Object;
  bool active = false;
  bool pastes = false;
  uint32_t parameterCount = 0;
  const Token* parameters = nullptr;
  const Token* body = nullptr;
  uint32_t bodySize = 0;
};

/// Tokens with stable addresses that are freed together.
class TokenArena {
 public:
  Token* allocate(size_t count);
  void clear();

 private:
  struct Chunk {
    std::unique_ptr<Token[]> tokens;
    size_t size;
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0;
  size_t used_ = 0;
};

/// Tokens of a macro's body or of an argument, being read.
struct TokenRun {
  const Token* next;
  const Token* end;
  uint32_t macro;      ///< active until the run is left; kNone if there is none
  SourceLoc invoked;   ///< if valid, the tokens are a macro's body and get expansion places
  uint8_t firstFlags;  ///< flags of the first token: the flags of the name that it replaces
  bool barrier;        ///< reading stops here: an argument that is expanded on its own
};

struct Conditional {
  SourceLoc loc;
  std::string_view directive;
  bool taken;  ///< a group was active already
  bool hadElse;
};

struct FileState {
  TokenReader reader;
  FileId file;
  uint32_t firstConditional;
};

class Engine {
 public:
  Engine(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics, Names& names,
         std::string* text, const PreprocessMode& mode);

  PreprocessedSource run(FileId main);

 private:
  using Source = PreprocessedSource;

  bool allows(Feature f) const { return availability(f).holds(es_, out_.version, enabled_); }

  // --- preprocessor.cpp
  void runFile();
  bool readFileToken(Token& token);  ///< directives are executed; false: End of everything
  void enterFile(FileId file);
  void enterCommandLine();
  void emit(Token& token);
  void checkEscapes(const Token& token);
  void emitNumber(Token& token);
  void checkLiteral(const Token& token);
  void reportNumber(const Token& token);
  void finalizeVersion();
  void requireComputeExtension();
  void readHead();
  bool isStopped() const { return diagnostics_.fatal(); }
  TokenReader& reader() { return *reader_; }
  bool inDirective_ = false;
  SourceLoc mainStart() const;

  // --- macros.cpp
  uint32_t macroOf(NameId name);  ///< kNone: none
  uint32_t definePredefined(NameId name);
  bool readToken(Token& token);  ///< from runs, then the file; unexpanded. false: End, or a barrier
  bool expand(Token& token);     ///< whether the token was a macro's name and its expansion is being read now
  void popRun();
  bool nextIsLeftParen();
  bool expandFunction(uint32_t macro, const Token& name);
  bool collectArguments(uint32_t macro, const Token& name, std::vector<size_t>& bounds);
  void substitute(uint32_t macro, const Token& name, const std::vector<size_t>& bounds);
  void pushRun(const Token* first, size_t count, uint32_t macro, SourceLoc invoked, uint8_t flags);
  bool expandArgument(size_t first, size_t last, std::vector<Token>& out);
  Token paste(const Token& left, const Token& right, SourceLoc operatorLoc);
  std::string spelling(const Token& token) const;
  bool charge(size_t tokens, SourceLoc loc);
  void defineBuiltinToken(const Macro& macro, Token& token);
  void noteMacro(const Token& name);  ///< tells the observer that the text names a macro

  // --- directives.cpp
  void directive();
  void dispatch(std::string_view word, const Token& name);
  void defineDirective();
  void define(const Macro& macro);
  void undefDirective();
  bool checkMacroName(const Token& name, std::string_view how);
  bool parseParameters(std::vector<Token>& parameters);
  void parseBody(std::vector<Token>& body, const std::vector<Token>& parameters, bool function, bool& pastes);
  bool sameMacro(const Macro& a, const Macro& b) const;
  void errorDirective(const Token& name);
  void pragmaDirective(const Token& name);
  void extensionDirective(const Token& name);
  void switchExtension(ExtensionId id, ExtensionBehavior behavior, SourceLoc loc);
  void versionDirective(const Token& name);
  void includeDirective(const Token& name);
  void lineDirective(const Token& name);
  void expectEnd(std::string_view directive);
  void lexPlain(Token& token);  ///< the next token of the directive's line, unexpanded

  // --- conditions.cpp
  void ifDirective(const Token& name, std::string_view word);
  void elseDirective(const Token& name, std::string_view word);
  void endifDirective(const Token& name);
  void skipGroup();
  void skipTokens();
  bool evaluateCondition(std::string_view word, const Token& name);
  struct Value {
    uint64_t bits = 0;
    bool isUnsigned = false;
  };
  bool nextConditionToken();  ///< into condition_, expanded
  bool conditionBinary(Value& value, int minimum, uint32_t depth);
  bool conditionUnary(Value& value, uint32_t depth);
  bool conditionDefined(Value& value);
  void conditionUnexpected();

  // --- text.cpp
  void textToken(const Token& token);
  void textDirective(SourceLoc loc, std::string_view line);
  void textSync(SourceLoc loc);
  void textFile(uint32_t line);
  void frameText();
  bool lineIsNext() const;

  const CompileOptions& options_;
  SourceManager& sources_;
  Diagnostics& diagnostics_;
  Names& names_;
  Source out_;

  std::deque<FileState> files_;  ///< the readers have stable addresses
  TokenReader* reader_ = nullptr;
  FileId main_ = 0;
  std::vector<Conditional> conditionals_;
  std::unordered_set<std::string> once_;      ///< names of files with #pragma once
  std::unordered_set<std::string> included_;  ///< names of the files in out_.includes
  uint64_t sourceBytes_ = 0;

  std::vector<Macro> macros_;
  TokenArena bodies_;    ///< definitions: live until the end
  TokenArena expanded_;  ///< expansions: live until the stack of runs is empty
  std::vector<TokenRun> runs_;
  std::vector<Token> arguments_;  ///< a stack of collected arguments
  uint32_t collecting_ = 0;       ///< invocations whose arguments are being read
  uint32_t argumentDepth_ = 0;
  uint64_t macroTokens_ = 0;

  bool versionSeen_ = false;
  bool versionFinal_ = false;
  bool lateVersion_ = false;  ///< a missing #version has yet to be reported
  bool tokensSeen_ = false;
  bool es_ = false;
  ExtensionSet enabled_ = kAlwaysEnabled;
  std::string lineName_;  ///< __FILE__ as set by #line
  bool lineNameIsNumber_ = false;
  bool hasLineName_ = false;

  Token condition_;
  bool conditionEnd_ = false;
  uint32_t unevaluated_ = 0;

  const PreprocessMode& mode_;
  bool commandLine_ = false;  ///< the macros of the command line are being defined

  std::string* text_;
  FileId textFile_ = ~0u;
  uint32_t textLine_ = 1;
  Tok textLast_ = Tok::End;
  bool textLineStart_ = true;
  bool textAfterLine_ = false;   ///< nothing has been written since a #line
  Tok textLastEver_ = Tok::End;  ///< as textLast_, of another line as well
  bool textIncludes_ = false;
  size_t textVersionAt_ = std::string::npos;  ///< where the #version line is
};

}  // namespace coopc::frontend::preprocessing
