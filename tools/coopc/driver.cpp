// One command line: files, names of outputs, dependency rules and exit codes. Everything else is in the
// library.
#include "tools/coopc/driver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <sys/stat.h>
#include <unordered_set>
#include <utility>

#include "base/file_path.hpp"
#include "base/running_program.hpp"
#include "base/whole_file.hpp"
#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "coopc/translate.hpp"
#include "tools/common/terminal.hpp"
#include "tools/coopc/dependency_rule.hpp"
#include "tools/coopc/paths.hpp"
#include "tools/coopc/result_cache.hpp"

namespace coopc::tool {
namespace {

void print(std::FILE* to, std::string* instead, std::string_view text) {
  if (instead != nullptr)
    instead->append(text);
  else
    std::fwrite(text.data(), 1, text.size(), to);
}

// The words for -mfmt=c and -mfmt=num: four numbers per line.
std::string wordsAsText(const std::vector<uint32_t>& words, Format format) {
  std::string text;
  text.reserve(words.size() * 11 + 4);
  if (format == Format::C) text += '{';
  for (size_t i = 0; i < words.size(); ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "0x%08x", words[i]);
    text += number;
    if (i + 1 < words.size()) text += (i % 4 == 3) ? ",\n" : ",";
  }
  if (format == Format::C) text += '}';
  text += '\n';
  return text;
}

// glslc's messages about a file whose stage is unknown.
std::string fileWithoutStage(const std::string& path) {
  std::string text = "glslc: error: '" + path + "': ";
  if (path == "-")
    text += "-fshader-stage required when input is from standard input \"-\"";
  else if (path.ends_with(".glsl"))
    text += ".glsl file encountered but no -fshader-stage specified ahead";
  else
    text += "file not recognized: File format not recognized";
  return text + "\n";
}

// The stem of an input's outputs. As in glslc, the extensions of six stages are kept and all others are
// removed.
std::string_view stemOf(const Input& input) {
  const std::string_view file = fileOf(input.path);
  const size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return file;
  for (std::string_view kept : {"vert", "tesc", "tese", "geom", "frag", "comp"})
    if (file.substr(dot + 1) == kept) return file;
  return file.substr(0, dot);
}

std::string moduleName(const Input& input) { return std::string(stemOf(input)) + ".spv"; }

// The output file of an input.
std::string outputName(const CommandLine& line, const Input& input) {
  if (!line.output.empty()) return line.output;
  if (line.mode == Mode::Preprocess || line.mode == Mode::Reflect || line.mode == Mode::Translate) return "-";
  if (line.mode == Mode::Link) return "a.spv";
  return std::string(stemOf(input)) + (line.mode == Mode::Assemble ? ".spvasm" : ".spv");
}

// As in glslc, assembly becomes a module; no other output is made from it.
bool makesNothing(const CommandLine& line, const Input& input) {
  return input.assembly &&
         (line.mode == Mode::Preprocess || line.mode == Mode::Assemble || line.dependenciesOnly);
}

// For -MD: the target of an input's rule, and the file for the rule. Without -o they are those of -c, as in
// glslc.
std::string ruleTarget(const CommandLine& line, const Input& input) {
  const std::string path = outputName(line, input);
  return path == "-" || (line.output.empty() && line.mode != Mode::Assemble) ? moduleName(input) : path;
}
std::string ruleFile(const CommandLine& line, const Input& input) {
  return line.dependencyFile.empty() ? ruleTarget(line, input) + ".d" : line.dependencyFile;
}

// Identifies a regular file, whatever name it is opened by.
#ifdef _WIN32
using FileIdentity = std::filesystem::path;
std::optional<FileIdentity> identityOf(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(filePath(path), failed)) return std::nullopt;
  FileIdentity whole = std::filesystem::canonical(filePath(path), failed);
  return failed ? std::nullopt : std::optional(std::move(whole));
}
#else
using FileIdentity = std::pair<dev_t, ino_t>;
std::optional<FileIdentity> identityOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileIdentity(info.st_dev, info.st_ino);
}
#endif

// Why the command line must not run: it would overwrite an input, or write one file twice. "" if it may run.
std::string overwriting(const CommandLine& line, const Surroundings& where) {
  std::unordered_set<std::string> places;
  std::optional<std::map<FileIdentity, std::string_view>> inputs;  // filled at the first output that exists
  for (const std::string& name : writtenFiles(line)) {
    const std::string place = where.place(name);
    if (!places.insert(normalPath(place)).second) return "'" + name + "' would be written twice";
    const std::optional<FileIdentity> output = identityOf(place);
    if (!output) continue;
    if (!inputs) {
      inputs.emplace();
      for (const Input& input : line.inputs) {
        if (input.path == "-") continue;
        if (const auto file = identityOf(where.place(input.path))) inputs->try_emplace(*file, input.path);
      }
    }
    if (const auto found = inputs->find(*output); found != inputs->end())
      return "'" + name + "' would be written over the input file '" + std::string(found->second) + "'";
  }
  return {};
}

