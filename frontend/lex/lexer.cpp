// The raw lexer. Comments and inactive groups are searched with memchr.
#include "frontend/lex/lexer.hpp"

#include <cstring>

#include "frontend/base/characters.hpp"

namespace coopc::frontend {
namespace {

const char* findChar(const char* from, const char* to, char c) {
  const void* hit = from < to ? std::memchr(from, c, static_cast<size_t>(to - from)) : nullptr;
  return hit != nullptr ? static_cast<const char*>(hit) : to;
}

// The position after the new-line at `at`: CR LF and LF CR are one new-line (3.1).
const char* afterNewline(const char* at) {
  const char other = *at == '\n' ? '\r' : '\n';
  return at[1] == other ? at + 2 : at + 1;
}

// The characters of a number, whatever its value; see scanNumber.
const char* numberEnd(const char* p, const char* end) {
  auto digits = [&] {
    while (p < end && isDigitChar(*p)) ++p;
  };
  if (*p == '0' && p + 1 < end && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
  } else {
    digits();
    if (p < end && *p == '.') {
      ++p;
      digits();
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
      ++p;
      if (p + 1 < end && (*p == '+' || *p == '-') && isDigitChar(p[1])) ++p;
    }
  }
  while (p < end && isWordChar(*p)) ++p;
  return p;
}

}  // namespace

size_t scanNumber(std::string_view text) {
  return static_cast<size_t>(numberEnd(text.data(), text.data() + text.size()) - text.data());
}

Lexer::Lexer(Names& names, Diagnostics& diagnostics, std::string_view text, uint32_t base)
    : names_(names),
      diagnostics_(diagnostics),
      begin_(text.data()),
      end_(text.data() + text.size()),
      cursor_(text.data()),
      base_(base),
      hasCarriageReturns_(findChar(text.data(), end_, '\r') != end_) {
  // A byte order mark is not a character of the text.
  if (text.substr(0, 3) == "\xef\xbb\xbf") cursor_ += 3;
}

const char* Lexer::skipEachSplice(const char* at) const {
  while (*at == '\\' && isNewlineChar(at[1])) at = afterNewline(at + 1);
  return at;
}

void Lexer::finish(Token& token, const char* start, Tok kind, uint32_t payload) {
  const auto length = static_cast<size_t>(cursor_ - start);
  token.kind = kind;
  token.length = static_cast<uint16_t>(length < 0xffff ? length : 0xffff);
  token.payload = payload;
  token.loc = locOf(start);
}

void Lexer::lex(Token& token) {
  token.flags = lineStart_ ? kTokenLineStart : 0;
  for (;;) {
    switch (charClass(*cursor_)) {
      case kCharSpace: {
        const char* p = cursor_;
        do ++p;
        while (charClass(*p) == kCharSpace);
        cursor_ = p;
        token.flags |= kTokenSpaceBefore;
        continue;
      }
      case kCharNewline:
        if (directive_) {
          finish(token, cursor_, Tok::End, 0);
          return;
        }
        cursor_ = afterNewline(cursor_);
        token.flags |= kTokenLineStart | kTokenSpaceBefore;
        continue;
      case kCharLetter: lineStart_ = false; return lexWord(token);
      case kCharDigit: lineStart_ = false; return lexNumber(token);
      case kCharPunct:
        if ((*cursor_ == '/' || *cursor_ == '\\') && skipComment(token)) continue;
        lineStart_ = false;
        return lexPunctuation(token);
      default:
        if (cursor_ == end_) {
          finish(token, cursor_, Tok::End, 0);
          lineStart_ = true;
          return;
        }
        lineStart_ = false;
        return lexOther(token);
    }
  }
}

// Skips a comment or line continuations, if there are any here.
bool Lexer::skipComment(Token& token) {
  const char* start = cursor_;
  if (*start == '\\') {
    cursor_ = skipEachSplice(start);
    return cursor_ != start;
  }
  const char* next = skipSplices(start + 1);
  if (*next == '/') {
    cursor_ = skipLineComment(next + 1);
  } else if (*next == '*') {
    bool ended = false;
    cursor_ = skipBlockComment(next + 1, ended);
    if (!ended) diagnostics_.report(DiagKind::UnterminatedComment, locOf(start)).length(2);
  } else {
    return false;
  }
  token.flags |= kTokenSpaceBefore;
  return true;
}

void Lexer::endDirective() {
  Token token;
  ++diagnostics_.suppress;
  do lex(token);
  while (token.kind != Tok::End);
  --diagnostics_.suppress;
  directive_ = false;
  lineStart_ = true;
}

// ------------------------------------------------------------------------------------------------- comments

const char* Lexer::skipLineComment(const char* at) const {
  for (;;) {
    const char* stop = findChar(at, end_, '\n');
    if (hasCarriageReturns_) stop = findChar(at, stop, '\r');
    if (stop == end_) return end_;
    if (stop == begin_ || stop[-1] != '\\' || stop == at) return stop;
    at = afterNewline(stop);  // a continued comment (3.4)
  }
}

const char* Lexer::skipBlockComment(const char* at, bool& ended) const {
  for (;;) {
    const char* star = findChar(at, end_, '*');
    if (star == end_) {
      ended = false;
      return end_;
    }
    const char* next = skipSplices(star + 1);
    if (*next == '/') {
      ended = true;
      return next + 1;
    }
    at = star + 1;
  }
}

// ---------------------------------------------------------------------------------------- words and numbers

void Lexer::lexWord(Token& token) {
  const char* start = cursor_;
  const char* p = start;
  do ++p;
  while (isWordChar(*p));
  if (*p == '\\' && isNewlineChar(p[1])) return lexJoined(token, start, false);
  cursor_ = p;
  const NameId name = names_.intern({start, static_cast<size_t>(p - start)});
  finish(token, start, names_[name].keyword, name.index());
}

void Lexer::lexNumber(Token& token) {
  const char* start = cursor_;
  const char* p = numberEnd(start, end_);
  if (*p == '\\' && isNewlineChar(p[1])) return lexJoined(token, start, true);
  cursor_ = p;
  finish(token, start, kRawNumber, names_.intern({start, static_cast<size_t>(p - start)}).index());
}

// A word or a number that contains line continuations.
void Lexer::lexJoined(Token& token, const char* start, bool number) {
  std::string text;
  std::vector<const char*> ends;  // of the characters of `text`
  const char* p = start;
  for (;;) {
    p = skipSplices(p);
    const bool sign =
        number && (*p == '+' || *p == '-') && !text.empty() && (text.back() == 'e' || text.back() == 'E');
    if (!isWordChar(*p) && !(number && *p == '.') && !sign) break;
    text += *p++;
    ends.push_back(p);
  }
  const size_t length = number ? scanNumber(text) : text.size();
  cursor_ = ends[length - 1];
  const NameId name = names_.intern(std::string_view(text).substr(0, length));
  finish(token, start, number ? kRawNumber : names_[name].keyword, name.index());
}

// -------------------------------------------------------------------------------------------------- strings

// GL_EXT_debug_printf: a string literal ends at a quote without a backslash before it.
void Lexer::lexString(Token& token) {
  const char* start = cursor_;
  const char* p = start + 1;
  std::string text;
  bool ended = false;
  for (;;) {
    p = skipSplices(p);
    if (p == end_ || isNewlineChar(*p)) break;
    char c = *p++;
    if (c == '"') {
      ended = true;
      break;
    }
    if (c == '\\') {
      p = skipSplices(p);
      if (p == end_ || isNewlineChar(*p)) break;
      c = *p++;
      switch (c) {
        case 'a': c = '\a'; break;
        case 'b': c = '\b'; break;
        case 'f': c = '\f'; break;
        case 'n': c = '\n'; break;
        case 'r': c = '\r'; break;
        case 't': c = '\t'; break;
        case 'v': c = '\v'; break;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7': {
          int value = c - '0';
          for (int i = 0; i < 2 && *(p = skipSplices(p)) >= '0' && *p <= '7'; ++i)
            value = value * 8 + (*p++ - '0');
          c = static_cast<char>(value);
          break;
        }
        case 'x': {
          int value = 0;
          while (hexDigitValue(*(p = skipSplices(p))) >= 0) value = (value * 16 + hexDigitValue(*p++)) & 255;
          c = static_cast<char>(value);
          break;
        }
        default: break;  // \" \\ \' \? and any other character stand for themselves (Engine::checkEscapes)
      }
    }
    text += c;
  }
  cursor_ = p;
  if (!ended) diagnostics_.report(DiagKind::UnterminatedString, locOf(start)).length(1);
  finish(token, start, Tok::StringLiteral, names_.intern(text).index());
}

