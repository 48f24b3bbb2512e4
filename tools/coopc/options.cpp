// Reading the command line.
#include "tools/coopc/options.hpp"

#include <algorithm>
#include <cstdlib>

#include "tools/common/files.hpp"
#include "tools/coopc/paths.hpp"

namespace coopc::tool {

const char kHelp[] =
    "coopc - compiles GLSL to SPIR-V\n"
    "\n"
    "Usage: coopc [option...] FILE...\n"
    "\n"
    "A FILE of - is the standard input. @FILE is replaced by the arguments in it.\n"
    "\n"
    "Output:\n"
    "  -o FILE               write to FILE, - is the standard output (default: a.spv)\n"
    "  -c                    compile each input to INPUT.spv\n"
    "  -S                    write assembly (INPUT.spvasm)\n"
    "  -E                    only preprocess, to the standard output\n"
    "  -mfmt=bin|c|num       binary, a C initializer list, or hexadecimal numbers\n"
    "  -g                    add lines, columns and the source\n"
    "  -O0, -O, -Os          do not optimize (default), for speed, for size\n"
    "  -fpreserve-bindings   optimization keeps bound resources that nothing uses\n"
    "\n"
    "Input:\n"
    "  -fshader-stage=STAGE  stage of the inputs that follow: compute, comp, vertex, ...\n"
    "  -x glsl               language of the inputs\n"
    "  -std=VERSION          version and profile whatever #version says: 450, 460core, 320es\n"
    "  -DNAME[=VALUE]        define a macro (VALUE: nothing)\n"
    "  -UNAME                undefine a macro\n"
    "  -I FOLDER             search FOLDER for #include, in order\n"
    "  -fentry-point=NAME    name of the entry point in the module (default: main)\n"
    "  -flimit=\"NAME VALUE...\", -flimit-file FILE\n"
    "                        values of the language's limits (gl_MaxComputeWorkGroupSize, ...)\n"
    "  --show-limits         the limits and their values\n"
    "  -fnan-clamp           min, max and clamp prefer operands that are not NaN\n"
    "  -finvert-y            invert gl_Position.y of vertex shaders\n"
    "\n"
    "Bindings:\n"
    "  -fauto-bind-uniforms  give bindings to uniforms without one\n"
    "  -fauto-map-locations  give locations to interface variables without one\n"
    "  -fauto-combined-image-sampler\n"
    "                        make textures combined with samplers of separate ones\n"
    "  -fKIND-binding-base [STAGE] N\n"
    "                        the first binding that -fauto-bind-uniforms gives; KIND: sampler, texture, "
    "image,\n"
    "                        ubo (cbuffer), ssbo, uav\n"
    "  -fhlsl-offsets        members of blocks lie as in HLSL\n"
    "\n"
    "Target:\n"
    "  --target-env=ENV      vulkan1.0 (default), vulkan1.1, vulkan1.2, vulkan1.3, vulkan1.4, opengl4.5\n"
    "  --target-spv=VERSION  spv1.0 to spv1.6 (default: what the environment has)\n"
    "\n"
    "Other stages, extensions that only glslang knows, and some options above go through the program "
    "coopc-glslang:\n"
    "  -fno-glslang          they are errors\n"
    "  --glslang=FILE        the program (default: COOPC_GLSLANG of the environment, or as installed)\n"
    "\n"
    "Diagnostics:\n"
    "  -w                    no warnings and notes\n"
    "  -Werror               warnings are errors\n"
    "  -fstrict              warnings about what a specification forbids are errors\n"
    "  --diagnostics-format=text|json\n"
    "  --list-diagnostics    the identifiers of all diagnostics, one a line\n"
    "\n"
    "Dependencies:\n"
    "  -M, -MM               write a make rule and nothing else\n"
    "  -MD                   compile, and write the rule to OUTPUT.d\n"
    "  -MF FILE              write the rule to FILE\n"
    "  -MT TARGET            target of the rule\n"
    "\n"
    "Many compiles:\n"
    "  --batch FILE          run the jobs of a list (JSON, or an argument list a line; - is the standard "
    "input);\n"
    "                        all other arguments go before those of each job\n"
    "  -jN                   with N threads (default: one for each processor)\n"
    "  --batch-report=FILE   write what became of each job, as JSON\n"
    "\n"
    "  --help, -h            this text\n"
    "  --version             the version\n"
    "\n"
    "Exit code: 0, 1 for errors in the input, 2 for wrong usage.\n";

bool parseNumber(std::string_view text, uint32_t& value) {
  if (text.empty() || text.size() > 10) return false;
  uint64_t v = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    v = v * 10 + static_cast<uint64_t>(c - '0');
  }
  value = static_cast<uint32_t>(v);
  return v <= 0xffffffffu;
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

namespace {

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// With something before the end.
bool endsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

// File extensions are the short names (comp, rchit), and `task`, `mesh`.
bool isExtension(std::string_view name) {
  for (std::string_view longName : {"compute", "vertex", "fragment", "geometry", "tesscontrol", "tesseval",
                                    "raygen", "intersect", "anyhit", "closest", "miss", "callable"})
    if (name == longName) return false;
  return true;
}

// -std=450, 450core, 310es.
bool parseStandard(std::string_view text, coopc::Options& options) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const std::string_view profile = text.substr(digits);
  uint32_t version = 0;
  if (!parseNumber(text.substr(0, digits), version)) return false;
  if (!profile.empty() && profile != "core" && profile != "compatibility" && profile != "es") return false;
  static constexpr uint32_t kVersions[] = {100, 110, 120, 130, 140, 150, 300, 310, 320,
                                           330, 400, 410, 420, 430, 440, 450, 460};
  bool known = false;
  for (uint32_t v : kVersions) known = known || v == version;
  const bool es = version == 100 || version == 300 || version == 310 || version == 320;
  // 100 has no profile; of the others, those that have one of their own need it.
  if (!known || (version == 100 ? profile != "es" && !profile.empty() : es != (profile == "es")))
    return false;
  options.forcedVersion = version;
  options.forcedEs = es;
  return true;
}

bool parseTargetEnv(std::string_view text, coopc::Options& options) {
  struct Row {
    std::string_view name;
    TargetEnv env;
  };
  static constexpr Row kRows[] = {{"vulkan", TargetEnv::Vulkan1_0},    {"vulkan1.0", TargetEnv::Vulkan1_0},
                                  {"vulkan1.1", TargetEnv::Vulkan1_1}, {"vulkan1.2", TargetEnv::Vulkan1_2},
                                  {"vulkan1.3", TargetEnv::Vulkan1_3}, {"vulkan1.4", TargetEnv::Vulkan1_4},
                                  {"opengl", TargetEnv::OpenGL4_5},    {"opengl4.5", TargetEnv::OpenGL4_5}};
  for (const Row& row : kRows) {
    if (row.name != text) continue;
    options.targetEnv = row.env;
    return true;
  }
  return false;
}

// Names that glslc reads over among the limits: what languages of old need not have.
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

class Parser {
 public:
  Parser(std::vector<std::string> arguments, CommandLine& line, std::string& error,
         const std::string& directory)
      : arguments_(std::move(arguments)), line_(line), error_(error), directory_(directory) {}