// Whether a file is a SPIR-V module, in either byte order.
bool isModule(std::string_view text) {
  return text.substr(0, 4) == "\x03\x02\x23\x07" || text.substr(0, 4) == "\x07\x23\x02\x03";
}

using Bytes = std::span<const unsigned char>;
Bytes bytesOf(const std::vector<uint32_t>& words) {
  return {reinterpret_cast<const unsigned char*>(words.data()), words.size() * sizeof(uint32_t)};
}

class Driver {
 public:
  Driver(const CommandLine& line, const Surroundings& where)
      : line_(line), where_(where), include_(where.files.resolver(line.includeFolders, where.directory)) {
    if (!line.cache.folder.empty()) cache_.emplace(where.place(line.cache.folder), line.cache.maxBytes);
  }

  int run() {
    if (const std::string reason = overwriting(line_, where_); !reason.empty())
      return usageError(reason, where_.err, line_.asGlslc);
    int code = 0;
    for (const Input& input : line_.inputs)
      if (!compile(input)) code = kInputError;
    if (!line_.jsonDiagnostics)
      error(coopc::summary(errors_, warnings_));
    else if (!json_.empty())
      error("[" + json_ + "\n]\n");
    return code;
  }

 private:
  void error(std::string_view text) { print(stderr, where_.err, text); }
  bool fileError(std::string_view what, const std::string& path, const std::string& why) {
    error(std::string(line_.asGlslc ? "glslc" : "coopc") + ": error: " + std::string(what) + ": '" + path +
          "': " + why + "\n");
    return false;
  }

  bool assemble(const Input& input, std::string_view text) {
    if (makesNothing(line_, input)) return true;
    coopc::Result result;
    std::string why;
    result.words = coopc::assembleText(text, coopc::spirvVersionFor(line_.options), &why);
    if (result.words.empty()) {
      ++errors_;
      error(input.path + ":" + why.insert(why.find(": ") + 2, "error: ") + "\n");
      return false;
    }
    result.dependencies = {input.path};
    if (line_.lowering.profile.empty()) return write(input, result);
    const std::vector<uint32_t> given = result.words;
    return lower(input, result.words, [&](const auto& with) { return coopc::lower(given, with); }) &&
           write(input, result);
  }

  bool compile(const Input& input) {
    coopc::SharedText text;
    int number = 0;
    if (input.path == "-") {
      text = readFile("-", &number);
    } else {
      text = where_.files.read(where_.place(input.path), &number);
    }
    if (!text) return fileError("cannot open input file", input.path, std::strerror(number));
    if (line_.mode == Mode::Reflect && isModule(text.view())) return reflectModule(input, text.view());
    if (line_.mode == Mode::Translate && isModule(text.view())) return translateModule(input, text.view());
    if (input.assembly) return assemble(input, text.view());
    coopc::Options options = line_.options;
    options.stage = input.stage;
    if (line_.asGlslc && !input.stageGiven) {  // a pragma of the text has precedence over the file's name
      options.stage = coopc::Stage::FromSource;
      options.defaultStage = input.stage;
    }
    options.include = include_;
    options.coloredMessages =
        line_.color == Color::Always || (line_.color == Color::Auto && where_.err == nullptr && hasColors());
    options.glslangPool = where_.glslang;
    const bool textOnly = line_.mode == Mode::Preprocess && !line_.dependenciesOnly;
    options.output = line_.dependenciesOnly         ? coopc::Output::Dependencies
                     : textOnly                     ? coopc::Output::Preprocessed
                     : line_.mode == Mode::Assemble ? coopc::Output::Assembly
                                                    : coopc::Output::Module;
    // glslc's -E has no warnings either.
    if (line_.dependenciesOnly || (textOnly && line_.asGlslc)) options.suppressWarnings = true;
    const coopc::Result result = cache_ && isKept(options.output)
                                     ? keptResult(input, text, options)
                                     : coopc::compile(text, nameOf(input), options);
    if (line_.asGlslc && !result.ok && !result.diagnostics.empty() &&
        result.diagnostics.back().id == "stage-unknown") {
      error(fileWithoutStage(input.path));
      return false;
    }
    errors_ += result.errorCount;
    warnings_ += result.warningCount;
    if (!line_.jsonDiagnostics)
      error(result.messages);
    else if (result.json.size() > std::string_view("[\n]\n").size())  // all inputs' are one array
      json_ += (json_.empty() ? "" : ",") + result.json.substr(1, result.json.size() - 4);
    if (!result.ok) return false;
    if (line_.lowering.profile.empty()) return write(input, result);
    coopc::Result lowered = result;
    return lower(input, lowered.words, [&](const auto& with) { return coopc::lower(result.words, with); }) &&
           write(input, lowered);
  }

