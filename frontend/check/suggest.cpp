// The names that a misspelt one is compared with: what is in scope, what is built in, and keywords.
#include "frontend/check/suggest.hpp"

#include "frontend/base/suggestion.hpp"
#include "frontend/check/builtins/availability.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kMaxCandidates = 20000;

constexpr std::string_view kKeywords[] = {
    "const",    "uniform",        "buffer",       "shared",    "inout",  "flat",      "smooth",   "centroid",
    "precise",  "invariant",      "highp",        "mediump",   "lowp",   "precision", "layout",   "coherent",
    "volatile", "restrict",       "readonly",     "writeonly", "struct", "void",      "true",     "false",
    "else",     "switch",         "case",         "default",   "while",  "break",     "continue", "return",
    "coopmat",  "tensorLayoutNV", "tensorViewNV", "discard",
};

}  // namespace

std::string_view suggestName(const Checker& c, std::string_view wrong) {
  if (c.diagnostics.suppress > 0 || c.diagnostics.errorCount() > c.options.limits.errors) return {};
  Suggestion s(wrong);
  // The innermost declarations, as many as can be compared without anybody noticing.
  const std::vector<Symbol>& symbols = c.scopes.all();
  const size_t first = symbols.size() > kMaxCandidates ? symbols.size() - kMaxCandidates : 0;
  for (size_t i = symbols.size(); i-- > first;)
    if (symbols[i].kind != SymbolKind::BlockName) s.offer(c.names.text(symbols[i].name));
  forEachBuiltinName(
      c, [](void* context, std::string_view name) { static_cast<Suggestion*>(context)->offer(name); }, &s);
  for (std::string_view keyword : kKeywords) s.offer(keyword);
  return s.best();
}

}  // namespace coopc::frontend
