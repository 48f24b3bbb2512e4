// The texts of the rules, and a message made of one.
#include "layout/rule.hpp"

namespace coopc::layout {
namespace {

constexpr RuleText kTexts[] = {
#define LAYOUT_RULE(name, identifier, text, clause) {identifier, text, clause},
#include "layout/rules.def"
#undef LAYOUT_RULE
};
static_assert(std::size(kTexts) == kRuleCount);

}  // namespace

const RuleText& ruleText(Rule rule) { return kTexts[static_cast<size_t>(rule)]; }

std::string message(const Broken& broken) {
  const std::string_view text = ruleText(broken.rule).text;
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' && at + 2 < text.size() && text[at + 2] == '}') {
      result += std::to_string(broken.numbers[static_cast<size_t>(text[at + 1] - '0')]);
      at += 2;
    } else {
      result += text[at];
    }
  }
  return result;
}

}  // namespace coopc::layout
