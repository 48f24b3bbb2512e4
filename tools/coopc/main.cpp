// coopc: the compiler's program, in glslc's spelling. Everything that it does is in the library's public interface;
// here are files, names of outputs, dependency rules and exit codes.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "coopc/coopc.hpp"
#include "tools/coopc/files.hpp"
#include "tools/coopc/options.hpp"

namespace {

using namespace coopc::tool;

constexpr int kInputError = 1;
constexpr int kUsageError = 2;

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

int usageError(const std::string& text) {
  print(stderr, "coopc: error: " + text + "\n");
  return kUsageError;
}

// A make rule: blanks, # and $ in names are protected.
std::string dependencyRule(const std::string& target, const std::vector<std::string>& files) {
  std::string rule = target + ":";
  for (const std::string& file : files) {
    rule += ' ';
    for (char c : file) {
      if (c == ' ' || c == '#' || c == '\\') rule += '\\';
      if (c == '$') rule += '$';
      rule += c;
    }
  }
  return rule + "\n";
}

// -mfmt=c and num: four numbers a line.
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

// Where an input's output goes.
std::string outputName(const CommandLine& line, const Input& input) {
  if (!line.output.empty()) return line.output;
  if (line.mode == Mode::Preprocess) return "-";
  if (line.mode == Mode::Link) return "a.spv";
  const std::string base = input.path == "-" ? "a" : std::string(fileOf(input.path));
  return base + (line.mode == Mode::Assemble ? ".spvasm" : ".spv");
}

class Driver {
 public:
  explicit Driver(const CommandLine& line) : line_(line) {}

  int run() {
    int code = 0;
    for (const Input& input : line_.inputs)
      if (!compile(input)) code = kInputError;
    if (!line_.jsonDiagnostics)
      print(stderr, coopc::summary(errors_, warnings_));
    else if (!json_.empty())
      print(stderr, "[" + json_ + "\n]\n");
    return code;
  }

 private:
  bool fileError(std::string_view what, const std::string& path) {
    print(stderr, "coopc: error: " + std::string(what) + ": '" + path + "': " + std::strerror(errno) + "\n");
    return false;
  }

  bool compile(const Input& input) {
    std::string text;
    if (!readFile(input.path, text)) return fileError("cannot open input file", input.path);
    coopc::Options options = line_.options;
    options.stage = input.stage;
    options.include = searchFolders(line_.includeFolders);
    const bool textOnly = line_.mode == Mode::Preprocess && !line_.dependenciesOnly;
    options.output = line_.dependenciesOnly         ? coopc::Output::Dependencies
                     : textOnly                     ? coopc::Output::Preprocessed
                     : line_.mode == Mode::Assemble ? coopc::Output::Assembly
                                                    : coopc::Output::Module;
    if (line_.dependenciesOnly) options.suppressWarnings = true;
    const coopc::Result result = coopc::compile(text, input.path == "-" ? "<stdin>" : input.path, options);
    errors_ += result.errorCount;
    warnings_ += result.warningCount;
    if (!line_.jsonDiagnostics)
      print(stderr, result.messages);
    else if (!result.diagnostics.empty())  // "[ ... \n]\n": all inputs' are one array
      json_ += (json_.empty() ? "" : ",") + result.json.substr(1, result.json.size() - 4);
    if (!result.ok) return false;
    return write(input, result);
  }

  bool write(const Input& input, const coopc::Result& result) {
    const std::string path = outputName(line_, input);
    if (line_.dependenciesOnly) {
      const std::string object = input.path == "-" ? "a.spv" : std::string(fileOf(input.path)) + ".spv";
      const std::string rule = dependencyRule(
          line_.dependencyTarget.empty() ? object : line_.dependencyTarget, result.dependencies);
      const std::string& to = !line_.dependencyFile.empty() ? line_.dependencyFile : line_.output;
      return put(to.empty() ? "-" : to, rule.data(), rule.size());
    }
    if (line_.dependencies) {
      const std::string rule =
          dependencyRule(line_.dependencyTarget.empty() ? path : line_.dependencyTarget, result.dependencies);
      if (!put(line_.dependencyFile.empty() ? path + ".d" : line_.dependencyFile, rule.data(), rule.size()))
        return false;
    }
    if (line_.mode == Mode::Preprocess || line_.mode == Mode::Assemble)
      return put(path, result.text.data(), result.text.size());
    if (line_.format == Format::Binary)
      return put(path, result.words.data(), result.words.size() * sizeof(uint32_t));
    const std::string numbers = wordsAsText(result.words, line_.format);
    return put(path, numbers.data(), numbers.size());
  }

  bool put(const std::string& path, const void* data, size_t size) {
    return writeFile(path, data, size) || fileError("cannot write output file", path);
  }

  const CommandLine& line_;
  std::string json_;
  uint32_t errors_ = 0;
  uint32_t warnings_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  std::string error;
  if (!parseCommandLine({argv + 1, argv + argc}, line, error)) return usageError(error);
  switch (line.show) {
    case CommandLine::Show::Help: print(stdout, kHelp); return 0;
    case CommandLine::Show::Version:
      print(stdout,
            "coopc " + std::string(coopc::version()) + "\nTarget: SPIR-V 1.0 to 1.6, Vulkan 1.0 to 1.4\n");
      return 0;
    case CommandLine::Show::Diagnostics:
      for (const std::string& id : coopc::diagnosticIds()) print(stdout, id + "\n");
      return 0;
    case CommandLine::Show::Nothing: break;
  }
  return Driver(line).run();
}
