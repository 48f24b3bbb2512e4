// A run of the suite as text, as JSON and as Markdown.
#include "harness/suite/report.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

namespace coopc::harness::suite {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Counts {
  uint64_t total = 0;
  uint64_t passed = 0;
  uint64_t failed = 0;
  uint64_t skipped = 0;
  uint64_t known = 0;  // faults of the driver
  uint64_t notRun = 0;
  std::map<std::string, uint64_t> reasons;  // of skips
  std::map<std::string, uint64_t> knowns;
};

struct Summary {
  std::vector<std::pair<std::string, Counts>> features;  // in the list's order
  Counts all;
  double pipelineTotal = 0;  // ms
  double pipelineMedian = 0;
  double pipelineMost = 0;
  double deviceTotal = 0;
  double total = 0;
  std::string slowest;
};

Summary summarize(const ReportInput& input) {
  Summary summary;
  std::vector<double> pipelines;
  for (size_t i = 0; i < input.cases.size(); ++i) {
    const SuiteCase& subject = input.cases[i];
    const CaseOutcome& outcome = input.result->outcomes[i];
    auto it = std::find_if(summary.features.begin(), summary.features.end(),
                           [&](const auto& f) { return f.first == subject.feature; });
    if (it == summary.features.end()) {
      summary.features.emplace_back(subject.feature, Counts{});
      it = summary.features.end() - 1;
    }
    for (Counts* counts : {&it->second, &summary.all}) {
      ++counts->total;
      if (outcome.verdict == Verdict::Pass)
        ++counts->passed;
      else if (outcome.verdict == Verdict::Skip)
        ++counts->skipped;
      else if (outcome.verdict == Verdict::Known)
        ++counts->known;
      else if (outcome.verdict == Verdict::NotRun)
        ++counts->notRun;
      else
        ++counts->failed;
      if (outcome.verdict == Verdict::Skip) {
        for (const std::string& reason : outcome.reasons) ++counts->reasons[reason];
      }
      if (outcome.verdict == Verdict::Known && !outcome.reasons.empty()) ++counts->knowns[outcome.reasons[0]];
    }
    summary.deviceTotal += outcome.deviceMilliseconds;
    summary.total += outcome.milliseconds;
    if (outcome.pipelineMilliseconds > 0) {
      pipelines.push_back(outcome.pipelineMilliseconds);
      summary.pipelineTotal += outcome.pipelineMilliseconds;
      if (outcome.pipelineMilliseconds > summary.pipelineMost) {
        summary.pipelineMost = outcome.pipelineMilliseconds;
        summary.slowest = subject.name;
      }
    }
  }
  if (!pipelines.empty()) {
    const auto middle = pipelines.begin() + static_cast<std::ptrdiff_t>(pipelines.size() / 2);
    std::nth_element(pipelines.begin(), middle, pipelines.end());
    summary.pipelineMedian = *middle;
  }
  return summary;
}

std::string fixedPoint(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string describe(const Counts& c) {
  std::string text = std::to_string(c.passed) + " passed, " + std::to_string(c.failed) + " failed, " +
                     std::to_string(c.skipped) + " skipped";
  if (c.known != 0) text += ", " + std::to_string(c.known) + " known faults of the driver";
  if (c.notRun != 0) text += ", " + std::to_string(c.notRun) + " not run (time limit)";
  return text;
}

std::string verdictOfReference(const ReportInput& input, size_t i) {
  if (input.reference.empty()) return "";
  const CaseOutcome& r = input.reference[i];
  if (r.verdict == Verdict::NotRun) return "";
  std::string text(verdictName(r.verdict));
  // The reason tells a missing module from a fault of the driver.
  if (r.verdict == Verdict::NotCompiled && !r.reasons.empty())
    text += ": " + r.reasons[0].substr(0, r.reasons[0].find('\n'));
  return text;
}

}  // namespace

std::string asText(const ReportInput& input) {
  const Summary summary = summarize(input);
  std::string text = input.device->name + " (" + input.device->driver + "), " + input.modules + "\n";
  for (const auto& [name, counts] : summary.features) {
    std::string line = "  " + name;
    line.resize(std::max<size_t>(line.size() + 1, 34), ' ');
    text += line + describe(counts) + "\n";
  }
  for (size_t i = 0; i < input.cases.size(); ++i) {
    const CaseOutcome& outcome = input.result->outcomes[i];
    if (!isFailure(outcome.verdict)) continue;
    text += "FAIL " + input.cases[i].name + ": " + std::string(verdictName(outcome.verdict)) + "\n";
    for (const std::string& reason : outcome.reasons) text += "     " + reason + "\n";
    const std::string reference = verdictOfReference(input, i);
    if (!reference.empty()) text += "     the reference compiler's module: " + reference + "\n";
  }
  // Cases whose verdict changed when they ran again alone, which points to a driver whose results vary.
  for (size_t i = 0; i < input.cases.size(); ++i) {
    const CaseOutcome& outcome = input.result->outcomes[i];
    if (outcome.before.empty()) continue;
    text += input.cases[i].name + ": " + outcome.before + ", then, alone, " +
            std::string(verdictName(outcome.verdict)) + "\n";
  }
  for (const auto& [reason, count] : summary.all.reasons) {
    text += "skipped " + std::to_string(count) + " times: " + reason + "\n";
  }
  for (const auto& [reason, count] : summary.all.knowns) {
    text += "known fault of the driver, " + std::to_string(count) + " times: " + reason + "\n";
  }
  if (summary.pipelineTotal > 0) {
    text += "time of all workers: " + fixedPoint(summary.total / 1000, 1) + " s, of it " +
            fixedPoint(summary.deviceTotal / 1000, 1) + " s for devices\n";
    text += "pipelines: " + fixedPoint(summary.pipelineTotal / 1000, 1) + " s in all, median " +
            fixedPoint(summary.pipelineMedian, 1) + " ms, longest " + fixedPoint(summary.pipelineMost, 0) +
            " ms (" + summary.slowest + ")\n";
  }
  text += describe(summary.all) + " of " + std::to_string(summary.all.total) + " in " +
          fixedPoint(input.result->seconds, 1) + " s";
  if (input.result->restarts != 0)
    text += ", workers restarted " + std::to_string(input.result->restarts) + " times";
  return text + "\n";
}

std::string asJson(const ReportInput& input) {
  const Summary summary = summarize(input);
  OrderedJson json{{"device", input.device->name},
                   {"driver", input.device->driver},
                   {"driverVersion", input.device->driverVersion},
                   {"vulkan", input.device->vulkan},
                   {"modules", input.modules},
                   {"total", summary.all.total},
                   {"passed", summary.all.passed},
                   {"failed", summary.all.failed},
                   {"skipped", summary.all.skipped},
                   {"known", summary.all.known},
                   {"notRun", summary.all.notRun},
                   {"seconds", std::stod(fixedPoint(input.result->seconds, 1))},
                   {"pipelineMillisecondsMedian", std::stod(fixedPoint(summary.pipelineMedian, 2))},
                   {"pipelineMillisecondsMost", std::stod(fixedPoint(summary.pipelineMost, 1))},
                   {"workersRestarted", input.result->restarts}};
  OrderedJson features = OrderedJson::object();
  for (const auto& [name, c] : summary.features) {
    OrderedJson item{{"total", c.total}, {"passed", c.passed}, {"failed", c.failed}, {"skipped", c.skipped}};
    if (c.known != 0) item["known"] = c.known;
    if (c.notRun != 0) item["notRun"] = c.notRun;
    features[name] = std::move(item);
  }
  json["features"] = std::move(features);
  json["skips"] = summary.all.reasons;
  json["knownFaults"] = summary.all.knowns;
  json["runAgain"] = OrderedJson::array();
  for (size_t i = 0; i < input.cases.size(); ++i) {
    const CaseOutcome& outcome = input.result->outcomes[i];
    if (outcome.before.empty()) continue;
    json["runAgain"].push_back(OrderedJson{
        {"case", input.cases[i].name}, {"first", outcome.before}, {"then", verdictName(outcome.verdict)}});
  }
  json["failures"] = OrderedJson::array();
  for (size_t i = 0; i < input.cases.size(); ++i) {
    const CaseOutcome& outcome = input.result->outcomes[i];
    if (!isFailure(outcome.verdict)) continue;
    OrderedJson item{{"case", input.cases[i].name},
                     {"verdict", verdictName(outcome.verdict)},
                     {"reasons", outcome.reasons}};
    const std::string reference = verdictOfReference(input, i);
    if (!reference.empty()) item["referenceModule"] = reference;
    json["failures"].push_back(std::move(item));
  }
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string asMarkdown(const ReportInput& input) {
  const Summary summary = summarize(input);
  std::string text = input.device->name + ", " + input.device->driver + ", Vulkan " + input.device->vulkan +
                     "; " + input.modules +
                     ".\n\n| feature | cases | passed | failed | known faults of the driver | skipped "
                     "|\n|---|---|---|---|---|---|\n";
  const auto row = [&](const std::string& name, const Counts& c) {
    text += "| " + name + " | " + std::to_string(c.total) + " | " + std::to_string(c.passed) + " | " +
            std::to_string(c.failed) + " | " + std::to_string(c.known) + " | " + std::to_string(c.skipped) +
            " |\n";
  };
  for (const auto& [name, counts] : summary.features) row("`" + name + "`", counts);
  row("all", summary.all);
  text += "\n" + describe(summary.all) + ", in " + fixedPoint(input.result->seconds, 1) +
          " s; pipelines: median " + fixedPoint(summary.pipelineMedian, 1) + " ms, longest " +
          fixedPoint(summary.pipelineMost, 0) + " ms.\n";
  if (!summary.all.reasons.empty()) {
    text += "\n| skipped | cases |\n|---|---|\n";
    for (const auto& [reason, count] : summary.all.reasons) {
      text += "| " + reason + " | " + std::to_string(count) + " |\n";
    }
  }
  if (!summary.all.knowns.empty()) {
    text += "\n| known fault of the driver | cases |\n|---|---|\n";
    for (const auto& [reason, count] : summary.all.knowns) {
      text += "| " + reason + " | " + std::to_string(count) + " |\n";
    }
  }
  if (summary.all.failed != 0) {
    text += "\n| failed case | how | reference compiler's module |\n|---|---|---|\n";
    for (size_t i = 0; i < input.cases.size(); ++i) {
      const CaseOutcome& outcome = input.result->outcomes[i];
      if (!isFailure(outcome.verdict)) continue;
      text += "| `" + input.cases[i].name + "` | " + std::string(verdictName(outcome.verdict)) +
              (outcome.reasons.empty() ? "" : ": " + outcome.reasons[0]) + " | " +
              verdictOfReference(input, i) + " |\n";
    }
  }
  return text;
}

}  // namespace coopc::harness::suite
