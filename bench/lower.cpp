// Compares the times of lowering and of compiling a module, in one process:
//
//   bench_lower [--runs N] [--every N] [--list N] [--variants LIST --folder SHADERS] [CASE.toml...]
//
// - CASE.toml: the sample's module, with the case's values for its specialization constants
// - LIST: llama.cpp's variants with matrices of workgroup scope, with every setting from which llama.cpp
//   makes a pipeline
//
// Lowers for the targets khr and none. The compile time is coopc::compile() of the text at -O, because
// lowering ends with the same passes. The time at -O0 is printed next to it. A setting is compared with the
// compile of its variant. Times are CPU times, because the machine may be busy with other things; each is the
// minimum of several runs. Prints the sums, the sums per word of the modules, the ratio of the sums, the
// median of the ratios, the largest ratios, and the median time of lowering. The exit code says whether
// everything was compiled.
//
// A busy machine does not change the number of instructions. `valgrind --tool=callgrind` counts them with
// --runs 1: compileOptimized(), lowerForKhr() and lowerForNone() then have the sums of what they call.
#include "coopc/lower.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/statistics.hpp"
#include "coopc/coopc.hpp"
#include "harness/cases/case.hpp"
#include "harness/compile.hpp"
#ifdef COOPC_BENCH_LLAMA
#include "tests/llama/inputs.hpp"
#include "tests/llama/reflection.hpp"
#include "tests/llama/variants.hpp"
#endif

namespace {

#define COOPC_OPTIONS "bench/lower_options.def"
#include "tools/common/option_table.inc"

using Values = std::vector<coopc::Specialization>;

struct Text {
  std::string name, text;
  coopc::Options options;  // all but the optimization level
};

int runs = 3;
size_t listed = 5;

template <class F>
double leastMilliseconds(F&& f) {
  double least = 1e30;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    f();
    least = std::min(least, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

// The values for one lowering of a module.
struct Setting {
  std::string name;
  Values values;
};

// The measured steps. Each is a separate function, so that profilers show it.
[[gnu::noinline]] coopc::Result compileOptimized(const Text& shader, coopc::Options options) {
  options.optimization = coopc::Optimization::Speed;
  return coopc::compile(shader.text, shader.name, options);
}
[[gnu::noinline]] coopc::LowerResult lowerForKhr(std::span<const uint32_t> words,
                                                 coopc::LowerOptions& options) {
  options.profile = "khr";
  return coopc::lower(words, options);
}
[[gnu::noinline]] coopc::LowerResult lowerForNone(std::span<const uint32_t> words,
                                                  coopc::LowerOptions& options) {
  options.profile = "none";
  return coopc::lower(words, options);
}

struct Target {
  const char* name;
  coopc::LowerResult (*lower)(std::span<const uint32_t> words, coopc::LowerOptions& options);
};
constexpr Target kTargets[] = {{"khr", lowerForKhr}, {"none", lowerForNone}};

struct Row {
  std::string name;
  double plain = 0, optimized = 0, lowered = 0;  // milliseconds
  size_t optimizedWords = 0, loweredWords = 0;   // of the modules
};

struct Table {
  std::vector<Row> rows;
  size_t declined = 0, native = 0;
};

bool measure(const Text& shader, const Setting& setting, std::map<std::string, Table>& tables) {
  coopc::Options options = shader.options;
  options.optimization = coopc::Optimization::None;
  Row row;
  row.name = setting.name;
  row.optimized =
      leastMilliseconds([&] { row.optimizedWords = compileOptimized(shader, options).words.size(); });
  coopc::Result module;
  row.plain = leastMilliseconds([&] { module = coopc::compile(shader.text, shader.name, options); });
  if (module.status != coopc::Status::Ok) {
    std::fprintf(stderr, "%s: %s\n", shader.name.c_str(), module.messages.c_str());
    return false;
  }
  for (const Target& target : kTargets) {
    coopc::LowerOptions lowerOptions;
    lowerOptions.specializations = setting.values;
    lowerOptions.specDefaults = true;
    coopc::LowerResult result;
    row.lowered = leastMilliseconds([&] { result = target.lower(module.words, lowerOptions); });
    row.loweredWords = result.words.size();
    Table& table = tables[target.name];
    if (result.kind == coopc::Lowering::Lowered) table.rows.push_back(row);
    table.native += result.kind == coopc::Lowering::Native ? 1 : 0;
    table.declined += result.kind == coopc::Lowering::Declined ? 1 : 0;
  }
  return true;
}

void print(const char* what, std::map<std::string, Table>& tables) {
  for (auto& [target, table] : tables) {
    double plain = 0, optimized = 0, lowered = 0;
    size_t optimizedWords = 0, loweredWords = 0;
    std::vector<double> ratios, times;
    for (const Row& r : table.rows) {
      plain += r.plain, optimized += r.optimized, lowered += r.lowered;
      optimizedWords += r.optimizedWords, loweredWords += r.loweredWords;
      ratios.push_back(r.lowered / r.optimized);
      times.push_back(r.lowered);
    }
    std::printf("%s for %s: %zu lowered, %zu native, %zu declined\n", what, target.c_str(), table.rows.size(),
                table.native, table.declined);
    if (table.rows.empty()) continue;
    std::printf("  words: compile -O %zu, lower %zu; nanoseconds for each: %.0f, %.0f\n", optimizedWords,
                loweredWords, 1e6 * optimized / double(optimizedWords), 1e6 * lowered / double(loweredWords));
    const coopc::bench::Summary ratio = coopc::bench::summarize(ratios);
    std::printf("  compile -O0 %9.2f ms, -O %9.2f ms, lower %9.2f ms\n", plain, optimized, lowered);
    std::printf("  lower / compile -O: %.2f of the sums, median %.2f (10 %% - 90 %%: %.2f - %.2f)\n",
                lowered / optimized, ratio.median, ratio.low, ratio.high);
    const coopc::bench::Summary time = coopc::bench::summarize(times);
    std::printf("  lower: median %.2f ms (10 %% - 90 %%: %.2f - %.2f), longest %.2f\n", time.median, time.low,
                time.high, *std::max_element(times.begin(), times.end()));
    std::sort(table.rows.begin(), table.rows.end(),
              [](const Row& a, const Row& b) { return a.lowered / a.optimized > b.lowered / b.optimized; });
    for (size_t n = 0; n < std::min(listed, table.rows.size()); ++n) {
      const Row& r = table.rows[n];
      std::printf("  %6.2f  %-60s %8.2f ms, compile -O %6.2f ms\n", r.lowered / r.optimized, r.name.c_str(),
                  r.lowered, r.optimized);
    }
  }
}

bool measureCase(const std::string& path, std::map<std::string, Table>& tables) {
  const auto subject = coopc::harness::readCase(path, {});
  if (!subject) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), subject.error().message.c_str());
    return false;
  }
  if (subject->shaders.size() != 1 || subject->shaders[0].source.empty()) {
    std::fprintf(stderr, "%s: not a case of one shader with a source\n", path.c_str());
    return false;
  }
  const coopc::harness::ShaderSpec& spec = subject->shaders[0];
  const std::string source = coopc::harness::besideCase(subject->file, spec.source);
  std::string text;
  if (const std::string why = coopc::readFile(source, text); !why.empty()) {
    std::fprintf(stderr, "%s: %s\n", source.c_str(), why.c_str());
    return false;
  }
  Text shader{std::filesystem::path(path).stem().string(), std::move(text), {}};
  shader.options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  for (const auto& [name, value] : spec.macros) shader.options.macros.push_back({name, value});
  Setting setting{shader.name, {}};
  for (const auto& s : subject->specializations) setting.values.push_back({s.id, s.bits});
  return measure(shader, setting, tables);
}

