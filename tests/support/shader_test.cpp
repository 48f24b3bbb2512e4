// Directives, runs, expectations, and a simple line diff that skips the common lines at both ends.
#include "tests/support/shader_test.hpp"

#include <cstdio>
#include <string_view>

#include "tests/support/mutation.hpp"
#include "tests/support/process.hpp"
#include "tests/support/spirv_checks.hpp"

namespace coopc::tests {
namespace {

constexpr std::string_view kDefaultRun = "--target-env=vulkan1.3 %s";
constexpr std::string_view kStages[] = {".comp", ".vert", ".frag", ".geom",  ".tesc",  ".tese",  ".mesh",
                                        ".task", ".rgen", ".rint", ".rahit", ".rchit", ".rmiss", ".rcall"};
constexpr size_t kDiffLines = 60;

std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    size_t end = text.find_first_of(" \t\r", at);
    words.emplace_back(text.substr(at, end - at));
    if (end == std::string_view::npos) break;
    at = end;
  }
  return words;
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string difference(const std::string& expected, const std::string& actual) {
  std::vector<std::string> a = splitLines(expected);
  std::vector<std::string> b = splitLines(actual);
  size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  std::string text = "  at line " + std::to_string(head + 1) + " of the expectation:\n";
  auto append = [&text](const char* mark, const std::vector<std::string>& lines, size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (i - from == kDiffLines) {
        text += "    ... and " + std::to_string(to - i) + " more lines\n";
        break;
      }
      text += std::string("  ") + mark + lines[i] + "\n";
    }
  };
  append("- ", a, head, a.size() - tail);
  append("+ ", b, head, b.size() - tail);
  return text;
}

void section(std::string& text, const char* title, const std::string& body) {
  if (body.empty()) return;
  text += std::string("--- ") + title + "\n" + body;
  if (body.back() != '\n') text += "\n<no newline at the end>\n";
}

// The value of --target-env among the arguments, in both spellings; "" if there is none.
std::string targetEnvironment(const std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "--target-env";
  std::string value;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (startsWith(arguments[i], "--target-env=")) value = arguments[i].substr(kOption.size() + 1);
    if (arguments[i] == kOption && i + 1 < arguments.size()) value = arguments[i + 1];
  }
  return value;
}

bool hasOutput(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (startsWith(argument, "-o") || argument == "-E" || argument == "-S" || argument == "--version" ||
        argument == "--help" || startsWith(argument, "--list-")) {
      return true;
    }
  }
  return false;
}

// Validates and, if requested, disassembles the module that a run has written.
bool checkModule(const RunnerOptions& options, const Directives& directives,
                 const std::vector<std::string>& arguments, const std::string& module,
                 std::string& expectation, ShaderTestResult& result) {
  std::vector<uint32_t> words = readModule(module);
  if (words.size() < 5 || words[0] != 0x07230203u) {
    result.message += "  exit code 0, but the output is not a SPIR-V module\n";
    return false;
  }
  SpirvChecks checks;
  checks.targetEnv = validationEnvironment(targetEnvironment(arguments), words);
  checks.scalarBlockLayout = directives.scalarBlockLayout;
  bool good = true;
  if (directives.validate == Validate::both || directives.validate == Validate::linked) {
    std::string verdict = validateLinked(words, checks);
    if (!verdict.empty()) {
      result.message += "  SPIRV-Tools (linked, " + checks.targetEnv + "): " + verdict + "\n";
      good = false;
    }
  }
  if (directives.validate == Validate::both || directives.validate == Validate::newest) {
    if (options.spirvVal.empty()) {
      result.skips.emplace_back("the newest spirv-val (./setup newest_tools)");
    } else {
      std::string verdict = validateWithProgram(options.spirvVal, module, checks);
      if (!verdict.empty()) {
        result.message += "  the newest spirv-val (" + checks.targetEnv + "): " + verdict + "\n";
        good = false;
      }
    }
  }
  if (directives.checkSpirv) {
    std::string text;
    bool done = directives.validate == Validate::newest && !options.spirvDis.empty()
                    ? disassembleWithProgram(options.spirvDis, module, text)
                    : disassembleLinked(words, text);
    if (!done) {
      result.message += "  disassembly: " + text + "\n";
      good = false;
    }
    section(expectation, "spirv", text);
  }
  return good;
}

