// cooplower: rewrites SPIR-V modules for devices that lack features that the modules use.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "coopc/lower.hpp"
#include "coopc/translate.hpp"
#include "tools/common/module_program.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"
#include "tools/common/standard_output.hpp"

namespace {

#define COOPC_OPTIONS "tools/cooplower/options.def"
#include "tools/common/option_table.inc"

enum ExitCode { kDone = 0, kDeclined = 1, kUsageError = 2 };

constexpr const char kHelpStart[] =
    "cooplower - rewrites SPIR-V modules for devices that lack features that the modules use\n"
    "\n"
    "Usage: cooplower FILE --profile NAME|FILE [-o FILE] [option...]\n"
    "\n"
    "A FILE of - is the standard input.\n"
    "\n";
constexpr const char kHelpEnd[] =
    "\n"
    "Exit code: 0 the module is lowered, or is native and written as it was; 1 it is declined, and nothing "
    "is written;\n"
    "2 wrong usage or a file that cannot be read or written.\n";

struct CooplowerOptions {
  std::string input, output, profile, without, language;
  std::vector<coopc::Specialization> specializations;
  std::vector<std::vector<coopc::Specialization>> settings;
  bool specDefaults = false, advise = false, explain = false, json = false, optimize = true,
       keepDebug = false;
  uint32_t subgroupSize = 0;
  std::optional<uint32_t> tensorDescriptions;
};

int fail(const std::string& message) {
  std::fprintf(stderr, "cooplower: %s\n", message.c_str());
  return kUsageError;
}

// Prints what an option requests instead of lowering. False for other options.
bool show(Id option) {
  switch (option) {
    case Id::Help:
    case Id::HelpShort:
      std::fputs((kHelpStart + coopc::tool::helpOf(kOptions) + kHelpEnd).c_str(), stdout);
      return true;
    case Id::Version: std::printf("cooplower %s\n", COOPC_VERSION); return true;
    case Id::ListProfiles:
      for (const coopc::LoweringTarget& t : coopc::loweringTargets())
        std::printf("%.*s: %.*s\n", int(t.name.size()), t.name.data(), int(t.what.size()), t.what.data());
      for (const coopc::ShippedProfile& p : coopc::shippedProfiles())
        std::printf("%.*s\n", int(p.name.size()), p.name.data());
      return true;
    case Id::OptionsMarkdown: std::fputs(coopc::tool::markdownOf(kOptions).c_str(), stdout); return true;
    default: return false;
  }
}

// Adds a setting, ID=VALUE separated by commas. "", or what is wrong with it.
std::string addSetting(std::string_view list, std::vector<std::vector<coopc::Specialization>>& settings) {
  std::vector<coopc::Specialization> setting;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string wrong = coopc::tool::addSpecialization(std::string(list.substr(0, comma)), setting);
    if (!wrong.empty()) return wrong;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  settings.push_back(std::move(setting));
  return {};
}

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& value, CooplowerOptions& options) {
  switch (option) {
    case Id::Profile: options.profile = value; break;
    case Id::Output: options.output = value; break;
    case Id::Emit:
      if (value != "glsl" && value != "hlsl" && value != "msl")
        return "--emit takes glsl, hlsl or msl, not `" + value + "`";
      options.language = value;
      break;
    case Id::Without: options.without += (options.without.empty() ? "" : ",") + value; break;
    case Id::Spec: return coopc::tool::addSpecialization(value, options.specializations);
    case Id::SpecDefaults: options.specDefaults = true; break;
    case Id::SubgroupSize: {
      const uint64_t size = coopc::tool::parseInteger(value).value_or(0);
      if (size == 0 || size > 128 || (size & (size - 1)) != 0)
        return "--subgroup-size takes a power of two up to 128, not `" + value + "`";
      options.subgroupSize = uint32_t(size);
      break;
    }
    case Id::TensorDescriptions: {
      const std::optional<uint64_t> first = coopc::tool::parseInteger(value);
      if (!first || *first > UINT32_MAX / 2)
        return "--tensor-descriptions takes a binding, not `" + value + "`";
      options.tensorDescriptions = uint32_t(*first);
      break;
    }
    case Id::Advise: options.advise = true; break;
    case Id::Setting: return addSetting(value, options.settings);
    case Id::Explain: options.explain = true; break;
    case Id::Format:
      if (value != "text" && value != "json") return "unknown format `" + value + "`";
      options.json = value == "json";
      break;
    case Id::NoOptimize: options.optimize = false; break;
    case Id::KeepDebug: options.keepDebug = true; break;
    default: break;
  }
  return {};
}

