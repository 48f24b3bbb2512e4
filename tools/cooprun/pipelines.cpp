// `cooprun pipelines`: creates pipelines, each in a separate process, and prints what the driver reports
// about them.
//
// A driver that crashes or hangs only costs one row. The processes are forked without exec, because another
// loader than the program's own may run it (docs/devices/drivers.md). The parent process never touches
// Vulkan.
#include "tools/cooprun/pipelines.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/case.hpp"
#include "harness/cases/run.hpp"
#include "harness/pipeline_figures.hpp"
#include "harness/pipeline_run.hpp"
#include "harness/suite/child.hpp"
#include "tools/common/options.hpp"
#include "tools/cooprun/case_module.hpp"
#include "tools/cooprun/command_line.hpp"
#include "tools/cooprun/disassemble.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/measure.hpp"
#include "tools/cooprun/module_request.hpp"
#include "tools/cooprun/pipelines_table.hpp"
#include "tools/cooprun/report.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::cooprun {
namespace {

#define COOPC_OPTIONS "tools/cooprun/pipelines_options.def"
#include "tools/common/option_table.inc"

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

enum ExitCode { kMade = 0, kFailed = 1, kUsageError = 2, kSkipped = 77 };

const char kHelpStart[] =
    "cooprun pipelines [options] CASE.toml|MODULE.spv...: the driver's statistics for shaders, "
    "without executing them\n"
    "\n";
const char kHelpEnd[] =
    "\nExit codes: 0 all pipelines that the device supports were created, 1 one failed, 2 wrong usage, 77 "
    "the device supports none.\n";
constexpr CommandTable kTable{kOptions, kHelpStart, kHelpEnd, size_t(Id::Help), size_t(Id::OptionsMarkdown)};

struct PipelinesOptions {
  std::string device;
  harness::Overrides settings;
  std::map<uint32_t, uint64_t> constants;
  harness::Compiler compiler;
  std::string modules;
  std::vector<std::string> against;  // none or two folders
  bool lower = true;
  std::string without;
  size_t jobs = 1;
  uint32_t timeout = 60;
  std::string disassemble;
  std::string json, csv;
  std::vector<std::string> files;
  std::string show;  // what to print instead: --help
};

// "ID=VALUE"
bool readConstant(std::string_view text, std::map<uint32_t, uint64_t>& constants) {
  const size_t at = text.find('=');
  if (at == std::string_view::npos) return false;
  const auto id = plainNumber(text.substr(0, at));
  const auto value = plainNumber(text.substr(at + 1));
  if (!id || !value || *id < 0 || *id > UINT32_MAX) return false;
  constants[static_cast<uint32_t>(*id)] = static_cast<uint64_t>(*value);
  return true;
}

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& name, const std::string& value, PipelinesOptions& options) {
  const auto number = [&](auto& to) { return readCount(name, value, 100000, to); };
  switch (option) {
    case Id::Device: options.device = value; break;
    case Id::Set: return readSetting(value, options.settings) ? "" : "--set needs NAME=NUMBER";
    case Id::Constant: return readConstant(value, options.constants) ? "" : "--constant needs ID=NUMBER";
    case Id::Compiler: options.compiler.program = value; break;
    case Id::Modules: options.modules = value; break;
    case Id::Against: options.against = {value}; break;
    case Id::NoLower: options.lower = false; break;
    case Id::Without: options.without += (options.without.empty() ? "" : ",") + value; break;
    case Id::Jobs: return number(options.jobs);
    case Id::Timeout: return number(options.timeout);
    case Id::Disassemble: options.disassemble = value; break;
    case Id::Json: options.json = value; break;
    case Id::Csv: options.csv = value; break;
    case Id::OptionsMarkdown:
    case Id::Help: break;  // readCommand()
  }
  return {};
}

// The modules that both folders have, as file names without the extension.
harness::Result<std::vector<std::string>> commonModules(const std::vector<std::string>& folders) {
  std::set<std::string> names[2];
  for (size_t i = 0; i < 2; ++i) {
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folders[i], failure)) {
      if (entry.path().extension() == ".spv") names[i].insert(entry.path().stem().string());
    }
    if (failure) return harness::Error{folders[i] + ": " + failure.message()};
  }
  std::vector<std::string> both;
  std::set_intersection(names[0].begin(), names[0].end(), names[1].begin(), names[1].end(),
                        std::back_inserter(both));
  return both;
}

