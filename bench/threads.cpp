// Throughput by number of threads: how many shaders per second are compiled, validated, reflected and lowered
// by one thread, two, and so on.
//
//   bench_threads [--seconds S] [--rounds N] [--threads N[,N...]] SHADER...
//
// Threads: by default 1, 2, 4 ... and the number of processors. Each count is measured once in each round.
// Prints the medians of the rounds, the ratio to one thread, and that ratio divided by the number of threads
// that have a processor.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/statistics.hpp"
#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"

namespace {

#define COOPC_OPTIONS "bench/threads_options.def"
#include "tools/common/option_table.inc"

using Clock = std::chrono::steady_clock;

struct Shader {
  std::string name, text;
  std::vector<uint32_t> words;
};

coopc::Options options() {
  coopc::Options o;
  o.targetEnv = coopc::TargetEnv::Vulkan1_3;
  o.optimization = coopc::Optimization::Speed;
  o.suppressWarnings = true;
  return o;
}

struct Task {
  const char* name;
  void (*run)(const Shader& shader);
};
constexpr Task kTasks[] = {
    {"compile -O", [](const Shader& s) { coopc::compile(s.text, s.name, options()); }},
    {"validate", [](const Shader& s) { coopc::validate(s.words); }},
    {"reflect", [](const Shader& s) { coopc::reflect(s.words); }},
    {"lower to none",
     [](const Shader& s) {
       coopc::LowerOptions o;
       o.profile = "none";
       o.specDefaults = true;
       coopc::lower(s.words, o);
     }},
};

// Shaders per second, with `count` threads in `seconds`.
double throughput(const Task& task, const std::vector<Shader>& shaders, unsigned count, double seconds) {
  std::atomic<uint64_t> done{0};
  std::atomic<bool> go{false}, stop{false};
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < count; ++n)
    threads.emplace_back([&, n] {
      while (!go) std::this_thread::yield();
      uint64_t own = 0;
      for (size_t at = n; !stop; ++at, ++own) task.run(shaders[at % shaders.size()]);
      done += own;
    });
  const auto start = Clock::now();
  go = true;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - start).count();
}

std::string readShader(const std::string& path, std::vector<Shader>& shaders) {
  Shader shader{path, {}, {}};
  if (const std::string why = coopc::readFile(path, shader.text); !why.empty()) return path + ": " + why;
  const coopc::Result result = coopc::compile(shader.text, path, options());
  if (!result.ok) return result.messages;
  shader.words = result.words;
  shaders.push_back(std::move(shader));
  return {};
}

void measure(const Task& task, const std::vector<Shader>& shaders, const std::vector<unsigned>& counts,
             int rounds, double seconds) {
  std::map<unsigned, std::vector<double>> rates;
  for (int round = 0; round < rounds; ++round)
    for (const unsigned count : counts) rates[count].push_back(throughput(task, shaders, count, seconds));
  const double one = coopc::bench::summarize(rates[counts[0]]).median;
  for (const unsigned count : counts) {
    const coopc::bench::Summary s = coopc::bench::summarize(rates[count]);
    const unsigned useful = std::min(count, std::max(1u, std::thread::hardware_concurrency()));
    std::printf("%-14s %4u threads  %10.0f /s  (%10.0f - %10.0f)  %6.2fx  %5.1f %%\n", task.name, count,
                s.median, s.low, s.high, s.median / one, 100 * s.median / one / (double(useful) / counts[0]));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  int rounds = 3;
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<unsigned> counts;
  for (unsigned n = 1; n < processors; n *= 2) counts.push_back(n);
  counts.push_back(processors);
  std::vector<Shader> shaders;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv, "bench_threads [--seconds S] [--rounds N] [--threads N[,N...]] SHADER...", kOptions,
      [&](std::string_view path) { return readShader(std::string(path), shaders); },
      [&](size_t row, std::string_view value) {
        switch (Id(row)) {
          case Id::Seconds: return coopc::bench::readSeconds(value, seconds);
          case Id::Rounds: return coopc::bench::readNumber(value, 1, rounds);
          default: return coopc::bench::readNumbers(value, 1, counts);
        }
      },
      [&] { return shaders.empty() ? "there is no shader" : ""; });
  if (code) return *code;
  std::printf(
      "%u processors, %zu shaders, medians of %d rounds of %.1f s; ratios to %u thread(s), and of what the "
      "processors allow\n",
      processors, shaders.size(), rounds, seconds, counts[0]);
  for (const Task& task : kTasks) measure(task, shaders, counts, rounds, seconds);
  return 0;
}
