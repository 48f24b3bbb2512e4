// coopc_llama_results: do coopc's modules of llama.cpp's shaders write what the reference compiler's modules
// write? It compares every variant, with cooperative matrices or without, on any device. `pack` compiles them
// into a folder. `run` needs only that folder and a Vulkan driver, and prints a line for each variant and
// setting, which docs/llama.md explains.
//
// Each variant runs in one of several worker processes (harness/suite/workers.hpp): a driver that crashes or
// hangs costs one variant, and is asked again for each of its modules, to tell which of them is at fault.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/lowering.hpp"
#include "harness/suite/child.hpp"
#include "harness/suite/workers.hpp"
#include "tests/llama/compiled.hpp"
#include "tests/llama/in_parallel.hpp"
#include "tests/llama/pack.hpp"
#include "tests/llama/profile_device.hpp"
#include "tests/llama/rewriting.hpp"
#include "tests/support/text_file.hpp"
#include "tools/common/options.hpp"

namespace coopc::tests::llama {
namespace {

namespace hn = coopc::harness;
namespace suite = coopc::harness::suite;
using Json = nlohmann::json;

enum ExitCode { kSame = 0, kDifferent = 1, kUsageError = 2, kNothingRun = 77 };

constexpr tool::Option kPack{"--pack", tool::Form::Value, "FOLDER", "what `pack` wrote"};
constexpr tool::Option kFilter{"--filter", tool::Form::Value, "TEXT",
                               "only variants whose name contains TEXT; several: any of them"};
constexpr tool::Option kSettings{
    "--settings", tool::Form::Value,     "first|all", "how many of each variant's settings",
    "all",        tool::Complete::Words, "first all"};
constexpr tool::Option kMatrices{
    "--matrices", tool::Form::Value,     "yes|no", "only variants with, or without, cooperative matrices",
    "",           tool::Complete::Words, "yes no"};
constexpr tool::Option kHelp{"--help", tool::Form::Switch, "", "print this text"};

// A value named N is a whole number.
constexpr tool::Option kPackOptions[] = {
    {"--variants", tool::Form::Value, "LIST", "the variants, one a line"},
    {"--shaders", tool::Form::Value, "FOLDER", "llama.cpp's shaders"},
    {"--reference", tool::Form::Value, "GLSLC", "the reference compiler"},
    {"--output", tool::Form::Value, "FOLDER", "where the modules go"},
    {"--jobs", tool::Form::Value, "N", "compiles at the same time", "one for each processor"},
    {"--order", tool::Form::Value, "reversed",
     "in place of coopc -O, coopc -O0 with workgroups numbered backwards. Where results differ, workgroups "
     "write the same "
     "places, and other devices will not give the same results twice",
     "", tool::Complete::Words, "reversed"},
    kFilter,
    kHelp,
};
constexpr tool::Option kRunOptions[] = {
    kPack,
    {"--device", tool::Form::Value, "NAME|INDEX", "the device", "the best"},
    {"--workers", tool::Form::Value, "N", "processes", "one for each processor"},
    {"--case-seconds", tool::Form::Value, "N", "for one variant in one setting, pipelines included", "120"},
    {"--seconds", tool::Form::Value, "N", "stop when so much time is used up"},
    kSettings,
    kFilter,
    kMatrices,
    {"--without", tool::Form::Value, "FEATURES",
     "in place of coopc -O, coopc -O0 lowered as if the device had none of these features (as cooprun "
     "--without)"},
    {"--repeats", tool::Form::Value, "N",
     "runs of the reference's module to see whether it writes the same each time", "0"},
    {"--json", tool::Form::Value, "FILE", "all results"},
    kHelp,
};
constexpr tool::Option kCheckOptions[] = {
    kPack, {"--profile", tool::Form::Value, "FILE", "the profile of a device"}, kSettings, kFilter, kMatrices,
    kHelp,
};

struct Command {
  std::string_view name;
  std::string_view does;
  std::span<const tool::Option> options;
};
constexpr Command kCommands[] = {
    {"pack", "compiles variants into a folder", kPackOptions},
    {"run", "runs a folder's modules on a device", kRunOptions},
    {"check", "what would be run on a device of a profile, without one", kCheckOptions},
};

std::string usage() {
  std::string text = "coopc_llama_results COMMAND [options]\n";
  for (const Command& c : kCommands)
    text += "\n" + std::string(c.name) + ": " + std::string(c.does) + "\n" + tool::helpOf(c.options);
  return text +
         "\nExit codes: 0 nothing differs, 1 something does or went wrong, 2 wrong usage, 77 nothing could "
         "be run.\n";
}

bool readNumber(std::string_view text, uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Describes the value that the option needs instead of this one; "" if this one is right.
std::string needsInstead(const tool::Option& option, std::string_view value) {
  uint32_t number = 0;
  if (option.argument == "N") return readNumber(value, number) ? "" : "a whole number";
  if (option.complete != tool::Complete::Words) return {};
  const std::string words = " " + std::string(option.words) + " ";
  return words.find(" " + std::string(value) + " ") != std::string::npos ? "" : std::string(option.argument);
}

struct ResultsOptions {
  std::map<std::string, std::string> values;
  std::vector<std::string> filters;

  std::string get(const std::string& name) const {
    const auto it = values.find(name);
    return it == values.end() ? std::string() : it->second;
  }
  uint32_t number(const std::string& name, uint32_t otherwise) const {
    uint32_t value = otherwise;
    readNumber(get(name), value);
    return value;
  }
  bool wants(const std::string& name) const {
    return filters.empty() || std::any_of(filters.begin(), filters.end(), [&](const std::string& f) {
             return name.find(f) != std::string::npos;
           });
  }
};

// Reads the command line. Returns "", or what is wrong. Sets `help` if --help was given.
std::string parse(const Command& command, std::span<const std::string> arguments, ResultsOptions& options,
                  bool& help) {
  std::string fault;
  const tool::Walked walked = tool::walkArguments(
      command.options, arguments, fault,
      [](std::string_view text) { return "unexpected argument " + std::string(text); },
      [&](size_t row) { return command.options[row].name == kHelp.name; },
      [&](size_t row, std::string_view value) -> std::string {
        const tool::Option& option = command.options[row];
        const std::string needed = needsInstead(option, value);
        if (!needed.empty()) return std::string(option.name) + " needs " + needed;
        if (option.name == kFilter.name)
          options.filters.emplace_back(value);
        else
          options.values[std::string(option.name)] = value;
        return {};
      });
  help = walked == tool::Walked::Stopped;
  return fault;
}

// --- pack

int pack(const ResultsOptions& options) {
  const std::vector<Variant> all = readVariants(options.get("--variants"));
  std::vector<const Variant*> chosen;
  for (const Variant& v : all)
    if (options.wants(v.name)) chosen.push_back(&v);
  if (chosen.empty()) {
    std::fprintf(stderr, "no variants\n");
    return kUsageError;
  }
  const ShaderFolder folder(options.get("--shaders"));
  const bool reversed = options.get("--order") == "reversed";
  PackWriter writer(options.get("--output"));
  if (const hn::Status bad = writer.begin()) {
    std::fprintf(stderr, "%s\n", bad->message.c_str());
    return kUsageError;
  }
  const unsigned jobs = std::max(1u, options.number("--jobs", processors()));
  // Compiled by several threads, written in order.
  size_t packed = 0;
  std::vector<std::string> problems;
  constexpr size_t kBatch = 64;
  for (size_t begin = 0; begin < chosen.size(); begin += kBatch) {
    const size_t size = std::min(kBatch, chosen.size() - begin);
    std::vector<std::unique_ptr<hn::Result<Modules>>> compiledModules(size);
    const auto compileOne = [&](size_t i) {
      const Variant& v = *chosen[begin + i];
      auto modules = compiledByAll(v, folder, options.get("--reference"));
      if (reversed && modules) {
        auto backwards = compiledReversed(v, folder);
        if (backwards)
          (*modules)[kOptimized] = std::move(*backwards);
        else
          modules = backwards.error();
      }
      compiledModules[i] = std::make_unique<hn::Result<Modules>>(std::move(modules));
      return std::string();
    };
    inParallel(size, compileOne, jobs);
    for (size_t i = 0; i < size; ++i) {
      const Variant& v = *chosen[begin + i];
      hn::Result<Modules>& modules = *compiledModules[i];
      if (!modules) {
        problems.push_back(modules.error().message);
        continue;
      }
      Reflection reflection;
      const std::string bad = reflect((*modules)[kReference], reflection);
      const hn::Status added = bad.empty() ? writer.add({v.name, v.file()}, reflection, std::move(*modules))
                                           : hn::Status(hn::Error{v.name + ": " + bad});
      packed += added ? 0 : 1;
      if (added) problems.push_back(added->message);
    }
  }
  if (const hn::Status bad = writer.end()) problems.push_back(bad->message);
  for (const std::string& p : problems) std::fprintf(stderr, "%s\n", p.c_str());
  std::printf("%zu variants, %.1f MiB of modules\n", packed, static_cast<double>(writer.bytes()) / (1 << 20));
  return problems.empty() ? kSame : kDifferent;
}

// --- run and check

bool isChosen(const ResultsOptions& options, const Subject& subject) {
  const std::string matrices = options.get("--matrices");
  return options.wants(subject.name) && (matrices.empty() || (matrices == "yes") == subject.usesMatrices());
}

std::vector<Setting> chosenSettings(const ResultsOptions& options, const PackedVariant& variant,
                                    const Target& target) {
  std::vector<Setting> list = settings(variant.subject, variant.reflection, target);
  if (options.get("--settings") == "first") list.resize(1);
  return list;
}

constexpr size_t kAllModules = kModules;
constexpr char kNotRunnable[] = "not runnable";
constexpr char kNothingToLower[] = "nothing to lower";
constexpr char kDifferentNeeds[] = "modules need different things";

// One variant in one setting.
struct Job {
  size_t variant = 0;
  size_t setting = 0;
  std::string name;
  size_t only = kAllModules;  // or a single module
};

// The cause of a difference, the worst last.
enum class Verdict { Same, Unfused, Tolerable, Rounding, ReferenceWrong, Races, Differs };

const char* word(Verdict v) {
  switch (v) {
    case Verdict::Same: return "same bytes";
    case Verdict::Unfused: return "same bytes unless the driver fuses";
    case Verdict::Tolerable: return "within tolerance";
    case Verdict::Rounding: return "rounds differently";
    case Verdict::ReferenceWrong: return "the reference is wrong";
    case Verdict::Races: return "races";
    case Verdict::Differs: return "differs";
  }
  return "";
}

Verdict verdictOf(const Difference& d, bool races) {
  if (d.same()) return Verdict::Same;
  if (races) return Verdict::Races;
  if (d.sameUnfused && d.tolerable()) return Verdict::Unfused;
  return d.tolerable() ? Verdict::Tolerable : Verdict::Differs;
}

std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string describe(const char* what, const Difference& d) {
  std::string line = std::string(what) + ": " + std::to_string(d.numbers) + " numbers differ, from byte " +
                     std::to_string(d.first) + " of binding " + d.binding + " on, by up to " +
                     text("%g", d.worst);
  if (std::isfinite(d.ofTypical)) {
    line += " (" + text("%g", d.worstPair[0]) + " instead of " + text("%g", d.worstPair[1]) + "), " +
            text("%g", d.ofTypical) + " of the root mean square";
  }
  return line + (d.sameUnfused ? ", none without fused arithmetic" : "");
}

// A result, as a worker sends it and the report keeps it.
Json toJson(const Comparison& c, const std::string& referenceFault, bool lowered) {
  Json json;
  Verdict plain = verdictOf(c.plain, c.races);
  const bool wrongReference = plain == Verdict::Differs && !referenceFault.empty();
  if (wrongReference) plain = Verdict::ReferenceWrong;
  Verdict optimized = verdictOf(c.optimized, c.races);
  // Lowered products add up in another order.
  if (lowered && optimized == Verdict::Differs && c.optimized.rounding()) optimized = Verdict::Rounding;
  json["plain"] = word(plain);
  json["optimized"] = word(optimized);
  const Verdict worst = std::max(plain, optimized);
  json["result"] = !c.meaningful() && worst < Verdict::Races ? "proves nothing" : word(worst);
  json["changedBytes"] = c.changed;
  json["nanBytes"] = c.nans;
  json["pipelineMilliseconds"] = Json::array();
  for (const double ms : c.pipelineMilliseconds)
    json["pipelineMilliseconds"].push_back(std::round(ms * 10) / 10);
  Json notes = Json::array();
  if (!c.plain.same()) notes.push_back(describe("coopc -O0 beside glslc -O0", c.plain));
  if (!c.optimized.same())
    notes.push_back(
        describe((std::string(moduleName(kOptimized, lowered)) + " beside coopc -O0").c_str(), c.optimized));
  if (wrongReference) notes.push_back(referenceFault);
  if (!c.meaningful()) {
    notes.push_back(std::to_string(c.changed) + " bytes changed, " + std::to_string(c.nans) +
                    " of them NaNs");
  }
  if (!notes.empty()) json["notes"] = notes;
  return json;
}

Json problem(const char* result, const std::vector<std::string>& reasons) {
  Json json;
  json["result"] = result;
  json["notes"] = reasons;
  return json;
}

// Removes optional features that the device lacks from the modules. True: there were any.
bool fitModules(const vk::PhysicalDevice& device, Modules& modules) {
  bool scalar = false;
  if (!device.features.has("cooperativeMatrixDecodeVector"))
    for (std::vector<uint32_t>& words : modules) scalar = forgetVectorDecoding(words) || scalar;
  return scalar;
}

// How many of the modules the device cannot run, and why.
size_t unableModules(const vk::PhysicalDevice& device, const vk::RunRequest& request, const Modules& modules,
                     std::vector<std::string>& reasons) {
  size_t unable = 0;
  for (size_t k = 0; k < kModules; ++k) {
    const std::vector<std::string> missing = missingFor(device, request, modules[k]);
    unable += missing.empty() ? 0 : 1;
    for (const std::string& m : missing)
      if (std::find(reasons.begin(), reasons.end(), m) == reasons.end()) reasons.push_back(m);
  }
  return unable;
}

class Runner {
 public:
  Runner(const ResultsOptions& options, Pack pack) : options_(options), pack_(std::move(pack)) {}

  int run() {
    const auto start = std::chrono::steady_clock::now();
    prepareForDrivers();
    spirv::lower::Target any;
    if (const std::string wrong = spirv::lower::removeFeatures(any, options_.get("--without"));
        !wrong.empty()) {
      std::fprintf(stderr, "--without: %s\n", wrong.c_str());
      return kUsageError;
    }
    // This process must not load the driver, because it forks the workers.
    const hn::Result<std::string> asked = suite::inChild([this] { return describeDevice(); }, 120);
    const Json device = asked ? Json::parse(*asked, nullptr, false) : Json();
    if (!device.is_object() || device.contains("error")) {
      std::fprintf(stderr, "%s\n",
                   !asked               ? asked.error().message.c_str()
                   : device.is_object() ? device["error"].get<std::string>().c_str()
                                        : "the device cannot be asked");
      // A device that is selected explicitly must exist.
      return options_.get("--device").empty() ? kNothingRun : kUsageError;
    }
    target_.subgroupSize = device["subgroupSize"].get<uint32_t>();
    target_.matrixSize = device["matrixSize"].get<uint32_t>();
    std::printf("%s, %s\n", device["name"].get<std::string>().c_str(),
                device["driver"].get<std::string>().c_str());
    listJobs();
    std::printf("%zu variants and settings\n", jobs_.size());
    if (jobs_.empty()) {
      std::fputs("no variant of the pack is chosen by --filter and --matrices\n", stderr);
      return kUsageError;
    }
    results_.resize(jobs_.size());
    seconds_ = options_.number("--seconds", 0);
    runJobs(start);
    findCulprits(start);
    return report(device);
  }

 private:
  std::string describeDevice() {
    Json json;
    const std::string bad = openDevice();
    if (!bad.empty()) {
      json["error"] = bad;
    } else {
      const Target target = targetOf(*device_);
      json["name"] = device_->name;
      json["driver"] = device_->driverName + " " + device_->driverInfo;
      json["subgroupSize"] = target.subgroupSize;
      json["matrixSize"] = target.matrixSize;
    }
    return json.dump();
  }

  std::string openDevice() {
    auto instance = vk::Instance::create({});
    if (!instance) return instance.error().message;
    instance_ = std::move(*instance);
    const auto picked = vk::pickDevice(instance_->devices(), options_.get("--device"));
    if (!picked) return picked.error().message;
    device_ = *picked;
    devices_ = std::make_unique<vk::LogicalDevices>();
    if (const std::string without = options_.get("--without"); !without.empty()) {
      hn::Result<hn::LoweringTargets> targets = hn::loweringTargets(*device_, without);
      if (!targets) return targets.error().message;
      lowered_ = std::move(*targets);
    }
    return {};
  }

  // First settings before others; among these, shaders with matrices before those without.
  void listJobs() {
    for (size_t v = 0; v < pack_.variants().size(); ++v) {
      const PackedVariant& variant = pack_.variants()[v];
      if (!isChosen(options_, variant.subject)) continue;
      const std::vector<Setting> list = chosenSettings(options_, variant, target_);
      for (size_t s = 0; s < list.size(); ++s) {
        const std::string& setting = list[s].name;
        jobs_.push_back({v, s, variant.subject.name + (setting.empty() ? "" : " @" + setting), kAllModules});
      }
    }
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [&](const Job& a, const Job& b) { return rank(a) < rank(b); });
  }

  int rank(const Job& job) const {
    return (job.setting == 0 ? 0 : 2) + (pack_.variants()[job.variant].subject.usesMatrices() ? 0 : 1);
  }

  uint32_t secondsLeft(std::chrono::steady_clock::time_point start) const {
    if (seconds_ == 0) return 0;
    const auto used =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start).count();
    return used + 1 >= seconds_ ? 1 : seconds_ - static_cast<uint32_t>(used);
  }

