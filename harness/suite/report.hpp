// The report of a run of the suite: as text, as JSON, as Markdown for docs/devices.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/suite/workers.hpp"

namespace coopc::harness::suite {

struct ReportInput {
  const TargetDevice* device = nullptr;
  std::string modules;  ///< what made them: "coopc 0.1.0 -O0"
  std::span<const SuiteCase> cases;
  const RunResult* result = nullptr;
  /// For failures: the outcome of the same source with the reference compiler's module. Empty, or one for
  /// each case.
  std::vector<CaseOutcome> reference;
};

std::string asText(const ReportInput& input);
std::string asJson(const ReportInput& input);
std::string asMarkdown(const ReportInput& input);

}  // namespace coopc::harness::suite
