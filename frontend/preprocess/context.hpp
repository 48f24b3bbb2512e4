// The state that the parts of the preprocessor share: the objects of the compile, the language that the text
// has chosen so far, and the result.
#pragma once

#include <string>

#include "frontend/language/availability.hpp"
#include "frontend/language/observer.hpp"
#include "frontend/lex/lexer.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace coopc::frontend::preprocessing {

struct Context {
  const CompileOptions& options;
  SourceManager& sources;
  Diagnostics& diagnostics;
  Names& names;
  const PreprocessMode& mode;
  PreprocessedSource out{};
  bool es = false;
  ExtensionSet enabled = kAlwaysEnabled;

  bool allows(Feature f) const { return availability(f).holds(es, out.version, enabled); }
  bool isStopped() const { return diagnostics.fatal(); }
  /// Whether #line N numbers the following line N (GLSL 3.30 and later, and GLSL ES, 3.3), and not its own
  /// line.
  bool lineIsNext() const { return es || out.version >= 330; }
  /// A token as a text has it.
  std::string spelling(const Token& token) const;
};

}  // namespace coopc::frontend::preprocessing
