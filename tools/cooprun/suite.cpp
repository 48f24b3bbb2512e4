// `cooprun suite`: selects cases, runs them in worker processes, compares failures with the reference
// compiler, and reports.
#include "tools/cooprun/suite.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "coopc/coopc.hpp"
#ifdef COOPRUN_VALIDATOR
#include "coopc/core.hpp"
#endif
#include "harness/compile.hpp"
#include "harness/fill.hpp"
#include "harness/lowering.hpp"
#include "harness/suite/child.hpp"
#include "harness/suite/known.hpp"
#include "harness/suite/report.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/suite.hpp"
#include "harness/suite/workers.hpp"
#include "tools/common/options.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/report.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::cooprun {
namespace {

namespace fs = std::filesystem;
namespace suite = harness::suite;

enum ExitCode { kPassed = 0, kFailed = 1, kUsageError = 2, kSkipped = 77 };

#define COOPC_OPTIONS "tools/cooprun/suite_options.def"
#include "tools/common/option_table.inc"

const char kHelpStart[] =
    "cooprun suite: thousands of generated cases for cooperative matrices and tensor addressing\n"
    "\n"
    "  cooprun suite [options]\n"
    "\n";
const char kHelpEnd[] =
    "\nExit codes: 0 passed, 1 a case failed, 2 wrong usage, 77 everything was skipped.\n";

struct SuiteOptions {
  bool help = false;
  bool optionsMarkdown = false;
  bool compileOnly = false;
  bool list = false;
  bool exactFeatures = false;
  bool lower = false;
  std::string via;
  std::string without;
  std::string device;
  std::string profile;
  std::vector<std::string> filters;
  std::string only;
  uint32_t shard = 0;
  uint32_t shards = 1;
  uint32_t limit = 0;
  uint64_t seed = 1;
  uint32_t workers = 0;
  uint32_t caseSeconds = 60;
  uint32_t seconds = 0;
  Optimization optimization = Optimization::None;
  std::string modules;
  std::string known;
  std::string reference;
  std::string sources;
  std::string saveModules;
  std::string json;
  std::string markdown;
};

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

template <typename T>
bool parseNumber(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool readShard(const std::string& value, SuiteOptions& o) {
  const size_t slash = value.find('/');
  return slash != std::string::npos && parseNumber(std::string_view(value).substr(0, slash), o.shard) &&
         parseNumber(std::string_view(value).substr(slash + 1), o.shards) && o.shards > 0 &&
         o.shard < o.shards;
}

// False if this is not a valid value of the option.
bool set(Id option, const std::string& value, SuiteOptions& o) {
  switch (option) {
    case Id::Help:
    case Id::HelpShort: o.help = true; break;
    case Id::OptionsMarkdown: o.optionsMarkdown = true; break;
    case Id::CompileOnly: o.compileOnly = true; break;
    case Id::List: o.list = true; break;
    case Id::Lower: o.lower = true; break;
    case Id::Via:
      o.lower = true;
      o.via = value;
      break;
    case Id::Without:
      o.lower = true;
      o.without += (o.without.empty() ? "" : ",") + value;
      break;
    case Id::ExactFeatures: o.exactFeatures = true; break;
    case Id::NoOptimization: o.optimization = Optimization::None; break;
    case Id::Speed: o.optimization = Optimization::Speed; break;
    case Id::Size: o.optimization = Optimization::Size; break;
    case Id::Device: o.device = value; break;
    case Id::Profile: o.profile = value; break;
    case Id::Filter: o.filters.push_back(value); break;
    case Id::Only: o.only = value; break;
    case Id::Modules: o.modules = value; break;
    case Id::Known: o.known = value; break;
    case Id::Reference: o.reference = value; break;
    case Id::EmitSources: o.sources = value; break;
    case Id::SaveModules: o.saveModules = value; break;
    case Id::Json: o.json = value; break;
    case Id::Markdown: o.markdown = value; break;
    case Id::Shard: return readShard(value, o);
    case Id::Limit: return parseNumber(value, o.limit) && o.limit > 0;
    case Id::Seed: return parseNumber(value, o.seed);
    case Id::Workers: return parseNumber(value, o.workers) && o.workers > 0 && o.workers <= 1024;
    case Id::CaseSeconds: return parseNumber(value, o.caseSeconds) && o.caseSeconds > 0;
    case Id::Seconds: return parseNumber(value, o.seconds) && o.seconds > 0;
  }
  return true;
}

harness::Result<SuiteOptions> parse(int argc, char** argv) {
  SuiteOptions o;
  const std::vector<std::string> arguments(argv + 2, argv + argc);
  std::string fault;
  const tool::Walked walked = tool::walkArguments(
      kOptions, arguments, fault,
      [](std::string_view text) { return "unknown option '" + std::string(text) + "'"; },
      [](size_t) { return false; },
      [&](size_t row, std::string_view text) {
        const std::string value(text);
        return set(Id(row), value, o)
                   ? std::string()
                   : "'" + value + "' is not a value for " + std::string(kOptions[row].name);
      });
  if (walked == tool::Walked::Wrong) return harness::Error{std::move(fault)};
  if (!o.profile.empty() && !o.compileOnly && !o.list && !o.lower && o.sources.empty()) {
    return harness::Error{"--profile needs --compile-only, --list or --emit-sources"};
  }
  return o;
}

// The JSON of the selected device, or the reason why there is none: after "!" if there are no devices, after
// "?" if the requested one does not exist. Runs in a child process, because the parent must not load the
// driver.
std::string describe(const std::string& wish) {
  const auto instance = vk::Instance::create({});
  if (!instance) return "!" + instance.error().message;
  const auto picked = vk::pickDevice((*instance)->devices(), wish);
  if (!picked) return (wish.empty() || (*instance)->devices().empty() ? "!" : "?") + picked.error().message;
  return deviceAsJson(**picked);
}

// The text of a file, or of a shipped profile.
harness::Result<std::string> textOfProfile(const std::string& wish) {
  harness::Result<std::string> text = readText(wish);
#ifdef COOPRUN_VALIDATOR
  const ShippedProfile* shipped = findShippedProfile(wish);
  if (!text && shipped != nullptr) text = std::string(shipped->text);
#endif
  if (!text) return harness::Error{text.error().message + ", and no profile of that name ships"};
  return text;
}

// The description in the profile or, without a profile, that of the device that runs the cases. If there is
// none, prints a message and returns ""; `code` is then the exit code.
std::string description(const SuiteOptions& options, const std::string& profile, ExitCode& code) {
  harness::Result<std::string> text = harness::Error{""};
  code = kUsageError;
  if (!profile.empty()) {
    text = textOfProfile(profile);
  } else {
    text = suite::inChild([&] { return describe(options.device); }, 120);
    const char first = text && !text->empty() ? (*text)[0] : '!';
    if (first != '?') code = kSkipped;
    if (text && (first == '!' || first == '?')) text = harness::Error{text->substr(text->empty() ? 0 : 1)};
  }
  if (text) return std::move(*text);
  std::fprintf(stderr, "cooprun: %s\n", text.error().message.c_str());
  return {};
}

// Faults that would otherwise be noticed only after the run, or for each case. "" if there are none.
std::string complaint(const SuiteOptions& options) {
  std::error_code ignored;
  if (!options.modules.empty() && !fs::is_directory(options.modules, ignored))
    return "--modules " + options.modules + ": there is no such folder";
  if (!options.reference.empty() && !fs::is_directory(options.reference, ignored)) {
    const auto started = harness::runProcess({options.reference, "--version"}, 60);
    if (!started) return "--reference: no such folder, and " + started.error().message;
  }
  for (const std::string& file : {options.json, options.markdown})
    if (!canBeWritten(file)) return file + ": cannot be written";
  return {};
}

harness::Result<std::vector<suite::SuiteCase>> selectCases(const SuiteOptions& options,
                                                           std::vector<suite::SuiteCase> all) {
  std::set<std::string, std::less<>> names;
  if (!options.only.empty()) {
    const auto text = readText(options.only);
    if (!text) return text.error();
    // In a report only the lines `FAIL CASE: VERDICT` count.
    constexpr std::string_view kFail = "FAIL ";
    const bool isReport = text->starts_with(kFail) || text->find("\nFAIL ") != std::string::npos;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (isReport)
        line = line.starts_with(kFail) ? line.substr(kFail.size(), line.find(": ") - kFail.size()) : "";
      if (!line.empty()) names.insert(line);
    }
    std::set<std::string, std::less<>> unknown = names;
    for (const suite::SuiteCase& subject : all) unknown.erase(subject.name);
    if (!unknown.empty()) {
      std::fprintf(stderr, "cooprun: %s: %zu of %zu lines name no case of this device, the first: %s\n",
                   options.only.c_str(), unknown.size(), names.size(), unknown.begin()->c_str());
    }
  }
  std::vector<suite::SuiteCase> cases;
  for (suite::SuiteCase& subject : all) {
    if (!options.only.empty() && names.count(subject.name) == 0) continue;
    if (!options.filters.empty() &&
        std::none_of(options.filters.begin(), options.filters.end(),
                     [&](const std::string& f) { return subject.name.find(f) != std::string::npos; })) {
      continue;
    }
    cases.push_back(std::move(subject));
  }
  if (cases.empty()) return harness::Error{"no case has such a name"};
  std::vector<suite::SuiteCase> part;
  // Cases are distributed by a hash, because neighboring cases in the list alternate in what they check.
  for (size_t i = 0; i < cases.size(); ++i) {
    if (harness::hash(options.shards, i) % options.shards == options.shard)
      part.push_back(std::move(cases[i]));
  }
  if (options.limit != 0 && options.limit < part.size()) {
    std::vector<suite::SuiteCase> few;
    for (uint64_t i = 0; i < options.limit; ++i)
      few.push_back(std::move(part[i * part.size() / options.limit]));
    part = std::move(few);
  }
  return part;
}

// A module, or why there is none.
struct Compiled {
  std::vector<uint32_t> words;
  std::vector<std::string> problems;
};

Compiled compileHere(const suite::SuiteCase& subject, const suite::Program& program,
                     const SuiteOptions& options, const std::string& profile) {
  Compiled compiled;
  if (!options.modules.empty()) {
    const std::string path = (fs::path(options.modules) / (subject.name + ".spv")).string();
    if (access(path.c_str(), R_OK) == 0) {
      auto words = vk::readModuleFile(path);
      if (words)
        compiled.words = std::move(*words);
      else
        compiled.problems.push_back(words.error().message);
      return compiled;
    }
  }
  coopc::Options compile;
  compile.targetEnv = TargetEnv::Vulkan1_3;
  compile.optimization = options.optimization;
  coopc::Result result = coopc::compile(program.source, subject.name + ".comp", compile);
  if (!result.ok) {
    compiled.problems.push_back(result.messages);
    return compiled;
  }
  compiled.words = std::move(result.words);
#ifdef COOPRUN_VALIDATOR
  ValidateOptions validate;
  validate.profile = profile;
  validate.advice = false;
  for (const vk::Specialization& s : program.specializations)
    validate.specializations.push_back({s.id, s.bits});
  ValidateResult findings = coopc::validate(compiled.words, validate);
#ifdef COOPRUN_VALIDATOR_CORE
  if (options.compileOnly)
    validateCore(compiled.words, {.environment = CoreEnvironment::Vulkan13}, validate, findings);
#endif
  if (!findings.error.empty()) compiled.problems.push_back(findings.error);
  for (const Finding& f : findings.findings) {
    if (f.severity == FindingSeverity::Error)
      compiled.problems.push_back(std::string(f.rule->id) + ": " + f.message);
  }
#else
  (void)profile;
#endif
  return compiled;
}

Compiled compileByReference(const suite::SuiteCase& subject, const suite::Program& program,
                            const SuiteOptions& options) {
  Compiled compiled;
  harness::Result<std::vector<uint32_t>> words = harness::Error{""};
  std::error_code ignored;
  if (fs::is_directory(options.reference, ignored)) {
    words = vk::readModuleFile((fs::path(options.reference) / (subject.name + ".spv")).string());
  } else {
    std::string folder = (fs::temp_directory_path(ignored) / "cooprun-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
      compiled.problems.push_back("no temporary folder could be made");
      return compiled;
    }
    const std::string source = folder + "/case.comp";
    if (const harness::Status failure = writeFile(source, program.source)) {
      words = *failure;
    } else {
      harness::ShaderSpec one;
      one.source = source;
      words = harness::obtainModule(one, {}, {options.reference, 60});
    }
    fs::remove_all(folder, ignored);
  }
  if (words)
    compiled.words = std::move(*words);
  else
    compiled.problems.push_back(words.error().message);
  return compiled;
}

// A worker's state between cases.
struct WorkerState {
  std::unique_ptr<vk::Instance> instance;
  std::unique_ptr<suite::Session> session;
};

suite::CaseOutcome runOne(const suite::SuiteCase& subject, const suite::TargetDevice& device,
                          const SuiteOptions& options, const std::string& profile, bool reference,
                          WorkerState& state) {
  suite::CaseOutcome outcome;
  std::vector<std::string> lacks = suite::listMissing(subject, device);
  if (!lacks.empty()) {
    outcome.verdict = suite::Verdict::Skip;
    outcome.reasons = std::move(lacks);
    return outcome;
  }
  const suite::Program program = subject.make();
  if (!program.fault.empty()) {
    outcome.verdict = suite::Verdict::Fault;
    outcome.reasons.push_back(program.fault);
    return outcome;
  }
  Compiled compiled = reference ? compileByReference(subject, program, options)
                                : compileHere(subject, program, options, profile);
  if (!compiled.problems.empty()) {
    outcome.verdict = suite::Verdict::NotCompiled;
    outcome.reasons = std::move(compiled.problems);
    return outcome;
  }
  if (!options.saveModules.empty() && !reference) {
    const std::string path = (fs::path(options.saveModules) / (subject.name + ".spv")).string();
    if (const harness::Status failure = writeFile(path, bytesOf(compiled.words))) {
      outcome.verdict = suite::Verdict::NotCompiled;
      outcome.reasons.push_back(failure->message);
      return outcome;
    }
  }
  if (options.compileOnly) {
    outcome.verdict = suite::Verdict::Pass;
    return outcome;
  }
  suite::Execution execution = state.session->execute(program, compiled.words);
  outcome.pipelineMilliseconds = execution.pipelineMilliseconds;
  outcome.deviceMilliseconds = execution.deviceMilliseconds;
  outcome.reasons = std::move(execution.reasons);
  switch (execution.kind) {
    case suite::Execution::Kind::Skipped: outcome.verdict = suite::Verdict::Skip; return outcome;
    case suite::Execution::Kind::Failed: outcome.verdict = suite::Verdict::Refused; return outcome;
    case suite::Execution::Kind::Lost: outcome.verdict = suite::Verdict::Lost; return outcome;
    case suite::Execution::Kind::Done: break;
  }
  outcome.reasons = suite::judge(program, execution.buffers);
  outcome.reasons.insert(outcome.reasons.end(), execution.strayWrites.begin(), execution.strayWrites.end());
  outcome.verdict = outcome.reasons.empty() ? suite::Verdict::Pass : suite::Verdict::Wrong;
  return outcome;
}

std::string levelName(Optimization level) {
  return level == Optimization::None ? "-O0" : level == Optimization::Speed ? "-O" : "-Os";
}

int complain(ExitCode code, const std::string& message) {
  std::fprintf(stderr, "cooprun: %s\n", message.c_str());
  return code;
}

harness::Result<std::vector<suite::KnownFault>> readKnownFaults(const std::string& path) {
  if (path.empty()) return std::vector<suite::KnownFault>();
  const auto text = readText(path);
  if (!text) return text.error();
  auto faults = suite::parseKnownFaults(*text);
  if (!faults) return harness::Error{path + ": " + faults.error().message};
  return faults;
}

harness::Status writeSources(const std::string& folder, const std::vector<suite::SuiteCase>& cases) {
  for (const suite::SuiteCase& subject : cases) {
    if (!subject.skip.empty()) continue;
    const std::string path = (fs::path(folder) / (subject.name + ".comp")).string();
    if (const harness::Status failure = writeFile(path, subject.make().source)) return failure;
  }
  return {};
}

// The cases of one device, which workers run: first all of them, then, if a reference is given, those that
// failed.
class SuiteRun {
 public:
  SuiteRun(const SuiteOptions& options, const std::string& profile, const suite::TargetDevice& device,
           const std::vector<suite::SuiteCase>& cases, const std::vector<suite::KnownFault>& known)
      : options_(options), profile_(profile), device_(device), cases_(cases), known_(known) {}