// -------------------------------------------------------------------------------------- what is not in GLSL

void Lexer::lexOther(Token& token) {
  const char* start = cursor_++;
  if ((static_cast<unsigned char>(*start) & 0xc0) == 0xc0)
    while (cursor_ < end_ && (static_cast<unsigned char>(*cursor_) & 0xc0) == 0x80 && cursor_ - start < 4)
      ++cursor_;
  finish(token, start, kOtherChar, names_.intern({start, static_cast<size_t>(cursor_ - start)}).index());
}

// ---------------------------------------------------------------------------------------------- punctuation

void Lexer::lexPunctuation(Token& token) {
  const char* start = cursor_;
  const char* p = start + 1;
  const char* n = skipSplices(p);  // the next character
  const char c = *n;
  Tok kind = Tok::End;
  // One character, or two or three if the next ones belong to it.
  auto two = [&](char second, Tok both, Tok alone) {
    if (c == second) {
      p = n + 1;
      kind = both;
      return true;
    }
    kind = alone;
    return false;
  };
  switch (*start) {
    case '(': kind = Tok::LeftParen; break;
    case ')': kind = Tok::RightParen; break;
    case '[': kind = Tok::LeftBracket; break;
    case ']': kind = Tok::RightBracket; break;
    case '{': kind = Tok::LeftBrace; break;
    case '}': kind = Tok::RightBrace; break;
    case ',': kind = Tok::Comma; break;
    case ':': kind = Tok::Colon; break;
    case ';': kind = Tok::Semicolon; break;
    case '~': kind = Tok::Tilde; break;
    case '?': kind = Tok::Question; break;
    case '\\': kind = Tok::Backslash; break;
    case '@': kind = Tok::At; break;
    case '$': kind = Tok::Dollar; break;
    case '`': return lexOther(token);
    case '"': return lexString(token);
    case '.':
      if (isDigitChar(c)) {
        if (n == p) return lexNumber(token);
        return lexJoined(token, start, true);
      }
      kind = Tok::Dot;
      break;
    case '=': two('=', Tok::EqualEqual, Tok::Equal); break;
    case '!': two('=', Tok::NotEqual, Tok::Bang); break;
    case '*': two('=', Tok::MulAssign, Tok::Star); break;
    case '/': two('=', Tok::DivAssign, Tok::Slash); break;
    case '%': two('=', Tok::ModAssign, Tok::Percent); break;
    case '#': two('#', Tok::HashHash, Tok::Hash); break;
    case '-': two('-', Tok::DecOp, Tok::Dash) || two('=', Tok::SubAssign, Tok::Dash); break;
    case '+': two('+', Tok::IncOp, Tok::Plus) || two('=', Tok::AddAssign, Tok::Plus); break;
    case '|': two('|', Tok::OrOr, Tok::VerticalBar) || two('=', Tok::OrAssign, Tok::VerticalBar); break;
    case '^': two('^', Tok::XorXor, Tok::Caret) || two('=', Tok::XorAssign, Tok::Caret); break;
    case '&': two('&', Tok::AndAnd, Tok::Ampersand) || two('=', Tok::AndAssign, Tok::Ampersand); break;
    case '<':
    case '>': {
      const bool left = *start == '<';
      if (c == *start) {
        p = n + 1;
        const char* third = skipSplices(p);
        if (*third == '=') {
          p = third + 1;
          kind = left ? Tok::LeftAssign : Tok::RightAssign;
        } else {
          kind = left ? Tok::LeftOp : Tok::RightOp;
        }
      } else if (left) {
        two('=', Tok::LessEqual, Tok::LeftAngle);
      } else {
        two('=', Tok::GreaterEqual, Tok::RightAngle);
      }
      break;
    }
    default: return lexOther(token);
  }
  cursor_ = p;
  finish(token, start, kind, 0);
}

