// cooprun: lists Vulkan devices and runs case files on one of them.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/cases/run.hpp"
#include "harness/compile.hpp"
#include "harness/lowering.hpp"
#include "tools/common/own_path.hpp"
#include "tools/common/standard_output.hpp"
#include "tools/cooprun/case_module.hpp"
#include "tools/cooprun/compare.hpp"
#include "tools/cooprun/disassemble.hpp"
#include "tools/cooprun/doctor.hpp"
#include "tools/cooprun/files.hpp"
#include "tools/cooprun/layouts.hpp"
#include "tools/cooprun/options.hpp"
#include "tools/cooprun/pipelines.hpp"
#include "tools/cooprun/report.hpp"
#include "tools/cooprun/suite.hpp"
#include "tools/cooprun/tune.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::cooprun {
namespace {

enum ExitCode { kPassed = 0, kFailed = 1, kUsageError = 2, kSkipped = 77 };

namespace fs = std::filesystem;

int usageError(const std::string& message) {
  std::fprintf(stderr, "cooprun: %s\n", message.c_str());
  return kUsageError;
}

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

harness::Status save(const CooprunOptions& options, const harness::Case& subject, const std::string& stem,
                     const std::vector<std::vector<uint32_t>>& modules) {
  if (options.saveModules.empty()) return std::nullopt;
  for (size_t i = 0; i < modules.size(); ++i) {
    const fs::path path = fs::path(options.saveModules) / (moduleName(subject, i, stem) + ".spv");
    if (harness::Status failure = writeFile(path.string(), bytesOf(modules[i]))) return failure;
  }
  return std::nullopt;
}

harness::Status dump(const CooprunOptions& options, const std::string& stem,
                     const harness::CaseResult& result) {
  if (options.dump.empty()) return std::nullopt;
  for (const harness::FinalContents& contents : result.contents) {
    const std::string path = (fs::path(options.dump) / (stem + "." + contents.name + ".bin")).string();
    if (harness::Status failure = writeFile(path, bytesOf(contents.bytes))) return failure;
  }
  return std::nullopt;
}

CaseReport reportFailure(const std::string& file, std::string reason) {
  CaseReport report;
  report.name = fs::path(file).stem().string();
  report.file = file;
  report.result.verdict = harness::Verdict::Fail;
  report.result.reasons.push_back(std::move(reason));
  return report;
}

int list(const CooprunOptions& options) {
  const auto instance = vk::Instance::create({});
  if (!instance) {
    std::fprintf(stderr, "cooprun: %s\n", instance.error().message.c_str());
    return kSkipped;
  }
  const auto& devices = (*instance)->devices();
  put(options.json ? devicesAsJson(devices) : devicesAsText(devices));
  return devices.empty() ? kSkipped : kPassed;
}

// A Vulkan instance and the device that --device selects. If the device is null, the exit code, after a
// message.
struct Chosen {
  std::unique_ptr<vk::Instance> instance;
  const vk::PhysicalDevice* device = nullptr;
  int code = kPassed;
};

Chosen choose(const CooprunOptions& options) {
  Chosen chosen;
  auto instance = vk::Instance::create({});
  const auto picked = instance ? vk::pickDevice((*instance)->devices(), options.device)
                               : harness::Result<const vk::PhysicalDevice*>(instance.error());
  if (!picked) {
    const bool wrongName = instance && !options.device.empty();
    chosen.code = wrongName ? usageError(picked.error().message) : kSkipped;
    if (!wrongName) std::fprintf(stderr, "cooprun: %s\n", picked.error().message.c_str());
    return chosen;
  }
  chosen.instance = std::move(*instance);
  chosen.device = *picked;
  return chosen;
}

// "2026-11-28"
std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  gmtime_r(&now, &date);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &date);
  return text;
}

int dumpProfile(const CooprunOptions& options) {
  const Chosen chosen = choose(options);
  if (chosen.device == nullptr) return chosen.code;
  vk::PhysicalDevice device = *chosen.device;
  // The wrappers for absent cards (docs/devices/drivers.md) provide the card's name. The driver's name would
  // be missing, or name this machine's processor.
  const char* card = std::getenv("COOPC_NOOP_DEVICE");
  if (card != nullptr) device.name = std::string(card) + " (" + device.driverName + ")";
  const std::string source =
      std::string("cooprun --dump-profile, ") + (card != nullptr ? "without a card, " : "") + today();
  if (const harness::Status failure = writeFile(options.profile, profileAsJson(device, source)))
    return usageError(failure->message);
  return kPassed;
}

