// Queries about macros that are like functions: their parameters, and the use whose arguments are being
// written.
#include <algorithm>

#include "api/query/query.hpp"

namespace coopc {

namespace fe = frontend;

bool isInDirective(std::string_view text, size_t offset) {
  const size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const size_t start = text.find_first_not_of(" \t", line);
  return start != std::string_view::npos && text[start] == '#';
}

const fe::Observer::Macro* Query::Impl::macroDefinedAt(fe::FileId file, uint32_t offset) const {
  for (const fe::Observer::Macro& m : observer.macros) {
    const TextRange name = nameRange(m.at, m.name), end = range(m.end, 0);
    if (m.functionLike && name.file == file && end.file == file && name.end <= offset && offset <= end.begin)
      return &m;
  }
  return nullptr;
}

std::vector<TextRange> Query::Impl::macroParameters(const fe::Observer::Macro& macro) const {
  std::vector<TextRange> parameters;
  const TextRange name = nameRange(macro.at, macro.name);
  if (!macro.functionLike || !name.valid()) return parameters;
  const FileTokens& list = tokens(name.file);
  // #define NAME ( parameters ) body
  for (size_t i = list.before(name.begin) + 2;
       i < list.tokens.size() && list.tokens[i].kind != fe::Tok::RightParen; ++i)
    if (fe::isName(list.tokens[i])) parameters.push_back({name.file, list.begin(i), list.end(i)});
  return parameters;
}

// The last definition before the place, unless #undef follows it.
const fe::Observer::Macro* Query::Impl::macroInForce(fe::NameId name, fe::FileId file,
                                                     uint32_t offset) const {
  const auto to = chain(file, offset);
  for (size_t i = observer.macros.size(); i-- > 0;) {
    const fe::Observer::Macro& m = observer.macros[i];
    if (m.name == name && precedes(m.at, to)) return m.end.valid() ? &m : nullptr;
  }
  return nullptr;
}

std::optional<CallForms> Query::Impl::macroCallAt(fe::FileId file, uint32_t offset) const {
  if (offset == 0) return std::nullopt;
  const FileTokens& list = tokens(file);
  CallForms found;
  size_t depth = 0;
  // Back to the bracket that is still open. Stops at the end of a statement: a missing bracket is more likely
  // than a statement in an argument.
  for (size_t i = list.before(offset - 1); i < list.tokens.size() && i > 0; --i) {
    const fe::Tok kind = list.tokens[i].kind;
    if (kind == fe::Tok::Semicolon || kind == fe::Tok::LeftBrace || kind == fe::Tok::RightBrace ||
        kind == fe::Tok::Hash)
      return std::nullopt;
    if (kind == fe::Tok::RightParen) ++depth;
    if (kind == fe::Tok::Comma && depth == 0) ++found.parameter;
    if (kind != fe::Tok::LeftParen) continue;
    if (depth != 0) {
      --depth;
      continue;
    }
    const fe::Token& name = list.tokens[i - 1];
    if (!fe::isName(name)) {  // a bracket of an expression
      found.parameter = 0;
      continue;
    }
    const std::string_view text = sources().text(file);
    if (isInDirective(text, list.begin(i)) != isInDirective(text, offset)) return std::nullopt;
    const fe::Observer::Macro* macro = macroInForce(name.name(), file, offset);
    if (macro == nullptr || !macro->functionLike) return std::nullopt;
    const TextRange definition = nameRange(macro->at, macro->name);
    const bool isDefinition = definition.file == file && definition.begin == list.begin(i - 1);
    if (!definition.valid() || isDefinition) return std::nullopt;
    CallForm& form = found.forms.emplace_back();
    form.label = std::string(nameText(macro->name)) + "(";
    for (const TextRange& p : macroParameters(*macro)) {
      if (!form.parameters.empty()) form.label += ", ";
      const auto begin = static_cast<uint32_t>(form.label.size());
      form.label += sources().text(p.file).substr(p.begin, p.end - p.begin);
      form.parameters.emplace_back(begin, static_cast<uint32_t>(form.label.size()));
    }
    form.label += ')';
    form.documentation = documentation(definition);
    return found;
  }
  return std::nullopt;
}

}  // namespace coopc
