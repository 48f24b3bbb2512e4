// coopc_shader_tests: compiles every shader below a folder, and compares messages, exit codes and modules
// with the expectation files next to the shaders. shader_test.hpp has the conventions.
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/diagnostic_coverage.hpp"
#include "tests/support/driver_arguments.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/shader_test.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"

namespace {

namespace fs = std::filesystem;
using coopc::tests::isShaderName;
using coopc::tests::RunnerOptions;
using coopc::tests::ShaderTestResult;

#define COOPC_OPTIONS "tests/support/shader_tests_options.def"
#include "tools/common/option_table.inc"

constexpr const char kHelpStart[] =
    "usage: coopc_shader_tests --compiler PROGRAM --root FOLDER [option...] [FOLDER-OR-FILE...]\n"
    "  Runs the shader tests in the named parts of the root folder (all without any).\n";

struct CommandLine {
  RunnerOptions options;
  std::vector<std::string> parts;
  std::string allowFile;
  int jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  bool coverage = false;
  int mutations = 0;
  std::string keepFolder = ".";
};

// Reads an option's number, which must be at least 1. False if it is not.
bool readCount(std::string_view text, int& count) {
  const uint64_t value = coopc::tool::parseInteger(std::string(text)).value_or(0);
  if (value == 0 || value > INT_MAX) return false;
  count = static_cast<int>(value);
  return true;
}

// "", or what is wrong with the option's value.
std::string set(Id option, std::string_view value, CommandLine& line) {
  switch (option) {
    case Id::Compiler: line.options.compiler = value; break;
    case Id::Root: line.options.root = value; break;
    case Id::SpirvVal: line.options.spirvVal = value; break;
    case Id::SpirvDis: line.options.spirvDis = value; break;
    case Id::Allow: line.allowFile = value; break;
    case Id::Keep: line.keepFolder = value; break;
    case Id::Update: line.options.update = true; break;
    case Id::Coverage: line.coverage = true; break;
    case Id::Jobs:
      if (!readCount(value, line.jobs)) return "--jobs takes a positive number";
      break;
    case Id::Mutate:
      if (!readCount(value, line.mutations)) return "--mutate takes a positive number";
      break;
    case Id::Help: break;
  }
  return {};
}

// Parses the command line. Returns the exit code, or nothing if the program is to continue.
std::optional<int> parse(int argc, char** argv, CommandLine& line) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  const coopc::tool::Walked walked = coopc::tool::walkArguments(
      kOptions, arguments, fault,
      [&](std::string_view part) {
        line.parts.emplace_back(part);
        return "";
      },
      [](size_t row) { return Id(row) == Id::Help; },
      [&](size_t row, std::string_view value) { return set(Id(row), value, line); });
  if (walked == coopc::tool::Walked::All && (line.options.compiler.empty() || line.options.root.empty()))
    fault = "--compiler and --root must be given";
  return coopc::tests::answerArguments(walked, fault, "coopc_shader_tests",
                                       kHelpStart + coopc::tool::helpOf(kOptions));
}

// Files below a folder (or the file itself), relative to the root, sorted.
std::vector<std::string> filesBelow(const fs::path& root, const std::vector<std::string>& parts) {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string& part : parts) {
    fs::path start = root / part;
    if (fs::is_regular_file(start, error)) {
      files.push_back(fs::relative(start, root, error).generic_string());
      continue;
    }
    for (fs::recursive_directory_iterator it(start, error), end; !error && it != end; it.increment(error)) {
      if (it->is_regular_file(error)) files.push_back(fs::relative(it->path(), root, error).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

bool endsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// Every word of the shaders, once, sorted.
std::vector<std::string> wordsOf(const std::string& root, const std::vector<std::string>& shaders) {
  std::set<std::string> words;
  std::string text;
  for (const std::string& shader : shaders) {
    if (!coopc::tests::readFile(root + "/" + shader, text)) continue;
    for (std::string_view token : coopc::tests::cutTokens(text)) {
      if (token.size() > 1 && token.find_first_of(" \t\r") == std::string_view::npos) words.emplace(token);
    }
  }
  return {words.begin(), words.end()};
}

int runTests(CommandLine& line, const std::vector<std::string>& files) {
  std::vector<std::string> shaders;
  int failures = 0;
  for (const std::string& file : files) {
    if (isShaderName(file)) shaders.push_back(file);
    if (endsWith(file, ".expected")) {
      std::string shader = file.substr(0, file.size() - std::strlen(".expected"));
      if (!std::binary_search(files.begin(), files.end(), shader)) {
        std::printf("FAILED %s\n  has no shader\n", file.c_str());
        ++failures;
      }
    }
  }
  if (shaders.empty()) {
    std::printf("no shader found\n");
    return 1;
  }

  std::optional<coopc::tests::TemporaryFolder> scratch(std::in_place);
  line.options.scratch = scratch->path();
  std::vector<std::string> vocabulary;
  if (line.mutations > 0) vocabulary = wordsOf(line.options.root, shaders);
  std::vector<ShaderTestResult> results(shaders.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next++; i < shaders.size(); i = next++) {
      if (line.mutations > 0) {
        results[i] = coopc::tests::runMutations(line.options, shaders[i], static_cast<int>(i), line.mutations,
                                                vocabulary, line.keepFolder);
      } else {
        results[i] = coopc::tests::runShaderTest(line.options, shaders[i], static_cast<int>(i));
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(line.jobs, shaders.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  scratch.reset();

  int updated = 0;
  std::map<std::string, int> skips;
  for (size_t i = 0; i < shaders.size(); ++i) {
    const ShaderTestResult& result = results[i];
    if (!result.passed) {
      std::printf("FAILED %s\n%s", shaders[i].c_str(), result.message.c_str());
      ++failures;
    }
    if (result.updated) {
      std::printf("updated %s.expected\n", shaders[i].c_str());
      ++updated;
    }
    for (const std::string& skip : result.skips) ++skips[skip];
  }
  for (const auto& [what, count] : skips) std::printf("not checked, %d times: %s\n", count, what.c_str());
  std::printf("%zu shaders, %d failed, %d updated\n", shaders.size(), failures, updated);
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  if (const std::optional<int> code = parse(argc, argv, line)) return *code;
  std::error_code error;
  line.options.root = fs::absolute(line.options.root, error).lexically_normal().string();
  line.options.compiler = fs::absolute(line.options.compiler, error).string();
  if (line.parts.empty()) line.parts.emplace_back(".");
  std::vector<std::string> files = filesBelow(line.options.root, line.parts);
  for (std::string& file : files) {
    if (file.rfind("./", 0) == 0) file.erase(0, 2);
  }
  if (!line.coverage) return runTests(line, files);

  std::vector<std::string> expectations;
  for (const std::string& file : files) {
    if (endsWith(file, ".expected")) expectations.push_back(line.options.root + "/" + file);
  }
  std::string faults =
      coopc::tests::findUncoveredDiagnostics(line.options.compiler, expectations, line.allowFile);
  std::fputs(faults.c_str(), stdout);
  std::printf("%s\n", faults.empty() ? "each kind of diagnostic has a test" : "FAILED");
  return faults.empty() ? 0 : 1;
}