  suite::RunResult run() {
    suite::RunOptions run = limits();
    if (isatty(2) != 0) {
      run.progress = [&](size_t done) { std::fprintf(stderr, "\r%zu of %zu", done, cases_.size()); };
    }
    const suite::Work work{[&] { return setUp(); },
                           [&](const suite::SuiteCase& subject) { return judge(subject); }};
    suite::RunResult result = suite::runCases(cases_, work, run);
    if (run.progress) std::fprintf(stderr, "\r");
    return result;
  }

  // One outcome per case of the suite. It is meaningful only for cases that had failed.
  std::vector<suite::CaseOutcome> runReference(const suite::RunResult& result) {
    std::vector<suite::SuiteCase> failed;
    std::vector<size_t> places;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (!suite::isFailure(result.outcomes[i].verdict) ||
          result.outcomes[i].verdict == suite::Verdict::Fault)
        continue;
      failed.push_back(cases_[i]);
      places.push_back(i);
    }
    const suite::Work work{[&] { return setUp(); },
                           [&](const suite::SuiteCase& subject) {
                             return runOne(subject, device_, options_, profile_, true, state_);
                           }};
    const suite::RunResult again = suite::runCases(failed, work, limits());
    std::vector<suite::CaseOutcome> reference(cases_.size());
    for (size_t i = 0; i < places.size() && again.error.empty(); ++i)
      reference[places[i]] = again.outcomes[i];
    return reference;
  }

