// One pass over the text: directives change the macros and the conditionals, everything else is copied with names replaced.
//
//   condition := unary { operator unary }, by the precedences of operators.hpp
//   unary     := ( "!" | "-" | "~" ) unary | "(" condition ")" | number | name | "defined" ( name | "(" name ")" )
#include "tools/cooplayout/macros.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/operators.hpp"

namespace coopc::cooplayout {
namespace {

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool startsName(char c) { return isWord(c) && (c < '0' || c > '9'); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The word at `at`: a name, or a number with its suffix.
std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isWord(text[end])) ++end;
  return text.substr(at, end - at);
}
void skipBlanks(std::string_view text, size_t& at) {
  while (at < text.size() && isBlank(text[at])) ++at;
}
// The position after the comment that begins at `at`, or `at`.
size_t commentEnd(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  size_t length = 0;
  if (rest.starts_with("//")) length = std::min(rest.size(), rest.find('\n'));
  if (rest.starts_with("/*")) {
    const size_t end = rest.find("*/", 2);
    length = end == std::string_view::npos ? rest.size() : end + 2;
  }
  return at + length;
}

using Macros = std::map<std::string, std::string, std::less<>>;

class Condition {
 public:
  // `values`: a limit on the values that may still be read, because macros that refer to each other could
  // require any number.
  Condition(std::string_view text, const Macros& macros, const std::map<std::string, int64_t>& names,
            size_t& values)
      : text_(text), macros_(macros), names_(names), values_(values) {}

  bool holds() {
    const int64_t value = expression(0, 0);
    skipBlanks(text_, at_);
    return !wrong_ && at_ == text_.size() && value != 0;
  }

 private:
  static constexpr int kMaxNesting = 64;

  int64_t expression(int least, int depth) {
    int64_t left = unary(depth);
    for (;;) {
      skipBlanks(text_, at_);
      const Operator* op = operatorAt(text_.substr(at_));
      if (wrong_ || op == nullptr || op->precedence <= least) return left;
      at_ += op->text.size();
      left = applied(*op, left, expression(op->precedence, depth + 1));
    }
  }

  bool take(char c) {
    skipBlanks(text_, at_);
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  int64_t unary(int depth) {
    wrong_ = wrong_ || depth > kMaxNesting || values_ == 0;
    if (wrong_) return 0;
    --values_;
    if (take('!')) return unary(depth + 1) == 0;
    if (take('-')) return static_cast<int64_t>(0 - static_cast<uint64_t>(unary(depth + 1)));
    if (take('~')) return ~unary(depth + 1);
    if (take('(')) {
      const int64_t inner = expression(0, depth + 1);
      wrong_ = !take(')') || wrong_;
      return inner;
    }
    const std::string_view word = wordAt(text_, at_);
    at_ += word.size();
    if (word.empty()) wrong_ = true;
    if (word.empty() || !startsName(word[0])) return numberOf(word).value_or(0);
    return word == "defined" ? defined() : valueOf(word, depth);
  }

  int64_t defined() {
    const bool inner = take('(');
    skipBlanks(text_, at_);
    const std::string name(wordAt(text_, at_));
    at_ += name.size();
    wrong_ = (inner && !take(')')) || name.empty() || wrong_;
    return names_.contains(name) || macros_.contains(name);
  }

  int64_t valueOf(std::string_view name, int depth) {
    if (const auto given = names_.find(std::string(name)); given != names_.end()) return given->second;
    const auto macro = macros_.find(name);
    if (macro == macros_.end()) return 0;
    Condition body(macro->second, macros_, names_, values_);
    const int64_t value = body.expression(0, depth + 1);
    return body.wrong_ ? 0 : value;
  }

  std::string_view text_;
  const Macros& macros_;
  const std::map<std::string, int64_t>& names_;
  size_t& values_;
  size_t at_ = 0;
  bool wrong_ = false;
};

class MacroReader {
 public:
  MacroReader(std::string_view text, const std::map<std::string, int64_t>& names)
      : text_(text), names_(names) {
    macros_["VULKAN"] = "100";
  }