// 0: continue; otherwise the exit code plus one.
int parse(int argc, char** argv, CooplowerOptions& options) {
  std::string fault;
  const coopc::tool::Walked walked = coopc::tool::walkProgram(
      kOptions, argc, argv, fault,
      [&](std::string_view file) {
        if (!options.input.empty()) return "more than one file is given";
        options.input = file;
        return "";
      },
      [](size_t row) { return show(Id(row)); },
      [&](size_t row, const std::string& value) { return set(Id(row), value, options); });
  if (walked == coopc::tool::Walked::Stopped) return 1;
  if (walked == coopc::tool::Walked::Wrong) return fail(fault + "; --help says more") + 1;
  if (options.input.empty()) return fail("no file is given; --help says more") + 1;
  if (options.profile.empty()) return fail("--profile is not given; --list-profiles names some") + 1;
  if (options.advise && (!options.output.empty() || options.explain))
    return fail("--advise makes no module: it goes with neither -o nor --explain") + 1;
  if (!options.advise && !options.settings.empty()) return fail("--setting goes with --advise") + 1;
  return 0;
}

// The text of a profile, by name or from a file.
std::string readProfile(std::string& profile) {
  if (coopc::isLoweringProfile(profile)) return {};
  std::string text;
  const std::string why = coopc::readWhole(profile, text, coopc::tool::kMaxModuleFile);
  if (!why.empty())
    return "the profile `" + profile + "` cannot be read: " + why + ", and none of that name ships";
  profile = std::move(text);
  return {};
}

// Translates the words to a text. Returns "", or why there is no text.
std::string translate(std::span<const uint32_t> words, const std::string& language, std::string& text) {
#ifdef COOPC_TRANSLATES
  coopc::TranslateOptions with;
  coopc::shadingLanguageByName(language, with.language);
  coopc::TranslateResult result = coopc::translateChecked(words, with);
  text = std::move(result.text);
  return result.error;
#else
  (void)words, (void)language, (void)text;
  return "this cooplower was built without SPIRV-Cross";
#endif
}

int advise(const std::string& bytes, const coopc::LowerOptions& lowerOptions,
           const CooplowerOptions& options) {
  const coopc::AdviceResult advice = coopc::adviseBytes(
      {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, {lowerOptions, options.settings});
  if (!advice.error.empty()) return fail(advice.error);
  std::fputs((options.json ? renderJson(advice) : renderText(advice)).c_str(), stdout);
  const bool any =
      std::any_of(advice.settings.begin(), advice.settings.end(),
                  [](const coopc::AdvisedSetting& s) { return s.kind != coopc::Lowering::Declined; });
  return any ? kDone : kDeclined;
}

int run(int argc, char** argv) {
  CooplowerOptions options;
  if (const int code = parse(argc, argv, options); code != 0) return code - 1;
  if (const std::string wrong = readProfile(options.profile); !wrong.empty()) return fail(wrong);
  std::string bytes;
  if (const std::string why = coopc::readWhole(options.input, bytes, coopc::tool::kMaxModuleFile);
      !why.empty())
    return fail("`" + options.input + "` cannot be read: " + why);

  coopc::LowerOptions lowerOptions;
  lowerOptions.profile = options.profile;
  lowerOptions.without = options.without;
  lowerOptions.specializations = options.specializations;
  lowerOptions.specDefaults = options.specDefaults;
  lowerOptions.subgroupSize = options.subgroupSize;
  lowerOptions.tensorDescriptions = options.tensorDescriptions;
  lowerOptions.optimize = options.optimize;
  lowerOptions.keepDebug = options.keepDebug;
  if (options.advise) return advise(bytes, lowerOptions, options);
  const coopc::LowerResult result =
      coopc::lowerBytes({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, lowerOptions);
  if (!result.error.empty()) return fail(result.error);
  for (const uint32_t id : result.unknownSpecIds)
    std::fprintf(
        stderr, "cooplower: warning: --spec gives SpecId %u a value, and no specialization constant has it\n",
        unsigned(id));

  const bool declined = result.kind == coopc::Lowering::Declined;
  if (!declined && !options.output.empty()) {
    std::string text;
    if (!options.language.empty()) {
      const std::string why = translate(result.words, options.language, text);
      if (!why.empty()) return fail("cannot be written as " + options.language + ": " + why);
    }
    const std::string why =
        options.language.empty()
            ? coopc::writeWhole(options.output, result.words.data(), result.words.size() * sizeof(uint32_t))
            : coopc::writeWhole(options.output, text);
    if (!why.empty()) return fail("cannot write `" + options.output + "`: " + why);
  }
  // Without an output file, the plan is printed. If the module goes to the standard output, the plan does
  // not.
  const bool print = options.explain || options.output.empty();
  std::FILE* const to = options.output == "-" || (declined && !print) ? stderr : stdout;
  if (print || declined) std::fputs((options.json ? renderJson(result) : renderText(result)).c_str(), to);
  return declined ? kDeclined : kDone;
}

}  // namespace

int main(int argc, char** argv) {
  return coopc::tool::afterOutput("cooplower", run(argc, argv), kUsageError);
}