  bool parse() {
    if (!expandResponseFiles()) return false;
    for (at_ = 0; at_ < arguments_.size(); ++at_)
      if (!argument(arguments_[at_])) return false;
    return line_.show != CommandLine::Show::Nothing || check();
  }

 private:
  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  // A file that the command line names; the standard input is not one.
  bool readNamed(const char* failure, const std::string& path, std::string& text) {
    const std::string message = std::string(failure) + ": '" + path + "'";
    if (path == "-") return fail(message);
    const std::string why = readWhole((!path.empty() && path[0] == '/' ? "" : directory_) + path, text);
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

  // `-oX` and `-o X`.
  bool value(const std::string& argument, size_t length, std::string& out) {
    if (argument.size() > length) {
      out = argument.substr(length);
    } else {
      if (at_ + 1 >= arguments_.size()) return fail("argument to '" + argument + "' is missing");
      out = arguments_[++at_];
    }
    return true;
  }
  bool invalid(const std::string& argument) {
    const size_t equal = argument.find('=');
    return fail("invalid value '" + argument.substr(equal + 1) + "' in '" + argument + "'");
  }

  bool argument(const std::string& a) {
    coopc::Options& o = line_.options;
    if (a.size() < 2 || a[0] != '-') {
      addInput(a);
      return true;
    }
    if (a == "-c") return setMode(Mode::Compile);
    if (a == "-S") return setMode(Mode::Assemble);
    if (a == "-E") return setMode(Mode::Preprocess);
    if (a == "-g") return o.debugInfo = true;
    if (a == "-w") return o.suppressWarnings = true;
    if (a == "-Werror") return o.warningsAsErrors = true;
    if (a == "-fstrict") return o.strict = true;
    if (a == "-O") return optimize(Optimization::Speed);
    if (a == "-Os") return optimize(Optimization::Size);
    if (a == "-O0") return optimize(Optimization::None);
    if (a == "-h" || a == "--help") return show(CommandLine::Show::Help);
    if (a == "--version") return show(CommandLine::Show::Version);
    if (a == "--show-limits") return show(CommandLine::Show::Limits);
    if (a == "--list-diagnostics") return show(CommandLine::Show::Diagnostics);
    if (a == "-M" || a == "-MM") return line_.dependenciesOnly = true;
    if (a == "-MD") return line_.dependencies = true;
    if (startsWith(a, "-MF")) return value(a, 3, line_.dependencyFile);
    if (startsWith(a, "-MT")) return value(a, 3, line_.dependencyTarget);
    if (a == "-fauto-bind-uniforms") return o.autoBindUniforms = true;
    if (a == "-fauto-map-locations") return o.autoMapLocations = true;
    if (a == "-fpreserve-bindings") return o.preserveBindings = true;
    if (a == "-fnan-clamp") return o.nanClamp = true;
    if (a == "-finvert-y") return o.invertY = true;
    if (a == "-fhlsl-offsets") return o.hlslOffsets = true;
    if (a == "-fauto-combined-image-sampler") return o.autoCombinedImageSampler = true;
    if (a == "-fno-glslang") {
      o.allowGlslang = false;
      return true;
    }
    if (startsWith(a, "--glslang=")) {
      o.glslangProgram = a.substr(10);
      return !o.glslangProgram.empty() || invalid(a);
    }
    if (startsWith(a, "-flimit=")) return limits(a.substr(8));
    if (startsWith(a, "-flimit-file")) return limitFile(a);
    // What only HLSL has: nothing to do for GLSL.
    if (a == "-fhlsl-16bit-types" || a == "-fhlsl_functionality1" || a == "-fhlsl-functionality1")
      return true;
    if (a == "-fhlsl-iomap") return hlslIoMap_ = true;
    if (a == "-fresource-set-binding") return resourceSetBinding(a);
    if (startsWith(a, "-fmax-id-bound=")) {
      uint32_t bound = 0;
      return parseNumber(a.substr(15), bound) || invalid(a);
    }
    if (startsWith(a, "-fshader-stage=")) {
      stageGiven_ = true;
      if (!coopc::stageByName(a.substr(15), stage_))
        return fail("stage not recognized: '" + a.substr(15) + "'");
      return true;
    }
    if (startsWith(a, "-fentry-point=")) {
      o.entryPoint = a.substr(14);
      return !o.entryPoint.empty() || invalid(a);
    }
    if (startsWith(a, "-f") && a.find("-binding-base") != std::string::npos) return bindingBase(a);
    if (startsWith(a, "-std=")) return parseStandard(a.substr(5), o) || invalid(a);
    if (startsWith(a, "--target-env=")) return targetEnv(a);
    if (startsWith(a, "--target-spv=")) return targetSpv(a);
    if (startsWith(a, "--diagnostics-format=")) {
      const std::string format = a.substr(21);
      line_.jsonDiagnostics = format == "json";
      return format == "json" || format == "text" || invalid(a);
    }
    if (startsWith(a, "-mfmt=")) {
      const std::string format = a.substr(6);
      if (format != "bin" && format != "c" && format != "num") return invalid(a);
      formatGiven_ = true;
      line_.format = format == "c" ? Format::C : format == "num" ? Format::Numbers : Format::Binary;
      return true;
    }
    if (startsWith(a, "-x")) {
      std::string language;
      if (!value(a, 2, language)) return false;
      if (language == "hlsl") return fail("language hlsl is not supported");
      languageGiven_ = true;
      return language == "glsl" || fail("language not recognized: '" + language + "'");
    }
    if (startsWith(a, "-o")) {
      return value(a, 2, line_.output);
    }
    if (startsWith(a, "-I")) return value(a, 2, line_.includeFolders.emplace_back());
    if (startsWith(a, "-D")) return define(a);
    if (startsWith(a, "-U")) {
      Macro macro;
      macro.undefine = true;
      if (!value(a, 2, macro.name)) return false;
      o.macros.push_back(std::move(macro));
      return true;
    }
    if (startsWith(a, "-j") || startsWith(a, "--batch-report"))
      return fail("unknown argument: '" + a + "' (it is one of --batch)");
    return fail("unknown argument: '" + a + "'");
  }

  bool setMode(Mode mode) {
    // -E before -S before -c, as in glslc.
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
  bool define(const std::string& a) {
    std::string text;
    if (!value(a, 2, text)) return false;
    const size_t equal = text.find('=');
    Macro macro;
    macro.name = text.substr(0, equal);
    macro.value = equal == std::string::npos ? "" : text.substr(equal + 1);
    if (macro.name.empty()) return fail("macro has no name in '" + a + "'");
    line_.options.macros.push_back(std::move(macro));
    return true;
  }
  bool targetEnv(const std::string& a) { return parseTargetEnv(a.substr(13), line_.options) || invalid(a); }
  bool targetSpv(const std::string& a) {
    const std::string name = a.substr(13);
    if (name.size() != 6 || !startsWith(name, "spv1.") || name[5] < '0' || name[5] > '6') return invalid(a);
    line_.options.spirvVersion = 0x00010000u | static_cast<uint32_t>(name[5] - '0') << 8;
    return true;
  }
  // Decimal, or hexadecimal with 0x, as glslc takes them.
  static bool parseOffset(const std::string& text, uint32_t& value) {
    if (!startsWith(text, "0x") && !startsWith(text, "0X")) return parseNumber(text, value);
    if (text.size() < 3 || text.size() > 10) return false;
    value = 0;
    for (const char c : std::string_view(text).substr(2)) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      value = value << 4 | static_cast<uint32_t>(digit);
    }
    return true;
  }
  // `-fubo-binding-base N`, a stage before the number, and `=N`.
  bool bindingBase(const std::string& a) {
    static constexpr std::string_view kKinds[] = {"sampler", "texture", "image", "ubo", "ssbo", "uav"};
    const size_t equal = a.find('=');
    const std::string name = a.substr(2, (equal == std::string::npos ? a.size() : equal) - 2);
    for (size_t i = 0; i < std::size(kKinds); ++i) {
      if (name != std::string(kKinds[i]) + "-binding-base" && !(i == 3 && name == "cbuffer-binding-base"))
        continue;
      std::string number;
      coopc::StageBindingBase base;
      base.kind = static_cast<coopc::ResourceKind>(i);
      bool oneStage = false;
      if (equal != std::string::npos) {
        number = a.substr(equal + 1);
      } else {
        if (!value(a, a.size(), number)) return false;
        oneStage = coopc::stageByName(number, base.stage);
        if (oneStage && !value(a, a.size(), number)) return false;
      }
      if (!parseOffset(number, base.base)) return fail("invalid offset value " + number + " for -f" + name);
      if (oneStage)
        line_.options.stageBindingBase.push_back(base);
      else
        line_.options.bindingBase[i] = base.base;
      return true;
    }
    return fail("unknown argument: '" + a + "'");
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
      uint32_t value = 0;
      if (!parseNumber(std::string_view(number).substr(negative ? 1 : 0), value) || value > 0x7fffffffu)
        return fail("-flimit error: invalid integer: " + number);
      if (ignored) continue;
      line_.options.limits.push_back(
          {words[i], negative ? -static_cast<int>(value) : static_cast<int>(value)});
    }
    return true;
  }
  bool limitFile(const std::string& a) {
    std::string path;
    if (!value(a, 12, path)) return false;
    std::string text;
    return readNamed("cannot read limits file", path, text) && limits(text);
  }
  // Registers of HLSL: read over. [STAGE] (REGISTER SET BINDING)...
  bool resourceSetBinding(const std::string& a) {
    Stage ignored{};
    if (at_ + 1 < arguments_.size() && coopc::stageByName(arguments_[at_ + 1], ignored)) ++at_;
    uint32_t number = 0;
    int triples = 0;
    while (at_ + 3 < arguments_.size() && arguments_[at_ + 1][0] != '-' &&
           parseNumber(arguments_[at_ + 2], number) && parseNumber(arguments_[at_ + 3], number)) {
      at_ += 3;
      ++triples;
    }
    return triples != 0 || fail("option '" + a + "' requires at least 3 arguments");
  }

