// Finds statements and names in the tokens of the compiler's lexer.
#include "tools/cooplayout/programs/pieces.hpp"

#include <algorithm>

#include "frontend/lex/lexed_text.hpp"

namespace coopc::cooplayout {
namespace {

using frontend::Tok;
using frontend::Token;

bool isOpening(std::string_view piece) { return piece == "(" || piece == "[" || piece == "{"; }
bool isClosing(std::string_view piece) { return piece == ")" || piece == "]" || piece == "}"; }

// Words that begin declarations that are not allowed in a function.
constexpr std::string_view kGlobalWords[] = {"shared",   "buffer",    "uniform",  "layout",   "struct",
                                             "readonly", "writeonly", "coherent", "restrict", "volatile",
                                             "in",       "out",       "precision"};
constexpr std::string_view kParameterWords[] = {"in", "out", "inout", "const", "highp", "mediump", "lowp"};
constexpr std::string_view kControlWords[] = {"if", "for", "while", "do", "switch", "{", "return"};

template <size_t n>
bool isOneOf(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

Pieces::Pieces(std::string_view text, const std::map<std::string, int64_t>& values) : text_(text) {
  lines_.push_back(0);
  for (size_t at = 0; at < text_.size(); ++at) {
    if (text_[at] == '\n') lines_.push_back(at + 1);
  }
  // If the lexer has errors to report, there are no tokens, and the text stays unchanged.
  const std::shared_ptr<const frontend::LexedText> lexed = frontend::LexedText::make(text_);
  isShader_ = text_.find("void main(") != std::string::npos;
  if (lexed == nullptr) return;
  const std::vector<uint32_t>& directives = lexed->directives();
  size_t nextDirective = 0;
  std::vector<Piece> directive;
  bool inDirective = false;
  size_t hash = 0;
  const std::string_view whole = text_;
  for (size_t n = 0; n < lexed->tokens().size(); ++n) {
    const Token& token = lexed->tokens()[n];
    const size_t at = token.loc.raw - 1;
    if (nextDirective < directives.size() && directives[nextDirective] == n) {
      inDirective = true;
      ++nextDirective;
      directive.clear();
      hash = pieces_.empty() ? std::string::npos : pieces_.back().at;
      if (!pieces_.empty()) pieces_.pop_back();
    }
    if (token.kind == Tok::End) {
      if (inDirective) readDirective(directive, hash, std::min(at, text_.size()), values);
      inDirective = false;
      continue;
    }
    const Piece piece{at, whole.substr(at, token.length), frontend::isName(token)};
    (inDirective ? directive : pieces_).push_back(piece);
  }
  readStatements();
}

// Reads a directive, from "#" to the end of its line.
void Pieces::readDirective(const std::vector<Piece>& words, size_t hash, size_t end,
                           const std::map<std::string, int64_t>& values) {
  if (words.empty() || hash == std::string::npos) return;
  const std::string_view directive = words[0].text;
  if (directive == "version") afterVersion_ = lineStart(lineOf(end) + 1);
  const bool defines = directive == "define" || directive == "undef";
  const bool asks = directive == "if" || directive == "ifdef" || directive == "ifndef" || directive == "elif";
  if (!defines && !asks) return;
  bool blank = false;
  for (size_t n = 1; n < (defines ? std::min<size_t>(2, words.size()) : words.size()); ++n) {
    const std::string name(words[n].text);
    if (!values.contains(name)) continue;
    macros_.insert(name);
    blank = defines;
  }
  for (size_t at = hash; blank && at < end; ++at) {
    if (text_[at] != '\n') text_[at] = ' ';
  }
}

size_t Pieces::lineOf(size_t offset) const {
  return static_cast<size_t>(std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin());
}

size_t Pieces::lineStart(size_t line) const {
  if (line == 0) return 0;
  return line <= lines_.size() ? lines_[line - 1] : text_.size();
}

void Pieces::readStatements() {
  for (size_t n = 0; n < pieces_.size();) statements_.push_back(readStatement(n));
}

// The statement that begins with piece `n`. Afterwards `n` is the first piece after it.
Statement Pieces::readStatement(size_t& n) const {
  Statement s;
  const size_t first = n;
  const std::string_view word = pieces_[first].text;
  const bool control = isOneOf(word, kControlWords);
  s.at = pieces_[first].at;
  s.isGlobal = isOneOf(word, kGlobalWords);
  // A type and a name, or a type with parameters: a declaration.
  const std::string_view second = first + 1 < pieces_.size() ? pieces_[first + 1].text : "";
  s.isDeclaration =
      s.isGlobal || word == "const" ||
      (!control && pieces_[first].isWord && first + 1 < pieces_.size() &&
       (pieces_[first + 1].isWord || (second == "<" && (word == "coopmat" || word.starts_with("tensor")))));
  int depth = 0;
  for (; n < pieces_.size(); ++n) {
    const std::string_view piece = pieces_[n].text;
    if (isOpening(piece)) {
      // A body after parameters.
      if (piece == "{" && depth == 0 && n > first && pieces_[n - 1].text == ")" && !control &&
          s.isDeclaration)
        s.isGlobal = true;
      ++depth;
    }
    if (isClosing(piece)) --depth;
    if (depth > 0) continue;
    const bool function = s.isGlobal && !isOneOf(word, kGlobalWords);
    const bool bodyEnds = piece == "}" && (function || (control && word != "do"));
    const bool hasElse = n + 1 < pieces_.size() && pieces_[n + 1].text == "else";
    if ((piece == ";" && !(control && hasElse)) || (bodyEnds && !hasElse)) break;
  }
  n = std::min(n + 1, pieces_.size());
  s.end = pieces_[n - 1].end();
  if (s.isGlobal && !isOneOf(word, kGlobalWords)) s.call = callOf(first);
  return s;
}

// A block that calls the function whose definition begins with piece `n`, with variables for its parameters.
// "" if the name occurs elsewhere in the text, so that something may call the function.
std::string Pieces::callOf(size_t n) const {
  while (n < pieces_.size() && pieces_[n].text != "(") ++n;
  if (n == 0 || n == pieces_.size()) return {};
  const std::string_view name = pieces_[n - 1].text;
  if (std::count_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.text == name; }) != 1)
    return {};
  std::string variables;
  std::string arguments;
  std::string declaration;
  std::string_view last;
  int depth = 0;
  for (++n; n < pieces_.size(); ++n) {
    const std::string_view piece = pieces_[n].text;
    if (depth == 0 && (piece == ")" || piece == ",")) {
      if (!last.empty()) {
        variables += declaration + "; ";
        arguments += (arguments.empty() ? "" : ", ") + std::string(last);
      }
      if (piece == ")") break;
      declaration.clear();
      last = {};
      continue;
    }
    depth += piece == "<" || isOpening(piece) ? 1 : piece == ">" || isClosing(piece) ? -1 : 0;
    if (isOneOf(piece, kParameterWords)) continue;
    if (depth == 0 && pieces_[n].isWord && piece != "void") last = piece;
    declaration += (declaration.empty() ? "" : " ") + std::string(piece);
  }
  return "{ " + variables + std::string(name) + "(" + arguments + "); } ";
}

// The piece that ends the argument that contains piece `n`: a comma or a bracket.
size_t Pieces::argumentEnd(size_t n) const {
  int depth = 0;
  for (; n < pieces_.size(); ++n) {
    const std::string_view piece = pieces_[n].text;
    if (depth == 0 && (piece == "," || isClosing(piece) || piece == ";")) return n;
    depth += isOpening(piece) ? 1 : isClosing(piece) ? -1 : 0;
  }
  return n;
}

size_t Pieces::statementEnd(size_t n) const {
  while (n < pieces_.size() && pieces_[n].text != ";") ++n;
  return n < pieces_.size() ? pieces_[n].end() : text_.size();
}

std::string_view Pieces::at(size_t offset) const {
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), offset,
                                      [](const Piece& p, size_t at) { return p.at < at; });
  return found == pieces_.end() || found->at != offset ? std::string_view() : found->text;
}

