// The rule table (rules.def) as data, and docs/rules.md made from it.
#include <string>

#include "validator/context.hpp"
#include "validator/names.hpp"

namespace coopc {
namespace {

// The table's words as values.
constexpr RuleLevel Module = RuleLevel::Module;
constexpr RuleLevel Device = RuleLevel::Device;
constexpr RuleLevel Advice = RuleLevel::Advice;
constexpr RuleLevel Pipeline = RuleLevel::Pipeline;
constexpr FindingSeverity Note = FindingSeverity::Note;
constexpr FindingSeverity Warning = FindingSeverity::Warning;
constexpr FindingSeverity Error = FindingSeverity::Error;

constexpr RuleDescription kRules[] = {
#define RULE(name, id, level, severity, sentence, clause, since, source) \
  {id, level, severity, sentence, clause, since, source},
#include "validator/rules.def"
#undef RULE
};

// The rows of the table in order: the heading of a section, or nullptr for a rule.
constexpr const char* kRows[] = {
#define RULE_SECTION(title) title,
#define RULE(name, id, level, severity, sentence, clause, since, source) nullptr,
#include "validator/rules.def"
#undef RULE
};

}  // namespace

std::span<const RuleDescription> rules() { return kRules; }

const RuleDescription* findRule(std::string_view id) {
  for (const RuleDescription& rule : kRules) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

std::string renderRulesMarkdown() {
  std::string out = R"md(# The validator's rules

`coopval` checks these rules ([how to use it](coopval.md)). A finding names its rule; `--suppress RULE` leaves out the
findings of a rule. [rules-coverage.md](rules-coverage.md) goes the other way: from each sentence of the specifications
to its rules.

| column | meaning |
|---|---|
| level | *module*: a rule of a specification, checked on the module alone. *device*: checked only with `--profile`. *pipeline*: checked only with `--pipeline`, between modules. *advice*: allowed by the specifications, but probably a mistake, not portable, or slow; `--no-advice` turns it off |
| severity | of a finding. One that rests on the default of a specialization constant is at most a warning ([details](rules-coverage.md#specialization-constants)) |
| since | the first revision of the text that has the rule. KHR: SPV_KHR_cooperative_matrix; NV2: SPV_NV_cooperative_matrix2; a bare number: the extension that the clause names |
| front end | the diagnostics by which `coopc` reports the same mistake in a GLSL program (`coopc --list-diagnostics`), or why no GLSL program can break the rule |

`coopval --rules-markdown` writes this page from `validator/rules.def`; a test compares the two.
)md";
  size_t next = 0;
  for (const char* section : kRows) {
    if (section != nullptr) {
      out += "\n## ";
      out += section;
      out += "\n\n| rule | level | severity | what must hold | clause | since | front end |\n";
      out += "|---|---|---|---|---|---|---|\n";
      continue;
    }
    const RuleDescription& rule = kRules[next++];
    out += "| `";
    out += rule.id;
    out += "` | ";
    out += nameOf(rule.level);
    out += " | ";
    out += nameOf(rule.severity);
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
