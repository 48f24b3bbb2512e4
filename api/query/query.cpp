// Queries: the compile, its files, and places in them.
#include "api/query/query.hpp"

#include <algorithm>

#include "frontend/lex/lexer.hpp"
#include "frontend/parse/parser.hpp"

namespace coopc {

namespace fe = frontend;

bool isOperator(fe::Tok kind) {
  return kind == fe::Tok::Equal || (kind >= fe::Tok::Bang && kind <= fe::Tok::OrAssign);
}
bool isAssigning(fe::Tok kind) {
  return kind == fe::Tok::Equal || kind == fe::Tok::IncOp || kind == fe::Tok::DecOp ||
         (kind >= fe::Tok::MulAssign && kind <= fe::Tok::OrAssign);
}
bool isOpening(fe::Tok kind) {
  return kind == fe::Tok::LeftParen || kind == fe::Tok::LeftBracket || kind == fe::Tok::LeftBrace;
}
bool isClosing(fe::Tok kind) {
  return kind == fe::Tok::RightParen || kind == fe::Tok::RightBracket || kind == fe::Tok::RightBrace;
}

size_t FileTokens::before(uint32_t offset) const {
  const auto it = std::upper_bound(tokens.begin(), tokens.end(), base + offset,
                                   [](uint32_t at, const fe::Token& t) { return at < t.loc.raw; });
  return it == tokens.begin() ? tokens.size() : static_cast<size_t>(it - tokens.begin()) - 1;
}

TextRange Query::Impl::range(fe::SourceLoc loc, uint32_t length) const {
  loc = sources().spellingLoc(loc);
  if (!loc.valid()) return {};
  const fe::FileId file = sources().resolve(loc).file;
  const uint32_t begin = loc.raw - sources().loc(file, 0).raw;
  if (begin + length > sources().text(file).size()) return {};
  return {file, begin, begin + length};
}

TextRange Query::Impl::nameRange(fe::SourceLoc loc, fe::NameId name) const {
  const std::string_view text = nameText(name);
  const TextRange at = range(loc, static_cast<uint32_t>(text.size()));
  // A name that `##` joined has no position in a text.
  if (!at.valid() || sources().text(at.file).substr(at.begin, text.size()) != text) return {};
  return at;
}

std::vector<std::pair<fe::FileId, uint32_t>> Query::Impl::chain(fe::FileId file, uint32_t offset) const {
  std::vector<std::pair<fe::FileId, uint32_t>> places;
  for (;;) {
    places.emplace_back(file, offset);
    const fe::SourceLoc from = sources().includedFrom(file);
    if (!from.valid()) return places;
    file = sources().resolve(from).file;
    offset = from.raw - sources().loc(file, 0).raw;
  }
}

bool Query::Impl::precedes(fe::SourceLoc loc, const std::vector<std::pair<fe::FileId, uint32_t>>& to) const {
  loc = sources().fileLoc(loc);
  if (!loc.valid()) return true;
  // Like chain(), without building its list, because completion calls this for each declaration and macro.
  fe::FileId file = sources().resolve(loc).file;
  for (;;) {
    for (const auto& [toFile, toOffset] : to)
      if (file == toFile) return loc.raw - sources().loc(file, 0).raw <= toOffset;
    loc = sources().includedFrom(file);
    if (!loc.valid()) break;
    file = sources().resolve(loc).file;
  }
  return true;  // the macros of the command line
}

const FileTokens& Query::Impl::tokens(fe::FileId file) const {
  const auto [it, fresh] = tokens_.try_emplace(file);
  if (!fresh) return it->second;
  FileTokens& found = it->second;
  found.base = sources().loc(file, 0).raw;
  fe::Diagnostics ignored(sources());
  ++ignored.suppress;
  fe::Lexer lexer(session->names, ignored, sources().text(file), found.base);
  for (fe::Token token; lexer.lex(token), token.kind != fe::Tok::End;) found.tokens.push_back(token);
  return found;
}

bool Query::Impl::inComment(fe::FileId file, uint32_t offset) const {
  const FileTokens& list = tokens(file);
  const std::string_view text = sources().text(file);
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  const size_t i = list.before(offset == 0 ? 0 : offset - 1);
  uint32_t from = 0;
  if (i < list.tokens.size()) {
    from = list.end(i);
    if (offset < from || (offset == from && offset > 0 && list.tokens[i].kind == fe::Tok::StringLiteral &&
                          text[offset - 1] != '"'))
      return list.tokens[i].kind == fe::Tok::StringLiteral && offset > list.begin(i);
  }
  // Between tokens are blanks and comments only.
  for (uint32_t at = from; at + 1 < offset; ++at) {
    if (text[at] != '/') continue;
    const bool block = text[at + 1] == '*';
    const size_t end = block ? text.find("*/", at + 2) : text.find('\n', at);
    if (end == std::string_view::npos || end + (block ? 1 : 0) >= offset) return true;
    at = static_cast<uint32_t>(end);
  }
  return false;
}

void Query::Impl::setAvailability(fe::Checker& c, fe::FileId file, uint32_t offset) const {
  c.version = source.version;
  c.es = source.profile == fe::Profile::Es;
  c.enabled = fe::kAlwaysEnabled;
  const auto to = chain(file, offset);
  for (const fe::ExtensionEvent& event : source.extensions)
    if (precedes(event.loc, to)) fe::applyExtension(c, event);
}

DiagnosticPlaces Query::Impl::placesOf(size_t n) const {
  DiagnosticPlaces places;
  if (!session || n >= result.diagnostics.size()) return places;
  const Diagnostic& diagnostic = result.diagnostics[n];
  if (!ownDiagnostics) {  // by the line that coopc-glslang names
    const std::string_view text = sources().text(main);
    if (diagnostic.file != mainName || diagnostic.line == 0) return places;
    size_t at = 0;
    for (uint32_t line = 1; line < diagnostic.line && at != std::string_view::npos; ++line) {
      at = text.find('\n', at);
      if (at != std::string_view::npos) ++at;
    }
    if (at == std::string_view::npos) return places;
    const size_t end = std::min(text.find('\n', at), text.size());
    at = std::min(at + (diagnostic.column > 0 ? diagnostic.column - 1 : 0), end);
    places.at = {main, static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
    return places;
  }
  if (n >= session->diagnostics.all().size()) return places;
  const fe::Diagnostic& kept = session->diagnostics.all()[n];
  const auto place = [&](fe::SourceLoc loc, uint32_t length) {
    loc = sources().fileLoc(loc);
    if (!loc.valid()) return TextRange{};
    const fe::FileId file = sources().resolve(loc).file;
    const uint32_t begin = loc.raw - sources().loc(file, 0).raw;
    const auto size = static_cast<uint32_t>(sources().text(file).size());
    return TextRange{file, begin, std::min(begin + std::max(length, 1u), std::max(size, begin))};
  };
  places.at = place(kept.loc, diagnostic.length);
  for (size_t k = 0; k < kept.notes.size() && k < diagnostic.notes.size(); ++k)
    places.notes.push_back(place(kept.notes[k].loc, diagnostic.notes[k].length));
  return places;
}

// ---------------------------------------------------------------------------------------------------- public

Query::Query(std::string_view source, std::string_view name, const Options& options)
    : impl_(std::make_unique<Impl>()) {
  impl_->mainText = source;
  impl_->mainName = name;
  impl_->options = options;
  compileAndKeep(*impl_);
}
Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

const Result& Query::result() const { return impl_->result; }

std::vector<DiagnosticPlaces> Query::diagnosticPlaces() const {
  std::vector<DiagnosticPlaces> all(impl_->result.diagnostics.size());
  for (size_t n = 0; n < all.size(); ++n) all[n] = impl_->placesOf(n);
  return all;
}

std::vector<std::string> Query::files() const {
  std::vector<std::string> all;
  if (!impl_->session) return all;
  for (fe::FileId file = 0; file < impl_->sources().fileCount(); ++file)
    all.emplace_back(impl_->sources().name(file));
  return all;
}

std::string_view Query::text(uint32_t file) const {
  if (!impl_->session || file >= impl_->sources().fileCount()) return {};
  return impl_->sources().text(file);
}

uint32_t Query::main() const { return impl_->main; }

std::vector<std::string> Query::extensions() const {
  std::vector<std::string> names;
  for (const fe::ExtensionEvent& event : impl_->source.extensions) {
    if (event.extension == fe::kAllExtensions || event.behavior == fe::ExtensionBehavior::Disable) continue;
    const std::string_view name = fe::extensionName(event.extension);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::vector<TextRange> Query::inactive(uint32_t file) const {
  std::vector<TextRange> all;
  const Impl& d = *impl_;
  if (!d.session) return all;
  for (const fe::Observer::Range& r : d.observer.inactive) {
    const TextRange from = d.range(r.begin, 0), to = d.range(r.end, 0);
    if (from.file != file || to.file != file) continue;
    const std::string_view text = d.sources().text(file);
    const size_t begin = std::min(text.find('\n', from.begin), text.size() - 1) + 1;
    const size_t line = to.begin >= text.size() ? text.size() : text.rfind('\n', to.begin - 1) + 1;
    if (begin < line) all.push_back({file, static_cast<uint32_t>(begin), static_cast<uint32_t>(line)});
  }
  return all;
}

std::vector<IncludedFile> Query::includes(uint32_t file) const {
  std::vector<IncludedFile> all;
  if (!impl_->session) return all;
  for (const fe::Observer::Inclusion& i : impl_->observer.inclusions)
    if (const TextRange at = impl_->range(i.at, i.length); at.file == file) all.push_back({at, i.file});
  return all;
}

}  // namespace coopc
