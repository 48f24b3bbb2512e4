// Reads glslang's command line. docs/glslang.md says what each option does here.
#include "tools/coopc/glslang_options.hpp"

#include <algorithm>
#include <string_view>

#include "base/spirv_version.hpp"
#include "tools/coopc/options.hpp"
#include "tools/coopc/paths.hpp"

namespace coopc::tool {
namespace {

enum class Id {
  AbsolutePath,
  AutoMapBindings,
  AutoMapLocations,
  Client,
  Columns,
  Define,
  DebugInfo,
  DebugScopes,
  Depfile,
  DesktopDefault,
  EntryPoint,
  GlslVersion,
  Help,
  HlslOffsets,
  Human,
  Hexadecimal,
  Ignored,
  IgnoredValue,
  IncludeFolder,
  InvertY,
  Limits,
  Link,
  NanClamp,
  NoOptimization,
  Number,
  OpenGL,
  OptimizeSize,
  OptimizeSpeed,
  Output,
  Preamble,
  Preprocess,
  Quiet,
  Reflect,
  ShiftImage,
  ShiftSampler,
  ShiftSsbo,
  ShiftTexture,
  ShiftUav,
  ShiftUbo,
  Silent,
  SourceEntryPoint,
  Stage,
  StandardInput,
  SuppressWarnings,
  TargetEnv,
  Undefine,
  Unsupported,
  Variable,
  Version,
  Vulkan,
};

// How an option takes its value.
enum class Value { None, Next, Joined, JoinedOrNone };

struct Row {
  std::string_view name;
  Id id;
  Value value = Value::None;
};

// Options with joined values come after longer names that start with the same letters.
constexpr Row kRows[] = {
    {"--absolute-path", Id::AbsolutePath},
    {"--amb", Id::AutoMapBindings},
    {"--auto-map-binding", Id::AutoMapBindings},
    {"--auto-map-bindings", Id::AutoMapBindings},
    {"--aml", Id::AutoMapLocations},
    {"--auto-map-locations", Id::AutoMapLocations},
    {"--client", Id::Client, Value::Next},
    {"--error-column", Id::Columns},
    {"--define-macro", Id::Define, Value::Next},
    {"--D", Id::Define, Value::Next},
    {"-D", Id::Define, Value::Joined},
    {"-gVS", Id::DebugScopes},
    {"-gV", Id::DebugScopes},
    {"-g", Id::DebugInfo},
    {"--depfile", Id::Depfile, Value::Next},
    {"-d", Id::DesktopDefault},
    {"--entry-point", Id::EntryPoint, Value::Next},
    {"-e", Id::EntryPoint, Value::Next},
    {"--glsl-version", Id::GlslVersion, Value::Next},
    {"--help", Id::Help},
    {"-h", Id::Help},
    {"--hlsl-offsets", Id::HlslOffsets},
    {"-H", Id::Human},
    {"--spirv-dis", Id::Human},
    {"-x", Id::Hexadecimal},
    {"-I", Id::IncludeFolder, Value::Joined},
    {"--invert-y", Id::InvertY},
    {"--iy", Id::InvertY},
    {"-q", Id::Reflect},
    {"-c", Id::Limits},
    {"-l", Id::Link},
    {"--nan-clamp", Id::NanClamp},
    {"-Od", Id::NoOptimization},
    {"-dumpfullversion", Id::Number},
    {"-dumpversion", Id::Number},
    {"-G", Id::OpenGL, Value::JoinedOrNone},
    {"-Os", Id::OptimizeSize},
    {"-O", Id::OptimizeSpeed},
    {"-o", Id::Output, Value::Next},
    {"--preamble-text", Id::Preamble, Value::Next},
    {"--P", Id::Preamble, Value::Next},
    {"-P", Id::Preamble, Value::Joined},
    {"-E", Id::Preprocess},
    {"--quiet", Id::Quiet},
    {"--shift-image-binding", Id::ShiftImage, Value::Next},
    {"--shift-image-bindings", Id::ShiftImage, Value::Next},
    {"--sib", Id::ShiftImage, Value::Next},
    {"--shift-sampler-binding", Id::ShiftSampler, Value::Next},
    {"--shift-sampler-bindings", Id::ShiftSampler, Value::Next},
    {"--ssb", Id::ShiftSampler, Value::Next},
    {"--shift-ssbo-binding", Id::ShiftSsbo, Value::Next},
    {"--shift-ssbo-bindings", Id::ShiftSsbo, Value::Next},
    {"--sbb", Id::ShiftSsbo, Value::Next},
    {"--shift-texture-binding", Id::ShiftTexture, Value::Next},
    {"--shift-texture-bindings", Id::ShiftTexture, Value::Next},
    {"--stb", Id::ShiftTexture, Value::Next},
    {"--shift-uav-binding", Id::ShiftUav, Value::Next},
    {"--shift-uav-bindings", Id::ShiftUav, Value::Next},
    {"--suavb", Id::ShiftUav, Value::Next},
    {"--shift-ubo-binding", Id::ShiftUbo, Value::Next},
    {"--shift-ubo-bindings", Id::ShiftUbo, Value::Next},
    {"--sub", Id::ShiftUbo, Value::Next},
    {"--shift-cbuffer-binding", Id::ShiftUbo, Value::Next},
    {"--shift-cbuffer-bindings", Id::ShiftUbo, Value::Next},
    {"--scb", Id::ShiftUbo, Value::Next},
    {"-s", Id::Silent},
    {"--source-entrypoint", Id::SourceEntryPoint, Value::Next},
    {"--sep", Id::SourceEntryPoint, Value::Next},
    {"-S", Id::Stage, Value::Next},
    {"--stdin", Id::StandardInput},
    {"--suppress-warnings", Id::SuppressWarnings},
    {"-w", Id::SuppressWarnings},
    {"--target-env", Id::TargetEnv, Value::Next},
    {"--undef-macro", Id::Undefine, Value::Next},
    {"--U", Id::Undefine, Value::Next},
    {"-U", Id::Undefine, Value::Joined},
    {"--variable-name", Id::Variable, Value::Next},
    {"--vn", Id::Variable, Value::Next},
    {"--version", Id::Version},
    {"-v", Id::Version},
    {"-V", Id::Vulkan, Value::JoinedOrNone},
    // Ignored: compiles always continue after an error, and messages always name the fault; modules have no
    // debug information by default; modules are valid by construction, and --spirv-val is coopval's job;
    // functions that nothing calls always stay at -O0.
    {"-C", Id::Ignored},
    {"-g0", Id::Ignored},
    {"-m", Id::Ignored},
    {"-r", Id::Ignored},
    {"-t", Id::Ignored},
    {"--relaxed-errors", Id::Ignored},
    {"--enhanced-msgs", Id::Ignored},
    {"--keep-uncalled", Id::Ignored},
    {"--ku", Id::Ignored},
    {"--lto", Id::Ignored},
    {"--spirv-val", Id::Ignored},
    {"--relax-set-binding-limits", Id::Ignored},
    {"--hlsl-enable-16bit-types", Id::Ignored},
    // Options for how -q names and groups its output, which is JSON here.
    {"--reflect-all-block-variables", Id::Ignored},
    {"--reflect-all-io-variables", Id::Ignored},
    {"--reflect-basic-array-suffix", Id::Ignored},
    {"--reflect-intermediate-io", Id::Ignored},
    {"--reflect-separate-buffers", Id::Ignored},
    {"--reflect-shared-std140-ssbo", Id::Ignored},
    {"--reflect-shared-std140-ubo", Id::Ignored},
    {"--reflect-strict-array-suffix", Id::Ignored},
    {"--reflect-unwrap-io-blocks", Id::Ignored},
    {"--hlsl-dx9-compatible", Id::Ignored},
    {"--hlsl-dx-position-w", Id::Ignored},
    {"-fhlsl_functionality1", Id::Ignored},
    {"--uniform-base", Id::IgnoredValue, Value::Next},
    // All other options of glslang.
    {"-R", Id::Unsupported},
    {"-i", Id::Unsupported},
    {"-u", Id::Unsupported, Value::Joined},
    {"--auto-sampled-textures", Id::Unsupported},
    {"--bindings-per-resource-type", Id::Unsupported},
    {"--discard-is-terminate", Id::Unsupported},
    {"--dump-builtin-symbols", Id::Unsupported},
    {"--flatten-uniform-array", Id::Unsupported},
    {"--flatten-uniform-arrays", Id::Unsupported},
    {"--fua", Id::Unsupported},
    {"--hlsl-iomap", Id::Unsupported},
    {"--hlsl-iomapper", Id::Unsupported},
    {"--hlsl-iomapping", Id::Unsupported},
    {"--no-link", Id::Unsupported},
    {"--no-storage-format", Id::Unsupported},
    {"--nsf", Id::Unsupported},
    {"--resource-set-binding", Id::Unsupported},
    {"--resource-set-bindings", Id::Unsupported},
    {"--rsb", Id::Unsupported},
    {"--sacb", Id::Unsupported},
    {"--set-atomic-counter-block", Id::Unsupported},
    {"--set-block-backing", Id::Unsupported},
    {"--sbs", Id::Unsupported},
    {"--set-default-uniform-block", Id::Unsupported},
    {"--sdub", Id::Unsupported},
    {"--shift-as-binding", Id::Unsupported},
    {"--shift-as-bindings", Id::Unsupported},
    {"--sab", Id::Unsupported},
    {"--shift-combined-sampler-binding", Id::Unsupported},
    {"--shift-combined-sampler-bindings", Id::Unsupported},
    {"--scsb", Id::Unsupported},
    {"--validate-io", Id::Unsupported},
};

bool equalsInAnyCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// The case of long names does not matter: `--Target-Env`, `--p`.
const Row* rowOf(std::string_view argument) {
  for (const Row& row : kRows)
    if (row.name == argument || (argument.starts_with("--") && equalsInAnyCase(row.name, argument)))
      return &row;
  for (const Row& row : kRows)
    if ((row.value == Value::Joined || row.value == Value::JoinedOrNone) && argument.starts_with(row.name))
      return &row;
  return nullptr;
}

bool isStage(std::string_view ending) {
  coopc::Stage stage{};
  return stageOfEnding(ending, stage);
}

// NAME.STAGE or NAME.STAGE.glsl: STAGE, or "".
std::string_view endingOf(std::string_view path) {
  std::string_view file = fileOf(path);
  constexpr std::string_view kGlsl = ".glsl";
  if (file.ends_with(kGlsl)) file.remove_suffix(kGlsl.size());
  const size_t dot = file.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? std::string_view() : file.substr(dot + 1);
  return isStage(ending) ? ending : std::string_view();
}

class Parser {
 public:
  Parser(std::span<const std::string> arguments, GlslangLine& line) : arguments_(arguments), line_(line) {}