int examine(const CooprunOptions& options, const std::string& self) {
  Chosen chosen = choose(options);
  if (chosen.device == nullptr) return chosen.code;
  const vk::PhysicalDevice device = *chosen.device;
  chosen.instance.reset();
  return doctor(device, self, options.json);
}

int writeLayouts(const CooprunOptions& options) {
  const Chosen chosen = choose(options);
  if (chosen.device == nullptr) return chosen.code;
  if (!canBeWritten(options.layouts)) return usageError(options.layouts + ": cannot be written");
  const MeasuredLayouts measured = measureLayouts(*chosen.instance, *chosen.device);
  for (const std::string& problem : measured.problems) std::fprintf(stderr, "cooprun: %s\n", problem.c_str());
  if (measured.device.matrices.empty()) {
    if (measured.problems.empty()) std::fprintf(stderr, "cooprun: the device lists no matrices\n");
    return measured.problems.empty() ? kSkipped : kFailed;
  }
  if (const harness::Status failure = writeFile(options.layouts, print(measured.device)))
    return usageError(failure->message);
  return measured.problems.empty() ? kPassed : kFailed;
}

// Also runs the case with the reference compiler's modules, and adds the differences to `result`.
void compareWithReference(const harness::Case& subject, const std::string& stem,
                          const CooprunOptions& options, const vk::Instance& instance,
                          const vk::PhysicalDevice& device, const harness::CaseOptions& caseOptions,
                          harness::CaseResult& result) {
  const auto fail = [&](const std::string& reason) {
    result.verdict = harness::Verdict::Fail;
    result.reasons.push_back(reason);
  };
  const harness::Compiler compiler{options.reference.empty() ? "false" : options.reference};
  const auto modules = modulesOf(subject, stem, options.referenceModules, compiler);
  if (!modules) return fail("the reference compiler: " + modules.error().message);
  harness::CaseOptions referenceOptions = caseOptions;
  referenceOptions.time = referenceOptions.statistics = referenceOptions.code = false;
  const harness::CaseResult other = harness::runCase(instance, device, subject, *modules, referenceOptions);
  if (other.verdict != harness::Verdict::Pass) {
    for (const std::string& reason : other.reasons) fail("with the reference compiler's modules: " + reason);
    return;
  }
  for (const std::string& line : harness::differences(subject, result, other)) fail(line);
  result.sameAsReference = result.verdict == harness::Verdict::Pass;
}

CaseReport runOne(const std::string& file, const CooprunOptions& options, const harness::Compiler& compiler,
                  vk::Instance* instance, const vk::PhysicalDevice* device,
                  const harness::LoweringTargets* lowering, const std::string& noDevice) {
  const harness::Result<harness::Case> subject = harness::readCase(file, options.overrides);
  if (!subject) return reportFailure(file, subject.error().message);
  const std::string stem = fs::path(file).stem().string();
  const auto modules = modulesOf(*subject, stem, options.modules, compiler);
  if (!modules) return reportFailure(file, modules.error().message);
  if (const harness::Status error = save(options, *subject, stem, *modules))
    return reportFailure(file, error->message);

  CaseReport report;
  report.name = subject->name;
  report.file = file;
  if (options.compileOnly) {
    report.result.verdict = harness::Verdict::Pass;
    return report;
  }
  if (device == nullptr) {
    report.result.verdict = harness::Verdict::Skip;
    report.result.reasons.push_back(noDevice);
    return report;
  }
  harness::CaseOptions caseOptions;
  caseOptions.time = options.time;
  const bool compare = !options.reference.empty() || !options.referenceModules.empty();
  caseOptions.keepContents = !options.dump.empty() || compare;
  caseOptions.statistics = options.statistics;
  caseOptions.code = !options.disassemble.empty();
  caseOptions.turnFile = options.turnFile;
  caseOptions.lowering = lowering;
  caseOptions.through = options.through;
  report.result = harness::runCase(*instance, *device, *subject, *modules, caseOptions);
  if (compare && report.result.verdict == harness::Verdict::Pass)
    compareWithReference(*subject, stem, options, *instance, *device, caseOptions, report.result);
  for (const std::string& message : instance->takeMessages()) {
    report.result.reasons.push_back("validation layer: " + message);
    report.result.verdict = harness::Verdict::Fail;
  }
  if (const harness::Status error = dump(options, stem, report.result))
    return reportFailure(file, error->message);
  if (caseOptions.code && report.result.verdict != harness::Verdict::Skip)
    report.code = disassemble(report.result.code, stem, {options.disassemble, options.architecture});
  return report;
}