  void addInput(const std::string& path) {
    Input input;
    input.path = path;
    input.stageGiven = stageGiven_;
    if (!languageGiven_ && endsWith(path, ".hlsl")) hlslInput_ = path;
    if (stageGiven_) {
      input.stage = stage_;
    } else {
      const std::string_view file = fileOf(path);
      const size_t dot = file.rfind('.');
      Stage stage{};
      if (dot != std::string_view::npos && isExtension(file.substr(dot + 1)) &&
          coopc::stageByName(file.substr(dot + 1), stage))
        input.stage = stage;
    }
    line_.inputs.push_back(std::move(input));
  }

  bool check() {
    if (line_.inputs.empty()) return fail("no input files");
    if (!hlslInput_.empty())
      return fail("'" + hlslInput_ + "': language hlsl is not supported (-x glsl: it is GLSL)");
    if (hlslIoMap_ && line_.options.autoBindUniforms)
      return fail("-fhlsl-iomap is not supported: it would change what -fauto-bind-uniforms gives");
    if (line_.dependenciesOnly && line_.dependencies)
      return fail("both -M (or -MM) and -MD are specified. Only one should be used at one time.");
    size_t standard = 0;
    for (const Input& input : line_.inputs) {
      if (input.path.empty()) return fail("name of an input file is empty");
      if (input.path == "-" && ++standard > 1) return fail("standard input is given twice");
      if (endsWith(input.path, ".spvasm"))
        return fail("'" + input.path + "': coopc does not read SPIR-V assembly (spirv-as assembles it)");
    }
    const bool oneOutput = line_.mode == Mode::Link || !line_.output.empty();
    if (line_.inputs.size() > 1) {
      if (line_.mode == Mode::Link && !line_.dependenciesOnly)
        return fail("linking multiple files is not supported. Use -c to compile files individually.");
      if (oneOutput && !line_.output.empty())
        return fail("cannot specify -o when generating multiple output files");
    }
    if (formatGiven_ && ((line_.mode != Mode::Link && line_.mode != Mode::Compile) || line_.dependenciesOnly))
      return fail("-mfmt= goes only with binary output");
    if ((!line_.dependencyFile.empty() || !line_.dependencyTarget.empty()) && !line_.dependencies &&
        !line_.dependenciesOnly)
      return fail("-MF and -MT need -M or -MD");
    if (line_.inputs.size() > 1 && (!line_.dependencyFile.empty() || !line_.dependencyTarget.empty()))
      return fail("-MF and -MT go with one input file");
    return true;
  }

  std::vector<std::string> arguments_;
  CommandLine& line_;
  std::string& error_;
  const std::string& directory_;
  size_t at_ = 0;
  Stage stage_ = Stage::FromSource;
  bool stageGiven_ = false;
  bool languageGiven_ = false;
  bool hlslIoMap_ = false;
  bool formatGiven_ = false;
  std::string hlslInput_;
};

}  // namespace

bool calledGlslc(const char* program) {
  return program != nullptr && (fileOf(program) == "glslc" || fileOf(program) == "glslc.exe");
}

bool parseCommandLine(std::vector<std::string> arguments, CommandLine& line, std::string& error,
                      const std::string& directory) {
  return Parser(std::move(arguments), line, error, directory).parse();
}

}  // namespace coopc::tool
