// The rule table (rules.def) as data, and docs/rules.md made from it.
#include <string>

#include "validator/context.hpp"

namespace coopc {
namespace {

// The table's words as values.
constexpr RuleLevel Module = RuleLevel::Module;
constexpr RuleLevel Device = RuleLevel::Device;
constexpr RuleLevel Advice = RuleLevel::Advice;
constexpr FindingSeverity Note = FindingSeverity::Note;
constexpr FindingSeverity Warning = FindingSeverity::Warning;
constexpr FindingSeverity Error = FindingSeverity::Error;

constexpr RuleDescription kRules[] = {
#define RULE(name, id, level, severity, sentence, clause, since, source) \
  {id, level, severity, sentence, clause, since, source},
#include "validator/rules.def"
#undef RULE
};

const char* levelName(RuleLevel level) {
  return level == RuleLevel::Module ? "module" : level == RuleLevel::Device ? "device" : "advice";
}
const char* severityName(FindingSeverity severity) {
  return severity == FindingSeverity::Error     ? "error"
         : severity == FindingSeverity::Warning ? "warning"
                                                : "note";
}

}  // namespace

std::span<const RuleDescription> rules() { return kRules; }

const RuleDescription* findRule(std::string_view id) {
  for (const RuleDescription& rule : kRules) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

std::string renderRulesMarkdown() {
  std::string out =
      "# The validator's rules\n\n"
      "Written by `coopval --rules-markdown` from `validator/rules.def`; a test compares the two.\n\n"
      "Level *module*: a specification's rule that the module alone decides. *device*: needs `--profile`. "
      "*advice*: no\n"
      "specification forbids it, but it cannot be meant, or is not portable. A finding that rests on a "
      "specialization\n"
      "constant's default is a warning at most. *Since* is the revision of the text (KHR: "
      "SPV_KHR_cooperative_matrix,\n"
      "NV2: SPV_NV_cooperative_matrix2, a bare number: the extension of the clause) that first has the "
      "rule. *In the front\n"
      "end*: the kinds of coopc's diagnostics that say the same of a GLSL program, or why no GLSL program "
      "can "
      "break the rule;\n"
      "tests compile such programs with checks off, and the validator finds the rule in the module.\n\n"
      "| rule | level | severity | what holds | clause | since | in the front end "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const RuleDescription& rule : kRules) {
    out += "| `";
    out += rule.id;
    out += "` | ";
    out += levelName(rule.level);
    out += " | ";
    out += severityName(rule.severity);
    for (std::string_view text : {rule.sentence, rule.clause, rule.since, rule.source}) {
      out += " | ";
      for (char c : text) {
        if (c == '|' || c == '<' || c == '*') out += '\\';
        out += c;
      }
    }
    out += " |\n";
  }
  return out;
}

namespace validator {
const RuleDescription& description(Rule rule) { return kRules[size_t(rule)]; }
}  // namespace validator

}  // namespace coopc
