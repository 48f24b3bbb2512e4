// The operators in one table, and what each does.
#include "tools/cooplayout/operators.hpp"

#include <algorithm>
#include <iterator>

namespace coopc::cooplayout {
namespace {

// If one operator is a prefix of another, the longer one comes first.
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

}  // namespace

const Operator* operatorAt(std::string_view text) {
  const auto* op = std::find_if(std::begin(kOperators), std::end(kOperators),
                                [&](const Operator& o) { return text.starts_with(o.text); });
  return op == std::end(kOperators) ? nullptr : op;
}

int64_t applied(const Operator& operation, int64_t a, int64_t b) {
  const std::string_view op = operation.text;
  const auto x = static_cast<uint64_t>(a);
  const auto y = static_cast<uint64_t>(b);
  if (op == "||") return a != 0 || b != 0;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "&") return a & b;
  if (op == "<<") return static_cast<int64_t>(x << (y & 63));
  if (op == ">>") return a >> (y & 63);
  if (op == "+") return static_cast<int64_t>(x + y);
  if (op == "-") return static_cast<int64_t>(x - y);
  if (op == "*") return static_cast<int64_t>(x * y);
  // Dividing by zero gives 0. Dividing by -1 negates and wraps, because the least number divided by -1 overflows.
  if (b == 0 || b == -1) return op == "/" && b == -1 ? static_cast<int64_t>(0 - x) : 0;
  return op == "/" ? a / b : a % b;
}

}  // namespace coopc::cooplayout
