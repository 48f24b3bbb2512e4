// Queries about the characters of a file: tokens for highlighting, foldable regions, ranges that enclose a
// place.
#include <algorithm>
#include <iterator>

#include "api/query/query.hpp"
#include "frontend/language/builtins/names.hpp"

namespace coopc {

namespace fe = frontend;
using Kind = HighlightToken::Kind;

namespace {

// The comments between two tokens.
template <class F>
void forEachComment(std::string_view text, uint32_t begin, uint32_t end, F&& f) {
  for (size_t at = begin; at + 1 < end; ++at) {
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    const bool block = text[at + 1] == '*';
    size_t next = block ? text.find("*/", at + 2) : text.find_first_of("\r\n", at);
    if (next != std::string_view::npos && block) next += 2;
    next = std::min<size_t>(next, end);
    f(static_cast<uint32_t>(at), static_cast<uint32_t>(next));
    at = next - 1;
  }
}

template <class F>
void forEachComment(std::string_view text, const FileTokens& list, F&& f) {
  uint32_t from = 0;
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    forEachComment(text, from, list.begin(i), f);
    from = list.end(i);
  }
  forEachComment(text, from, static_cast<uint32_t>(text.size()), f);
}

// Whether only blanks stand before the place in its line.
bool startsLine(std::string_view text, uint32_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

Kind kindOf(const Query::Impl& d, const Mention& m, bool& readonly) {
  switch (m.of.kind) {
    case Referent::Kind::Function: return Kind::Function;
    case Referent::Kind::Struct: return Kind::Type;
    case Referent::Kind::Macro: return Kind::Macro;
    case Referent::Kind::Member:
    case Referent::Kind::Component: return Kind::Member;
    case Referent::Kind::Variable: {
      const fe::Variable& v = d.program.variables[fe::VarId(m.of.id)];
      readonly = v.storage == fe::Storage::Constant || (v.qualifiers & fe::kQualConst) != 0;
      return v.direction != fe::Direction::None ? Kind::Parameter : Kind::Variable;
    }
    case Referent::Kind::None: break;
  }
  return Kind::Variable;
}

// Lines that #if leaves out look like comments, one token each.
void grayOut(std::string_view text, const std::vector<TextRange>& inactive,
             std::vector<HighlightToken>& all) {
  std::erase_if(all, [&](const HighlightToken& h) {
    const auto after = std::upper_bound(inactive.begin(), inactive.end(), h.at.begin,
                                        [](uint32_t at, const TextRange& r) { return at < r.begin; });
    return after != inactive.begin() && h.at.begin < std::prev(after)->end;
  });
  for (const TextRange& r : inactive) {
    for (uint32_t at = r.begin; at < r.end;) {
      const auto end = static_cast<uint32_t>(std::min<size_t>(text.find('\n', at), r.end));
      uint32_t first = at, last = end;
      while (first < last && (text[first] == ' ' || text[first] == '\t')) ++first;
      while (last > first && (text[last - 1] == ' ' || text[last - 1] == '\t' || text[last - 1] == '\r'))
        --last;
      if (first < last) all.push_back({{r.file, first, last}, Kind::Comment, false, false, false});
      at = end + 1;
    }
  }
}

}  // namespace

std::vector<HighlightToken> Query::highlight(uint32_t file) const {
  std::vector<HighlightToken> all;
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return all;
  const FileTokens& list = d.tokens(file);
  const std::vector<Mention>& mentions = d.mentions();
  auto mention = std::lower_bound(mentions.begin(), mentions.end(), file,
                                  [](const Mention& m, uint32_t f) { return m.at.file < f; });
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    const fe::Token& token = list.tokens[i];
    HighlightToken h;
    h.at = {file, list.begin(i), list.end(i)};
    while (mention != mentions.end() && mention->at.file == file && mention->at.begin < h.at.begin) ++mention;
    if (fe::isNumberLiteral(token.kind)) {
      h.kind = Kind::Number;
    } else if (token.kind == fe::Tok::StringLiteral) {
      h.kind = Kind::String;
    } else if (fe::isName(token)) {
      const fe::NameInfo& name = d.names()[token.name()];
      if (mention != mentions.end() && mention->at == h.at) {
        h.kind = kindOf(d, *mention, h.readonly);
        h.declaration = mention->declaration;
      } else if (token.kind == fe::Tok::TypeName) {
        h.kind = Kind::Type;
        h.builtin = true;
      } else if (token.kind >= fe::Tok::KwFirst) {
        h.kind = Kind::Keyword;
      } else if (name.builtinName != 0) {
        h.kind = Kind::Function;
        h.builtin = true;
      } else if (name.builtinSymbol != 0) {
        h.builtin = true;
        h.readonly = fe::builtinSymbol(static_cast<uint16_t>(name.builtinSymbol - 1)).constant;
        h.kind = Kind::Variable;
      } else if (i > 0 && list.tokens[i - 1].kind == fe::Tok::Hash) {
        h.kind = Kind::Keyword;  // a directive
      } else {
        continue;
      }
    } else {
      continue;
    }
    all.push_back(h);
  }
  forEachComment(d.sources().text(file), list, [&](uint32_t begin, uint32_t end) {
    all.push_back({{file, begin, end}, Kind::Comment, false, false, false});
  });
  grayOut(d.sources().text(file), inactive(file), all);
  std::stable_sort(all.begin(), all.end(),
                   [](const HighlightToken& a, const HighlightToken& b) { return a.at.begin < b.at.begin; });
  return all;
}