  static std::string nameOf(const Input& input) { return input.path == "-" ? "<stdin>" : input.path; }
  static bool isKept(coopc::Output output) {
    return output == coopc::Output::Module || output == coopc::Output::Assembly;
  }
  // --cache: the result of an earlier compile of the same input, or a new result, which is kept if it is ok.
  coopc::Result keptResult(const Input& input, const coopc::SharedText& text, const coopc::Options& options) {
    // coopc-glslang is installed together with this program, unless an option or a variable names another
    // one.
    const char* named = std::getenv("COOPC_GLSLANG");
    const std::string helper = !options.glslangProgram.empty() ? stampOf(where_.place(options.glslangProgram))
                               : named != nullptr              ? stampOf(named)
                                                               : "";
    std::string key;
    for (const std::string_view part :
         {coopc::version(), std::string_view(program_), std::string_view(helper),
          std::string_view(line_.asGlslc ? "glslc" : "coopc"),
          std::string_view(options.coloredMessages ? "colors" : ""), std::string_view(line_.cache.arguments),
          std::string_view(input.path), text.view()}) {
      key += std::to_string(part.size());
      (key += ':') += part;
    }
    const auto read = [&](const std::string& name) { return where_.files.read(where_.place(name)); };
    if (std::optional<coopc::Result> kept = cache_->find(key, read)) return std::move(*kept);
    coopc::Result result = coopc::compile(text, nameOf(input), options);
    if (result.ok) cache_->keep(key, result, read);
    return result;
  }

  // `of` runs lowering with the options. The module goes to `words`. If something that the device lacks is
  // not lowered, messages say why.
  template <class Of>
  bool lower(const Input& input, std::vector<uint32_t>& words, Of&& of) {
    const std::string& name = line_.lowering.profile;
    if (profile_.empty() && !coopc::isLoweringProfile(name)) {
      if (const std::string why = readWhole(where_.place(name), profile_); !why.empty())
        return fileError("cannot read the profile", name, why + ", and none of that name ships");
    }
    coopc::LowerOptions options;
    options.profile = profile_.empty() ? std::string_view(name) : std::string_view(profile_);
    options.specializations = line_.lowering.specializations;
    options.specDefaults = line_.lowering.specDefaults;
    options.optimize = line_.options.optimization != coopc::Optimization::None;
    options.keepDebug = line_.options.debugInfo;
    coopc::LowerResult result = of(options);
    if (!result.error.empty()) return fileError("cannot use the profile", name, result.error);
    for (const uint32_t id : result.unknownSpecIds) warnOfSpecId("--lower-spec", id);
    if (result.kind != coopc::Lowering::Declined) {
      words = std::move(result.words);
      return true;
    }
    for (const std::string& reason : result.reasons) {
      ++errors_;
      error(input.path + ": error: cannot be lowered for '" + name + "': " + reason + "\n");
    }
    return false;
  }

  bool write(const Input& input, const coopc::Result& result) {
    const std::string path = outputName(line_, input);
    if (line_.dependenciesOnly) {
      const std::string rule = dependencyRule(line_.dependencyTarget, moduleName(input), result.dependencies);
      // As in the reference compiler, -M ignores -MF.
      return put(line_.output.empty() ? "-" : line_.output, rule.data(), rule.size());
    }
    if (line_.dependencies) {
      const std::string rule =
          dependencyRule(line_.dependencyTarget, ruleTarget(line_, input), result.dependencies);
      if (!put(ruleFile(line_, input), rule.data(), rule.size())) return false;
    }
    if (line_.mode == Mode::Reflect)
      return reflect(input, [&](const auto& with) { return coopc::reflect(result.words, with); });
    if (line_.mode == Mode::Translate) return translate(input, bytesOf(result.words));
    if (line_.mode == Mode::Preprocess || line_.mode == Mode::Assemble)
      return put(path, result.text.data(), result.text.size());
    if (!line_.numbers.empty()) {
      const std::string numbers = wordsAsText(result.words, Format::Numbers);
      if (!put(line_.numbers, numbers.data(), numbers.size())) return false;
    }
    if (line_.format == Format::Binary)
      return put(path, result.words.data(), result.words.size() * sizeof(uint32_t));
    const std::string numbers = wordsAsText(result.words, line_.format);
    return put(path, numbers.data(), numbers.size());
  }