  std::optional<GlslangRefusal> parse() {
    for (; at_ < arguments_.size(); ++at_) {
      const std::string_view argument = arguments_[at_];
      if (argument.size() < 2 || argument[0] != '-') {
        files_.emplace_back(argument);
        continue;
      }
      const Row* row = rowOf(argument);
      if (row == nullptr) return refuse(argument, "unrecognized command-line option");
      std::string_view value;
      if (row->value == Value::Joined || row->value == Value::JoinedOrNone)
        value = argument.substr(row->name.size());
      if (row->value == Value::Next || (row->value == Value::Joined && value.empty())) {
        if (argument == "-D") return refuse(argument, "HLSL is not supported");
        if (at_ + 1 == arguments_.size()) return refuse(argument, "expected an argument after it");
        value = arguments_[++at_];
      }
      if (std::optional<GlslangRefusal> refusal = option(*row, argument, value)) return refusal;
      if (line_.show != GlslangLine::Show::Nothing) return std::nullopt;
    }
    return finish();
  }

 private:
  static GlslangRefusal refuse(std::string_view what, std::string_view why) {
    return {std::string(what) + (what.empty() ? "" : ": ") + std::string(why)};
  }

  std::optional<GlslangRefusal> option(const Row& row, std::string_view argument, std::string_view value) {
    coopc::Options& o = line_.options;
    switch (row.id) {
      case Id::AbsolutePath: line_.absolutePaths = true; break;
      case Id::AutoMapBindings: o.autoBindUniforms = true; break;
      case Id::AutoMapLocations: o.autoMapLocations = true; break;
      case Id::Client: return client(argument, value);
      case Id::Columns: line_.columns = true; break;
      case Id::Define: return define(argument, value);
      case Id::DebugInfo:
      case Id::DebugScopes:
        o.debugInfo = true;
        o.debugScopes = row.id == Id::DebugScopes;
        break;
      case Id::Depfile: line_.dependencies = value; break;
      case Id::DesktopDefault: line_.desktopDefault = true; break;
      case Id::EntryPoint: entryPoint_ = value; break;
      case Id::GlslVersion: return version(argument, value);
      case Id::Help: line_.show = GlslangLine::Show::Help; break;
      case Id::HlslOffsets: o.hlslOffsets = true; break;
      case Id::Human:
        line_.humanReadable = true;
        if (line_.client == GlslangLine::Client::None && argument == "-H")
          makeModules(GlslangLine::Client::Vulkan);
        break;
      case Id::Hexadecimal: line_.hexadecimal = true; break;
      case Id::Ignored:
      case Id::IgnoredValue: break;
      case Id::IncludeFolder: line_.includeFolders.emplace_back(value); break;
      case Id::InvertY: o.invertY = true; break;
      case Id::Limits: line_.show = GlslangLine::Show::Limits; break;
      case Id::Link: line_.link = true; break;
      case Id::NanClamp: o.nanClamp = true; break;
      case Id::NoOptimization: o.optimization = Optimization::None; break;
      case Id::Number: line_.show = GlslangLine::Show::Number; break;
      case Id::OpenGL: return inputVersion(argument, value, GlslangLine::Client::OpenGL);
      case Id::OptimizeSize: o.optimization = Optimization::Size; break;
      case Id::OptimizeSpeed: o.optimization = Optimization::Speed; break;
      case Id::Output: line_.output = value; break;
      case Id::Preamble: (line_.preamble += value) += '\n'; break;
      case Id::Preprocess: line_.preprocess = true; break;
      case Id::Reflect: line_.reflect = true; break;
      case Id::Quiet: line_.quiet = true; break;
      case Id::ShiftImage: return shift(argument, value, ResourceKind::Image);
      case Id::ShiftSampler: return shift(argument, value, ResourceKind::Sampler);
      case Id::ShiftSsbo: return shift(argument, value, ResourceKind::StorageBuffer);
      case Id::ShiftTexture: return shift(argument, value, ResourceKind::Texture);
      case Id::ShiftUav: return shift(argument, value, ResourceKind::Uav);
      case Id::ShiftUbo: return shift(argument, value, ResourceKind::UniformBuffer);
      case Id::Silent: line_.silent = true; break;
      case Id::SourceEntryPoint:
        if (value != "main") return refuse(argument, "the entry point of a text is `main`");
        renamed_ = true;
        break;
      case Id::Stage:
        ending_ = value;
        if (!isStage(value)) return GlslangRefusal{};
        break;
      case Id::StandardInput: standardInput_ = true; break;
      case Id::SuppressWarnings: o.suppressWarnings = true; break;
      case Id::TargetEnv: return environment(argument, value);
      case Id::Undefine: {
        Macro macro;
        macro.undefine = true;
        macro.name = value;
        o.macros.push_back(std::move(macro));
        break;
      }
      case Id::Unsupported: return refuse(argument, "not supported by coopc (docs/glslang.md)");
      case Id::Variable:
        line_.variable = value;
        line_.hexadecimal = true;
        break;
      case Id::Version: line_.show = GlslangLine::Show::Version; break;
      case Id::Vulkan: return inputVersion(argument, value, GlslangLine::Client::Vulkan);
    }
    return std::nullopt;
  }