 private:
  suite::RunOptions limits() const {
    suite::RunOptions run;
    run.workers =
        options_.workers != 0 ? options_.workers : std::max(1u, std::thread::hardware_concurrency());
    run.caseSeconds = options_.caseSeconds + 5;  // the session's own limit must expire first
    run.totalSeconds = options_.seconds;
    return run;
  }

  // Called in a worker. "", or why the worker cannot run cases.
  std::string setUp() {
    if (options_.compileOnly) return "";
    auto instance = vk::Instance::create({});
    if (!instance) return instance.error().message;
    state_.instance = std::move(*instance);
    const auto picked = vk::pickDevice(state_.instance->devices(), options_.device);
    if (!picked) return picked.error().message;
    state_.session = std::make_unique<suite::Session>(*state_.instance, **picked, options_.caseSeconds,
                                                      options_.exactFeatures);
    if (!options_.lower) return "";
    auto targets = harness::loweringTargets(**picked, options_.without, fileOrName(options_.via));
    if (!targets) return targets.error().message;
    state_.session->lowerFor(std::move(*targets));
    return "";
  }

  suite::CaseOutcome judge(const suite::SuiteCase& subject) {
    const suite::KnownFault* fault =
        options_.compileOnly ? nullptr : suite::findKnownFault(known_, subject.name);
    if (fault != nullptr && !fault->run && suite::listMissing(subject, device_).empty()) {
      return suite::CaseOutcome{suite::Verdict::Known, {fault->reason}};
    }
    suite::CaseOutcome outcome = runOne(subject, device_, options_, profile_, false, state_);
    // A fault of the compiler is never the driver's.
    if (fault != nullptr &&
        (outcome.verdict == suite::Verdict::Wrong || outcome.verdict == suite::Verdict::Refused)) {
      outcome.verdict = suite::Verdict::Known;
      outcome.reasons.insert(outcome.reasons.begin(), fault->reason);
    }
    return outcome;
  }

