// coopc under glslang's names. Programs that call glslang read its messages and exit codes: editors' linters
// read lines such as `ERROR: 0:3: 'x' : undeclared identifier`, and build files rely on the names of outputs.
// The wording of the messages is coopc's own.
#include "tools/coopc/glslang_driver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/whole_file.hpp"
#include "coopc/coopc.hpp"
#include "coopc/reflect.hpp"
#include "tools/coopc/dependency_rule.hpp"
#include "tools/coopc/glslang_options.hpp"
#include "tools/coopc/options.hpp"

namespace coopc::tool {
namespace {

constexpr int kUsage = 1, kCompile = 2, kLink = 3;

std::string hexadecimal(const std::vector<uint32_t>& words, const std::string& variable) {
  constexpr size_t kInLine = 8;
  std::string text = "\t// coopc " + std::string(coopc::version()) + "\n";
  if (!variable.empty()) text += "\t #pragma once\nconst uint32_t " + variable + "[] = {\n";
  for (size_t i = 0; i < words.size(); ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "0x%08x", words[i]);
    text += (i % kInLine == 0 ? "\t" : "") + std::string(number);
    if (i + 1 < words.size()) text += ",";
    if (i % kInLine == kInLine - 1 || i + 1 == words.size()) text += "\n";
  }
  if (!variable.empty()) text += "};\n";
  return text;
}

// The position after the newline that ends a directive. A newline after a backslash or in a comment does not
// end it.
size_t endOfDirective(std::string_view text, size_t at) {
  bool inLineComment = false;
  while (at < text.size() && text[at] != '\n') {
    const std::string_view rest = text.substr(at);
    inLineComment = inLineComment || rest.starts_with("//");
    const size_t close =
        !inLineComment && rest.starts_with("/*") ? text.find("*/", at + 2) : std::string_view::npos;
    at += close != std::string_view::npos ? close + 2 - at
          : rest.starts_with("\\\r\n")    ? 3
          : rest.starts_with("\\\n")      ? 2
                                          : 1;
  }
  return std::min(at + 1, text.size());
}

// The text with a preamble after its #version, which only blanks and comments may precede, or else at its
// start. #line keeps the line numbers in messages.
std::string withPreamble(std::string_view text, const std::string& preamble) {
  size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0, end = at;
  uint32_t line = 1;  // of the text that follows the preamble
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      const size_t close = text.find("*/", at + 2);
      at = close == std::string_view::npos ? text.size() : close + 2;
    } else if (std::strchr(" \t\r\n", text[at]) != nullptr) {
      ++at;
    } else {
      break;
    }
  }
  const size_t word =
      at < text.size() && text[at] == '#' ? text.find_first_not_of(" \t", at + 1) : std::string_view::npos;
  // From version 3.30 on, and in ES, the number applies to the line after #line. Before 3.30 it applies to
  // #line itself (GLSL 1.50 and 3.30, 3.3).
  uint32_t version = 110;
  bool es = false;
  if (word != std::string_view::npos && text.substr(word).starts_with("version")) {
    end = endOfDirective(text, word);
    const std::string directive(text.substr(word, end - word));
    char profile[8] = {};
    if (std::sscanf(directive.c_str(), "version %u %7s", &version, profile) < 1) return std::string(text);
    es = std::strcmp(profile, "es") == 0 || version == 100;
    line += static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(end), '\n'));
  }
  std::string all(text.substr(0, end));
  if (!all.empty() && all.back() != '\n') all += '\n';
  all += preamble + "#line " + std::to_string(es || version >= 330 ? line : line - 1) + "\n";
  return all += text.substr(end);
}

class Run {
 public:
  Run(const std::string& program, const GlslangLine& line)
      : program_(program),
        line_(line),
        files_(coopc::FileCache::Keep::Text),
        log_(line.link || line.preprocess ? stderr : stdout) {}

