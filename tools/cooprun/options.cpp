// cooprun's own command line. Its commands (suite, compare, pipelines, tune) parse their own.
#include "tools/cooprun/options.hpp"

#include <string_view>

#include "harness/formula.hpp"
#include "tools/common/options.hpp"

namespace coopc::cooprun {
namespace {

#define COOPC_OPTIONS "tools/cooprun/options.def"
#include "tools/common/option_table.inc"

const char kHelpStart[] =
    "cooprun: runs shaders on Vulkan devices and compares what they compute or draw with CPU references\n"
    "\n"
    "  cooprun --list [--json]             the devices\n"
    "  cooprun --dump-profile FILE         the device (--device) as a profile for coopval --profile\n"
    "  cooprun --layouts FILE              which invocation holds which element of its matrices\n"
    "  cooprun [options] CASE.toml...      runs cases (docs/cases.md describes their format)\n"
    "  cooprun suite [options]             runs the conformance suite\n"
    "  cooprun compare [options] CASE...   the same cases with the modules of two compilers\n"
    "  cooprun pipelines [options] FILE... the driver's statistics for cases and modules\n"
    "  cooprun tune [options] CASE.toml    times every combination of values in the case's [tune]\n"
    "\n"
    "suite, compare, pipelines and tune have their own options (--help lists them). All other options:\n"
    "\n";
const char kHelpEnd[] =
    "\n"
    "Exit codes: 0 passed, 1 a case failed, 2 wrong usage, 77 everything was skipped (the device lacks "
    "something that could not be lowered).\n";

// Reads "NAME=VALUE". "", or what is wrong with it.
std::string readOverride(const std::string& setting, harness::Overrides& overrides) {
  const size_t at = setting.find('=');
  if (at == std::string::npos || at == 0) return "--set needs NAME=VALUE";
  const auto value = harness::evaluateFormula(
      std::string_view(setting).substr(at + 1),
      [](std::string_view) -> harness::Result<int64_t> { return harness::Error{"--set needs a number"}; });
  if (!value) return "--set " + setting + ": " + value.error().message;
  overrides[setting.substr(0, at)] = *value;
  return {};
}

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& value, CooprunOptions& options) {
  switch (option) {
    case Id::Help:
    case Id::HelpShort: options.help = true; break;
    case Id::Version: options.version = true; break;
    case Id::OptionsMarkdown: options.markdown = true; break;
    case Id::List: options.list = true; break;
    case Id::Doctor: options.doctor = true; break;
    case Id::Json: options.json = true; break;
    case Id::Validation: options.validation = true; break;
    case Id::Time: options.time = true; break;
    case Id::CompileOnly: options.compileOnly = true; break;
    case Id::Statistics: options.statistics = true; break;
    case Id::Device: options.device = value; break;
    case Id::Compiler: options.compiler = value; break;
    case Id::Speed: options.optimize = true; break;
    case Id::Reference: options.reference = value; break;
    case Id::ReferenceModules: options.referenceModules = value; break;
    case Id::Modules: options.modules = value; break;
    case Id::SaveModules: options.saveModules = value; break;
    case Id::Dump: options.dump = value; break;
    case Id::DumpProfile: options.profile = value; break;
    case Id::Disassemble: options.disassemble = value; break;
    case Id::Architecture: options.architecture = value; break;
    case Id::Layouts: options.layouts = value; break;
    case Id::NoLower: options.lower = false; break;
    case Id::Through: options.through = value; break;
    case Id::Via: options.via = value; break;
    case Id::Without: options.without += (options.without.empty() ? "" : ",") + value; break;
    case Id::Turn: options.turnFile = value; break;
    case Id::Set: return readOverride(value, options.overrides);
  }
  return {};
}

}  // namespace

std::string helpText() { return kHelpStart + tool::helpOf(kOptions) + kHelpEnd; }
std::string optionsMarkdown() { return tool::markdownOf(kOptions); }

harness::Result<CooprunOptions> parseOptions(int argc, char** argv) {
  CooprunOptions options;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  const tool::Walked walked = tool::walkArguments(
      kOptions, arguments, fault,
      [&](std::string_view file) {
        options.cases.emplace_back(file);
        return "";
      },
      [](size_t) { return false; },
      [&](size_t row, std::string_view value) { return set(Id(row), std::string(value), options); });
  if (walked == tool::Walked::Wrong) return harness::Error{std::move(fault)};
  if (options.help || options.version || options.markdown) return options;
  const bool takesCases =
      !options.list && !options.doctor && options.profile.empty() && options.layouts.empty();
  if (takesCases && options.cases.empty()) return harness::Error{"no case given"};
  return options;
}

}  // namespace coopc::cooprun
