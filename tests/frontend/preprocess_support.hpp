// Shared by the tests of the lexer and the preprocessor: preprocesses a text under the name "main.comp".
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/render.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "tests/frontend/all_warnings.hpp"

namespace coopc::tests {

namespace fe = coopc::frontend;

inline std::string diagnosticIds(const fe::Diagnostics& diagnostics) {
  std::string ids;
  for (const fe::Diagnostic& d : diagnostics.all()) {
    if (!ids.empty()) ids += ' ';
    ids += fe::diagId(d.kind);
  }
  return ids;
}

/// The text of -E without directives, with white space collapsed.
struct Preprocessed {
  std::string text;
  std::string full;
  std::string ids;
};
inline Preprocessed preprocessText(std::string_view source, const fe::CompileOptions& options = {}) {
  fe::SourceManager sources;
  fe::Names names;
  fe::Diagnostics diagnostics(sources, allWarnings());
  Preprocessed r;
  r.full = fe::preprocessToText(options, sources, diagnostics, names, sources.addFile("main.comp", source));
  r.ids = diagnosticIds(diagnostics);
  size_t at = 0;
  while (at < r.full.size()) {
    const size_t end = std::min(r.full.find('\n', at), r.full.size());
    const std::string_view line = std::string_view(r.full).substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line[0] == '#') continue;
    bool blank = true;
    for (char c : line) {
      if (c == ' ') {
        blank = true;
        continue;
      }
      if (blank && !r.text.empty()) r.text += ' ';
      blank = false;
      r.text += c;
    }
  }
  return r;
}

/// The tokens that the parser would get. Owns everything that they refer to.
struct Tokens {
  std::unique_ptr<fe::SourceManager> sources;
  std::unique_ptr<fe::Names> names;
  fe::PreprocessedSource source;
  std::string ids;
  std::string messages;

  std::vector<fe::Tok> kinds() const {
    std::vector<fe::Tok> kinds;
    for (const fe::Token& t : source.tokens) kinds.push_back(t.kind);
    return kinds;
  }
};
inline Tokens preprocessTokens(std::string_view text, const fe::CompileOptions& options = {}) {
  Tokens t;
  t.sources = std::make_unique<fe::SourceManager>();
  t.names = std::make_unique<fe::Names>();
  fe::Diagnostics diagnostics(*t.sources, allWarnings());
  t.source =
      fe::preprocess(options, *t.sources, diagnostics, *t.names, t.sources->addFile("main.comp", text));
  t.ids = diagnosticIds(diagnostics);
  t.messages = fe::renderText(diagnostics, [&](uint32_t name) { return t.names->text(fe::NameId(name)); });
  return t;
}

}  // namespace coopc::tests