  int run() {
    for (const std::string& file : line_.limitFiles)
      if (!readLimits(file)) return usage("unable to open input file");
    std::vector<Made> made;
    bool compiled = true;
    for (const GlslangInput& input : line_.inputs) {
      const coopc::SharedText text = input.path.empty() ? coopc::readFile("-") : files_.read(input.path);
      if (!text) return usage("unable to open input file");
      compiled = compile(input, text, made) && compiled;
    }
    if (line_.preprocess) return compiled ? 0 : kCompile;
    if (compiled) {
      if (const std::string stage = stageOfTwo(); !stage.empty()) {
        say("ERROR: Linking " + stage + " stage: coopc does not join several files of one stage\n");
        return notMade(kLink);
      }
    }
    if (!compiled) return notMade(onlyLinkErrors_ ? kLink : kCompile);
    for (const Made& m : made)
      if (line_.reflect && !reflect(m)) return kCompile;
    for (const Made& m : made)
      if (!write(m)) return kUsage;
    return writeDependencies(made) ? 0 : kUsage;
  }

 private:
  struct Made {
    const GlslangInput* input;
    coopc::Result result;
  };

  void say(std::string_view text) {
    if (!line_.silent) std::fwrite(text.data(), 1, text.size(), log_);
  }
  int usage(const std::string& text) {
    std::fprintf(stderr, "%s: Error: %s (use -h for usage)\n", program_.c_str(), text.c_str());
    return kUsage;
  }
  int notMade(int code) {
    if (line_.makesModules()) std::puts("SPIR-V is not generated for failed compile or link");
    return code;
  }
  // The stage of two inputs that would be linked, or "".
  std::string stageOfTwo() const {
    for (size_t i = 0; i < line_.inputs.size(); ++i)
      for (size_t j = 0; line_.link && j < i; ++j)
        if (line_.inputs[i].ending == line_.inputs[j].ending) return line_.inputs[i].ending;
    return {};
  }

  // Reads lines `NAME VALUE`, as -c prints them. Unknown names, and names that are not limits, are skipped.
  bool readLimits(const std::string& file) {
    const coopc::SharedText text = files_.read(file);
    if (!text) return false;
    const std::vector<coopc::Limit> known = coopc::limits();
    std::istringstream words{std::string(text.view())};
    for (coopc::Limit limit; words >> limit.name;) {
      if (!(words >> limit.value)) {
        say("Error: " + limit.name + " is not followed by a number in the configuration file.\n");
        break;
      }
      if (std::ranges::find(known, limit.name, &coopc::Limit::name) != known.end())
        limits_.push_back(limit);
      else if (!isLanguageFeature(limit.name))
        say("Warning: unrecognized limit (" + limit.name + ") in configuration file.\n");
    }
    return true;
  }

  coopc::Options optionsOf(const GlslangInput& input, std::string_view text) const {
    coopc::Options o = line_.options;
    o.limits = limits_;
    stageOfEnding(input.ending, o.stage);
    o.include = files_.resolver(line_.includeFolders);
    o.glslangPool = pool_;
    o.output = line_.preprocess                        ? coopc::Output::Preprocessed
               : line_.humanReadable                   ? coopc::Output::Assembly
               : line_.makesModules() || line_.reflect ? coopc::Output::Module
                                                       : coopc::Output::Check;
    using Client = GlslangLine::Client;
    o.targetEnv = line_.client == Client::OpenGL   ? coopc::TargetEnv::OpenGL4_5
                  : line_.client == Client::Vulkan ? line_.environment.value_or(coopc::TargetEnv::Vulkan1_0)
                                                   : coopc::TargetEnv::Vulkan1_4;
    // In texts for OpenGL, linking assigns locations and bindings. Only modules can be reflected, so they are
    // assigned here.
    if (line_.reflect && !line_.makesModules()) o.autoMapLocations = o.autoBindUniforms = true;
    constexpr uint32_t kFirstVersion = 110;
    if (line_.desktopDefault && o.forcedVersion == 0 && text.find("#version") == std::string_view::npos)
      o.forcedVersion = kFirstVersion;
    return o;
  }

  // Without -V and -G a text may be for Vulkan or for OpenGL, and nothing says which. It is correct if one of
  // them accepts it. If neither does, the messages of the attempt with fewer errors are printed, but syntax
  // errors always in coopc's own words. A syntax error for Vulkan does not decide that a text is wrong,
  // because some words are keywords for Vulkan only.
  coopc::Result read(const GlslangInput& input, const coopc::SharedText& text) const {
    const std::string name = input.name();
    coopc::Options options = optionsOf(input, text.view());
    coopc::Result result = coopc::compile(text, name, options);
    if (result.ok || line_.preprocess || line_.makesModules()) return result;
    options.targetEnv = coopc::TargetEnv::OpenGL4_5;
    options.spirvVersion = 0;
    coopc::Result other = coopc::compile(text, name, options);
    const bool clearer = other.status == coopc::Status::InputError && other.errorCount < result.errorCount &&
                         !hasSyntaxError(result);
    const bool part = linkErrorsOnly(other) && !linkErrorsOnly(result);
    return other.ok || clearer || part ? std::move(other) : std::move(result);
  }