// Describes a run that ended abnormally; "" if the process exited with one of the compiler's exit codes.
std::string describeMisbehavior(const ProcessResult& process, int limitSeconds) {
  if (!process.started) return process.stderrText;
  if (process.timedOut) return "did not end within " + std::to_string(limitSeconds) + " s";
  if (process.signal != 0)
    return "crashed with signal " + std::to_string(process.signal) + "\n" + process.stderrText;
  // Checked first, because a sanitizer's exit code could look like the compiler's.
  const bool sanitizer = process.stderrText.find("Sanitizer:") != std::string::npos ||
                         process.stderrText.find(": runtime error: ") != std::string::npos;
  if (process.exitCode > 2 || sanitizer) {
    return "ended with code " + std::to_string(process.exitCode) + "\n" + process.stderrText;
  }
  return "";
}

}  // namespace

bool readFile(const std::string& path, std::string& text) {
  text.clear();
  FILE* stream = std::fopen(path.c_str(), "rb");
  if (stream == nullptr) return false;
  char buffer[16384];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) text.append(buffer, count);
  bool good = std::ferror(stream) == 0;
  std::fclose(stream);
  return good;
}

bool writeFile(const std::string& path, const std::string& text) {
  FILE* stream = std::fopen(path.c_str(), "wb");
  if (stream == nullptr) return false;
  bool good = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return std::fclose(stream) == 0 && good;
}

bool isShaderName(const std::string& name) {
  size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  for (std::string_view stage : kStages) {
    if (std::string_view(name).substr(dot) == stage) return true;
  }
  return false;
}

Directives parseDirectives(const std::string& text) {
  Directives directives;
  directives.scalarBlockLayout = text.find("GL_EXT_scalar_block_layout") != std::string::npos;
  for (std::string_view line : splitLines(text)) {
    size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line.remove_prefix(first);
    if (startsWith(line, "#version")) continue;  // ESSL 3.10 wants it in the first line
    if (!startsWith(line, "//")) break;
    line.remove_prefix(2);
    std::vector<std::string> words = splitWords(line);
    if (words.empty()) continue;
    if (words[0] == "RUN:") {
      if (words.size() < 2 || words[1] != "coopc") {
        directives.error = "RUN: must name coopc";
        return directives;
      }
      std::string run;
      for (size_t i = 2; i < words.size(); ++i) run += (i == 2 ? "" : " ") + words[i];
      directives.runs.push_back(run);
    } else if (words[0] == "CHECK-SPIRV") {
      directives.checkSpirv = true;
    } else if (words[0] == "VALIDATE:") {
      if (words.size() < 3) {
        directives.error = "VALIDATE: needs which one, and a reason";
        return directives;
      }
      if (words[1] == "newest") {
        directives.validate = Validate::newest;
      } else if (words[1] == "linked") {
        directives.validate = Validate::linked;
      } else if (words[1] == "none") {
        directives.validate = Validate::none;
      } else {
        directives.error = "VALIDATE: newest, linked or none, not " + words[1];
        return directives;
      }
    }
  }
  if (directives.runs.empty()) directives.runs.emplace_back(kDefaultRun);
  return directives;
}