// ------------------------------------------------------------------------------------------------ look-ahead

bool Lexer::nextIsLeftParen() const {
  const char* p = cursor_;
  for (;;) {
    p = skipSplices(p);
    switch (charClass(*p)) {
      case kCharSpace: ++p; continue;
      case kCharNewline:
        if (directive_) return false;
        ++p;
        continue;
      default: break;
    }
    if (*p != '/') return *p == '(';
    const char* next = skipSplices(p + 1);
    bool ended = false;
    if (*next == '/')
      p = skipLineComment(next + 1);
    else if (*next == '*')
      p = skipBlockComment(next + 1, ended);
    else
      return false;
  }
}

std::optional<HeaderName> Lexer::lexHeaderName() {
  for (;;) {
    cursor_ = skipSplices(cursor_);
    bool ended = false;
    if (charClass(*cursor_) == kCharSpace)
      ++cursor_;
    else if (cursor_[0] == '/' && cursor_[1] == '*')
      cursor_ = skipBlockComment(cursor_ + 2, ended);
    else
      break;
  }
  if (*cursor_ != '"' && *cursor_ != '<') return std::nullopt;
  const bool angled = *cursor_ == '<';
  const char close = angled ? '>' : '"';
  const char* p = cursor_ + 1;
  while (p < end_ && *p != close && !isNewlineChar(*p)) ++p;
  if (p == end_ || *p != close) return std::nullopt;
  const HeaderName name{{cursor_ + 1, static_cast<size_t>(p - cursor_ - 1)},
                        angled,
                        locOf(cursor_),
                        static_cast<uint32_t>(p + 1 - cursor_)};
  cursor_ = p + 1;
  return name;
}