std::vector<TextRange> Query::folds(uint32_t file) const {
  std::vector<TextRange> all;
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return all;
  const FileTokens& list = d.tokens(file);
  const std::string_view text = d.sources().text(file);
  const auto add = [&](uint32_t begin, uint32_t end) {
    if (text.substr(begin, end - begin).find('\n') != std::string_view::npos)
      all.push_back({file, begin, end});
  };
  std::vector<uint32_t> braces;
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    if (list.tokens[i].kind == fe::Tok::LeftBrace) braces.push_back(list.begin(i));
    if (list.tokens[i].kind == fe::Tok::RightBrace && !braces.empty()) {
      add(braces.back(), list.end(i));
      braces.pop_back();
    }
  }
  // Lines of comments that follow each other fold together.
  TextRange group;
  forEachComment(text, list, [&](uint32_t begin, uint32_t end) {
    const bool line = text[begin + 1] == '/' && startsLine(text, begin);
    const bool goesOn =
        line && group.valid() &&
        text.substr(group.end, begin - group.end).find_first_not_of(" \t\r\n") == std::string_view::npos &&
        std::count(text.begin() + group.end, text.begin() + begin, '\n') == 1;
    if (group.valid() && !goesOn) add(group.begin, group.end);
    if (!line) add(begin, end);
    group = !line ? TextRange() : TextRange{file, goesOn ? group.begin : begin, end};
  });
  if (group.valid()) add(group.begin, group.end);
  for (const TextRange& r : inactive(file)) add(r.begin == 0 ? 0 : r.begin - 1, r.end == 0 ? 0 : r.end - 1);
  return all;
}

std::vector<TextRange> Query::enclosing(uint32_t file, uint32_t offset) const {
  std::vector<TextRange> all;
  const Impl& d = *impl_;
  if (!d.session || file >= d.sources().fileCount()) return all;
  const FileTokens& list = d.tokens(file);
  const auto size = static_cast<uint32_t>(d.sources().text(file).size());
  const auto add = [&](uint32_t begin, uint32_t end) {
    if (begin <= offset && offset <= end && begin < end) all.push_back({file, begin, end});
  };
  // Brackets, and statements: the text between `;`, `{` and `}` at one depth. Within both, the parts between
  // commas and after `=`, and calls.
  struct Open {
    uint32_t at;
    uint32_t statement;
    uint32_t part;
    size_t token;
  };
  const uint32_t start = list.tokens.empty() ? 0 : list.begin(0);
  std::vector<Open> open = {{0, start, start, 0}};
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    add(list.begin(i), list.end(i));
    const fe::Tok kind = list.tokens[i].kind;
    const uint32_t next = i + 1 < list.tokens.size() ? list.begin(i + 1) : size;
    const bool closes =
        kind == fe::Tok::RightParen || kind == fe::Tok::RightBracket || kind == fe::Tok::RightBrace;
    if (i > 0 && (closes || kind == fe::Tok::Comma || kind == fe::Tok::Semicolon))
      add(open.back().part, list.end(i - 1));
    if (kind == fe::Tok::Comma || kind == fe::Tok::Semicolon || kind == fe::Tok::Equal)
      open.back().part = next;
    switch (kind) {
      case fe::Tok::LeftParen:
      case fe::Tok::LeftBracket:
      case fe::Tok::LeftBrace: open.push_back({list.begin(i), next, next, i}); break;
      case fe::Tok::RightParen:
      case fe::Tok::RightBracket:
      case fe::Tok::RightBrace:
        if (open.size() > 1) {
          add(open.back().at + 1, list.begin(i));
          add(open.back().at, list.end(i));
          if (const size_t first = open.back().token; first > 0 && fe::isName(list.tokens[first - 1]))
            add(list.begin(first - 1), list.end(i));
          open.pop_back();
        }
        if (list.tokens[i].kind == fe::Tok::RightBrace) {
          add(open.back().statement, list.end(i));
          open.back().statement = open.back().part = next;
        }
        break;
      case fe::Tok::Semicolon:
        add(open.back().statement, list.end(i));
        open.back().statement = next;
        break;
      default: break;
    }
  }
  add(0, size);
  std::sort(all.begin(), all.end(), [](const TextRange& a, const TextRange& b) {
    return a.end - a.begin != b.end - b.begin ? a.end - a.begin < b.end - b.begin : a.begin < b.begin;
  });
  // From the inside: each contains the one before.
  std::vector<TextRange> nested;
  for (const TextRange& r : all)
    if (nested.empty() ||
        (r != nested.back() && r.begin <= nested.back().begin && nested.back().end <= r.end))
      nested.push_back(r);
  return nested;
}

}  // namespace coopc
