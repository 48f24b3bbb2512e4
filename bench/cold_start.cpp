// Cold start: from starting a compiler's process to its SPIR-V file on disk, for one shader.
//
//   bench_cold_start --shader FILE [--rounds N] NAME=COMMAND...
//
// COMMAND is split at blanks; `%i` is the shader, `%o` the output. Rounds alternate between the commands.
// Prints wall and CPU milliseconds (median, 10th and 90th percentile), peak memory, and the ratio to the
// first command.
#include <chrono>
#include <cstdio>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/statistics.hpp"
#include "bench/temporary_folder.hpp"

extern char** environ;

namespace {

#define COOPC_OPTIONS "bench/cold_start_options.def"
#include "tools/common/option_table.inc"

struct Contender {
  std::string name;
  std::vector<std::string> words;
  std::vector<double> wall, cpu;
  long peakKiB = 0;
};

double milliseconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
}

bool run(Contender& c, bool record) {
  std::vector<char*> argv;
  for (std::string& w : c.words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  pid_t pid = 0;
  if (posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return false;
  int status = 0;
  rusage usage{};
  if (wait4(pid, &status, 0, &usage) != pid) return false;
  const auto end = std::chrono::steady_clock::now();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
  if (record) {
    c.wall.push_back(std::chrono::duration<double, std::milli>(end - start).count());
    c.cpu.push_back(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime));
    if (usage.ru_maxrss > c.peakKiB) c.peakKiB = usage.ru_maxrss;
  }
  return true;
}

std::string replaced(std::string word, const std::string& shader, const std::string& output) {
  for (const auto& [mark, text] : {std::pair<std::string, std::string>{"%i", shader}, {"%o", output}}) {
    for (size_t at = word.find(mark); at != std::string::npos; at = word.find(mark, at + text.size())) {
      word.replace(at, mark.size(), text);
    }
  }
  return word;
}

Contender contenderOf(const std::string& command, const std::string& shader, const std::string& output) {
  const size_t eq = command.find('=');
  Contender c;
  c.name = command.substr(0, eq);
  std::istringstream words(command.substr(eq + 1));
  for (std::string word; words >> word;) c.words.push_back(replaced(word, shader, output));
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  std::string shader;
  int rounds = 100;
  std::vector<std::string> commands;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv, "bench_cold_start --shader FILE [--rounds N] NAME=COMMAND...", kOptions,
      [&](std::string_view text) -> std::string {
        if (text.find('=') == std::string_view::npos) return "'" + std::string(text) + "' has no name";
        commands.emplace_back(text);
        return {};
      },
      [&](size_t row, std::string_view value) -> std::string {
        if (Id(row) == Id::Rounds) return coopc::bench::readNumber(value, 1, rounds);
        shader = value;
        return {};
      },
      [&] { return shader.empty() || commands.empty() ? "a shader and commands are needed" : ""; });
  if (code) return *code;
  const coopc::bench::TemporaryFolder folder;
  if (folder.path().empty()) return 1;
  std::vector<Contender> contenders;
  for (const std::string& command : commands)
    contenders.push_back(contenderOf(command, shader, folder.path() + "/module.spv"));
  for (Contender& c : contenders) {
    if (!run(c, false)) {
      std::fprintf(stderr, "bench_cold_start: `%s` failed\n", c.name.c_str());
      return 1;
    }
  }
  for (int r = 0; r < rounds; ++r) {
    for (Contender& c : contenders) {
      if (!run(c, true)) return 1;
    }
  }
  std::printf("%-24s %10s %19s %10s %10s %8s\n", "cold start, ms", "wall", "10 % - 90 %", "CPU", "peak KiB",
              "ratio");
  const double base = coopc::bench::summarize(contenders[0].cpu).median;
  for (const Contender& c : contenders) {
    const auto wall = coopc::bench::summarize(c.wall);
    const auto cpu = coopc::bench::summarize(c.cpu);
    std::printf("%-24s %10.3f %9.3f - %7.3f %10.3f %10ld %7.1fx\n", c.name.c_str(), wall.median, wall.low,
                wall.high, cpu.median, c.peakKiB, base > 0 ? cpu.median / base : 0.0);
  }
  return 0;
}