#ifdef COOPC_BENCH_LLAMA
// Measures every `every`th setting.
bool measureVariants(const std::string& list, const std::string& folder, size_t every,
                     std::map<std::string, Table>& tables) {
  namespace llama = coopc::tests::llama;
  const std::vector<llama::Variant> variants = llama::readVariants(list);
  const llama::ShaderFolder shaders(folder);
  const llama::Target target{.subgroupSize = 32, .matrixSize = 16};
  bool good = !variants.empty();
  size_t count = 0;
  for (const llama::Variant& v : variants) {
    const llama::Subject subject{v.name, v.file()};
    if (!subject.nvMatrices()) continue;
    const Text shader{v.file(), *shaders.text(v.file()),
                      llama::optionsOf(v, shaders, coopc::Optimization::None)};
    const coopc::Result module = coopc::compile(shader.text, shader.name, shader.options);
    llama::Reflection reflection;
    if (!llama::reflect(module.words, reflection).empty()) {
      good = false;
      continue;
    }
    for (const llama::Setting& s : llama::settings(subject, reflection, target)) {
      if (count++ % every != 0) continue;
      Setting setting{v.name + " @" + s.name, {}};
      for (const auto& value : llama::specializations(subject, reflection, target, s))
        setting.values.push_back({value.id, value.bits});
      good = measure(shader, setting, tables) && good;
    }
  }
  return good;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::string list, folder;
  std::vector<std::string> cases;
  size_t every = 1;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv,
      "bench_lower [--runs N] [--every N] [--list N] [--variants LIST --folder SHADERS] [CASE.toml...]",
      kOptions,
      [&](std::string_view path) {
        cases.emplace_back(path);
        return "";
      },
      [&](size_t row, std::string_view value) {
        switch (Id(row)) {
          case Id::Runs: return coopc::bench::readNumber(value, 1, runs);
          case Id::Every: return coopc::bench::readNumber(value, 1, every);
          case Id::List: return coopc::bench::readNumber(value, 0, listed);
          case Id::Variants: list = value; break;
          default: folder = value; break;
        }
        return std::string();
      },
      [&] { return cases.empty() && list.empty() ? "there is nothing to lower" : ""; });
  if (code) return *code;
  bool good = true;
  std::map<std::string, Table> samples;
  for (const std::string& path : cases) good = measureCase(path, samples) && good;
  print("samples", samples);
#ifdef COOPC_BENCH_LLAMA
  std::map<std::string, Table> llama;
  if (!list.empty()) good = measureVariants(list, folder, every, llama) && good;
  print("llama.cpp", llama);
#endif
  return good ? 0 : 1;
}
