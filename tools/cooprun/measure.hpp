// Timing a case in a separate process, for `cooprun tune` and `cooprun compare`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/case.hpp"
#include "harness/result.hpp"

namespace coopc::cooprun {

struct Measurement {
  std::string verdict = "not tried";  ///< as in cooprun's JSON: pass, fail, skip
  std::string reason;                 ///< the first reason, if the case did not pass
  double nanoseconds = 0;             ///< median of the timed dispatches
  double teraflops = 0;
  double gigabytesPerSecond = 0;
  double pipelineMilliseconds = 0;
  nlohmann::ordered_json statistics;  ///< the driver's statistics about the shader

  bool hasPassed() const { return verdict == "pass" && nanoseconds > 0; }
};

/// Runs `PROGRAM... --json --time ARGUMENTS... --set NAME=VALUE... caseFile`, where `program` is cooprun,
/// possibly preceded by a launcher. A process that crashes or takes longer than `timeoutSeconds` gives
/// "fail".
Measurement measureCase(const std::vector<std::string>& program, const std::vector<std::string>& arguments,
                        const harness::Overrides& values, const std::string& caseFile,
                        uint32_t timeoutSeconds);

/// A temporary file for --turn, which is removed at the end. The path is empty if the file could not be
/// created.
class TurnFile {
 public:
  TurnFile();
  ~TurnFile();
  TurnFile(const TurnFile&) = delete;
  TurnFile& operator=(const TurnFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// "M=64 N=32"
std::string describe(const harness::Overrides& values);

/// The value of a formula that uses no names.
harness::Result<int64_t> plainNumber(std::string_view text);

/// Adds "NAME=NUMBER" to `values`; false if the text has another form.
bool readSetting(std::string_view text, harness::Overrides& values);

}  // namespace coopc::cooprun