  void makeModules(GlslangLine::Client client) {
    line_.client = client;
    line_.link = true;
  }

  std::optional<GlslangRefusal> inputVersion(std::string_view argument, std::string_view value,
                                             GlslangLine::Client client) {
    if (!value.empty() && value != "100") return refuse(argument, "only 100 is known");
    makeModules(client);
    return std::nullopt;
  }

  std::optional<GlslangRefusal> client(std::string_view argument, std::string_view value) {
    if (value == "vulkan100")
      makeModules(GlslangLine::Client::Vulkan);
    else if (value == "opengl100")
      makeModules(GlslangLine::Client::OpenGL);
    else
      return refuse(argument, "expects vulkan100 or opengl100");
    return std::nullopt;
  }

  std::optional<GlslangRefusal> environment(std::string_view argument, std::string_view value) {
    // Without a version, glslang does not accept `vulkan`.
    const std::optional<coopc::TargetEnv> vulkan =
        value.starts_with("vulkan1.") ? targetEnvByName(value) : std::nullopt;
    if (vulkan) {
      line_.environment = *vulkan;
      makeModules(GlslangLine::Client::Vulkan);
      return std::nullopt;
    }
    if (value == "opengl") {
      makeModules(GlslangLine::Client::OpenGL);
      return std::nullopt;
    }
    constexpr std::string_view kSpirv = "spirv1.";
    if (value.starts_with(kSpirv) && value.size() == kSpirv.size() + 1 && value.back() >= '0' &&
        value.back() <= '6') {
      line_.options.spirvVersion = kSpirv10 | uint32_t(value.back() - '0') << 8;
      return std::nullopt;
    }
    return refuse(
        argument,
        "expected one of: vulkan1.0, vulkan1.1, vulkan1.2, vulkan1.3, vulkan1.4, opengl, spirv1.0, spirv1.1, "
        "spirv1.2, spirv1.3, spirv1.4, spirv1.5 or spirv1.6");
  }

