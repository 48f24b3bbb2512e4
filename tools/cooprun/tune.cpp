// Tries combinations, in the order that search.hpp determines.
//
// Each combination has its own process, so that a driver that crashes or hangs only loses that one. Processes
// prepare (compile, create the pipeline) in parallel and take turns on the device, so that they do not
// disturb each other's timings. The best combinations of the first round are timed again, one after the other
// and with more runs, and ranked by that.
#include "tools/cooprun/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/case.hpp"
#include "tools/common/options.hpp"
#include "tools/cooprun/command_line.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/measure.hpp"
#include "tools/cooprun/search.hpp"

namespace coopc::cooprun {
namespace {

#define COOPC_OPTIONS "tools/cooprun/tune_options.def"
#include "tools/common/option_table.inc"

const char kHelpStart[] =
    "cooprun tune [options] CASE.toml: times the case with every combination of values in its [tune]\n"
    "\n";
const char kHelpEnd[] =
    "\nExit codes: 0 a combination passed, 1 none did, 2 wrong usage, 77 all were skipped.\n";
constexpr CommandTable kTable{kOptions, kHelpStart, kHelpEnd, size_t(Id::Help), size_t(Id::OptionsMarkdown)};

struct TuneOptions {
  std::string caseFile;
  std::string best;
  std::string json;
  std::string show;                  // what to print instead: --help
  std::vector<std::string> program;  // cooprun, preceded by a launcher if there is one
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  size_t finalists = 8;
  size_t sample = 0;  // 0: all
  int64_t seconds = 0;
  uint32_t timeout = 60;
  std::vector<std::string> passedOn;  // to the processes
  harness::Overrides overrides;
};

struct Candidate {
  harness::Overrides values;
  bool ran = false;
  Measurement result;
};

constexpr size_t kMostCandidates = 100000;

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& name, const std::string& value, TuneOptions& options) {
  const auto number = [&](auto& to) { return readCount(name, value, 1000000, to); };
  switch (option) {
    case Id::Jobs: return number(options.jobs);
    case Id::Finalists: return number(options.finalists);
    case Id::Sample: return number(options.sample);
    case Id::Seconds: return number(options.seconds);
    case Id::Timeout: return number(options.timeout);
    case Id::Best: options.best = value; break;
    case Id::Launcher: options.program.insert(options.program.begin(), value); break;
    case Id::Json: options.json = value; break;
    case Id::Device:
    case Id::Compiler:
    case Id::Modules: options.passedOn.insert(options.passedOn.end(), {name, value}); break;
    case Id::Set: return readSetting(value, options.overrides) ? "" : "--set needs NAME=NUMBER";
    case Id::OptionsMarkdown:
    case Id::Help: break;  // readCommand()
  }
  return {};
}

harness::Result<TuneOptions> parse(int argc, char** argv, const char* self) {
  TuneOptions options;
  options.program.emplace_back(self);
  std::string fault = readCommand(
      kTable, argc, argv, options.show,
      [&](std::string_view file) {
        if (!options.caseFile.empty()) return "one case at a time";
        options.caseFile = file;
        return "";
      },
      [&](size_t row, const std::string& name, const std::string& value) {
        return set(Id(row), name, value, options);
      });
  if (!options.show.empty()) return options;
  if (!fault.empty()) return harness::Error{std::move(fault)};
  if (options.caseFile.empty()) return harness::Error{"no case given"};
  return options;
}

// All combinations that meet the case's requirements, in the order of its lists, with the last name varying
// fastest.
harness::Result<std::vector<Candidate>> candidatesOf(const TuneOptions& options,
                                                     const harness::Case& subject) {
  std::vector<harness::Overrides> all{options.overrides};
  for (const auto& [name, values] : subject.tuning.values) {
    if (options.overrides.count(name) != 0) continue;  // set by hand
    if (all.size() * values.size() > kMostCandidates) return harness::Error{"more than 100000 combinations"};
    std::vector<harness::Overrides> next;
    for (const harness::Overrides& base : all) {
      for (const int64_t value : values) {
        next.push_back(base);
        next.back()[name] = value;
      }
    }
    all = std::move(next);
  }
  std::vector<Candidate> result;
  for (harness::Overrides& values : all) {
    bool meant = true;
    // Variables may be formulas of the tuned ones, so their values come from reading the case again.
    const harness::Result<harness::Case> changed = harness::readCase(options.caseFile, values);
    // Combinations for which a formula has no value (division by zero, for example) are skipped.
    if (!changed) continue;
    for (const std::string& formula : subject.tuning.require) {
      const auto held = harness::evaluateInteger(harness::Value{formula}, changed->variables);
      if (!held) return held.error();
      meant = meant && *held != 0;
    }
    if (!meant) continue;
    result.emplace_back();
    result.back().values = std::move(values);
  }
  if (options.sample != 0 && result.size() > options.sample) {
    std::vector<Candidate> fewer;
    for (size_t i = 0; i < options.sample; ++i)
      fewer.push_back(std::move(result[i * result.size() / options.sample]));
    result = std::move(fewer);
  }
  return result;
}

void measure(const TuneOptions& options, const std::string& turn, Candidate& candidate) {
  std::vector<std::string> arguments{"--statistics", "--turn", turn};
  arguments.insert(arguments.end(), options.passedOn.begin(), options.passedOn.end());
  candidate.ran = true;
  candidate.result =
      measureCase(options.program, arguments, candidate.values, options.caseFile, options.timeout);
}

bool hasPassed(const Candidate& candidate) { return candidate.result.hasPassed(); }

void print(const Candidate& candidate) {
  if (!hasPassed(candidate)) {
    std::printf("%-9s %s: %s\n", candidate.result.verdict.c_str(), describe(candidate.values).c_str(),
                candidate.result.reason.c_str());
  } else {
    std::printf("%9.4f ms %8.2f TFLOP/s %8.1f GB/s  pipeline %6.0f ms  %s\n",
                candidate.result.nanoseconds / 1e6, candidate.result.teraflops,
                candidate.result.gigabytesPerSecond, candidate.result.pipelineMilliseconds,
                describe(candidate.values).c_str());
  }
  std::fflush(stdout);
}

// Rewrites `line`, a file name relative to the folder of `from`, relative to the folder of `to`.
std::string movedFile(const std::string& line, const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  const size_t begin = line.find('"');
  const size_t end = begin == std::string::npos ? begin : line.find('"', begin + 1);
  if (end == std::string::npos) return line;
  const fs::path file = line.substr(begin + 1, end - begin - 1);
  std::error_code failed;
  const fs::path moved =
      fs::relative(fs::path(from).parent_path() / file, fs::absolute(to, failed).parent_path(), failed);
  if (failed || moved.empty() || file.is_absolute()) return line;
  return line.substr(0, begin + 1) + moved.generic_string() + line.substr(end);
}

// The case with other numbers in [variables], and its shader's name relative to the new file; everything else
// is unchanged.
harness::Status writeCase(const std::string& from, const std::string& to, const harness::Overrides& values) {
  const harness::Result<std::string> read = readText(from);
  if (!read) return read.error();
  std::istringstream in(*read);
  std::string text;
  std::string line;
  bool inVariables = false;
  bool inShader = false;
  while (std::getline(in, line)) {
    if (!line.empty() && line[0] == '[') {
      inVariables = line.rfind("[variables]", 0) == 0;
      inShader = line.rfind("[shader]", 0) == 0;
    }
    if (inShader && (line.rfind("source =", 0) == 0 || line.rfind("module =", 0) == 0))
      line = movedFile(line, from, to);
    const size_t end = line.find_first_of(" =");
    const auto found =
        inVariables && end != std::string::npos ? values.find(line.substr(0, end)) : values.end();
    if (found != values.end()) line = found->first + " = " + std::to_string(found->second);
    text += line + "\n";
  }
  return writeFile(to, text);
}

nlohmann::ordered_json asJson(const Candidate& candidate) {
  nlohmann::ordered_json json;
  json["values"] = candidate.values;
  json["verdict"] = candidate.result.verdict;
  if (!candidate.result.reason.empty()) json["reason"] = candidate.result.reason;
  if (hasPassed(candidate)) {
    json["milliseconds"] = candidate.result.nanoseconds / 1e6;
    json["teraflops"] = candidate.result.teraflops;
    json["gigabytesPerSecond"] = candidate.result.gigabytesPerSecond;
    json["pipelineMilliseconds"] = candidate.result.pipelineMilliseconds;
    if (!candidate.result.statistics.is_null()) json["statistics"] = candidate.result.statistics;
  }
  return json;
}

}  // namespace