NamePlace Pieces::placeOf(size_t offset, std::string_view name) const {
  using Kind = NamePlace::Kind;
  NamePlace place;
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), offset,
                                      [](const Piece& p, size_t at) { return p.at < at; });
  if (found == pieces_.end() || found->at != offset || found->text != name) return place;
  const auto n = static_cast<size_t>(found - pieces_.begin());
  const std::string_view before = n == 0 ? ";" : pieces_[n - 1].text;
  const std::string_view after = n + 1 < pieces_.size() ? pieces_[n + 1].text : "";
  place.indexed = after == "[";
  if (after == "=" && (before == ";" || before == "{" || before == "}" || before == ")")) {
    place.kind = Kind::Assigned;
    place.from = found->at;
    place.to = statementEnd(n);
    return place;
  }
  // Finds the call that has the name in an argument.
  size_t argument = 0;
  size_t start = n;
  int depth = 0;
  size_t at = n;
  while (at > 0) {
    const std::string_view piece = pieces_[--at].text;
    if (depth == 0 && (isOpening(piece) || piece == ";")) break;
    if (depth == 0 && piece == "," && argument++ == 0) start = at + 1;
    depth += isClosing(piece) ? 1 : isOpening(piece) ? -1 : 0;
  }
  if (argument == 0) start = at + 1;
  const std::string_view function = at > 0 && pieces_[at].text == "(" ? pieces_[at - 1].text : "";
  const bool load = function.starts_with("coopMatLoad") || function.starts_with("coopMatStore");
  const size_t end = argumentEnd(n);
  if (load && start == n && argument == 0) {
    place.kind = Kind::Matrix;
  } else if (load && start == n && argument == 1) {
    place.kind = Kind::Memory;
    place.from = found->at;
    place.to = pieces_[end - 1].end();
  } else if (load && start == n && argument >= 4 && end == n + 1 && function.ends_with("TensorNV")) {
    place.kind = Kind::Decode;
    place.from = pieces_[n - 1].at;
    place.to = found->end();
  } else if (after == ".") {
    place.kind = Kind::Structure;
  }
  return place;
}