std::string Lexer::restOfLine(SourceLoc& loc) {
  std::string text;
  loc = locOf(cursor_);
  bool blank = false;
  while (cursor_ < end_) {
    cursor_ = skipSplices(cursor_);
    if (cursor_ == end_ || isNewlineChar(*cursor_)) break;
    if (*cursor_ == '/') {
      const char* next = skipSplices(cursor_ + 1);
      bool ended = false;
      if (*next == '/') {
        cursor_ = skipLineComment(next + 1);
        break;
      }
      if (*next == '*') {
        const char* start = cursor_;
        cursor_ = skipBlockComment(next + 1, ended);
        if (!ended) diagnostics_.report(DiagKind::UnterminatedComment, locOf(start)).length(2);
        blank = true;
        continue;
      }
    }
    if (charClass(*cursor_) == kCharSpace) {
      blank = true;
      ++cursor_;
      continue;
    }
    if (text.empty())
      loc = locOf(cursor_);
    else if (blank)
      text += ' ';
    blank = false;
    text += *cursor_++;
  }
  return text;
}

// ------------------------------------------------------------------------------------------ inactive groups

// Whether only blanks precede `at` on its line. `clean`: the end of a comment that only blanks precede.
bool Lexer::startsLine(const char* at, const char* clean) const {
  while (at != begin_ && at != clean) {
    const char c = at[-1];
    if (charClass(c) == kCharSpace) {
      --at;
      continue;
    }
    if (!isNewlineChar(c)) return false;
    // A new-line after a backslash does not end the line.
    const char* line = at - 1;
    if (line != begin_ && isNewlineChar(line[-1]) && line[-1] != c) --line;
    if (line == begin_ || line[-1] != '\\') return true;
    at = line - 1;
  }
  return true;
}

// At the speed of memchr: `#` and `/` are the only characters of interest.
bool Lexer::skipToDirective() {
  const char* p = cursor_;
  const char* clean = nullptr;
  const char* hash = p;
  bool haveHash = false;
  for (;;) {
    if (!haveHash || hash < p) {
      hash = findChar(p, end_, '#');
      haveHash = true;
    }
    const char* slash = findChar(p, hash, '/');
    if (slash != hash) {
      const char* next = skipSplices(slash + 1);
      if (*next == '/') {
        p = skipLineComment(next + 1);
      } else if (*next == '*') {
        bool ended = false;
        const bool first = startsLine(slash, clean);
        p = skipBlockComment(next + 1, ended);
        if (!ended) diagnostics_.report(DiagKind::UnterminatedComment, locOf(slash)).length(2);
        if (first) clean = p;
      } else {
        p = slash + 1;
      }
      continue;
    }
    if (hash == end_) {
      cursor_ = end_;
      lineStart_ = true;
      return false;
    }
    p = hash + 1;
    if (!startsLine(hash, clean)) continue;
    // `##` at the start of a line stops here as well; the caller recognizes it by the next token.
    cursor_ = p;
    lineStart_ = false;
    return true;
  }
}

}  // namespace coopc::frontend