  bool translateModule(const Input& input, std::string_view text) {
    const Bytes bytes(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    if (line_.lowering.profile.empty()) return translate(input, bytes);
    std::vector<uint32_t> words;
    return lower(input, words, [&](const auto& with) { return coopc::lowerBytes(bytes, with); }) &&
           translate(input, bytesOf(words));
  }

  bool translate(const Input& input, [[maybe_unused]] Bytes bytes) {
    coopc::TranslateResult translated;
#ifdef COOPC_TRANSLATES
    coopc::TranslateOptions with;
    coopc::shadingLanguageByName(line_.language, with.language);
    translated = coopc::translateBytesChecked(bytes, with);
#else
    translated.error = "this coopc was built without SPIRV-Cross";
#endif
    if (!translated.ok()) return fileError("cannot translate", input.path, translated.error);
    return put(outputName(line_, input), translated.text.data(), translated.text.size());
  }

  bool reflectModule(const Input& input, std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    return reflect(input, [&](const auto& with) { return coopc::reflectBytes({bytes, text.size()}, with); });
  }

  // `of` runs reflection with the options.
  template <class Of>
  bool reflect(const Input& input, Of&& of) {
    coopc::ReflectOptions with;
    std::string profile;
    if (const std::string& device = line_.profile; !device.empty()) {
      for (const coopc::ShippedProfile& p : coopc::shippedProfiles())
        if (p.name == device) profile = p.text;
      if (profile.empty()) {
        const std::string why = readWhole(where_.place(device), profile);
        if (!why.empty()) return fileError("cannot open device profile", device, why);
      }
      if (const std::string why = coopc::profileError(profile); !why.empty())
        return fileError("cannot use device profile", device, why);
      with.profile = profile;
    }
    with.specializations = line_.specializations;
    const coopc::Reflection reflection = of(with);
    for (const coopc::Specialization& s : line_.specializations) {
      const auto same = [&](const coopc::ReflectedSpecConstant& c) { return c.specId == s.id; };
      if (reflection.ok() &&
          std::none_of(reflection.specConstants.begin(), reflection.specConstants.end(), same))
        warnOfSpecId("--spec", s.id);
    }
    const std::string json = coopc::renderJson(reflection);
    return put(outputName(line_, input), json.data(), json.size()) &&
           (reflection.ok() || fileError("cannot reflect", input.path, reflection.error));
  }

  void warnOfSpecId(std::string_view option, uint32_t id) {
    error("coopc: warning: " + std::string(option) + " gives SpecId " + std::to_string(id) +
          " a value, and no specialization constant has it\n");
  }

  bool put(const std::string& path, const void* data, size_t size) {
    if (path == "-" && where_.out != nullptr) {
      where_.out->append(static_cast<const char*>(data), size);
      return true;
    }
    const std::string place = path == "-" ? path : where_.place(path);
    const std::string why = writeWhole(place, data, size);
    return why.empty() || fileError("cannot write output file", path, why);
  }

  const CommandLine& line_;
  const Surroundings& where_;
  const coopc::IncludeResolver include_;
  std::optional<ResultCache> cache_;
  const std::string program_ = cache_ ? stampOf(coopc::runningProgram()) : "";
  std::string json_;
  std::string profile_;  // --lower with a file: its text
  uint32_t errors_ = 0;
  uint32_t warnings_ = 0;
};

}  // namespace

int usageError(const std::string& text, std::string* err, bool asGlslc) {
  print(stderr, err, std::string(asGlslc ? "glslc" : "coopc") + ": error: " + text + "\n");
  return asGlslc ? kInputError : kUsageError;
}

int runCommandLine(const CommandLine& line, const Surroundings& where) { return Driver(line, where).run(); }

std::vector<std::string> writtenFiles(const CommandLine& line) {
  std::vector<std::string> names;
  if (line.dependenciesOnly) {
    names.push_back(line.output);
  } else {
    for (const Input& input : line.inputs) {
      if (makesNothing(line, input)) continue;
      names.push_back(outputName(line, input));
    }
    if (line.dependencies)
      for (const Input& input : line.inputs) {
        if (makesNothing(line, input)) continue;
        names.push_back(ruleFile(line, input));
      }
    if (!line.numbers.empty()) names.push_back(line.numbers);
  }
  std::erase_if(names, [](const std::string& n) { return n.empty() || n == "-" || isDevicePath(n); });
  return names;
}

}  // namespace coopc::tool