harness::Result<PipelinesOptions> parse(int argc, char** argv, const char* self) {
  PipelinesOptions options;
  options.compiler.program = defaultCompiler(self);
  std::string fault = readCommand(
      kTable, argc, argv, options.show,
      [&](std::string_view file) {
        // The second folder of --against follows the first.
        (options.against.size() == 1 ? options.against : options.files).emplace_back(file);
        return "";
      },
      [&](size_t row, const std::string& name, const std::string& value) {
        if (options.against.size() == 1) return std::string("--against needs two folders");
        return set(Id(row), name, value, options);
      });
  if (!options.show.empty()) return options;
  if (!fault.empty()) return harness::Error{std::move(fault)};
  if (options.against.size() == 1) return harness::Error{"--against needs two folders"};
  if (options.files.empty() && options.against.empty()) return harness::Error{"no case or module given"};
  return options;
}

// A pipeline to create.
struct Job {
  std::string file;    // the file of a case or of a module
  std::string name;    // its file's stem
  std::string folder;  // of modules for cases; "": the case's own, or compiled
  std::string side;    // with --against: its folder
};

harness::Result<std::vector<Job>> jobsOf(const PipelinesOptions& options) {
  std::vector<Job> jobs;
  const auto add = [&](const std::string& file) {
    const std::string name = fs::path(file).stem().string();
    if (options.against.empty()) jobs.push_back({file, name, options.modules, ""});
    for (const std::string& folder : options.against) jobs.push_back({file, name, folder, folder});
  };
  for (const std::string& file : options.files) add(file);
  if (!options.files.empty()) return jobs;
  const auto names = commonModules(options.against);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    for (const std::string& folder : options.against)
      jobs.push_back({(fs::path(folder) / (name + ".spv")).string(), name, "", folder});
  }
  return jobs;
}

// The modules, and the request that uses them.
struct Subject {
  std::vector<std::vector<uint32_t>> modules;
  vk::RunRequest request;
};

harness::Status readSubject(const Job& job, const PipelinesOptions& options, Subject& subject) {
  if (fs::path(job.file).extension() == ".spv") {
    auto words = vk::readModuleFile(job.file);
    if (!words) return words.error();
    subject.modules.push_back(std::move(*words));
    auto request = requestOfModule(subject.modules[0], options.constants);
    if (!request) return request.error();
    subject.request = std::move(*request);
    return std::nullopt;
  }
  const auto read = harness::readCase(job.file, options.settings);
  if (!read) return read.error();
  auto modules = modulesOf(*read, job.name, job.folder, options.compiler);
  if (!modules) return modules.error();
  subject.modules = std::move(*modules);
  subject.request = harness::requestOf(*read, subject.modules, {});
  return std::nullopt;
}

struct ChosenDevice {
  std::unique_ptr<vk::Instance> instance;
  const vk::PhysicalDevice* device = nullptr;
};

harness::Result<ChosenDevice> choose(const std::string& wish) {
  auto instance = vk::Instance::create({});
  if (!instance) return instance.error();
  const auto picked = vk::pickDevice((*instance)->devices(), wish);
  if (!picked) return picked.error();
  return ChosenDevice{std::move(*instance), *picked};
}

// A row that gives the reason why there is no pipeline.
Json notMade(const char* verdict, const std::vector<std::string>& reasons) {
  return {{"verdict", verdict}, {"reasons", reasons}};
}