  const SuiteOptions& options_;
  const std::string& profile_;
  const suite::TargetDevice& device_;
  const std::vector<suite::SuiteCase>& cases_;
  const std::vector<suite::KnownFault>& known_;
  WorkerState state_;  // set in the workers
};

int writeReports(const SuiteOptions& options, const suite::ReportInput& report) {
  put(suite::asText(report));
  harness::Status unwritten;
  if (!options.json.empty()) unwritten = writeFile(options.json, suite::asJson(report));
  if (!options.markdown.empty() && !unwritten)
    unwritten = writeFile(options.markdown, suite::asMarkdown(report));
  return unwritten ? complain(kFailed, unwritten->message) : kPassed;
}

ExitCode exitCodeOf(const suite::RunResult& result) {
  bool passed = false;
  for (const suite::CaseOutcome& outcome : result.outcomes) {
    if (suite::isFailure(outcome.verdict)) return kFailed;
    passed = passed || outcome.verdict == suite::Verdict::Pass;
  }
  return passed ? kPassed : kSkipped;
}

std::string modulesOf(const SuiteOptions& options) {
  if (!options.modules.empty()) return "modules from " + fs::path(options.modules).filename().string();
  return "modules of coopc " + std::string(version()) + " " + levelName(options.optimization);
}

}  // namespace

