// The texts of the conditions.
#include "tools/cooplayout/conditions.hpp"

#include <string_view>

namespace coopc::cooplayout {
namespace {

struct ConditionText {
  std::string_view identifier;
  std::string_view clause;
};
constexpr ConditionText kTexts[] = {
#define CONDITION(name, identifier, clause) {identifier, clause},
#include "tools/cooplayout/conditions.def"
#undef CONDITION
};

std::string withRule(const std::string& text, std::string_view identifier, std::string_view clause) {
  return text + " [" + std::string(identifier) + "; " + std::string(clause) + "]";
}

}  // namespace

std::string describe(Condition condition, const std::string& whatIsWrong) {
  const ConditionText& text = kTexts[static_cast<size_t>(condition)];
  return withRule(whatIsWrong, text.identifier, text.clause);
}

std::string describe(const layout::Broken& broken) {
  const layout::RuleText& text = layout::ruleText(broken.rule);
  return withRule(layout::message(broken), text.identifier, text.clause);
}

}  // namespace coopc::cooplayout
