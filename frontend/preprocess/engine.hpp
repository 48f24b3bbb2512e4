// The preprocessor: directives, and the path of tokens from the files to the parser. Internal to preprocess/.
// Its parts have their own state: the files (file_stack.hpp), the macros (macro_table.hpp), their expansion
// (expander.hpp), the text of -E (text_output.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/preprocess/expander.hpp"
#include "frontend/preprocess/file_stack.hpp"
#include "frontend/preprocess/text_output.hpp"

namespace coopc::frontend::preprocessing {

struct Conditional {
  SourceLoc loc;
  std::string_view directive;
  bool taken;  ///< a group was active already
  bool hadElse;
};

class Engine {
 public:
  Engine(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics, Names& names,
         std::string* text, const PreprocessMode& mode);

  PreprocessedSource run(FileId main);

  /// The next token of the files; directives are executed, except inside a directive. False: the end
  /// of everything, or of the directive.
  bool readFileToken(Token& token);
  TokenReader& reader() { return files_.reader(); }
  FileId file() const { return files_.current(); }

 private:
  // --- preprocessor.cpp
  bool readPastDirectives(Token& token);
  void runFile();
  void enterFile(FileId file);
  void enterCommandLine();
  void emit(Token& token);
  void reportTooManyTokens(const Token& token);
  bool checkUnusual(const Token& token);
  struct ForeignCharacter {
    bool reported = false;  ///< an error says it already
    std::string_view note;  ///< what GLSL has
  };
  ForeignCharacter foreignCharacter(const Token& token);
  bool attributeSeen_ = false;  ///< an attribute of another language, `@binding(0)`
  uint32_t quoteSeen_ = 0;      ///< SourceLoc::raw of the last `'` that was reported; 0: none
  void checkNameLength(const Token& token);
  void checkEscapes(const Token& token);
  void makeLiteral(Token& token);
  void checkLiteral(const Token& token);
  void reportNumber(const Token& token);
  void finalizeVersion();
  void requireComputeExtension();
  void readHead();

  // --- directives.cpp
  void directive();
  void dispatch(std::string_view word, const Token& name);
  void defineDirective();
  void undefDirective();
  bool checkMacroName(const Token& name, std::string_view how);
  bool parseParameters(std::vector<Token>& parameters);
  void parseBody(std::vector<Token>& body, const std::vector<Token>& parameters, bool function, bool& pastes);
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

  Context c_;
  FileStack files_;
  MacroTable macros_;
  LineName lineName_;
  Expander expander_;
  TextOutput text_;
  std::vector<Conditional> conditionals_;

  bool inDirective_ = false;
  bool commandLine_ = false;  ///< the macros of the command line are being defined
  bool versionSeen_ = false;
  bool versionFinal_ = false;
  bool lateVersion_ = false;  ///< a #version that is probably too late has not been reported yet
  bool tokensSeen_ = false;
};

}  // namespace coopc::frontend::preprocessing