int suiteMain(int argc, char** argv) {
  const auto parsed = parse(argc, argv);
  if (!parsed) return complain(kUsageError, parsed.error().message + "; suite --help says more");
  const SuiteOptions& options = *parsed;
  if (options.help) {
    put(kHelpStart + tool::helpOf(kOptions) + kHelpEnd);
    return kPassed;
  }
  if (options.optionsMarkdown) {
    put(tool::markdownOf(kOptions));
    return kPassed;
  }
  ExitCode code = kPassed;
  // With --via, the cases are for the device that modules are first lowered for, but with as many subgroups
  // in a workgroup as the device that runs them supports.
  const std::string& wish = options.profile.empty() ? options.via : options.profile;
  const std::string profile = description(options, wish, code);
  if (profile.empty()) return code;
  harness::Result<suite::TargetDevice> device = suite::readTarget(profile);
  if (!device) return complain(kUsageError, wish + ": " + device.error().message);
  if (!options.via.empty()) {
    const std::string here = description(options, "", code);
    if (here.empty()) return code;
    const harness::Result<suite::TargetDevice> runs = suite::readTarget(here);
    if (!runs) return complain(kFailed, runs.error().message);
    device->subgroupSize = runs->subgroupSize;
  }
  const auto cases = selectCases(options, suite::generate(*device, options.seed));
  if (!cases) return complain(kUsageError, cases.error().message);
  if (options.list) {
    for (const suite::SuiteCase& subject : *cases) put(subject.name + "\n");
    return kPassed;
  }
  const auto known = readKnownFaults(options.known);
  if (!known) return complain(kUsageError, known.error().message);
  if (const std::string wrong = complaint(options); !wrong.empty()) return complain(kUsageError, wrong);
  if (!makeFolders({options.saveModules, options.sources})) return kFailed;
  if (!options.sources.empty()) {
    if (const harness::Status failure = writeSources(options.sources, *cases))
      return complain(kFailed, failure->message);
    if (!options.compileOnly && !options.lower && !options.profile.empty()) return kPassed;
  }

  SuiteRun run(options, profile, *device, *cases, *known);
  const suite::RunResult result = run.run();
  if (!result.error.empty()) return complain(kFailed, result.error);
  suite::ReportInput report;
  report.device = &*device;
  report.modules = modulesOf(options);
  report.cases = *cases;
  report.result = &result;
  if (!options.reference.empty()) report.reference = run.runReference(result);
  if (const int failed = writeReports(options, report); failed != kPassed) return failed;
  return exitCodeOf(result);
}

}  // namespace coopc::cooprun
