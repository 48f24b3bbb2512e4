// The outcome of a case of the suite.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::harness::suite {

enum class Verdict : uint8_t {
  Pass,
  Skip,
  Known,        ///< a listed fault of the driver
  NotCompiled,  ///< the compiler refused the shader, or its module has findings
  Refused,      ///< the driver made no pipeline, or another call failed
  Wrong,        ///< other results, or writes where none belong
  Crashed,      ///< the worker died
  Hung,         ///< nothing came in time
  Lost,         ///< the device was lost
  Fault,        ///< of the generator
  NotRun,       ///< the time was used up
};
std::string_view verdictName(Verdict verdict);
inline bool isFailure(Verdict v) {
  return v != Verdict::Pass && v != Verdict::Skip && v != Verdict::Known && v != Verdict::NotRun;
}

struct CaseOutcome {
  Verdict verdict = Verdict::NotRun;
  std::vector<std::string> reasons;
  std::string before{};  ///< the first outcome, if the case was run again
  double pipelineMilliseconds = 0;
  double deviceMilliseconds = 0;  ///< for a device with other features
  double milliseconds = 0;        ///< all of the case
};

/// An outcome as bytes for a pipe, without `before`; reasons are cut to 4,000 bytes each. unpack() returns
/// false for bytes that pack() did not make.
std::string pack(const CaseOutcome& outcome);
bool unpack(const std::string& bytes, CaseOutcome& outcome);

}  // namespace coopc::harness::suite
