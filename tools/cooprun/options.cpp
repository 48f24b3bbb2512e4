// Options come as `--name value` or `--name=value`.
#include "tools/cooprun/options.hpp"

#include <string_view>

#include "harness/formula.hpp"

namespace coopc::cooprun {

const char kUsage[] =
    "cooprun: runs compute shaders on Vulkan devices and compares what they compute with CPU references\n"
    "\n"
    "  cooprun --list [--json]             devices with their cooperative matrix features and shapes\n"
    "  cooprun --dump-profile FILE         the device (--device) as a profile for coopval --profile (-: to "
    "the "
    "standard output)\n"
    "  cooprun [options] CASE.toml...      runs cases (docs/cooprun.md describes their format)\n"
    "  cooprun suite [options]             runs the conformance suite; suite --help says more\n"
    "  cooprun compare [options] CASE...   the same cases with the modules of two compilers (compare "
    "--help)\n"
    "  cooprun tune [options] CASE.toml    times every combination of values in the case's [tune] (tune "
    "--help)\n"
    "\n"
    "  --device NAME|INDEX   the device whose name contains NAME, or by its place in --list (default: the "
    "best)\n"
    "  --time                GPU timestamps: warm-up, several runs, median\n"
    "  --statistics          what the driver says of the shader that it made: registers, stack, shared "
    "memory\n"
    "  --validation          with the Khronos validation layer; what it reports fails the case\n"
    "  --json                results as JSON on the standard output\n"
    "  --set NAME=VALUE      another value for a variable of the cases\n"
    "  --compiler PROGRAM    compiles the shaders, with glslc's command line (default: coopc beside this "
    "program)\n"
    "  --modules DIR         uses DIR/CASE.spv, where it exists, instead of compiling\n"
    "  --save-modules DIR    writes the modules to DIR/CASE.spv\n"
    "  --compile-only        no device: compiles only\n"
    "  --dump DIR            writes the final contents of buffers to DIR/CASE.BUFFER.bin\n"
    "  --turn FILE           locks FILE while the device works: several cooprun can then prepare at once and "
    "time "
    "undisturbed\n"
    "  --help, --version\n"
    "\n"
    "Exit codes: 0 passed, 1 a case failed, 2 wrong usage, 77 everything was skipped (the device lacks "
    "something).\n";

harness::Result<Options> parseOptions(int argc, char** argv) {
  Options options;
  const auto wrong = [](const std::string& text) { return harness::Error{text}; };
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.size() < 2 || argument[0] != '-') {
      options.cases.emplace_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string name(argument.substr(0, equals));
    struct Switch {
      const char* name;
      bool* value;
    };
    const Switch switches[] = {{"--help", &options.help},
                               {"-h", &options.help},
                               {"--version", &options.version},
                               {"--list", &options.list},
                               {"--json", &options.json},
                               {"--validation", &options.validation},
                               {"--time", &options.time},
                               {"--compile-only", &options.compileOnly},
                               {"--statistics", &options.statistics}};
    bool done = false;
    for (const Switch& item : switches) {
      if (name != item.name) continue;
      if (equals != std::string_view::npos) return wrong(name + " takes no value");
      *item.value = true;
      done = true;
    }
    if (done) continue;

    struct Text {
      const char* name;
      std::string* value;
    };
    std::string setting;
    const Text texts[] = {{"--device", &options.device},   {"--compiler", &options.compiler},
                          {"--modules", &options.modules}, {"--save-modules", &options.saveModules},
                          {"--dump", &options.dump},       {"--dump-profile", &options.profile},
                          {"--turn", &options.turnFile},   {"--set", &setting}};
    for (const Text& item : texts) {
      if (name != item.name) continue;
      if (equals != std::string_view::npos) {
        *item.value = std::string(argument.substr(equals + 1));
      } else if (i + 1 < argc) {
        *item.value = argv[++i];
      } else {
        return wrong(name + " needs a value");
      }
      if (item.value->empty()) return wrong(name + " needs a value");
      done = true;
    }
    if (!done) return wrong("unknown option '" + name + "'");
    if (!setting.empty()) {
      const size_t at = setting.find('=');
      if (at == std::string::npos || at == 0) return wrong("--set needs NAME=VALUE");
      const auto value = harness::evaluateFormula(std::string_view(setting).substr(at + 1),
                                                  [](std::string_view) -> harness::Result<int64_t> {
                                                    return harness::Error{"--set needs a number"};
                                                  });
      if (!value) return wrong("--set " + setting + ": " + value.error().message);
      options.overrides[setting.substr(0, at)] = *value;
    }
  }
  if (options.help || options.version) return options;
  if (!options.list && options.profile.empty() && options.cases.empty()) return wrong("no case given");
  return options;
}

}  // namespace coopc::cooprun
