// Reads the command line.
#include "tools/coopc/options.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/spirv_version.hpp"
#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"
#include "tools/coopc/paths.hpp"

namespace coopc::tool {

namespace {

#define COOPC_OPTIONS "tools/coopc/options.def"
#include "tools/common/option_table.inc"

}  // namespace

std::string helpText() {
  return "coopc - compiles GLSL to SPIR-V\n"
         "\n"
         "Usage: coopc [option...] FILE...\n"
         "\n"
         "A FILE of - is the standard input. @FILE is replaced by the arguments in it.\n"
         "\n" +
         helpOf(kOptions) +
         "\n"
         "Exit code: 0, 1 for errors in the input, 2 for wrong usage.\n";
}

std::string optionsMarkdown() { return markdownOf(kOptions); }

std::optional<uint32_t> parseNumber(std::string_view text) {
  if (text.empty() || text.size() > 10) return std::nullopt;
  uint64_t v = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    v = v * 10 + static_cast<uint64_t>(c - '0');
  }
  if (v > 0xffffffffu) return std::nullopt;
  return static_cast<uint32_t>(v);
}

bool splitArguments(std::string_view text, std::vector<std::string>& out) {
  std::string word;
  bool inWord = false;
  char quote = 0;
  const bool marked = text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0;
  for (size_t i = marked ? kByteOrderMark.size() : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (inWord) out.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord) out.push_back(std::move(word));
  return quote == 0;
}

