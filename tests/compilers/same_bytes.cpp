// coopc_same_bytes: do two builds of coopc, by different compilers, write the same modules? C++ leaves the order in which
// arguments are evaluated to the compiler; where that order decided which id comes first, modules would differ.
//
// Each compile is done at -O0, -O, -Os and -g by both programs, a list of jobs for each (coopc --batch). A compile that ends
// in errors counts when it does so in both.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process.hpp"
#include "tests/support/shader_test.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kUsage =
    "usage: coopc_same_bytes PROGRAM PROGRAM --scratch FOLDER --at-least N [--shaders FOLDER] [--compiles "
    "FILE]\n"
    "  --scratch FOLDER   where modules are written; it is emptied first\n"
    "  --at-least N       how many modules must have been compared\n"
    "  --shaders FOLDER   the compute shaders below the folder, compiled as their RUN lines say\n"
    "  --compiles FILE    recorded compiles: arguments line by line, an empty line between two\n";

constexpr std::string_view kLevels[] = {"-O0", "-O", "-Os", "-g"};
constexpr int kLimitSeconds = 1200;

// Arguments without an output and a level.
struct Compile {
  std::vector<std::string> arguments;
  std::string folder;
};

std::vector<std::string> splitWords(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Whether a run writes a module where it is told to: not text, not a file of its own choice.
bool writesModule(const std::vector<std::string>& arguments) {
  for (const std::string& a : arguments) {
    if (a.starts_with("-o") || a == "-E" || a == "-S" || a == "-M" || a == "-MM" || a == "--version" ||
        a == "--help" || a.starts_with("--list-") || a.starts_with("--batch"))
      return false;
  }
  return true;
}

// Compute shaders only: the other stages are glslang's, and so are the tests of what is handed to it.
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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> programs;
  std::vector<Compile> compiles;
  fs::path scratch;
  size_t atLeast = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (!argument.starts_with("--")) {
      programs.push_back(argument);
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    bool good = !value.empty();
    if (argument == "--scratch") {
      scratch = value;
    } else if (argument == "--at-least") {
      atLeast = std::strtoull(value.c_str(), nullptr, 10);
    } else if (argument == "--shaders") {
      good = good && addShaders(value, compiles);
    } else if (argument == "--compiles") {
      good = good && addCompiles(value, compiles);
    } else {
      good = false;
    }
    if (!good) {
      std::fprintf(stderr, "%s: wrong usage, or it cannot be read\n%s", argument.c_str(), kUsage);
      return 2;
    }
  }
  if (programs.size() != 2 || scratch.empty() || atLeast == 0) {
    std::fputs(kUsage, stderr);
    return 2;
  }

  fs::remove_all(scratch);
  const fs::path folders[] = {scratch / "first", scratch / "second"};
  for (size_t i = 0; i < 2; ++i)
    if (!compileAll(programs[i], compiles, folders[i])) return 1;

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
  if (compared < atLeast) std::fprintf(stderr, "at least %zu were to be compared\n", atLeast);
  return different == 0 && compared >= atLeast ? 0 : 1;
}