int tuneMain(int argc, char** argv, const char* self) {
  const auto wrong = [](const std::string& message, int code) {
    std::fprintf(stderr, "cooprun tune: %s\n", message.c_str());
    return code;
  };
  const harness::Result<TuneOptions> options = parse(argc, argv, self);
  if (!options) return wrong(options.error().message + "; --help says more", 2);
  if (!options->show.empty()) {
    std::fputs(options->show.c_str(), stdout);
    return 0;
  }
  const harness::Result<harness::Case> subject = harness::readCase(options->caseFile, options->overrides);
  if (!subject) return wrong(subject.error().message, 1);
  if (subject->tuning.values.empty()) return wrong(options->caseFile + ": there is no [tune.values]", 2);
  for (const std::string& file : {options->best, options->json})
    if (!canBeWritten(file)) return wrong(file + ": cannot be written", 2);
  harness::Result<std::vector<Candidate>> candidates = candidatesOf(*options, *subject);
  if (!candidates) return wrong(candidates.error().message, 1);
  if (candidates->empty()) return wrong("no combination meets what [tune] requires", 1);

  const TurnFile turn;
  if (turn.path().empty()) return wrong("no temporary file can be made", 1);
  std::printf("%zu combinations\n", candidates->size());

  std::vector<harness::Overrides> points;
  for (const Candidate& candidate : *candidates) points.push_back(candidate.values);
  const bool limited = options->seconds != 0;
  Search search(std::move(points), limited ? Search::Order::Mixed : Search::Order::Listed);
  const auto start = std::chrono::steady_clock::now();
  std::mutex searching;
  const auto work = [&] {
    for (;;) {
      std::unique_lock<std::mutex> lock(searching);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      const double share = limited ? elapsed.count() / static_cast<double>(options->seconds) : 0;
      if (share > 1) return;
      const std::optional<size_t> next = search.next(share >= 0.5);
      if (!next) return;
      lock.unlock();
      Candidate& candidate = (*candidates)[*next];
      measure(*options, turn.path(), candidate);
      lock.lock();
      if (hasPassed(candidate)) search.report(*next, candidate.result.nanoseconds);
      print(candidate);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options->jobs && i < candidates->size(); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();

  std::vector<Candidate*> ranking;
  size_t tried = 0;
  size_t skipped = 0;
  for (Candidate& candidate : *candidates) {
    tried += candidate.ran ? 1 : 0;
    skipped += candidate.ran && candidate.result.verdict == "skip" ? 1 : 0;
    if (hasPassed(candidate)) ranking.push_back(&candidate);
  }
  const auto faster = [](const Candidate* a, const Candidate* b) {
    return a->result.nanoseconds < b->result.nanoseconds;
  };
  std::stable_sort(ranking.begin(), ranking.end(), faster);
  std::printf("%zu tried, %zu passed%s\n", tried, ranking.size(),
              ranking.empty() ? "" : "; the best once more");
  std::fflush(stdout);
  const size_t finalists = std::min(options->finalists, ranking.size());
  for (size_t i = 0; i < finalists; ++i) {
    measure(*options, turn.path(), *ranking[i]);
    print(*ranking[i]);
  }
  // A combination that fails the second time is dropped.
  ranking.resize(finalists);
  ranking.erase(
      std::remove_if(ranking.begin(), ranking.end(), [](const Candidate* c) { return !hasPassed(*c); }),
      ranking.end());
  std::stable_sort(ranking.begin(), ranking.end(), faster);
  if (!options->json.empty()) {
    nlohmann::ordered_json json;
    json["case"] = subject->name;
    json["best"] = ranking.empty() ? nlohmann::ordered_json() : asJson(*ranking[0]);
    for (const Candidate& candidate : *candidates) json["combinations"].push_back(asJson(candidate));
    if (const harness::Status failure = writeFile(options->json, json.dump(1) + '\n'))
      return wrong(failure->message, 1);
  }
  if (tried == 0) return wrong("no combination was tried: there was no time", 1);
  if (skipped == tried) return wrong("all combinations were skipped", 77);
  if (ranking.empty()) return wrong("no combination passed", 1);
  std::printf("best: %.4f ms, %.2f TFLOP/s  %s\n", ranking[0]->result.nanoseconds / 1e6,
              ranking[0]->result.teraflops, describe(ranking[0]->values).c_str());
  if (!options->best.empty()) {
    if (const auto failed = writeCase(options->caseFile, options->best, ranking[0]->values)) {
      return wrong(failed->message, 1);
    }
  }
  return 0;
}

}  // namespace coopc::cooprun