  suite::RunResult runList(const std::vector<Job>& jobs, uint32_t seconds) {
    std::vector<suite::SuiteCase> cases(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i) cases[i].name = std::to_string(i);
    suite::Work work;
    work.setUp = [this] { return openDevice(); };
    work.runCase = [&](const suite::SuiteCase& subject) { return runJob(jobs[std::stoul(subject.name)]); };
    suite::RunOptions how;
    how.workers = options_.number("--workers", processors());
    how.caseSeconds = options_.number("--case-seconds", 120);
    how.totalSeconds = seconds;
    how.progress = [&](size_t done) {
      std::printf("  %zu of %zu\n", done, jobs.size());
      std::fflush(stdout);
    };
    std::fflush(stdout);
    return suite::runCases(cases, work, how);
  }

  // Runs in a worker.
  suite::CaseOutcome runJob(const Job& job) {
    const PackedVariant& variant = pack_.variants()[job.variant];
    hn::Result<Modules> modules = pack_.modules(variant);
    if (!modules)
      return finished(suite::Verdict::Fault, problem("fault of the pack", {modules.error().message}));
    const Setting setting = settings(variant.subject, variant.reflection, target_)[job.setting];
    const vk::RunRequest request = requestOf(variant.subject, variant.reflection, target_, setting);
    if (lowered_) (*modules)[kOptimized] = (*modules)[kPlain];
    const bool scalar = fitModules(*device_, *modules);
    std::vector<std::string> reasons;
    const size_t unable = unableModules(*device_, request, *modules, reasons);
    if (unable != 0)
      return finished(suite::Verdict::Skip,
                      problem(unable == kModules ? kNotRunnable : kDifferentNeeds, reasons));

    ExecutionOptions options;
    options.devices = devices_.get();
    options.timeoutSeconds = 30;
    options.repeats = options_.number("--repeats", 0);
    if (lowered_ && (job.only == kAllModules || job.only == kOptimized)) options.lowered = &*lowered_;
    options.lowersAll = job.only == kOptimized;
    if (job.only != kAllModules) {
      const std::vector<uint32_t> alone = (*modules)[job.only];
      for (std::vector<uint32_t>& words : *modules) words = alone;
    }
    const Comparison c = compareModules(*instance_, *device_, variant.reflection, request, *modules, options);
    switch (c.kind) {
      case Comparison::Kind::Done: {
        Json json = toJson(c, knownReferenceFault(variant.subject, c.plain.worst), lowered_.has_value());
        if (scalar) json["vectorDecoding"] = "taken away";
        return finished(suite::Verdict::Pass, json);
      }
      case Comparison::Kind::NotRunnable:
        return finished(suite::Verdict::Skip, problem(kNotRunnable, c.reasons));
      case Comparison::Kind::Native: return finished(suite::Verdict::Skip, problem(kNothingToLower, {}));
      case Comparison::Kind::Declined:
        return finished(suite::Verdict::Skip, problem("lowering declines", c.reasons));
      case Comparison::Kind::Lost: return finished(suite::Verdict::Lost, problem("device lost", c.reasons));
      case Comparison::Kind::Failed: break;
    }
    return finished(suite::Verdict::Refused, problem("failed", c.reasons));
  }

