// The words that reports and docs/rules.md use for levels and severities.
#pragma once

#include "coopc/validate.hpp"

namespace coopc {

constexpr const char* nameOf(RuleLevel level) {
  switch (level) {
    case RuleLevel::Module: return "module";
    case RuleLevel::Device: return "device";
    case RuleLevel::Pipeline: return "pipeline";
    case RuleLevel::Advice: break;
  }
  return "advice";
}
constexpr const char* nameOf(FindingSeverity severity) {
  return severity == FindingSeverity::Error     ? "error"
         : severity == FindingSeverity::Warning ? "warning"
                                                : "note";
}

}  // namespace coopc