  std::string read() {
    bool lineStart = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (lineStart && c == '#') {
        directive();
      } else if (const size_t end = commentEnd(text_, at_); end != at_) {
        // Padded to the previous width, so that the following text keeps its column.
        for (; at_ < end; ++at_) out_ += text_[at_] == '\n' ? '\n' : ' ';
      } else if (isWord(c)) {
        const std::string_view word = wordAt(text_, at_);
        at_ += word.size();
        if (active()) replace(word);
        lineStart = false;
      } else {
        if (active() || c == '\n') out_ += c;
        lineStart = c == '\n' || (lineStart && isBlank(c));
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  // A limit on what macros may add to the text. A macro that would exceed it is not expanded.
  static constexpr size_t kMostAdded = size_t{1} << 20;
  static constexpr size_t kMaxNesting = 64;

  struct Branch {
    bool active = false;  // this branch is active
    bool taken = false;   // this branch or one before it was active
  };
  bool active() const { return branches_.empty() || branches_.back().active; }
  bool outside() const { return branches_.size() < 2 || branches_[branches_.size() - 2].active; }

  void replace(std::string_view word) {
    if (startsName(word[0]) && !names_.contains(std::string(word)) && inside_.size() < kMaxNesting &&
        !inside_.contains(word) && added_ < kMostAdded) {
      if (const auto macro = macros_.find(word); macro != macros_.end()) {
        inside_.insert(macro->first);
        const std::string_view body = macro->second;
        added_ += body.size() + 1;
        for (size_t at = 0; at < body.size();) {
          const std::string_view inner = wordAt(body, at);
          if (inner.empty())
            out_ += body[at++];
          else
            replace(inner);
          at += inner.size();
        }
        inside_.erase(word);
        return;
      }
    }
    out_ += word;
  }

  // From "#" to the end of the line, or of its last continuation line.
  void directive() {
    const size_t start = at_;
    std::string line;
    for (++at_; at_ < text_.size() && text_[at_] != '\n';) {
      if (const size_t end = commentEnd(text_, at_); end != at_) {
        line += ' ';
        at_ = end;
      } else if (text_.substr(at_).starts_with("\\\n") || text_.substr(at_).starts_with("\\\r\n")) {
        line += ' ';
        at_ = text_.find('\n', at_) + 1;
      } else {
        line += text_[at_++];
      }
    }
    const std::string_view whole = text_.substr(start, at_ - start);
    out_.append(static_cast<size_t>(std::count(whole.begin(), whole.end(), '\n')), '\n');
    size_t at = 0;
    skipBlanks(line, at);
    const std::string_view name = wordAt(line, at);
    at += name.size();
    skipBlanks(line, at);
    std::string_view rest = std::string_view(line).substr(at);
    while (!rest.empty() && isBlank(rest.back())) rest.remove_suffix(1);
    if (!conditional(name, rest) && active()) definition(name, rest);
  }

  bool conditional(std::string_view name, std::string_view rest) {
    size_t values = 10000;
    const auto holds = [&] { return Condition(rest, macros_, names_, values).holds(); };
    const bool known = names_.contains(std::string(rest)) || macros_.contains(rest);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      const bool counts = active() && (name == "if" ? holds() : known == (name == "ifdef"));
      branches_.push_back({counts, counts});
    } else if (branches_.empty()) {
      return name == "elif" || name == "else" || name == "endif";
    } else if (name == "elif" || name == "else") {
      Branch& branch = branches_.back();
      branch.active = outside() && !branch.taken && (name == "else" || holds());
      branch.taken = branch.taken || branch.active;
    } else if (name == "endif") {
      branches_.pop_back();
    } else {
      return false;
    }
    return true;
  }

  void definition(std::string_view directive, std::string_view rest) {
    const std::string name(wordAt(rest, 0));
    rest.remove_prefix(name.size());
    if (directive == "undef") macros_.erase(name);
    if (directive == "extension") macros_[name] = "1";
    // A macro with parameters is not replaced.
    if (directive != "define" || name.empty() || rest.starts_with("(")) return;
    while (!rest.empty() && isBlank(rest.front())) rest.remove_prefix(1);
    macros_[name] = std::string(rest);
  }

  std::string_view text_;
  const std::map<std::string, int64_t>& names_;
  size_t at_ = 0;
  std::string out_;
  Macros macros_;
  std::vector<Branch> branches_;
  std::set<std::string_view> inside_;  // macros that are being expanded
  size_t added_ = 0;
};

}  // namespace

std::string withoutMacros(std::string_view text, const std::map<std::string, int64_t>& names) {
  return MacroReader(text, names).read();
}

}  // namespace coopc::cooplayout
