// Cold start: from starting a compiler's process to its SPIR-V file on disk, for one shader.
//
//   bench_cold_start --shader FILE [--rounds N] NAME=COMMAND...
//
// COMMAND is split at blanks; `%i` is the shader, `%o` the output. Rounds alternate between the commands. Printed: wall and
// CPU milliseconds (median, 10th and 90th percentile), peak memory, and the ratio to the first command.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

#include "bench/statistics.hpp"
#include "bench/temporary_folder.hpp"

extern char** environ;

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  std::string shader;
  int rounds = 100;
  std::vector<Contender> contenders;
  const coopc::bench::TemporaryFolder folder;
  const std::string output = folder.path() + "/module.spv";
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--shader" && i + 1 < argc) {
      shader = argv[++i];
    } else if (arg == "--rounds" && i + 1 < argc) {
      rounds = std::atoi(argv[++i]);
    } else if (const size_t eq = arg.find('='); eq != std::string::npos && arg[0] != '-') {
      Contender c;
      c.name = arg.substr(0, eq);
      std::string word;
      for (const char ch : arg.substr(eq + 1) + " ") {
        if (ch != ' ') {
          word += ch;
        } else if (!word.empty()) {
          c.words.push_back(replaced(word, shader, output));
          word.clear();
        }
      }
      if (!c.words.empty()) contenders.push_back(std::move(c));
    } else {
      std::fprintf(stderr, "usage: bench_cold_start --shader FILE [--rounds N] NAME=COMMAND...\n");
      return 2;
    }
  }
  if (contenders.empty() || rounds < 1 || folder.path().empty()) {
    std::fprintf(stderr, "bench_cold_start: nothing to run\n");
    return 2;
  }
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
