// Runs cooprun for one case and reads the times from its report.
#include "tools/cooprun/measure.hpp"

#include <cstdlib>
#include <unistd.h>

#include "harness/compile.hpp"
#include "harness/formula.hpp"

namespace coopc::cooprun {

namespace {

std::string lastLine(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const size_t before = text.find_last_of('\n');
  return std::string(before == text.npos ? text : text.substr(before + 1));
}

}  // namespace

Measurement measureCase(const std::vector<std::string>& program, const std::vector<std::string>& extra,
                        const harness::Overrides& values, const std::string& caseFile,
                        uint32_t timeoutSeconds) {
  std::vector<std::string> arguments = program;
  // The module is timed as it is; a lowered one would be a different program.
  arguments.insert(arguments.end(), {"--json", "--time", "--no-lower"});
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  for (const auto& [name, value] : values) {
    arguments.emplace_back("--set");
    arguments.push_back(name + "=" + std::to_string(value));
  }
  arguments.push_back(caseFile);
  Measurement result;
  result.verdict = "fail";
  const auto ran = harness::runProcess(arguments, timeoutSeconds);
  if (!ran) {
    result.reason = ran.error().message;
    return result;
  }
  if (ran->timedOut) {
    result.reason = "not finished within " + std::to_string(timeoutSeconds) + " s";
    return result;
  }
  // The driver's own output may precede the report.
  const size_t start = ran->output.find("{\n");
  const auto report = nlohmann::json::parse(
      start == std::string::npos ? std::string() : ran->output.substr(start), nullptr, false);
  if (report.is_discarded() || !report.contains("cases") || report["cases"].empty()) {
    result.reason = ran->exitCode < 0 ? "crashed" : "no report, exit code " + std::to_string(ran->exitCode);
    const std::string last = lastLine(ran->output);
    if (!last.empty()) result.reason += ": " + last;
    return result;
  }
  const auto& item = report["cases"][0];
  result.verdict = item.value("verdict", "fail");
  if (!item["reasons"].empty()) result.reason = item["reasons"][0].get<std::string>();
  while (!result.reason.empty() && result.reason.back() == '\n') result.reason.pop_back();
  result.nanoseconds = item.value("medianNanoseconds", 0.0);
  result.teraflops = item.value("teraflops", 0.0);
  result.gigabytesPerSecond = item.value("gigabytesPerSecond", 0.0);
  result.pipelineMilliseconds = item.value("pipelineMilliseconds", 0.0);
  if (item.contains("statistics")) result.statistics = item["statistics"];
  return result;
}

TurnFile::TurnFile() {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/cooprun-turn-XXXXXX";
  const int file = mkstemp(path_.data());
  if (file < 0) {
    path_.clear();
  } else {
    close(file);
  }
}

TurnFile::~TurnFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

std::string describe(const harness::Overrides& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

harness::Result<int64_t> plainNumber(std::string_view text) {
  return harness::evaluateFormula(text, [](std::string_view) -> harness::Result<int64_t> {
    return harness::Error{"a number is needed"};
  });
}

bool readSetting(std::string_view text, harness::Overrides& values) {
  const size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0) return false;
  const auto number = plainNumber(text.substr(at + 1));
  if (!number) return false;
  values[std::string(text.substr(0, at))] = *number;
  return true;
}

}  // namespace coopc::cooprun