bool isLanguageFeature(std::string_view name) {
  static constexpr std::string_view kNames[] = {"nonInductiveForLoops",
                                                "whileLoops",
                                                "doWhileLoops",
                                                "generalUniformIndexing",
                                                "generalVaryingIndexing",
                                                "generalAttributeMatrixVectorIndexing",
                                                "generalSamplerIndexing",
                                                "generalVariableIndexing",
                                                "generalConstantMatrixVectorIndexing"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

namespace {

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// The values that an option takes, for messages; "" if it takes any value.
std::string valuesOf(const Argument& a) {
  if (!a.option->words.empty()) {
    std::string all;
    for (const char c : a.option->words) c == ' ' ? all += ", " : all += c;
    return all;
  }
  switch (Id(a.row)) {
    case Id::TargetSpv: return "spv1.0 to spv1.6";
    case Id::Standard: return "a version as in #version, and its profile if any: 450, 450core, 310es";
    case Id::Spec:
    case Id::LowerSpec: return "ID=VALUE, the value a number, true or false";
    case Id::Generator:
    case Id::MaxIdBound: return "a number of 32 bits";
    case Id::CacheSize: return "a number of MiB, at least 1";
    case Id::EntryPoint: return "a name";
    default: return {};
  }
}

// Decimal, or hexadecimal with 0x: the form of glslc's binding bases.
std::optional<uint32_t> parseWord(std::string_view text) {
  if (!startsWith(text, "0x") && !startsWith(text, "0X")) return parseNumber(text);
  if (text.size() < 3 || text.size() > 10) return std::nullopt;
  uint32_t value = 0;
  for (const char c : text.substr(2)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  return value;
}

// Sets a number if there is one; whether there is.
bool set(uint32_t& to, std::optional<uint32_t> number) {
  if (number) to = *number;
  return number.has_value();
}

// Whether `text` ends with `end` and is longer.
bool endsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

// -std=450, 450core, 310es.
bool parseStandard(std::string_view text, coopc::Options& options) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const std::string_view profile = text.substr(digits);
  const std::optional<uint32_t> version = parseNumber(text.substr(0, digits));
  if (!version) return false;
  if (!profile.empty() && profile != "core" && profile != "compatibility" && profile != "es") return false;
  // Version 100 has no profile; other versions of the ES language need theirs.
  const bool es = profile == "es" || (*version == 100 && profile.empty());
  if (!coopc::isLanguageVersion(*version, es)) return false;
  options.forcedVersion = *version;
  options.forcedEs = es;
  return true;
}

class CommandLineParser {
 public:
  CommandLineParser(std::vector<std::string> arguments, CommandLine& line, std::string& error,
                    const std::string& directory, bool asGlslc)
      : arguments_(std::move(arguments)), line_(line), error_(error), directory_(directory) {
    line_.asGlslc = asGlslc;
  }

  bool parse() {
    if (!expandResponseFiles()) return false;
    // glslc's -D has no second argument. A -D without a name is reported, and the compile continues.
    if (line_.asGlslc) line_.definesWithoutName = std::erase(arguments_, "-D");
    ArgumentReader reader(kOptions, arguments_);
    reader_ = &reader;
    for (Argument a = reader.next(); a.kind != Argument::Kind::End; a = reader.next())
      if (!argument(a)) return false;
    if (!line_.cache.folder.empty()) noteArguments();
    return line_.show != CommandLine::Show::Nothing || check();
  }

 private:
  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  // Reads a file named on the command line, which must not be the standard input.
  bool readNamed(const char* failure, const std::string& path, std::string& text) {
    const std::string message = std::string(failure) + ": '" + path + "'";
    if (path == "-") return fail(message);
    const std::string why = readWhole((isAbsolutePath(path) ? "" : directory_) + path, text);
    return why.empty() || fail(message + ": " + why);
  }

  bool expandResponseFiles() {
    constexpr size_t kMaxDepth = 16;
    for (size_t depth = 0;; ++depth) {
      std::vector<std::string> out;
      bool again = false;
      for (std::string& a : arguments_) {
        if (a.size() < 2 || a[0] != '@') {
          out.push_back(std::move(a));
          continue;
        }
        if (depth == kMaxDepth) return fail("response files include each other: '" + a + "'");
        const std::string path = a.substr(1);
        std::string text;
        if (!readNamed("cannot open response file", path, text)) return false;
        if (!splitArguments(text, out)) return fail("quote without an end in response file: '" + path + "'");
        again = true;
      }
      arguments_ = std::move(out);
      if (!again) return true;
    }
  }

  // Like glslc's message under its name; otherwise the message also lists the allowed values.
  bool invalid(const Argument& a) {
    std::string text = "invalid value '" + std::string(a.value) + "' in '" + std::string(a.text) + "'";
    const std::string values = valuesOf(a);
    if (!line_.asGlslc && !values.empty()) text += ": " + values;
    return fail(std::move(text));
  }

  bool argument(const Argument& a) {
    switch (a.kind) {
      case Argument::Kind::Operand: addInput(std::string(a.text)); return true;
      case Argument::Kind::NoValue: return missing(a);
      case Argument::Kind::Option: return option(a);
      default: return fail("unknown argument: '" + std::string(a.text) + "'");
    }
  }
  bool missing(const Argument& a) { return fail("argument to '" + std::string(a.text) + "' is missing"); }

  bool stageUnknown(const Argument& a) {
    return fail("stage not recognized: '" + std::string(a.value) + "'" +
                (line_.asGlslc ? "" : ": " + valuesOf(a)));
  }

  bool specialize(const Argument& a, std::vector<coopc::Specialization>& values) {
    const std::optional<SpecializedValue> given = parseSpecialization(a.value);
    if (!given) return invalid(a);
    coopc::Specialization& s = values.emplace_back();
    s.id = given->id;
    s.value = given->value;
    return true;
  }

  bool option(const Argument& a) {
    coopc::Options& o = line_.options;
    const std::string value(a.value);
    switch (Id(a.row)) {
      case Id::Output: line_.output = value; return true;
      case Id::Compile: return setMode(Mode::Compile);
      case Id::Assemble: return setMode(Mode::Assemble);
      case Id::Preprocess: return setMode(Mode::Preprocess);
      case Id::Reflect: return setMode(Mode::Reflect);
      case Id::Profile:
        line_.profile = value;
        return setMode(Mode::Reflect) && (!value.empty() || invalid(a));
      case Id::Spec: return specialize(a, line_.specializations) && setMode(Mode::Reflect);
      case Id::Emit:
        line_.language = value;
        return setMode(Mode::Translate) &&
               (value == "glsl" || value == "hlsl" || value == "msl" || invalid(a));
      case Id::Format: return format(a);
      case Id::Numbers: line_.numbers = value; return !value.empty() || invalid(a);
      case Id::Debug: return o.debugInfo = true;
      case Id::NoOptimization: return optimize(Optimization::None);
      case Id::Speed: return optimize(Optimization::Speed);
      case Id::Size: return optimize(Optimization::Size);
      case Id::PreserveBindings: return o.preserveBindings = true;
      case Id::NoUnusedInterface: o.unusedInterface = false; return true;
      case Id::Generator: return set(o.generator, parseWord(value)) || invalid(a);
      case Id::ShaderStage: stageGiven_ = true; return coopc::stageByName(value, stage_) || stageUnknown(a);
      case Id::Language: return language(value);
      case Id::Standard: return parseStandard(value, o) || invalid(a);
      case Id::Define: return define(a);
      case Id::Undefine: return undefine(value);
      case Id::IncludeFolder: line_.includeFolders.push_back(value); return true;
      case Id::EntryPoint: o.entryPoint = value; return !value.empty() || invalid(a);
      case Id::Limit: return limits(value);
      case Id::LimitFile: return limitFile(value);
      case Id::NanClamp: return o.nanClamp = true;
      case Id::InvertY: return o.invertY = true;
      case Id::AutoBindUniforms: return o.autoBindUniforms = true;
      case Id::AutoMapLocations: return o.autoMapLocations = true;
      case Id::AutoCombined: return o.autoCombinedImageSampler = true;
      case Id::SamplerBase:
      case Id::TextureBase:
      case Id::ImageBase:
      case Id::UboBase:
      case Id::SsboBase:
      case Id::UavBase: return bindingBase(a, a.row - static_cast<size_t>(Id::SamplerBase));
      case Id::CbufferBase: return bindingBase(a, static_cast<size_t>(coopc::ResourceKind::UniformBuffer));
      case Id::HlslOffsets: return o.hlslOffsets = true;
      case Id::TargetEnv: return targetEnv(a);
      case Id::TargetSpv: return targetSpv(a);
      case Id::Lower: line_.lowering.profile = value; return !value.empty() || invalid(a);
      case Id::LowerSpec: return specialize(a, line_.lowering.specializations);
      case Id::LowerSpecDefaults: return line_.lowering.specDefaults = true;
      case Id::NoGlslang: o.allowGlslang = false; return true;
      case Id::Glslang: o.glslangProgram = value; return !value.empty() || invalid(a);
      case Id::NoWarnings: return o.suppressWarnings = true;
      case Id::Werror: return o.warningsAsErrors = true;
      case Id::Warning: return warning(a);
      case Id::Color: return color(a);
      case Id::Strict: return o.strict = true;
      case Id::DiagnosticsFormat:
        line_.jsonDiagnostics = value == "json";
        return value == "json" || value == "text" || invalid(a);
      case Id::DependenciesOnly:
      case Id::DependenciesOnlyToo: return line_.dependenciesOnly = true;
      case Id::Dependencies: return line_.dependencies = true;
      case Id::DependencyFile: line_.dependencyFile = value; return true;
      case Id::DependencyTarget: line_.dependencyTarget = value; return true;
      case Id::Cache: line_.cache.folder = value; return !value.empty() || invalid(a);
      case Id::CacheSize: return cacheSize(a);
      case Id::Sandbox:
        o.allowGlslang = false;  // a process of its own
        return line_.sandbox = true;
      case Id::Help:
      case Id::HelpShort: return show(CommandLine::Show::Help);
      case Id::Version: return show(CommandLine::Show::Version);
      case Id::ShowLimits: return show(CommandLine::Show::Limits);
      case Id::ListDiagnostics: return show(CommandLine::Show::Diagnostics);
      case Id::OptionsMarkdown: return show(CommandLine::Show::OptionsMarkdown);
      // Only for HLSL; they have no effect on GLSL.
      case Id::Hlsl16BitTypes:
      case Id::HlslFunctionality1:
      case Id::HlslFunctionality1Too: return true;
      case Id::HlslIoMap: return hlslIoMap_ = true;
      case Id::ResourceSetBinding: return resourceSetBinding(a);
      case Id::MaxIdBound: return parseNumber(value) || invalid(a);
      default: return fail("unknown argument: '" + std::string(a.text) + "' (it is one of --batch)");
    }
  }

  // The arguments for --cache: all options except those for where results go, and except lowering, which
  // starts from the result of the compile. Files that options name are replaced by their contents.
  void noteArguments() {
    ArgumentReader reader(kOptions, arguments_);
    std::string& all = line_.cache.arguments;
    const auto note = [&](const Argument& a) { ((all += a.text) += '\0') += a.value; };
    for (Argument a = reader.next(); a.kind != Argument::Kind::End; a = reader.next()) {
      if (a.kind != Argument::Kind::Option) {  // inputs, and further values of options
        note(a);
        continue;
      }
      switch (Id(a.row)) {
        case Id::Output:
        case Id::Numbers:
        case Id::Format:
        case Id::Dependencies:
        case Id::DependencyFile:
        case Id::DependencyTarget:
        case Id::LimitFile:
        case Id::Lower:
        case Id::LowerSpec:
        case Id::LowerSpecDefaults:
        case Id::Cache:
        case Id::CacheSize:
        case Id::Sandbox: break;
        default: note(a); break;
      }
    }
    for (const coopc::Limit& limit : line_.options.limits)
      all += limit.name + "=" + std::to_string(limit.value) + '\0';
  }

  bool warning(const Argument& a) {
    constexpr std::string_view kOff = "no-";
    const bool on = !a.value.starts_with(kOff);
    const std::string id(on ? a.value : a.value.substr(kOff.size()));
    line_.options.warnings.push_back({id, on});
    return coopc::isWarning(id) || fail("unknown warning: '" + std::string(a.text) + "'");
  }

  bool cacheSize(const Argument& a) {
    const std::optional<uint32_t> mebibytes = parseNumber(a.value);
    if (mebibytes.value_or(0) == 0) return invalid(a);
    line_.cache.maxBytes = uint64_t{*mebibytes} << 20;
    return true;
  }

  bool color(const Argument& a) {
    if (a.value != "auto" && a.value != "always" && a.value != "never") return invalid(a);
    line_.color = a.value == "auto" ? Color::Auto : a.value == "always" ? Color::Always : Color::Never;
    return true;
  }

  bool format(const Argument& a) {
    if (a.value != "bin" && a.value != "c" && a.value != "num") return invalid(a);
    formatGiven_ = true;
    line_.format = a.value == "c" ? Format::C : a.value == "num" ? Format::Numbers : Format::Binary;
    return true;
  }
  bool language(const std::string& name) {
    if (name == "hlsl") return fail("language hlsl is not supported");
    languageGiven_ = true;
    return name == "glsl" || fail("language not recognized: '" + name + "'");
  }
  bool undefine(const std::string& name) {
    Macro macro;
    macro.undefine = true;
    macro.name = name;
    line_.options.macros.push_back(std::move(macro));
    return true;
  }
  bool setMode(Mode mode) {
    // As in glslc, the precedence is --emit, --reflect, -E, -S, -c.
    if (mode > line_.mode) line_.mode = mode;
    return true;
  }
  bool optimize(Optimization level) {
    line_.options.optimization = level;
    return true;
  }
  bool show(CommandLine::Show what) {
    if (line_.show == CommandLine::Show::Nothing) line_.show = what;
    return true;
  }
  bool define(const Argument& a) {
    if (a.text == "-D" && startsWith(a.value, "-")) return missing(a);
    const size_t equal = a.value.find('=');
    Macro macro;
    macro.name = a.value.substr(0, equal);
    macro.value = equal == std::string_view::npos ? std::string_view{} : a.value.substr(equal + 1);
    if (macro.name.empty()) return fail("macro has no name in '" + std::string(a.text) + "'");
    line_.options.macros.push_back(std::move(macro));
    return true;
  }
  bool targetEnv(const Argument& a) {
    const std::optional<TargetEnv> env = targetEnvByName(a.value);
    if (env) line_.options.targetEnv = *env;
    return env.has_value() || invalid(a);
  }
  bool targetSpv(const Argument& a) {
    const std::string_view name = a.value;
    if (name.size() != 6 || !startsWith(name, "spv1.") || name[5] < '0' || name[5] > '6') return invalid(a);
    line_.options.spirvVersion = kSpirv10 | static_cast<uint32_t>(name[5] - '0') << 8;
    return true;
  }
  // `-fubo-binding-base N`, with an optional stage before the number, or `=N`.
  bool bindingBase(const Argument& a, size_t kind) {
    static_assert(size_t(Id::UavBase) - size_t(Id::SamplerBase) == size_t(coopc::ResourceKind::Uav));
    std::string number(a.value);
    coopc::StageBindingBase base;
    base.kind = static_cast<coopc::ResourceKind>(kind);
    const bool attached = a.text.size() > a.name.size();
    const bool oneStage = !attached && coopc::stageByName(number, base.stage);
    if (oneStage) {
      if (reader_->rest().empty()) return missing(a);
      number = reader_->rest().front();
      reader_->skip(1);
    }
    if (!set(base.base, parseWord(number)))
      return fail("invalid offset value " + number + " for " + std::string(a.name));
    if (oneStage)
      line_.options.stageBindingBase.push_back(base);
    else
      line_.options.bindingBase[kind] = base.base;
    return true;
  }

  // "NAME VALUE NAME VALUE"
  bool limits(std::string_view text) {
    std::vector<std::string> words;
    if (!splitArguments(text, words)) return fail("-flimit error: quote without an end");
    const std::vector<coopc::Limit> known = coopc::limits();
    for (size_t i = 0; i < words.size(); i += 2) {
      bool found = isLanguageFeature(words[i]);
      const bool ignored = found;
      for (const coopc::Limit& limit : known) found = found || limit.name == words[i];
      if (!found) return fail("-flimit error: invalid resource limit: " + words[i]);
      if (i + 1 == words.size()) return fail("-flimit error: missing value after limit: " + words[i]);
      const std::string& number = words[i + 1];
      const bool negative = number.front() == '-';
      const std::optional<uint32_t> value = parseNumber(std::string_view(number).substr(negative ? 1 : 0));
      if (!value || *value > 0x7fffffffu) return fail("-flimit error: invalid integer: " + number);
      if (ignored) continue;
      line_.options.limits.push_back(
          {words[i], negative ? -static_cast<int>(*value) : static_cast<int>(*value)});
    }
    return true;
  }
  bool limitFile(const std::string& path) {
    std::string text;
    return readNamed("cannot read limits file", path, text) && limits(text);
  }
  // HLSL registers, which are skipped: [STAGE] (REGISTER SET BINDING)...
  bool resourceSetBinding(const Argument& a) {
    Stage ignored{};
    if (!reader_->rest().empty() && coopc::stageByName(reader_->rest().front(), ignored)) reader_->skip(1);
    int triples = 0;
    for (std::span<const std::string> rest = reader_->rest();
         rest.size() >= 3 && rest[0][0] != '-' && parseNumber(rest[1]) && parseNumber(rest[2]);
         rest = reader_->rest()) {
      reader_->skip(3);
      ++triples;
    }
    return triples != 0 || fail("option '" + std::string(a.text) + "' requires at least 3 arguments");
  }

  void addInput(const std::string& path) {
    Input input;
    input.path = path;
    input.stageGiven = stageGiven_;
    input.assembly = !stageGiven_ && endsWith(path, ".spvasm");
    if (!languageGiven_ && endsWith(path, ".hlsl")) hlslInput_ = path;
    if (stageGiven_) {
      input.stage = stage_;
    } else {
      const std::string_view file = fileOf(path);
      const size_t dot = file.rfind('.');
      Stage stage{};
      if (dot != std::string_view::npos && stageOfEnding(file.substr(dot + 1), stage)) input.stage = stage;
    }
    line_.inputs.push_back(std::move(input));
  }

  bool check() {
    if (line_.inputs.empty()) return fail("no input files");
    if (!hlslInput_.empty())
      return fail("'" + hlslInput_ + "': language hlsl is not supported (-x glsl: it is GLSL)");
    if (hlslIoMap_ && line_.options.autoBindUniforms)
      return fail("-fhlsl-iomap is not supported: it would change what -fauto-bind-uniforms gives");
    if (line_.sandbox && (line_.mode == Mode::Translate || !line_.cache.folder.empty()))
      return fail("--sandbox does not go with --emit and --cache, which need more than a compile");
    if (line_.dependenciesOnly && line_.dependencies)
      return fail("both -M (or -MM) and -MD are specified. Only one should be used at one time.");
    size_t standard = 0;
    for (const Input& input : line_.inputs) {
      if (input.path.empty()) return fail("name of an input file is empty");
      if (input.path == "-" && ++standard > 1) return fail("standard input is given twice");
    }
    if (line_.asGlslc) beGlslc();
    const bool oneOutput = line_.mode == Mode::Link || !line_.output.empty();
    if (line_.inputs.size() > 1) {
      if (line_.mode == Mode::Link && !line_.dependenciesOnly)
        return fail("linking multiple files is not supported. Use -c to compile files individually.");
      if (line_.mode == Mode::Reflect) return fail("--reflect goes with one input file");
      if (line_.mode == Mode::Translate) return fail("--emit goes with one input file");
      if (oneOutput && !line_.output.empty())
        return fail("cannot specify -o when generating multiple output files");
    }
    if (!line_.lowering.profile.empty() &&
        ((line_.mode != Mode::Link && line_.mode != Mode::Compile && line_.mode != Mode::Translate) ||
         line_.dependenciesOnly))
      return fail("--lower is for modules: not with -S, -E, --reflect or -M");
    if (formatGiven_ && ((line_.mode != Mode::Link && line_.mode != Mode::Compile) || line_.dependenciesOnly))
      return fail("-mfmt= goes only with binary output");
    if ((!line_.dependencyFile.empty() || !line_.dependencyTarget.empty()) && !line_.dependencies &&
        !line_.dependenciesOnly)
      return fail("-MF and -MT need -M or -MD");
    if (!line_.numbers.empty() && ((line_.mode != Mode::Link && line_.mode != Mode::Compile) ||
                                   line_.dependenciesOnly || line_.inputs.size() > 1))
      return fail("--numbers goes with one input file and binary output");
    if (line_.inputs.size() > 1 && (!line_.dependencyFile.empty() || !line_.dependencyTarget.empty()))
      return fail("-MF and -MT go with one input file");
    return true;
  }

  void beGlslc() {
    constexpr uint32_t kShadercOverGlslang = 0x000D000B;  // the tool 13 of SPIR-V's registry, version 11
    line_.options.glslcForm = true;
    if (line_.options.generator == 0) line_.options.generator = kShadercOverGlslang;
    // glslc uses the name only for HLSL.
    line_.options.entryPoint = "main";
  }

  std::vector<std::string> arguments_;
  CommandLine& line_;
  std::string& error_;
  const std::string& directory_;
  ArgumentReader* reader_ = nullptr;
  Stage stage_ = Stage::FromSource;
  bool stageGiven_ = false;
  bool languageGiven_ = false;
  bool hlslIoMap_ = false;
  bool formatGiven_ = false;
  std::string hlslInput_;
};

}  // namespace

std::optional<TargetEnv> targetEnvByName(std::string_view name) {
  constexpr std::pair<std::string_view, TargetEnv> kNames[] = {
      {"vulkan", TargetEnv::Vulkan1_0},    {"vulkan1.0", TargetEnv::Vulkan1_0},
      {"vulkan1.1", TargetEnv::Vulkan1_1}, {"vulkan1.2", TargetEnv::Vulkan1_2},
      {"vulkan1.3", TargetEnv::Vulkan1_3}, {"vulkan1.4", TargetEnv::Vulkan1_4},
      {"opengl", TargetEnv::OpenGL4_5},    {"opengl4.5", TargetEnv::OpenGL4_5}};
  for (const auto& [known, env] : kNames)
    if (known == name) return env;
  return std::nullopt;
}

bool stageOfEnding(std::string_view ending, coopc::Stage& stage) {
  for (std::string_view longName : {"compute", "vertex", "fragment", "geometry", "tesscontrol", "tesseval",
                                    "raygen", "intersect", "anyhit", "closest", "miss", "callable"})
    if (ending == longName) return false;
  return coopc::stageByName(ending, stage);
}

bool isCalledGlslc(const std::string& program) {
  return fileOf(program) == "glslc" || fileOf(program) == "glslc.exe";
}

bool isBatch(std::span<const std::string> arguments) {
  // A quick test, because most command lines do not contain the option.
  if (std::none_of(arguments.begin(), arguments.end(),
                   [](const std::string& a) { return startsWith(a, "--batch"); }))
    return false;
  ArgumentReader reader(kOptions, arguments);
  for (Argument a = reader.next(); a.kind != Argument::Kind::End; a = reader.next())
    if (a.option != nullptr && Id(a.row) == Id::Batch) return true;
  return false;
}

bool parseBatchOptions(std::span<const std::string> arguments, BatchOptions& batch, std::string& error) {
  const auto fail = [&](std::string text) {
    error = std::move(text);
    return false;
  };
  ArgumentReader reader(kOptions, arguments);
  bool given = false;
  for (size_t at = 0; at < arguments.size();) {
    const Argument a = reader.next();
    const size_t end = arguments.size() - reader.rest().size();
    const Id id = a.option == nullptr ? Id::Output : Id(a.row);
    if (id != Id::Batch && id != Id::BatchReport && id != Id::Jobs) {
      batch.common.insert(batch.common.end(), arguments.begin() + at, arguments.begin() + end);
    } else if (a.kind == Argument::Kind::NoValue) {
      return fail("argument to '" + std::string(a.text) + "' is missing");
    } else if (id == Id::BatchReport) {
      batch.report = a.value;
    } else if (id == Id::Jobs) {
      const std::optional<uint32_t> threads = parseNumber(a.value);
      if (!threads || *threads == 0 || *threads > 1024)
        return fail("invalid value '" + std::string(a.value) + "' of '-j': 1 to 1024");
      batch.threads = *threads;
    } else {
      if (given) return fail("--batch is given twice");
      given = true;
      batch.list = a.value;
    }
    at = end;
  }
  return !batch.list.empty() || fail("--batch needs a file");
}

bool parseCommandLine(std::vector<std::string> arguments, CommandLine& line, std::string& error,
                      const std::string& directory, bool asGlslc) {
  return CommandLineParser(std::move(arguments), line, error, directory, asGlslc).parse();
}

}  // namespace coopc::tool