bool Pieces::isAssignment(std::string_view piece) const {
  return piece == "++" || piece == "--" ||
         (piece.ends_with("=") && piece != "==" && piece != "!=" && piece != "<=" && piece != ">=");
}

std::vector<InitializedConstant> Pieces::constantsOf(std::string_view name) const {
  std::vector<InitializedConstant> constants;
  for (size_t n = 1; n + 2 < pieces_.size(); ++n) {
    if (pieces_[n].text != name || pieces_[n + 1].text != "=") continue;
    size_t first = n;
    while (first > 0 && pieces_[first - 1].text != ";" && pieces_[first - 1].text != "{" &&
           pieces_[first - 1].text != "}")
      --first;
    const auto begin = pieces_.begin() + static_cast<ptrdiff_t>(first);
    const auto end = pieces_.begin() + static_cast<ptrdiff_t>(n);
    if (std::none_of(begin, end, [](const Piece& p) { return p.text == "const"; })) continue;
    const size_t last = argumentEnd(n + 2);
    if (last == n + 2 || last > pieces_.size()) continue;
    const size_t at = pieces_[n + 2].at;
    constants.push_back({pieces_[n - 1].text, at, pieces_[last - 1].end() - at});
  }
  return constants;
}

bool Pieces::isAssignedOnce(std::string_view name) const {
  size_t count = 0;
  for (size_t n = 0; n < pieces_.size(); ++n) {
    if (pieces_[n].text != name) continue;
    count += n + 1 < pieces_.size() && isAssignment(pieces_[n + 1].text) ? 1 : 0;
    count += n > 0 && (pieces_[n - 1].text == "++" || pieces_[n - 1].text == "--") ? 1 : 0;
  }
  return count <= 1;
}

}  // namespace coopc::cooplayout