// Runs in a separate process.
Json makeRow(const Job& job, const PipelinesOptions& options) {
  Subject subject;
  if (const harness::Status wrong = readSubject(job, options, subject))
    return notMade("failed", {wrong->message});
  const auto chosen = choose(options.device);
  if (!chosen) return notMade("skipped", {chosen.error().message});
  auto targets = harness::loweringTargets(*chosen->device, options.without);
  if (!targets) return notMade("failed", {targets.error().message});
  subject.request.statistics = true;
  subject.request.code = true;
  const harness::PipelineRun made = harness::makePipeline(*chosen->instance, *chosen->device, subject.request,
                                                          options.lower ? &*targets : nullptr);
  if (made.outcome.kind != vk::RunOutcome::Kind::Done) {
    const bool lacking = made.outcome.kind == vk::RunOutcome::Kind::Skipped;
    return notMade(lacking ? "skipped" : "failed", made.outcome.reasons);
  }
  Json row = {
      {"verdict", "made"}, {"lowered", made.lowered}, {"milliseconds", made.outcome.pipelineMilliseconds}};
  harness::PipelineFigures figures =
      harness::figuresOf(made.outcome.statistics, made.outcome.code, made.outcome.subgroupSize);
  if (!figures.sharedBytes) figures.sharedBytes = made.sharedBytes;
  addFigures(figures, row);
  if (!options.disassemble.empty()) {
    const std::string stem =
        job.side.empty() ? job.name : job.name + "." + fs::path(job.side).filename().string();
    row["code"] = disassemble(made.outcome.code, stem, {options.disassemble, "SM90"});
  }
  return row;
}

harness::Result<std::string> describeChosen(const PipelinesOptions& options) {
  const auto answer = harness::suite::inChild(
      [&] {
        const auto chosen = choose(options.device);
        return chosen ? "+" + deviceLine(*chosen->device) : "-" + chosen.error().message;
      },
      options.timeout);
  if (!answer) return answer.error();
  if (answer->starts_with('-')) return harness::Error{answer->substr(1)};
  return answer->substr(1);
}

std::vector<Json> makeRows(const std::vector<Job>& jobs, const PipelinesOptions& options) {
  std::vector<Json> rows(jobs.size());
  harness::suite::inChildren(
      jobs.size(), options.jobs,
      [&](size_t i) {
        return makeRow(jobs[i], options).dump(-1, ' ', false, Json::error_handler_t::replace);
      },
      options.timeout,
      [&](size_t i, const harness::Result<std::string>& answer) {
        Json row = answer ? Json::parse(*answer, nullptr, false)
                          : notMade("crashed", {"the process " + answer.error().message});
        Json named = {{"name", jobs[i].name}};
        if (!jobs[i].side.empty()) named["side"] = jobs[i].side;
        named.update(row);
        rows[i] = std::move(named);
      });
  return rows;
}

ExitCode verdictOf(const std::vector<Json>& rows) {
  const auto count = [&](const char* verdict) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const Json& row) { return row["verdict"] == verdict; });
  };
  if (count("failed") + count("crashed") != 0) return kFailed;
  return count("made") == 0 ? kSkipped : kMade;
}

int wrong(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "cooprun pipelines: %s\n", message.c_str());
  return code;
}

}  // namespace

int pipelinesMain(int argc, char** argv, const char* self) {
  const auto options = parse(argc, argv, self);
  if (!options) return wrong(options.error().message + "; --help says more", kUsageError);
  if (!options->show.empty()) {
    std::fputs(options->show.c_str(), stdout);
    return kMade;
  }
  const auto jobs = jobsOf(*options);
  if (!jobs) return wrong(jobs.error().message, kUsageError);
  if (!makeFolders({options->disassemble})) return kFailed;
  for (const std::string& file : {options->json, options->csv}) {
    if (!canBeWritten(file)) return wrong(file + ": cannot be written", kUsageError);
  }
  const auto device = describeChosen(*options);
  if (!device) return wrong(device.error().message, options->device.empty() ? kSkipped : kUsageError);

  const std::vector<Json> rows = makeRows(*jobs, *options);
  if (options->json != "-" && options->csv != "-") {
    const std::string table = *device + "\n" + tableAsText(rows);
    std::fwrite(table.data(), 1, table.size(), stdout);
  }
  if (!options->json.empty()) {
    const Json all = {{"device", *device}, {"pipelines", rows}};
    if (const auto failure = writeFile(options->json, all.dump(1) + '\n'))
      return wrong(failure->message, kFailed);
  }
  if (!options->csv.empty()) {
    if (const auto failure = writeFile(options->csv, tableAsCsv(rows)))
      return wrong(failure->message, kFailed);
  }
  return verdictOf(rows);
}

}  // namespace coopc::cooprun