  // Split, because workers truncate long reasons.
  static suite::CaseOutcome finished(suite::Verdict verdict, const Json& result) {
    constexpr size_t kPiece = 2000;
    suite::CaseOutcome outcome;
    outcome.verdict = verdict;
    const std::string text = result.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (size_t at = 0; at < text.size(); at += kPiece) outcome.reasons.push_back(text.substr(at, kPiece));
    return outcome;
  }

  // The result that a worker sent, or what happened to the worker.
  static Json resultOf(const suite::CaseOutcome& outcome) {
    std::string sent;
    for (const std::string& piece : outcome.reasons) sent += piece;
    Json result = Json::parse(sent, nullptr, false);
    if (!result.is_object())
      result = problem(std::string(suite::verdictName(outcome.verdict)).c_str(), outcome.reasons);
    if (!outcome.before.empty()) {
      result["before"] = outcome.before;
      result["notes"].push_back("alone; before that, beside others: " + outcome.before);
    }
    return result;
  }

  static bool isDriverFault(const suite::CaseOutcome& outcome) {
    return outcome.verdict == suite::Verdict::Crashed || outcome.verdict == suite::Verdict::Hung ||
           outcome.verdict == suite::Verdict::Lost;
  }

  void runJobs(std::chrono::steady_clock::time_point start) {
    const suite::RunResult done = runList(jobs_, secondsLeft(start));
    error_ = done.error;
    for (size_t i = 0; i < jobs_.size() && i < done.outcomes.size(); ++i) {
      results_[i] = resultOf(done.outcomes[i]);
      if (isDriverFault(done.outcomes[i])) faults_.push_back(i);
    }
  }

