// coopval: checks SPIR-V modules. Parses the options, expands files and folders to a list in a fixed order,
// checks the list in several threads, and renders the findings in one of four forms.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/file_path.hpp"
#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "coopc/core.hpp"
#include "coopc/validate.hpp"
#include "tools/common/module_program.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"
#include "tools/common/standard_output.hpp"

namespace {

namespace fs = std::filesystem;

#define COOPC_OPTIONS "tools/coopval/options.def"
#include "tools/common/option_table.inc"

#ifdef COOPVAL_CORE
constexpr bool kLinksCore = true;
#else
constexpr bool kLinksCore = false;
#endif

constexpr const char kHelpStart[] =
    "coopval - checks SPIR-V modules against the rules of cooperative matrices, tensor addressing and "
    "cooperative\n"
    "vectors\n"
    "\n"
    "Usage: coopval [option...] FILE|FOLDER...\n"
    "\n"
    "A FILE of - is the standard input; of a FOLDER all files *.spv are checked, in the order of their "
    "names.\n"
    "\n";
constexpr const char kHelpEnd[] =
    "\n"
    "Exit code: 0 no findings of severity error, 1 such findings, 2 wrong usage or a file that cannot be "
    "read.\n";

struct CoopvalOptions {
  std::vector<std::string> inputs;
  std::string profile;
  std::vector<std::string> suppress;
  std::vector<coopc::Specialization> specializations;
  coopc::CoreOptions coreRules;
  std::string coreOption;                                  // the first option that concerns core rules alone
  bool core = true, requireCore = false, layouts = false;  // layouts: an option of block layouts was given
  bool advice = true, werror = false, pipeline = false;
  std::string format = "text", output;
  unsigned threads = 0;
};

int usage(const std::string& message) {
  std::fprintf(stderr, "coopval: %s; see coopval --help\n", message.c_str());
  return 2;
}

// Reports a mistake on the command line for which the help would be of no use.
int fail(const std::string& message) {
  std::fprintf(stderr, "coopval: %s\n", message.c_str());
  return 2;
}

// Reads a file. "", or why it cannot be read.
std::string readFile(const std::string& name, std::string& bytes) {
  const std::string why = coopc::readWhole(name, bytes, coopc::tool::kMaxModuleFile);
  if (!why.empty()) return "cannot be read: " + why;
  return bytes.size() > coopc::tool::kMaxModuleFile ? "has more than 1 GiB" : "";
}

// Prints what an option requests instead of checking. False for other options.
bool show(Id option) {
  switch (option) {
    case Id::Help:
    case Id::HelpShort:
      std::fputs((kHelpStart + coopc::tool::helpOf(kOptions) + kHelpEnd).c_str(), stdout);
      return true;
    case Id::Version: std::printf("coopval %s\n", COOPC_VERSION); return true;
    case Id::ListRules:
      for (const coopc::RuleDescription& rule : coopc::rules())
        std::printf("%.*s\n", int(rule.id.size()), rule.id.data());
      return true;
    case Id::ListProfiles:
      for (const coopc::ShippedProfile& p : coopc::shippedProfiles())
        std::printf("%.*s\n", int(p.name.size()), p.name.data());
      return true;
    case Id::RulesMarkdown: std::fputs(coopc::renderRulesMarkdown().c_str(), stdout); return true;
    case Id::OptionsMarkdown: std::fputs(coopc::tool::markdownOf(kOptions).c_str(), stdout); return true;
    default: return false;
  }
}

bool isWord(Id option, std::string_view value) {
  for (std::string_view rest = kOptions[size_t(option)].words; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == value) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool suppress(const std::string& value, CoopvalOptions& options) {
  for (size_t at = 0; at <= value.size();) {
    const size_t end = std::min(value.find(',', at), value.size());
    options.suppress.push_back(value.substr(at, end - at));
    if (coopc::findRule(options.suppress.back()) == nullptr) return false;
    at = end + 1;
  }
  return true;
}

// Sets an option of core rules; false for other options. The first option about block layouts revokes the
// default layouts.
bool setCore(Id option, CoopvalOptions& options) {
  coopc::CoreOptions& core = options.coreRules;
  const auto layout = [&](bool coopc::CoreOptions::*member) {
    if (!options.layouts) core.scalarBlockLayout = core.workgroupScalarBlockLayout = false;
    options.layouts = true;
    if (member != nullptr) core.*member = true;
    return true;
  };
  switch (option) {
    case Id::RelaxBlockLayout: return layout(&coopc::CoreOptions::relaxBlockLayout);
    case Id::UniformBufferStandardLayout: return layout(&coopc::CoreOptions::uniformBufferStandardLayout);
    case Id::ScalarBlockLayout: return layout(&coopc::CoreOptions::scalarBlockLayout);
    case Id::WorkgroupScalarBlockLayout: return layout(&coopc::CoreOptions::workgroupScalarBlockLayout);
    case Id::SkipBlockLayout: return layout(&coopc::CoreOptions::skipBlockLayout);
    case Id::StrictBlockLayout: return layout(nullptr);
    case Id::RelaxLogicalPointer: return core.relaxLogicalPointer = true;
    case Id::RelaxStructStore: return core.relaxStructStore = true;
    case Id::BeforeHlslLegalization: return core.beforeHlslLegalization = true;
    case Id::AllowLocalSizeId: return core.allowLocalSizeId = true;
    case Id::AllowOffsetTextureOperand: return core.allowOffsetTextureOperand = true;
    case Id::AllowVulkan32BitBitwise: return core.allowVulkan32BitBitwise = true;
    default: return false;
  }
}

// Whether an option says how core rules are checked.
bool concernsCore(Id option) {
  switch (option) {
    case Id::TargetEnv:
    case Id::RelaxBlockLayout:
    case Id::UniformBufferStandardLayout:
    case Id::ScalarBlockLayout:
    case Id::WorkgroupScalarBlockLayout:
    case Id::SkipBlockLayout:
    case Id::StrictBlockLayout:
    case Id::RelaxLogicalPointer:
    case Id::RelaxStructStore:
    case Id::BeforeHlslLegalization:
    case Id::AllowLocalSizeId:
    case Id::AllowOffsetTextureOperand:
    case Id::AllowVulkan32BitBitwise: return true;
    default: return false;
  }
}

// "", or what is wrong with the option's value.
std::string set(Id option, const std::string& value, CoopvalOptions& options) {
  switch (option) {
    case Id::NoCore: options.core = false; break;
    case Id::RequireCore: options.requireCore = true; break;
    case Id::Pipeline: options.pipeline = true; break;
    case Id::NoAdvice: options.advice = false; break;
    case Id::Werror: options.werror = true; break;
    case Id::Profile:
      if (!options.profile.empty()) return "--profile is given twice: a run checks against one device";
      options.profile = value;
      break;
    case Id::Suppress:
      if (!suppress(value, options)) return "there is no rule `" + options.suppress.back() + "`";
      break;
    case Id::Spec: return coopc::tool::addSpecialization(value, options.specializations);
    case Id::TargetEnv: {
      const std::string_view names[] = {"vulkan1.0", "vulkan1.1", "vulkan1.2",
                                        "vulkan1.3", "vulkan1.4", "universal"};
      static_assert(std::size(names) == size_t(coopc::CoreEnvironment::Universal));
      // With Vulkan 1.1, a module of SPIR-V 1.4 is checked as one of VK_KHR_spirv_1_4 anyway.
      const std::string_view name = value == "vulkan1.1spv1.4" ? "vulkan1.1" : std::string_view(value);
      const auto at = std::find(std::begin(names), std::end(names), name);
      if (at == std::end(names)) return "unknown environment `" + value + "`";
      options.coreRules.environment = coopc::CoreEnvironment(1 + (at - std::begin(names)));
      break;
    }
    case Id::Format:
      if (!isWord(option, value)) return "unknown format `" + value + "`";
      options.format = value;
      break;
    case Id::Output: options.output = value; break;
    case Id::Threads: {
      const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
      options.threads = digits ? unsigned(std::min(256ul, std::strtoul(value.c_str(), nullptr, 10))) : 0;
      if (options.threads == 0) return "-j takes a number from 1, not `" + value + "`";
      break;
    }
    default: setCore(option, options); break;
  }
  return {};
}

// 0: continue; otherwise the exit code plus one.
int parse(int argc, char** argv, CoopvalOptions& options) {
  std::string fault;
  const coopc::tool::Walked walked = coopc::tool::walkProgram(
      kOptions, argc, argv, fault,
      [&](std::string_view input) {
        options.inputs.emplace_back(input);
        return "";
      },
      [](size_t row) { return show(Id(row)); },
      [&](size_t row, const std::string& value) {
        if (concernsCore(Id(row)) && options.coreOption.empty()) options.coreOption = kOptions[row].name;
        return set(Id(row), value, options);
      });
  if (walked == coopc::tool::Walked::Stopped) return 1;
  if (walked == coopc::tool::Walked::Wrong) return usage(fault) + 1;
  if (options.inputs.empty()) return usage("no files") + 1;
  return 0;
}

// Reports once that no module is checked against core rules, and why. False if --require-core or another
// option requests a check that is not possible.
bool announceCore(const CoopvalOptions& options) {
  const std::string why = !kLinksCore     ? "this coopval was built without SPIRV-Tools"
                          : !options.core ? "--no-core is given"
                                          : "";
  const bool suppressed =
      std::find(options.suppress.begin(), options.suppress.end(), "core-unchecked") != options.suppress.end();
  if (options.requireCore && why.empty() && suppressed)
    return fail("--require-core reports what --suppress core-unchecked leaves out"), false;
  if (why.empty()) return true;
  if (options.requireCore) return fail("--require-core: core rules are not checked, " + why), false;
  if (!options.coreOption.empty())
    std::fprintf(stderr, "coopval: warning: %s has no effect: core rules are not checked, %s\n",
                 options.coreOption.c_str(), why.c_str());
  else if (options.core)  // not asked for
    std::fprintf(stderr, "coopval: note: core rules are not checked, %s\n", why.c_str());
  return true;
}

// Replaces folders by the files in them, sorted by name.
bool expand(const std::vector<std::string>& inputs, std::vector<std::string>& files, std::string& bad) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (input == "-" || !fs::is_directory(coopc::filePath(input), error)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> found;
    fs::recursive_directory_iterator at(coopc::filePath(input), error), end;
    for (; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      if (at->path().extension() == ".spv" && at->is_regular_file(ignored))
        found.push_back(coopc::pathText(at->path()));
    }
    if (error) {
      bad = input;
      return false;
    }
    // Without this message, a mistyped folder would look like a folder of valid modules.
    if (found.empty()) std::fprintf(stderr, "coopval: no files *.spv below `%s`\n", input.c_str());
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return true;
}

// A module's words in this machine's byte order. Bytes after the last whole word are ignored.
std::vector<uint32_t> wordsOf(const std::string& bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  if (!words.empty() && words[0] == 0x03022307) {  // the other byte order
    for (uint32_t& w : words) w = w >> 24 | (w >> 8 & 0xFF00) | (w << 8 & 0xFF0000) | w << 24;
  }
  return words;
}

void check(const std::string& name, const CoopvalOptions& options,
           const coopc::ValidateOptions& validateOptions, coopc::ValidateResult& result) {
  std::string text;
  result.error = readFile(name, text);
  if (!result.error.empty()) return;
  const std::span bytes(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  result = coopc::validateBytes(bytes, validateOptions);
#ifdef COOPVAL_CORE
  if (options.core && bytes.size() % 4 == 0)
    coopc::validateCore(wordsOf(text), options.coreRules, validateOptions, result);
#else
  (void)options;
#endif
}

// Checks files in parallel. If the check of one throws (for lack of memory), that is its result, and the
// others continue.
void checkAll(const std::vector<std::string>& names, const CoopvalOptions& options,
              const coopc::ValidateOptions& validateOptions, std::vector<coopc::CheckedFile>& files) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t n; (n = next.fetch_add(1)) < names.size();) {
      files[n].name = names[n];
      try {
        check(names[n], options, validateOptions, files[n].result);
      } catch (const std::exception& failure) {
        files[n].result = {};
        files[n].result.error = std::string("cannot be checked: ") + failure.what();
      }
    }
  };
  const unsigned threads = unsigned(std::min<size_t>(
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency()),
      names.size()));
  std::vector<std::thread> others;
  try {
    others.reserve(threads);
    for (unsigned n = 1; n < threads; ++n) others.emplace_back(work);
  } catch (const std::exception&) {  // no more threads can be started; the running ones do all of the work
  }
  work();
  for (std::thread& thread : others) thread.join();
}