  bool links() const { return line_.link || line_.makesModules() || line_.reflect; }

  // Whether the errors are those that glslang finds when it links: an entry point or a function without a
  // definition. Without linking, a file may be a part of a program.
  static bool linkErrorsOnly(const coopc::Result& result) {
    return result.status == coopc::Status::InputError && result.errorCount != 0 &&
           std::all_of(result.diagnostics.begin(), result.diagnostics.end(), [](const coopc::Diagnostic& d) {
             return d.severity != coopc::Severity::Error || d.id == "entry-point-missing" ||
                    d.id == "function-undefined" || d.message.starts_with("Linking ");
           });
  }

  // Warnings stay, except for the lines without a file with which glslang continues an error of linking.
  static void removeLinkErrors(std::vector<coopc::Diagnostic>& diagnostics) {
    std::erase_if(diagnostics, [](const coopc::Diagnostic& d) {
      return d.severity == coopc::Severity::Error || d.file.empty();
    });
  }

  static bool hasSyntaxError(const coopc::Result& result) {
    return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                       [](const coopc::Diagnostic& d) { return d.id.starts_with("expected-"); });
  }

  bool compile(const GlslangInput& input, const coopc::SharedText& text, std::vector<Made>& made) {
    coopc::Result result = read(
        input, line_.preamble.empty() ? text : coopc::SharedText(withPreamble(text.view(), line_.preamble)));
    const std::string name = input.name();
    const bool ofLinking = linkErrorsOnly(result);
    if (ofLinking && (!links() || !stageOfTwo().empty())) {
      result.ok = true;
      result.errorCount = 0;
      removeLinkErrors(result.diagnostics);
    }
    onlyLinkErrors_ = onlyLinkErrors_ && (result.ok || ofLinking);
    std::string messages;
    for (const coopc::Diagnostic& d : result.diagnostics)
      if (!line_.quiet || d.severity != coopc::Severity::Note) messages += messageOf(d, name, text.view());
    if (!result.ok && result.diagnostics.empty()) messages += "ERROR: " + result.messages;
    if (result.errorCount != 0)
      messages +=
          "ERROR: " + std::to_string(result.errorCount) + " compilation errors.  No code generated.\n";
    const bool showsName = line_.quiet ? !line_.link && !messages.empty()
                                       : line_.link || line_.inputs.size() > 1 || !result.diagnostics.empty();
    if (showsName && !line_.preprocess) say(name + "\n");
    if (!messages.empty()) messages += "\n\n";
    say(messages);
    if (line_.preprocess && result.ok) std::fwrite(result.text.data(), 1, result.text.size(), stdout);
    const bool ok = result.ok;
    made.push_back({&input, std::move(result)});
    return ok;
  }

  // `ERROR: FILE:LINE: 'TOKEN' : TEXT`. Without linking, glslang writes 0 for the main file.
  std::string messageOf(const coopc::Diagnostic& d, const std::string& name, std::string_view text) const {
    const bool warning = d.severity == coopc::Severity::Warning, note = d.severity == coopc::Severity::Note;
    std::string line = warning ? "WARNING: " : note ? "NOTE: " : "ERROR: ";
    if (!d.file.empty()) {
      if (d.file == name && !line_.link && !line_.absolutePaths)
        line += "0";
      else
        line += line_.absolutePaths ? std::filesystem::absolute(d.file).string() : d.file;
      line += ":" + std::to_string(d.line) + ":";
      if (line_.columns) line += std::to_string(d.column) + ":";
      line += " ";
    }
    // Messages that come from glslang name the token themselves.
    if (!d.message.starts_with('\'')) line += "'" + tokenOf(d, name, text) + "' : ";
    line += d.message;
    if (!d.clause.empty()) line += " (" + d.clause + ")";
    return line + "\n";
  }

  // The token at a message's place in the main file.
  std::string tokenOf(const coopc::Diagnostic& d, const std::string& name, std::string_view text) const {
    // With #line, the number is not that of a line of the text.
    if (d.file != name || d.length == 0 || text.find("#line") != std::string_view::npos) return {};
    for (uint32_t n = 1; n < d.line; ++n) {
      const size_t end = text.find('\n');
      if (end == std::string_view::npos) return {};
      text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (d.column == 0 || d.column > text.size()) return {};
    return std::string(text.substr(d.column - 1, d.length));
  }

  // The interface as JSON. glslang's own form lists a linked program's interface, with OpenGL's numbers.
  bool reflect(const Made& made) {
    const coopc::Reflection reflection = coopc::reflect(made.result.words);
    if (!reflection.ok()) return false;
    const std::string text = coopc::renderJson(reflection);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return true;
  }

  bool write(const Made& made) {
    if (!line_.makesModules()) return true;
    const coopc::Result& result = made.result;
    if (line_.humanReadable) std::fwrite(result.text.data(), 1, result.text.size(), stdout);
    const std::string path = moduleOf(*made.input);
    const std::string numbers = line_.hexadecimal ? hexadecimal(result.words, line_.variable) : std::string();
    const void* data = line_.hexadecimal ? static_cast<const void*>(numbers.data()) : result.words.data();
    const size_t size = line_.hexadecimal ? numbers.size() : result.words.size() * sizeof(uint32_t);
    return put(path, data, size);
  }

  std::string moduleOf(const GlslangInput& input) const {
    return line_.output.empty() ? input.ending + ".spv" : line_.output;
  }

  // A rule for each module. Like glslang's, each rule names the files of all inputs.
  bool writeDependencies(const std::vector<Made>& made) {
    if (line_.dependencies.empty() || !line_.makesModules()) return true;
    std::vector<std::string> files;
    for (const Made& m : made)
      for (const std::string& file : m.result.dependencies)
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    std::string rules;
    for (const Made& m : made) rules += dependencyRule({}, moduleOf(*m.input), files);
    return put(line_.dependencies, rules.data(), rules.size());
  }

  bool put(const std::string& path, const void* data, size_t size) {
    std::error_code failed;
    for (const GlslangInput& input : line_.inputs)
      if (!input.path.empty() && std::filesystem::equivalent(path, input.path, failed)) {
        usage("'" + path + "' would be written over an input file");
        return false;
      }
    const std::string why = writeWhole(path, data, size);
    if (!why.empty()) std::printf("ERROR: Failed to open file: %s: %s\n", path.c_str(), why.c_str());
    return why.empty();
  }

  const std::string& program_;
  const GlslangLine& line_;
  std::vector<coopc::Limit> limits_;
  mutable coopc::FileCache files_;
  std::shared_ptr<coopc::GlslangPool> pool_ = std::make_shared<coopc::GlslangPool>();
  bool onlyLinkErrors_ = true;  // of the inputs that did not compile
  std::FILE* const log_;
};

}  // namespace