  std::optional<GlslangRefusal> define(std::string_view argument, std::string_view text) {
    const size_t equal = text.find('=');
    Macro macro;
    macro.name = text.substr(0, equal);
    macro.value = equal == std::string_view::npos ? std::string_view{} : text.substr(equal + 1);
    if (macro.name.empty()) return refuse(argument, "a macro has no name");
    line_.options.macros.push_back(std::move(macro));
    return std::nullopt;
  }

  std::optional<GlslangRefusal> version(std::string_view argument, std::string_view text) {
    const bool es = text.ends_with("es");
    const std::optional<uint32_t> number = parseNumber(es ? text.substr(0, text.size() - 2) : text);
    if (!number || !coopc::isLanguageVersion(*number, es || *number == 100))
      return refuse(argument, "there is no such version");
    line_.options.forcedVersion = *number;
    line_.options.forcedEs = es || *number == 100;
    return std::nullopt;
  }

  // Reads [STAGE] NUMBER. The forms with sets are not supported.
  std::optional<GlslangRefusal> shift(std::string_view argument, std::string_view value, ResourceKind kind) {
    coopc::StageBindingBase base;
    base.kind = kind;
    const bool oneStage = stageOfEnding(value, base.stage);
    if (oneStage) {
      if (at_ + 1 == arguments_.size()) return refuse(argument, "expected a number");
      value = arguments_[++at_];
    }
    const std::optional<uint32_t> number = parseNumber(value);
    if (!number) return refuse(argument, "expected a number");
    base.base = *number;
    if (at_ + 1 < arguments_.size() && parseNumber(arguments_[at_ + 1]))
      return refuse(argument,
                    "shifts of single descriptor sets are not supported by coopc (docs/glslang.md)");
    if (oneStage)
      line_.options.stageBindingBase.push_back(base);
    else
      line_.options.bindingBase[size_t(kind)] = base.base;
    return std::nullopt;
  }

