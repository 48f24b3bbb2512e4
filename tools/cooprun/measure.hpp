// Timing a case in a process of its own: what `cooprun tune` and `cooprun compare` are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/case.hpp"
#include "harness/result.hpp"

namespace coopc::cooprun {

struct Measurement {
  std::string verdict = "not tried";  ///< as in cooprun's JSON: pass, fail, skip
  std::string reason;                 ///< the first, where it did not pass
  double nanoseconds = 0;             ///< median of the timed dispatches
  double teraflops = 0;
  double gigabytesPerSecond = 0;
  double pipelineMilliseconds = 0;
  nlohmann::ordered_json statistics;  ///< what the driver says of the shader

  bool passed() const { return verdict == "pass" && nanoseconds > 0; }
};

/// Runs `PROGRAM... --json --time ARGUMENTS... --set NAME=VALUE... caseFile`; `program` is cooprun, maybe with a launcher
/// before it. A process that crashes or does not end within
/// `timeoutSeconds` gives "fail".
Measurement measureCase(const std::vector<std::string>& program, const std::vector<std::string>& arguments,
                        const harness::Overrides& values, const std::string& caseFile,
                        uint32_t timeoutSeconds);

/// A temporary file for --turn, removed at the end. The path is empty when none could be made.
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

/// The value of a formula without names.
harness::Result<int64_t> plainNumber(std::string_view text);

/// Adds "NAME=NUMBER" to `values`; false when it is something else.
bool readSetting(std::string_view text, harness::Overrides& values);

}  // namespace coopc::cooprun
