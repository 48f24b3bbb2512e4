// Names of verdicts, and outcomes as bytes: they go from a worker's process to the pool's.
#include "harness/suite/verdict.hpp"

#include <algorithm>
#include <cstring>

namespace coopc::harness::suite {
namespace {

constexpr size_t kMostOfReason = 4000;

}  // namespace

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass: return "passed";
    case Verdict::Skip: return "skipped";
    case Verdict::Known: return "known fault of the driver";
    case Verdict::NotCompiled: return "not compiled";
    case Verdict::Refused: return "refused by the driver";
    case Verdict::Wrong: return "wrong results";
    case Verdict::Crashed: return "crashed";
    case Verdict::Hung: return "hung";
    case Verdict::Lost: return "device lost";
    case Verdict::Fault: return "fault of the generator";
    case Verdict::NotRun: return "not run";
  }
  return "";
}

// Verdict, milliseconds, reasons with their lengths.
std::string pack(const CaseOutcome& outcome) {
  std::string bytes(1, static_cast<char>(outcome.verdict));
  const double times[] = {outcome.pipelineMilliseconds, outcome.deviceMilliseconds, outcome.milliseconds};
  bytes.append(reinterpret_cast<const char*>(times), sizeof times);
  for (const std::string& reason : outcome.reasons) {
    const auto length = static_cast<uint32_t>(std::min<size_t>(reason.size(), kMostOfReason));
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes.append(reason, 0, length);
  }
  return bytes;
}

bool unpack(const std::string& bytes, CaseOutcome& outcome) {
  double times[3];
  size_t at = 1 + sizeof times;
  if (bytes.size() < at || static_cast<uint8_t>(bytes[0]) > static_cast<uint8_t>(Verdict::NotRun))
    return false;
  outcome.verdict = static_cast<Verdict>(bytes[0]);
  std::memcpy(times, bytes.data() + 1, sizeof times);
  outcome.pipelineMilliseconds = times[0];
  outcome.deviceMilliseconds = times[1];
  outcome.milliseconds = times[2];
  while (at < bytes.size()) {
    uint32_t length = 0;
    if (bytes.size() - at < sizeof length) return false;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    at += sizeof length;
    if (bytes.size() - at < length) return false;
    outcome.reasons.push_back(bytes.substr(at, length));
    at += length;
  }
  return true;
}

}  // namespace coopc::harness::suite