// Checks the rules between the files. The files are read again, because until now no more than one for each
// thread was in memory.
void checkPipeline(const coopc::ValidateOptions& validateOptions, std::vector<coopc::CheckedFile>& files) {
  std::vector<std::vector<uint32_t>> words(files.size());
  std::vector<coopc::PipelineModule> modules;
  std::vector<coopc::ValidateResult> results;
  for (size_t n = 0; n < files.size(); ++n) {
    std::string bytes;
    if (files[n].name == "-")
      files[n].result.error = "a pipeline's modules are files";
    else if (files[n].result.error.empty())
      files[n].result.error = readFile(files[n].name, bytes);
    words[n] = wordsOf(bytes);
    modules.push_back({words[n], {}});
    results.push_back(std::move(files[n].result));
  }
  coopc::validatePipeline(modules, validateOptions, results);
  for (size_t n = 0; n < files.size(); ++n) files[n].result = std::move(results[n]);
}

// Turns findings about unchecked core rules into errors.
void requireCore(std::vector<coopc::CheckedFile>& files) {
  for (coopc::CheckedFile& file : files)
    for (coopc::Finding& finding : file.result.findings)
      if (finding.rule->id == "core-unchecked") finding.severity = coopc::FindingSeverity::Error;
}

int run(int argc, char** argv) {
  CoopvalOptions options;
  if (const int code = parse(argc, argv, options); code != 0) return code - 1;
  if (!announceCore(options)) return 2;

  std::string profile;
  if (!options.profile.empty()) {
    if (const coopc::ShippedProfile* shipped = coopc::findShippedProfile(options.profile)) {
      profile = shipped->text;
    } else {
      if (const std::string why = readFile(options.profile, profile); !why.empty())
        return usage("the profile `" + options.profile + "` " + why + ", and none of that name ships");
      if (const std::string why = coopc::profileError(profile); !why.empty())
        return fail("`" + options.profile + "`: " + why);
    }
  }
  std::vector<std::string> names;
  std::string bad;
  if (!expand(options.inputs, names, bad)) return fail("cannot read the folder `" + bad + "`");
  if (!options.output.empty()) {
    for (const std::string& name : names) {
      std::error_code none;
      if (name != "-" && fs::equivalent(coopc::filePath(name), coopc::filePath(options.output), none))
        return fail("`" + options.output + "` is one of the files to check and would be written over");
    }
  }

  coopc::ValidateOptions validateOptions;
  validateOptions.specializations = options.specializations;
  validateOptions.profile = profile;
  validateOptions.advice = options.advice;
  validateOptions.warningsAsErrors = options.werror;
  for (const std::string& rule : options.suppress) validateOptions.suppress.push_back(rule);

  std::vector<coopc::CheckedFile> files(names.size());
  checkAll(names, options, validateOptions, files);
  if (options.pipeline) checkPipeline(validateOptions, files);
  if (options.requireCore) requireCore(files);
  bool failed = false;
  for (const coopc::CheckedFile& file : files) failed = failed || !file.result.error.empty();

  // The modules in a folder may have different constants. Only a SpecId that no module has is likely to be a
  // mistake.
  size_t slips = 0;
  for (size_t n = 0; n < options.specializations.size(); ++n) {
    const uint32_t id = options.specializations[n].id;
    const auto same = [&](const coopc::Specialization& s) { return s.id == id; };
    const auto end = options.specializations.begin() + std::ptrdiff_t(n);
    if (std::find_if(options.specializations.begin(), end, same) != end) continue;
    size_t readable = 0, unknown = 0;
    for (const coopc::CheckedFile& file : files) {
      const std::vector<uint32_t>& ids = file.result.unknownSpecIds;
      readable += file.result.readable ? 1 : 0;
      unknown += std::find(ids.begin(), ids.end(), id) != ids.end() ? 1 : 0;
    }
    if (readable == 0 || unknown != readable) continue;
    std::fprintf(stderr,
                 "coopval: %s: --spec gives SpecId %u a value, and no specialization constant has it\n",
                 options.werror ? "error" : "warning", id);
    ++slips;
  }

  std::string out;
  if (options.format == "json") out = coopc::renderJson(files);
  if (options.format == "sarif") out = coopc::renderSarif(files);
  if (options.format == "junit") out = coopc::renderJunit(files);
  size_t errors = 0, warnings = 0;
  for (const coopc::CheckedFile& file : files) {
    if (options.format == "text") out += coopc::renderText(file);
    errors += file.result.count(coopc::FindingSeverity::Error);
    warnings += file.result.count(coopc::FindingSeverity::Warning);
  }
  if (options.format == "text" && (errors != 0 || warnings != 0)) {
    out += std::to_string(errors) + (errors == 1 ? " error, " : " errors, ") + std::to_string(warnings) +
           (warnings == 1 ? " warning in " : " warnings in ") + std::to_string(files.size()) +
           (files.size() == 1 ? " file\n" : " files\n");
  }
  if (options.output.empty()) {
    std::fwrite(out.data(), 1, out.size(), stdout);
  } else {
    if (const std::string why = coopc::writeWhole(options.output, out); !why.empty())
      return fail("cannot write `" + options.output + "`: " + why);
  }
  return failed ? 2 : errors != 0 || (options.werror && slips != 0) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return coopc::tool::afterOutput("coopval", run(argc, argv), 2); }