int runGlslang(const std::string& program, std::span<const std::string> arguments) {
  GlslangLine line;
  const std::optional<GlslangRefusal> refusal = parseGlslangLine(arguments, line);
  if (refusal && !refusal->text.empty()) {
    std::fprintf(stderr, "%s: Error: %s (use -h for usage)\n", program.c_str(), refusal->text.c_str());
    return kUsage;
  }
  if (refusal || line.show == GlslangLine::Show::Help) {
    std::fputs(glslangHelp(program).c_str(), stdout);
    return refusal ? kUsage : 0;
  }
  if (line.show == GlslangLine::Show::Number) {
    std::printf("%s\n", std::string(coopc::version()).c_str());
    return 0;
  }
  if (line.show == GlslangLine::Show::Limits) {
    for (const coopc::Limit& limit : coopc::limits()) std::printf("%s %d\n", limit.name.c_str(), limit.value);
    return 0;
  }
  if (line.show == GlslangLine::Show::Version) {
    std::printf(
        "glslang of coopc %s\nESSL Version: OpenGL ES GLSL 3.20\nGLSL Version: 4.60\nSPIR-V Version "
        "0x00010600\n",
        std::string(coopc::version()).c_str());
    return 0;
  }
  return Run(program, line).run();
}

}  // namespace coopc::tool