  // Runs each module of a crashed job separately.
  void findCulprits(std::chrono::steady_clock::time_point start) {
    if (faults_.empty() || !error_.empty()) return;
    std::vector<Job> alone;
    for (const size_t i : faults_) {
      for (size_t k = 0; k < kModules; ++k) {
        alone.push_back(jobs_[i]);
        alone.back().only = k;
      }
    }
    const suite::RunResult done = runList(alone, secondsLeft(start));
    for (size_t i = 0; i < alone.size() && i < done.outcomes.size(); ++i) {
      Json& result = results_[faults_[i / kModules]];
      const std::string which = moduleName(alone[i].only, !options_.get("--without").empty());
      const Json own = resultOf(done.outcomes[i]);
      const bool ran = done.outcomes[i].verdict == suite::Verdict::Pass;
      result["notes"].push_back(which + " alone: " + (ran ? "runs" : own["result"].get<std::string>()));
    }
  }

  int report(const Json& device) {
    const std::string notRun(suite::verdictName(suite::Verdict::NotRun));  // the time limit was reached
    std::map<std::string, size_t> counts;
    std::map<std::string, std::map<std::string, size_t>> byFile;
    std::map<std::string, size_t> missing;
    Json list = Json::array();
    for (size_t i = 0; i < jobs_.size(); ++i) {
      const Subject& subject = pack_.variants()[jobs_[i].variant].subject;
      Json& r = results_[i];
      const std::string result = r["result"].get<std::string>();
      ++counts[result];
      const char* kind = subject.khrMatrices() ? " cm1" : subject.nvMatrices() ? " cm2" : "";
      ++byFile[subject.file + kind][result];
      if (result == kNotRunnable && !r["notes"].empty()) ++missing[r["notes"][0].get<std::string>()];
      const bool expected = result == word(Verdict::Same) || result == kNotRunnable ||
                            result == kNothingToLower || result == notRun;
      if (!expected || r.contains("before")) {
        std::printf("%s: %s\n", jobs_[i].name.c_str(), result.c_str());
        if (r.contains("notes"))
          for (const Json& note : r["notes"]) std::printf("    %s\n", note.get<std::string>().c_str());
      }
      r["name"] = jobs_[i].name;
      r["file"] = subject.file;
      list.push_back(std::move(r));
    }
    std::printf("\n");
    for (const auto& [file, own] : byFile) {
      std::printf("%-40s", file.c_str());
      for (const auto& [result, count] : own) std::printf("  %zu %s", count, result.c_str());
      std::printf("\n");
    }
    std::printf("\n");
    for (const auto& [reason, count] : missing) std::printf("%5zu not runnable: %s\n", count, reason.c_str());
    for (const auto& [result, count] : counts) std::printf("%5zu %s\n", count, result.c_str());
    if (!error_.empty()) std::printf("stopped: %s\n", error_.c_str());
    if (!options_.get("--json").empty()) {
      Json whole;
      whole["device"] = device;
      whole["counts"] = counts;
      whole["results"] = std::move(list);
      std::ofstream file(options_.get("--json"), std::ios::binary);
      file << whole.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
      file.close();
      if (!file) {
        std::fprintf(stderr, "%s: cannot be written\n", options_.get("--json").c_str());
        return kUsageError;
      }
    }
    size_t fine = counts[kNotRunnable] + counts[kNothingToLower] + counts[notRun], ran = 0;
    for (const Verdict v :
         {Verdict::Same, Verdict::Unfused, Verdict::Tolerable, Verdict::Rounding, Verdict::ReferenceWrong})
      ran += counts[word(v)];
    fine += ran;
    if (!error_.empty() || fine != jobs_.size()) return kDifferent;
    return ran == 0 ? kNothingRun : kSame;
  }

