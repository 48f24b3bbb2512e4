// The faults of layouts, as data: every refusal of this library names the broken rule, its numbers and the
// clause. Nothing here throws, prints or allocates, except message(), which makes a string.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coopc::layout {

/// The rules, in the order of rules.def.
enum class Rule : uint8_t {
#define LAYOUT_RULE(name, identifier, text, clause) name,
#include "rules.def"
#undef LAYOUT_RULE
};

inline constexpr size_t kRuleCount = 0
#define LAYOUT_RULE(name, identifier, text, clause) +1
#include "rules.def"
#undef LAYOUT_RULE
    ;

struct RuleText {
  std::string_view identifier;  ///< "workitem.rows-power-of-two"
  std::string_view text;        ///< with {0} to {3} for the numbers
  std::string_view clause;
};

const RuleText& ruleText(Rule rule);

/// A broken rule with its numbers.
struct Broken {
  Rule rule{};
  std::array<int64_t, 4> numbers{};
};

/// "the number of rows, 24, is not a power of two"
std::string message(const Broken& broken);

/// A value, or the rule that was broken. To read `*answer` without a value is the caller's mistake.
template <class T>
class Answer {
 public:
  constexpr Answer(T value) : value_(std::move(value)) {}
  constexpr Answer(const Broken& broken) : broken_(broken) {}
  constexpr Answer(Rule rule, std::array<int64_t, 4> numbers = {}) : broken_{rule, numbers} {}

  constexpr explicit operator bool() const { return value_.has_value(); }
  constexpr const T& operator*() const& { return *value_; }
  constexpr T&& operator*() && { return *std::move(value_); }
  constexpr const T* operator->() const { return &*value_; }
  /// Only if there is no value.
  constexpr const Broken& broken() const { return broken_; }

 private:
  std::optional<T> value_;
  Broken broken_;
};

}  // namespace coopc::layout