int runCases(const CooprunOptions& options, const char* self) {
  harness::Compiler compiler;
  compiler.program = options.compiler.empty() ? defaultCompiler(self) : options.compiler;
  if (options.optimize) compiler.options.emplace_back("-O");

  std::error_code ignored;
  for (const auto& [option, folder] : {std::pair{"--modules", &options.modules},
                                       std::pair{"--reference-modules", &options.referenceModules}}) {
    if (!folder->empty() && !fs::is_directory(*folder, ignored))
      return usageError(std::string(option) + " " + *folder + ": there is no such folder");
  }
  if (!makeFolders({options.saveModules, options.dump, options.disassemble})) return kFailed;

  std::unique_ptr<vk::Instance> instance;
  const vk::PhysicalDevice* device = nullptr;
  std::string noDevice;
  if (!options.compileOnly) {
    vk::InstanceOptions instanceOptions;
    instanceOptions.validation = options.validation;
    auto created = vk::Instance::create(instanceOptions);
    if (!created) {
      noDevice = created.error().message;
    } else {
      instance = std::move(*created);
      const auto picked = vk::pickDevice(instance->devices(), options.device);
      if (picked) {
        device = *picked;
      } else if (!options.device.empty() && !instance->devices().empty()) {
        return usageError(picked.error().message);
      } else {
        noDevice = picked.error().message;
      }
    }
    if (device != nullptr && !options.json) put(deviceLine(*device) + "\n");
  }
  std::optional<harness::LoweringTargets> targets;
  if (device != nullptr) {
    auto made = harness::loweringTargets(*device, options.without, fileOrName(options.via));
    if (!made) return usageError(made.error().message);
    targets = std::move(*made);
  }
  const harness::LoweringTargets* lowering = targets && options.lower ? &*targets : nullptr;

  std::vector<CaseReport> reports;
  size_t failures = 0;
  size_t skips = 0;
  for (const std::string& file : options.cases) {
    reports.push_back(runOne(file, options, compiler, instance.get(), device, lowering, noDevice));
    failures += reports.back().result.verdict == harness::Verdict::Fail ? 1 : 0;
    skips += reports.back().result.verdict == harness::Verdict::Skip ? 1 : 0;
    if (!options.json) {
      const bool onlyCompiled =
          options.compileOnly && reports.back().result.verdict == harness::Verdict::Pass;
      put(onlyCompiled ? "COMPILED " + reports.back().name + "\n" : caseAsText(reports.back()));
      std::fflush(stdout);
    }
  }
  if (options.json) {
    put(reportsAsJson(reports, device));
  } else if (reports.size() > 1) {
    put(std::to_string(reports.size() - failures - skips) +
        (options.compileOnly ? " compiled, " : " passed, ") + std::to_string(failures) + " failed, " +
        std::to_string(skips) + " skipped\n");
  }
  std::fflush(stdout);
  if (failures != 0) return kFailed;
  return skips == reports.size() ? kSkipped : kPassed;
}

int run(int argc, char** argv) {
  const std::string self = tool::ownPath(argc > 0 ? argv[0] : "");
  if (argc > 1 && std::string_view(argv[1]) == "tune") return tuneMain(argc - 1, argv + 1, self.c_str());
  if (argc > 1 && std::string_view(argv[1]) == "compare")
    return compareMain(argc - 1, argv + 1, self.c_str());
  if (argc > 1 && std::string_view(argv[1]) == "pipelines")
    return pipelinesMain(argc - 1, argv + 1, self.c_str());
  if (argc > 1 && std::string_view(argv[1]) == "suite") return suiteMain(argc, argv);
  const auto options = parseOptions(argc, argv);
  if (!options) return usageError(options.error().message + "; --help says more");
  if (options->help) {
    put(helpText());
    return kPassed;
  }
  if (options->markdown) {
    put(optionsMarkdown());
    return kPassed;
  }
  if (options->version) {
    put("cooprun of coopc " COOPC_VERSION "\n");
    return kPassed;
  }
  if (!options->profile.empty()) return dumpProfile(*options);
  if (!options->layouts.empty()) return writeLayouts(*options);
  if (options->doctor) return examine(*options, self);
  return options->list ? list(*options) : runCases(*options, argv[0]);
}

}  // namespace
}  // namespace coopc::cooprun

int main(int argc, char** argv) {
  using namespace coopc::cooprun;
  return coopc::tool::afterOutput("cooprun", run(argc, argv), kFailed);
}
