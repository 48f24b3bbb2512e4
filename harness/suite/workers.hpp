// Runs a list of cases in worker processes, so that a driver that crashes, hangs or loses the device costs one case. The
// workers are forked from the caller, which must not have started threads nor have touched Vulkan: they inherit the list,
// and only numbers and results go through pipes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {

enum class Verdict : uint8_t {
  Pass,
  Skip,
  Known,        // a listed fault of the driver
  NotCompiled,  // the compiler refused the shader, or its module has findings
  Refused,      // the driver made no pipeline, or another call failed
  Wrong,        // other results, or writes where none belong
  Crashed,      // the worker died
  Hung,         // nothing came in time
  Lost,         // the device was lost
  Fault,        // of the generator
  NotRun,       // the time was used up
};
std::string_view verdictName(Verdict verdict);
inline bool isFailure(Verdict v) {
  return v != Verdict::Pass && v != Verdict::Skip && v != Verdict::Known && v != Verdict::NotRun;
}

struct CaseOutcome {
  Verdict verdict = Verdict::NotRun;
  std::vector<std::string> reasons;
  std::string before{};  // what came of it the first time, where it was run again
  double pipelineMilliseconds = 0;
  double deviceMilliseconds = 0;  // for a device with other features
  double milliseconds = 0;        // all of the case
};

// What a worker does. `setUp` is called once in each worker, before its first case; not empty: why it cannot work, which
// ends the run. `runCase` must return.
struct Work {
  std::function<std::string()> setUp;
  std::function<CaseOutcome(const SuiteCase&)> runCase;
};

struct RunOptions {
  uint32_t workers = 1;
  uint32_t caseSeconds = 60;  // for one case, its pipeline's creation included
  uint32_t setUpSeconds = 120;
  uint32_t totalSeconds = 0;  // 0: no limit; what is left then is NotRun
  // Called now and then with the number of finished cases.
  std::function<void(size_t)> progress;
};

struct RunResult {
  std::vector<CaseOutcome> outcomes;  // in the order of the cases
  std::string error;                  // why nothing could be run
  double seconds = 0;
  uint32_t restarts = 0;  // of workers, after crashes and the like
};

// Cases that crash, hang or lose the device are run once more, alone, at the end: another case may have been the cause.
RunResult runCases(std::span<const SuiteCase> cases, const Work& work, const RunOptions& options);

// `*` in a pattern stands for any text, `?` for one character.
bool matchesPattern(std::string_view pattern, std::string_view name);

// Faults of a driver that are known: a text file of lines `fail PATTERN REASON` (the case is run, and may fail) and `skip
// PATTERN REASON` (it is not run: it would crash or hang). `#` starts a comment.
struct KnownFault {
  bool run = true;
  std::string pattern;
  std::string reason;
};
Result<std::vector<KnownFault>> parseKnownFaults(std::string_view text);
// The first that matches the case's name, or null.
const KnownFault* findKnownFault(std::span<const KnownFault> faults, std::string_view name);

// Calls `make` in a child process and returns what it returned; nothing where the child died or took longer.
Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds);

}  // namespace coopc::harness::suite