  std::optional<GlslangRefusal> finish() {
    if (standardInput_) {
      if (ending_.empty()) return refuse("", "must provide -S when --stdin is given");
      line_.inputs.push_back({"", ending_});
    }
    for (const std::string& file : files_) {
      if (file.ends_with(".hlsl")) return refuse(file, "HLSL is not supported by coopc (docs/glslang.md)");
      if (file.ends_with(".conf")) {
        line_.limitFiles.push_back(file);
        continue;
      }
      const std::string ending(ending_.empty() ? endingOf(file) : ending_);
      if (ending.empty()) return GlslangRefusal{};
      line_.inputs.push_back({file, ending});
    }
    if (line_.inputs.empty()) return GlslangRefusal{};
    if (line_.preprocess && line_.link) return refuse("", "can't use -E when linking is selected");
    const bool text = line_.hexadecimal && line_.variable.empty();
    if (!line_.makesModules() && (!line_.output.empty() || text || line_.humanReadable))
      return refuse("", "no binary generation requested (e.g., -V)");
    if (renamed_ && !entryPoint_.empty()) line_.options.entryPoint = entryPoint_;
    return std::nullopt;
  }

  std::span<const std::string> arguments_;
  GlslangLine& line_;
  size_t at_ = 0;
  std::vector<std::string> files_;
  std::string entryPoint_;
  bool renamed_ = false;  // --source-entrypoint: without it, the name in -e is for HLSL
  std::string ending_;    // -S
  bool standardInput_ = false;
};

}  // namespace

bool isCalledGlslang(const std::string& program) {
  std::string_view name = fileOf(program);
  constexpr std::string_view kExe = ".exe";
  if (name.ends_with(kExe)) name.remove_suffix(kExe.size());
  return name == "glslangValidator" || name == "glslang";
}

std::optional<GlslangRefusal> parseGlslangLine(std::span<const std::string> arguments, GlslangLine& line) {
  return Parser(arguments, line).parse();
}

std::string glslangHelp(const std::string& program) {
  std::string text =
      "Usage: " + std::string(fileOf(program)) +
      " [option]... [file]...\n"
      "\n"
      "coopc under this name takes glslang's command line; docs/glslang.md has what each option does.\n"
      "A file's name ends in .STAGE or .STAGE.glsl, where STAGE is one of vert tesc tese geom frag comp\n"
      "mesh task rgen rint rahit rchit rmiss rcall; -S STAGE replaces that.\n"
      "\n"
      "Options:\n";
  for (const Row& row : kRows) {
    if (row.id == Id::Unsupported || row.id == Id::Ignored || row.id == Id::IgnoredValue) continue;
    text += "  " + std::string(row.name) +
            (row.value == Value::Joined ? "<value>"
             : row.value == Value::Next ? " <value>"
                                        : "") +
            "\n";
  }
  return text;
}

}  // namespace coopc::tool
