// Runs a list of cases in worker processes, so that a driver that crashes, hangs or loses the device costs
// one case. The workers are forked from the caller, which must not have started threads nor have touched
// Vulkan: they inherit the list, and only numbers and results go through pipes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/suite/suite.hpp"
#include "harness/suite/verdict.hpp"

namespace coopc::harness::suite {

/// A worker's functions. `setUp` is called once in each worker, before its first case. If its result is not
/// empty, it says why the worker cannot work, which ends the run. `runCase` must return.
struct Work {
  std::function<std::string()> setUp;
  std::function<CaseOutcome(const SuiteCase&)> runCase;
};

struct RunOptions {
  uint32_t workers = 1;
  uint32_t caseSeconds = 60;  ///< for one case, its pipeline's creation included
  uint32_t setUpSeconds = 120;
  uint32_t totalSeconds = 0;  ///< 0: no limit; what is left then is NotRun
  /// Called now and then with the number of finished cases.
  std::function<void(size_t)> progress;
};

struct RunResult {
  std::vector<CaseOutcome> outcomes;  ///< in the order of the cases
  std::string error;                  ///< why nothing could be run
  double seconds = 0;
  uint32_t restarts = 0;  ///< how many workers were restarted, after crashes for example
};

/// Cases that crash, hang or lose the device are run once more, alone, at the end: another case may have been
/// the cause.
RunResult runCases(std::span<const SuiteCase> cases, const Work& work, const RunOptions& options);

}  // namespace coopc::harness::suite
