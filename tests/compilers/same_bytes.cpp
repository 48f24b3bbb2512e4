// coopc_same_bytes: do two builds of coopc, by different compilers, write the same modules? C++ leaves the
// order of evaluation of arguments to the compiler; if code depended on it, ids would differ.
//
// Both programs do each compile with -O0, -O, -Os and -g, each from one list of jobs (coopc --batch). A
// compile that ends in errors must do so with both.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/driver_arguments.hpp"
#include "tests/support/process.hpp"
#include "tests/support/shader_test.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"

namespace {

namespace fs = std::filesystem;

#define COOPC_OPTIONS "tests/compilers/same_bytes_options.def"
#include "tools/common/option_table.inc"

constexpr const char kHelpStart[] =
    "usage: coopc_same_bytes PROGRAM PROGRAM --scratch FOLDER --at-least N [option...]\n";

constexpr std::string_view kLevels[] = {"-O0", "-O", "-Os", "-g"};
constexpr int kLimitSeconds = 1200;

// Arguments without an output or an optimization level, which are added later.
struct Compile {
  std::vector<std::string> arguments;
  std::string folder;
};

std::vector<std::string> splitWords(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Whether a run writes a module, not text, and does not name the file.
bool writesModule(const std::vector<std::string>& arguments) {
  for (const std::string& a : arguments) {
    if (a.starts_with("-o") || a == "-E" || a == "-S" || a == "-M" || a == "-MM" || a == "--version" ||
        a == "--help" || a.starts_with("--list-") || a.starts_with("--batch"))
      return false;
  }
  return true;
}

// Adds the runs of a folder's compute shaders. The folder glslang/ is left out: coopc-glslang compiles its
// shaders.
bool addShaders(const std::string& folder, std::vector<Compile>& compiles) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".comp") continue;
    std::string file = fs::relative(entry.path(), folder).generic_string();
    if (!file.starts_with("glslang/")) files.push_back(std::move(file));
  }
  for (const std::string& file : files) {
    std::string text;
    if (!coopc::tests::readFile(folder + "/" + file, text)) return false;
    for (const std::string& run : coopc::tests::parseDirectives(text).runs) {
      Compile compile{splitWords(run), folder};
      for (std::string& word : compile.arguments)
        if (const size_t at = word.find("%s"); at != std::string::npos) word.replace(at, 2, file);
      if (writesModule(compile.arguments)) compiles.push_back(std::move(compile));
    }
  }
  return true;
}

bool addCompiles(const std::string& path, std::vector<Compile>& compiles) {
  std::ifstream in(path);
  Compile compile;
  const auto finish = [&] {
    if (!compile.arguments.empty()) compiles.push_back(std::move(compile));
    compile = {};
  };
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) {
      finish();
    } else if (line == "-o" || line == "-MF") {
      std::getline(in, line);
    } else if (line != "-MD" && line != "-O" && line != "-O0" && line != "-Os" && line != "-g") {
      compile.arguments.push_back(line);
    }
  }
  finish();
  return in.eof();
}

std::string jsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string moduleName(size_t compile, size_t level) {
  return std::to_string(compile) + '.' + std::to_string(level) + ".spv";
}

// Compiles everything with one of the programs; its modules lie in `folder`.
bool compileAll(const std::string& program, const std::vector<Compile>& compiles, const fs::path& folder) {
  fs::create_directories(folder);
  std::string list = "[";
  for (size_t i = 0; i < compiles.size(); ++i) {
    for (size_t level = 0; level < std::size(kLevels); ++level) {
      list += list.size() == 1 ? "\n" : ",\n";
      list += "{\"directory\": " + jsonText(compiles[i].folder) + ", \"arguments\": [";
      for (const std::string& a : compiles[i].arguments) list += jsonText(a) + ", ";
      list +=
          jsonText(kLevels[level]) + ", \"-o\", " + jsonText((folder / moduleName(i, level)).string()) + "]}";
    }
  }
  const std::string path = (folder / "jobs.json").string();
  if (!coopc::tests::writeFile(path, list + "\n]\n")) return false;
  const coopc::tests::ProcessResult process =
      coopc::tests::runProcess({program, "--batch", path}, "", kLimitSeconds);
  if (process.exited() && process.exitCode <= 1) return true;
  std::fprintf(stderr, "%s did not do the list: %s\n", program.c_str(), process.stderrText.c_str());
  return false;
}

struct CommandLine {
  std::vector<std::string> programs;
  std::vector<Compile> compiles;
  fs::path scratch;
  uint64_t atLeast = 0;
};

// Sets an option. Returns "", or what is wrong with its value.
std::string set(Id option, const std::string& value, CommandLine& line) {
  switch (option) {
    case Id::Scratch: line.scratch = value; break;
    case Id::AtLeast:
      if (const std::optional<uint64_t> number = coopc::tool::parseInteger(value))
        line.atLeast = *number;
      else
        return "--at-least takes a number";
      break;
    case Id::Shaders:
      if (!addShaders(value, line.compiles)) return value + " cannot be read";
      break;
    case Id::Compiles:
      if (!addCompiles(value, line.compiles)) return value + " cannot be read";
      break;
    case Id::Help: break;
  }
  return {};
}

// Reads the command line. Returns an exit code if the program is to end.
std::optional<int> parse(int argc, char** argv, CommandLine& line) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  const coopc::tool::Walked walked = coopc::tool::walkArguments(
      kOptions, arguments, fault,
      [&](std::string_view program) {
        line.programs.emplace_back(program);
        return "";
      },
      [](size_t row) { return Id(row) == Id::Help; },
      [&](size_t row, std::string_view value) { return set(Id(row), std::string(value), line); });
  if (walked == coopc::tool::Walked::All &&
      (line.programs.size() != 2 || line.scratch.empty() || line.atLeast == 0))
    fault = "two programs, --scratch and --at-least must be given";
  return coopc::tests::answerArguments(walked, fault, "coopc_same_bytes",
                                       kHelpStart + coopc::tool::helpOf(kOptions));
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  if (const std::optional<int> code = parse(argc, argv, line)) return *code;
  const std::vector<Compile>& compiles = line.compiles;

  fs::remove_all(line.scratch);
  const fs::path folders[] = {line.scratch / "first", line.scratch / "second"};
  for (size_t i = 0; i < 2; ++i)
    if (!compileAll(line.programs[i], compiles, folders[i])) return 1;

  size_t compared = 0, refused = 0, different = 0;
  for (size_t i = 0; i < compiles.size(); ++i) {
    for (size_t level = 0; level < std::size(kLevels); ++level) {
      const std::string name = moduleName(i, level);
      std::string modules[2];
      bool written[2];
      for (size_t k = 0; k < 2; ++k)
        written[k] = coopc::tests::readFile((folders[k] / name).string(), modules[k]);
      if (!written[0] && !written[1]) {
        ++refused;
        continue;
      }
      ++compared;
      if (written[0] == written[1] && modules[0] == modules[1]) continue;
      if (++different > 20) continue;
      std::string command;
      for (const std::string& a : compiles[i].arguments) command += ' ' + a;
      std::fprintf(stderr, "differs (%s):%s %s\n", name.c_str(), command.c_str(),
                   std::string(kLevels[level]).c_str());
    }
  }
  std::printf("%zu modules compared, %zu differ; %zu compiles end in errors with both\n", compared, different,
              refused);
  const bool enough = compared >= line.atLeast;
  if (!enough)
    std::fprintf(stderr, "at least %llu were to be compared\n",
                 static_cast<unsigned long long>(line.atLeast));
  return different == 0 && enough ? 0 : 1;
}
