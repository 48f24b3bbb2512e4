// Recursive descent over one line of text; every function implements the production that its comment names.
#include "harness/formula.hpp"

#include <algorithm>
#include <string>

namespace coopc::harness {
namespace {

constexpr int kMaxNesting = 64;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class FormulaParser {
 public:
  FormulaParser(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  Result<int64_t> run() {
    const int64_t value = comparison();
    skipSpace();
    if (!error_ && at_ < text_.size()) fail("unexpected '" + std::string(1, text_[at_]) + "'");
    // If variables are formulas of further variables, the innermost formula is named.
    if (error_ && error_->find(" in formula '") != std::string::npos) return Error{*error_};
    if (error_) return Error{*error_ + " in formula '" + std::string(text_.substr(0, 80)) + "'"};
    return value;
  }

 private:
  // formula := sum (comparison sum)?
  int64_t comparison() {
    const int64_t left = sum();
    if (error_) return 0;
    if (take("<=")) return left <= sum() ? 1 : 0;
    if (take(">=")) return left >= sum() ? 1 : 0;
    if (take("==")) return left == sum() ? 1 : 0;
    if (take("!=")) return left != sum() ? 1 : 0;
    if (take('<')) return left < sum() ? 1 : 0;
    if (take('>')) return left > sum() ? 1 : 0;
    return left;
  }

  // sum := product (("+" | "-") product)*
  int64_t sum() {
    int64_t value = product();
    while (!error_) {
      if (take('+')) {
        if (__builtin_add_overflow(value, product(), &value)) fail("overflow");
      } else if (take('-')) {
        if (__builtin_sub_overflow(value, product(), &value)) fail("overflow");
      } else {
        break;
      }
    }
    return value;
  }

  // product := unary (("*" | "/" | "%") unary)*
  int64_t product() {
    int64_t value = unary();
    while (!error_) {
      if (take('*')) {
        if (__builtin_mul_overflow(value, unary(), &value)) fail("overflow");
      } else if (take('/')) {
        value = divide(value, unary(), false);
      } else if (take('%')) {
        value = divide(value, unary(), true);
      } else {
        break;
      }
    }
    return value;
  }

  int64_t divide(int64_t value, int64_t divisor, bool remainder) {
    if (error_) return 0;
    if (divisor == 0) return fail("division by zero");
    if (divisor == -1) {  // the one quotient that overflows
      int64_t negated = 0;
      if (!remainder && __builtin_sub_overflow(int64_t{0}, value, &negated)) return fail("overflow");
      return negated;
    }
    return remainder ? value % divisor : value / divisor;
  }

  // unary := "-"* primary
  int64_t unary() {
    bool negative = false;
    while (take('-')) negative = !negative;
    int64_t value = primary();
    if (negative && __builtin_sub_overflow(int64_t{0}, value, &value)) fail("overflow");
    return value;
  }

  // primary := number | name | function "(" sum "," sum ")" | "(" sum ")"
  int64_t primary() {
    if (error_) return 0;
    if (++depth_ > kMaxNesting) return fail("nesting deeper than 64");
    int64_t value = 0;
    skipSpace();
    if (take('(')) {
      value = sum();
      if (!error_ && !take(')')) fail("missing ')'");
    } else if (at_ < text_.size() && isDigit(text_[at_])) {
      value = number();
    } else if (at_ < text_.size() && isLetter(text_[at_])) {
      value = nameOrCall();
    } else {
      fail("a number, a name or '(' expected");
    }
    --depth_;
    return value;
  }

  int64_t number() {
    int base = 10;
    if (text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X") {
      base = 16;
      at_ += 2;
    }
    int64_t value = 0;
    const size_t start = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      int digit;
      if (isDigit(c)) {
        digit = c - '0';
      } else if (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) {
        digit = (c | 0x20) - 'a' + 10;
      } else {
        break;
      }
      if (__builtin_mul_overflow(value, int64_t{base}, &value) ||
          __builtin_add_overflow(value, int64_t{digit}, &value)) {
        return fail("overflow");
      }
    }
    if (at_ == start) return fail("digits expected after '0x'");
    if (at_ < text_.size() && isLetter(text_[at_]))
      return fail("unexpected '" + std::string(1, text_[at_]) + "'");
    return value;
  }

  int64_t nameOrCall() {
    const size_t start = at_;
    while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (!take('(')) {
      Result<int64_t> value = lookup_(name);
      return value ? *value : fail(value.error().message);
    }
    const int64_t a = sum();
    if (!error_ && !take(',')) fail("missing ','");
    const int64_t b = error_ ? 0 : sum();
    if (!error_ && !take(')')) fail("missing ')'");
    if (error_) return 0;
    if (name == "min") return std::min(a, b);
    if (name == "max") return std::max(a, b);
    if (name == "ceil") {
      if (a < 0 || b <= 0) return fail("ceil of a negative number or by a number that is not positive");
      return a / b + (a % b != 0 ? 1 : 0);
    }
    return fail("unknown function '" + std::string(name) + "'");
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view sign) {
    skipSpace();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }

  int64_t fail(std::string message) {
    if (!error_) error_ = std::move(message);
    return 0;
  }

  std::string_view text_;
  const Lookup& lookup_;
  size_t at_ = 0;
  int depth_ = 0;
  std::optional<std::string> error_;
};

}  // namespace

Result<int64_t> evaluateFormula(std::string_view text, const Lookup& lookup) {
  return FormulaParser(text, lookup).run();
}

}  // namespace coopc::harness