  const ResultsOptions& options_;
  Pack pack_;
  Target target_;
  uint32_t seconds_ = 0;
  std::vector<Job> jobs_;
  std::vector<Json> results_;
  std::vector<size_t> faults_;  // indices of jobs
  std::string error_;
  // Only set in workers.
  std::unique_ptr<vk::Instance> instance_;
  const vk::PhysicalDevice* device_ = nullptr;
  std::unique_ptr<vk::LogicalDevices> devices_;
  std::optional<hn::LoweringTargets> lowered_;
};

// --- check

int check(const ResultsOptions& options) {
  const std::string profile = fileText(options.get("--profile"));
  if (profile.empty()) {
    std::fprintf(stderr, "%s: cannot be read\n", options.get("--profile").c_str());
    return kUsageError;
  }
  const hn::Result<vk::PhysicalDevice> device = deviceOfProfile(profile);
  if (!device) {
    std::fprintf(stderr, "%s: %s\n", options.get("--profile").c_str(), device.error().message.c_str());
    return kUsageError;
  }
  const hn::Result<Pack> pack = Pack::open(options.get("--pack"));
  if (!pack) {
    std::fprintf(stderr, "%s\n", pack.error().message.c_str());
    return kUsageError;
  }
  const Target target = targetOf(*device);
  std::map<std::string, size_t> counts;
  size_t able = 0;
  for (const PackedVariant& v : pack->variants()) {
    if (!isChosen(options, v.subject)) continue;
    hn::Result<Modules> modules = pack->modules(v);
    if (!modules) {
      std::fprintf(stderr, "%s\n", modules.error().message.c_str());
      return kUsageError;
    }
    fitModules(*device, *modules);
    for (const Setting& setting : chosenSettings(options, v, target)) {
      std::vector<std::string> reasons;
      const vk::RunRequest request = requestOf(v.subject, v.reflection, target, setting);
      const size_t unable = unableModules(*device, request, *modules, reasons);
      able += unable == 0 ? 1 : 0;
      if (unable != 0)
        ++counts[std::string(unable == kModules ? kNotRunnable : kDifferentNeeds) + ": " + reasons[0]];
    }
  }
  std::printf("%5zu can run\n", able);
  for (const auto& [reason, count] : counts) std::printf("%5zu %s\n", count, reason.c_str());
  return kSame;
}

int run(const ResultsOptions& options) {
  hn::Result<Pack> opened = Pack::open(options.get("--pack"));
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return kUsageError;
  }
  return Runner(options, std::move(*opened)).run();
}

}  // namespace
}  // namespace coopc::tests::llama

int main(int count, char** words) {
  using namespace coopc::tests::llama;
  const std::vector<std::string> arguments(words + 1, words + count);
  if (!arguments.empty() && arguments[0] == kHelp.name) {
    std::fputs(usage().c_str(), stdout);
    return kSame;
  }
  const auto command = std::find_if(std::begin(kCommands), std::end(kCommands), [&](const Command& c) {
    return !arguments.empty() && c.name == arguments[0];
  });
  if (command == std::end(kCommands)) {
    std::fputs(usage().c_str(), stderr);
    return kUsageError;
  }
  ResultsOptions options;
  bool help = false;
  const std::string bad = parse(*command, std::span(arguments).subspan(1), options, help);
  if (!bad.empty()) {
    std::fprintf(stderr, "%s\n%s", bad.c_str(), usage().c_str());
    return kUsageError;
  }
  if (help) {
    std::fputs(usage().c_str(), stdout);
    return kSame;
  }
  return command->name == "pack" ? pack(options) : command->name == "run" ? run(options) : check(options);
}