ShaderTestResult runShaderTest(const RunnerOptions& options, const std::string& file, int index) {
  ShaderTestResult result;
  const std::string path = options.root + "/" + file;
  std::string text;
  if (!readFile(path, text)) {
    result.message = "  cannot be read\n";
    return result;
  }
  Directives directives = parseDirectives(text);
  if (!directives.error.empty()) {
    result.message = "  " + directives.error + "\n";
    return result;
  }
  bool good = true;
  std::string actual;
  for (const std::string& run : directives.runs) {
    std::vector<std::string> arguments = {options.compiler};
    for (std::string& word : splitWords(run)) {
      size_t at = word.find("%s");
      if (at != std::string::npos) word.replace(at, 2, file);
      arguments.push_back(word);
    }
    const std::string module = options.scratch + "/" + std::to_string(index) + ".spv";
    std::remove(module.c_str());
    bool ownOutput = !hasOutput(arguments);
    if (ownOutput) {
      arguments.emplace_back("-o");
      arguments.push_back(module);
    }
    ProcessResult process = runProcess(arguments, options.root, options.limitSeconds);
    std::string misbehavior = describeMisbehavior(process, options.limitSeconds);
    if (!misbehavior.empty()) {
      result.message += "  $ coopc " + run + "\n  " + misbehavior + "\n";
      good = false;
      continue;
    }
    actual += "$ coopc " + run + "\nexit: " + std::to_string(process.exitCode) + "\n";
    section(actual, "stderr", process.stderrText);
    section(actual, "stdout", process.stdoutText);
    if (process.exitCode == 0 && ownOutput) {
      good = checkModule(options, directives, arguments, module, actual, result) && good;
    }
    std::remove(module.c_str());
  }
  if (!good) return result;

  const std::string expectationPath = path + ".expected";
  std::string expected;
  bool present = readFile(expectationPath, expected);
  if (present && expected == actual) {
    result.passed = true;
    return result;
  }
  if (options.update) {
    result.updated = writeFile(expectationPath, actual);
    result.passed = result.updated;
    if (!result.updated) result.message = "  cannot write " + expectationPath + "\n";
    return result;
  }
  result.message = present ? difference(expected, actual)
                           : "  has no expectation yet (--update writes it); it gives:\n" + actual;
  return result;
}

ShaderTestResult runMutations(const RunnerOptions& options, const std::string& file, int index, int count,
                              const std::vector<std::string>& vocabulary, const std::string& keepFolder) {
  ShaderTestResult result;
  result.passed = true;
  std::string text;
  if (!readFile(options.root + "/" + file, text)) return result;
  Directives directives = parseDirectives(text);
  if (!directives.error.empty()) return result;
  // The seed depends on the name, so that adding a test does not change the mutations of others.
  uint64_t seed = 1469598103934665603u;
  for (char c : file) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  Random random(seed);
  const std::string base = file.substr(file.rfind('/') + 1);
  const size_t dot = base.rfind('.');
  for (int i = 0; i < count; ++i) {
    std::string changed = mutate(text, vocabulary, random);
    const std::string input = options.scratch + "/" + std::to_string(index) + base.substr(dot);
    const std::string module = options.scratch + "/" + std::to_string(index) + ".spv";
    std::remove(module.c_str());
    if (!writeFile(input, changed)) return result;
    std::vector<std::string> arguments = {options.compiler};
    for (std::string& word : splitWords(directives.runs.front())) {
      size_t at = word.find("%s");
      if (at != std::string::npos) word.replace(at, 2, input);
      arguments.push_back(word);
    }
    bool ownOutput = !hasOutput(arguments);
    if (ownOutput) {
      arguments.emplace_back("-o");
      arguments.push_back(module);
    }
    ProcessResult process = runProcess(arguments, options.root, options.limitSeconds);
    std::string fault = describeMisbehavior(process, options.limitSeconds);
    // GL_EXT_spirv_intrinsics lets the shader add instructions to the module. Their validity is the
    // responsibility of the shader's author.
    const bool ownInstructions = changed.find("spirv_") != std::string::npos;
    if (fault.empty() && process.exitCode == 0 && ownOutput && !ownInstructions &&
        directives.validate == Validate::both) {
      SpirvChecks checks;
      std::vector<uint32_t> words = readModule(module);
      checks.targetEnv = validationEnvironment(targetEnvironment(arguments), words);
      checks.scalarBlockLayout = true;
      fault = validateLinked(words, checks);
    }
    if (!fault.empty()) {
      const std::string kept =
          keepFolder + "/" + base.substr(0, dot) + "." + std::to_string(i) + base.substr(dot);
      writeFile(kept, changed);
      result.passed = false;
      result.message += "  changed version " + kept + ": " + fault + "\n";
    }
    std::remove(input.c_str());
    std::remove(module.c_str());
  }
  return result;
}

}  // namespace coopc::tests
