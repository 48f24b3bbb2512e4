// Changes the text of a shader. A seed chooses where and how.
#include "tests/support/mutation.hpp"

#include <algorithm>

namespace coopc::tests {
namespace {

// Numbers at the limits of integer, floating-point and array arithmetic, and texts that are difficult for
// preprocessors and parsers.
constexpr std::string_view kEdges[] = {
    "0",          "1",           "-1",         "2147483647",
    "2147483648", "4294967295u", "4294967296", "-2147483648",
    "65535",      "65536",       "1000000000", "0xFFFFFFFFu",
    "1e39",       "1e-50",       "0.0/0.0",    "18446744073709551615ul",
    "1.0hf",      "~0u",         "(1<<31)",    "1/0",
    "1%0",        "{",           "}",          "(",
    ")",          "[",           "]",          "<",
    ">",          "#",           "##",         "\\\n",
    "/*",         "//",          "\"",         "'",
    "#if 1\n",    "#endif\n",    "#else\n",    "#define x x x\n",
    "\xff",       "...",         "void",       "struct{}",
    "[0]",        "[-1]",        "[]",         "const",
    "return;",    "discard;",    "break;",     "continue;",
    "default:",   "__LINE__",    "inout",      "=",
};

enum class Kind { word, number, newline, space, other };

Kind kindOf(char c) {
  if (c == '\n') return Kind::newline;
  if (c == ' ' || c == '\t' || c == '\r') return Kind::space;
  if ((c >= '0' && c <= '9') || c == '.') return Kind::number;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return Kind::word;
  return Kind::other;
}

bool isSpace(std::string_view token) {
  Kind kind = kindOf(token[0]);
  return kind == Kind::space || kind == Kind::newline;
}

std::string join(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

std::vector<std::string> own(const std::vector<std::string_view>& tokens) {
  return {tokens.begin(), tokens.end()};
}

// The index of a token that is not white space; after some attempts, the index of any token.
size_t pick(const std::vector<std::string>& tokens, Random& random) {
  size_t at = random.below(tokens.size());
  for (int tries = 0; tries < 20 && isSpace(tokens[at]); ++tries) at = random.below(tokens.size());
  return at;
}

void changeTokens(std::vector<std::string>& tokens, const std::vector<std::string>& vocabulary,
                  Random& random) {
  size_t at = pick(tokens, random);
  switch (random.below(6)) {
    case 0: tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: tokens[at] += " " + tokens[at]; break;
    case 2: std::swap(tokens[at], tokens[pick(tokens, random)]); break;
    case 3: tokens[at] = tokens[pick(tokens, random)]; break;
    case 4: tokens[at] = kEdges[random.below(std::size(kEdges))]; break;
    default:
      if (!vocabulary.empty()) tokens[at] = vocabulary[random.below(vocabulary.size())];
      break;
  }
}

void changeLines(std::string& text, Random& random) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  size_t from = random.below(lines.size());
  size_t to = random.below(lines.size());
  switch (random.below(3)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from)); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), std::string(lines[from])); break;
    default: std::swap(lines[from], lines[to]); break;
  }
  text = join(lines);
}

}  // namespace

uint64_t Random::next() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1du;
}

size_t Random::below(size_t count) { return count == 0 ? 0 : static_cast<size_t>((next() >> 16) % count); }

std::vector<std::string_view> cutTokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  size_t at = 0;
  while (at < text.size()) {
    Kind kind = kindOf(text[at]);
    size_t end = at + 1;
    if (kind == Kind::word || kind == Kind::number) {
      while (end < text.size() && (kindOf(text[end]) == Kind::word || kindOf(text[end]) == Kind::number))
        ++end;
    } else if (kind == Kind::space) {
      while (end < text.size() && kindOf(text[end]) == Kind::space) ++end;
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string mutate(const std::string& text, const std::vector<std::string>& vocabulary, Random& random) {
  std::string result = text;
  for (size_t changes = 1 + random.below(4); changes > 0 && !result.empty(); --changes) {
    size_t choice = random.below(12);
    if (choice == 0) {
      result.resize(random.below(result.size()));
    } else if (choice == 1) {
      result[random.below(result.size())] = static_cast<char>(random.next() & 0xff);
    } else if (choice <= 3) {
      changeLines(result, random);
    } else {
      std::vector<std::string> tokens = own(cutTokens(result));
      changeTokens(tokens, vocabulary, random);
      result = join(tokens);
    }
  }
  return result;
}

}  // namespace coopc::tests
