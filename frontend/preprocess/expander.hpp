// Expansion of macros. Tokens come from the files or from a stack of runs (macro bodies and arguments being
// rescanned). A macro is active while its run is on the stack; if its name occurs meanwhile, it is marked and
// never expanded again (the C++ rules for rescanning, [cpp.rescan]). A simple body is read in place, without
// a copy.
#pragma once

#include <string>
#include <vector>

#include "frontend/preprocess/macro_table.hpp"

namespace coopc::frontend::preprocessing {

class Engine;

/// Tokens of a macro's body or of an argument, being read.
struct TokenRun {
  const Token* next;
  const Token* end;
  uint32_t macro;      ///< active until the run is left; kNone if there is none
  SourceLoc invoked;   ///< if valid, the tokens are a macro's body and get expansion places
  uint8_t firstFlags;  ///< flags of the first token: the flags of the name that it replaces
  bool barrier;        ///< reading stops here: an argument that is expanded on its own
};

/// __FILE__ as set by #line.
struct LineName {
  std::string name;
  bool isNumber = false;
  bool isSet = false;
};

class Expander {
 public:
  Expander(Context& context, MacroTable& macros, const LineName& line, Engine& engine)
      : c_(context), macros_(macros), line_(line), engine_(engine) {}

  /// Whether the next token comes from a file.
  bool isIdle() const { return runs_.empty(); }
  /// Whether the arguments of a macro are being read.
  bool isCollecting() const { return collecting_ != 0; }

  bool readToken(Token& token);  ///< from runs, then the file; unexpanded. false: End, or a barrier
  bool expand(Token& token);     ///< whether the token was a macro's name and its expansion is being read now
  void leaveRuns();              ///< drops what is left of all expansions
  void noteUse(const Token& name);  ///< tells the observer that the text names a macro

 private:
  void popRun();
  bool nextIsLeftParen();
  bool expandFunction(uint32_t macro, const Token& name);
  bool collectArguments(uint32_t macro, const Token& name, std::vector<size_t>& bounds);
  void substitute(uint32_t macro, const Token& name, const std::vector<size_t>& bounds);
  void pushRun(const Token* first, size_t count, uint32_t macro, SourceLoc invoked, uint8_t flags);
  bool expandArgument(size_t first, size_t last, std::vector<Token>& out);
  Token paste(const Token& left, const Token& right, SourceLoc operatorLoc);
  bool charge(size_t tokens, SourceLoc loc);
  void defineBuiltinToken(const Macro& macro, Token& token);

  Context& c_;
  MacroTable& macros_;
  const LineName& line_;
  Engine& engine_;
  TokenArena expanded_;  ///< expansions: live until the stack of runs is empty
  std::vector<TokenRun> runs_;
  std::vector<Token> arguments_;  ///< a stack of collected arguments
  uint32_t collecting_ = 0;       ///< invocations whose arguments are being read
  uint32_t argumentDepth_ = 0;
  uint64_t macroTokens_ = 0;
};

}  // namespace coopc::frontend::preprocessing
