// The words that reports and docs/rules.md use for levels and severities.
#pragma once

#include "coopc/validate.hpp"

namespace coopc {

constexpr const char* nameOf(RuleLevel level) {
  return level == RuleLevel::Module ? "module" : level == RuleLevel::Device ? "device" : "advice";
}
constexpr const char* nameOf(FindingSeverity severity) {
  return severity == FindingSeverity::Error     ? "error"
         : severity == FindingSeverity::Warning ? "warning"
                                                : "note";
}

}  // namespace coopc
