// compare [options] [KIND...]: what the compiler, the validator, lowering and translation make of random
// programs, in one process, so that a million comparisons take minutes. scripts/generated compares with other
// programs and executes.
//
//   --seed N     the first program (default 1)
//   --count N    programs of each kind (default 10)
//   --minutes N  take programs until then, in turns of a program of each kind; instead of --count
//   --jobs N     threads (default 1)
//   --keep DIR   writes the shaders of programs with a difference there
//
// The last lines are a table for docs/records/generated.md. It does not count declined programs as compared.
// Exit code: 0 no difference, 1 differences, 2 wrong usage.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "coopc/coopc.hpp"
#include "coopc/core.hpp"
#include "coopc/lower.hpp"
#include "coopc/profiles.hpp"
#include "coopc/translate.hpp"
#include "coopc/validate.hpp"
#include "tests/generated/random_blocks.hpp"
#include "tests/generated/random_matrices.hpp"
#include "tests/generated/random_stages.hpp"

using namespace coopc::tests;

namespace {

enum Comparison { Verdict, Repeated, Valid, Lowered, Translated, kComparisons };
constexpr std::array<const char*, kComparisons> kComparisonNames = {"verdict", "repeated", "valid", "lowered",
                                                                    "translated"};

struct Counts {
  uint64_t programs = 0;
  std::array<uint64_t, kComparisons> made{}, declined{};
  uint64_t differences = 0;

  void add(const Counts& other) {
    programs += other.programs;
    differences += other.differences;
    for (size_t n = 0; n < kComparisons; ++n) {
      made[n] += other.made[n];
      declined[n] += other.declined[n];
    }
  }
};

struct Level {
  const char* name;
  coopc::Optimization optimization;
  bool debug;
};
constexpr std::array<Level, 4> kLevels = {
    Level{"-O0", coopc::Optimization::None, false}, Level{"-O", coopc::Optimization::Speed, false},
    Level{"-Os", coopc::Optimization::Size, false}, Level{"-g", coopc::Optimization::None, true}};

struct Arguments {
  uint64_t seed = 1, count = 10;
  double minutes = 0;
  unsigned jobs = 1;
  std::string keep;
  std::vector<std::string> kinds;
};

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (const coopc::LoweringTarget& t : coopc::loweringTargets()) names.emplace_back(t.name);
  for (const coopc::ShippedProfile& p : coopc::shippedProfiles()) names.emplace_back(p.name);
  return names;
}

class Comparer {
 public:
  Comparer(const Arguments& arguments, std::mutex& output) : arguments_(arguments), output_(output) {}

  void program(const std::string& kind, uint64_t seed) {
    name_ = kind + "_" + std::to_string(seed);
    const bool tensors = kind == "tensors";
    files_ = kind == "blocks"                ? randomBlocks(seed, name_)
             : tensors || kind == "matrices" ? randomMatrices(tensors, seed, name_)
                                             : randomStages(kind, seed, name_);
    counts_ = &all_[kind];
    ++counts_->programs;
    for (const RandomFile& file : files_)
      if (!file.name.ends_with(".toml")) shader(file);
  }

  const std::map<std::string, Counts>& counts() const { return all_; }

 private:
  void differs(Comparison comparison, const RandomFile& file, const std::string& text) {
    ++counts_->differences;
    const std::lock_guard lock(output_);
    std::printf("DIFFERENCE %s %s: %.2000s\n", kComparisonNames[comparison], file.name.c_str(), text.c_str());
    std::fflush(stdout);
    if (arguments_.keep.empty()) return;
    std::filesystem::create_directories(arguments_.keep);
    for (const RandomFile& each : files_)
      std::ofstream(std::filesystem::path(arguments_.keep) / each.name, std::ios::binary) << each.text;
  }

  coopc::Result compile(std::string_view text, coopc::Stage stage, const Level& level) const {
    coopc::Options options;
    options.stage = stage;
    options.targetEnv = coopc::TargetEnv::Vulkan1_3;
    options.optimization = level.optimization;
    options.debugInfo = level.debug;
    options.allowGlslang = false;
    return coopc::compile(text, name_, options);
  }

  void shader(const RandomFile& file) {
    coopc::Stage stage{};
    if (!coopc::stageByName(file.name.substr(file.name.rfind('.') + 1), stage))
      return differs(Verdict, file, "no stage of this name");
    for (const Level& level : kLevels) {
      const coopc::Result result = compile(file.text, stage, level);
      ++counts_->made[Verdict];
      if (!result.ok) {
        differs(Verdict, file, std::string(level.name) + ": " + result.messages);
        continue;
      }
      ++counts_->made[Repeated];
      if (compile(file.text, stage, level).words != result.words)
        differs(Repeated, file, std::string(level.name) + ": other words the second time");
      ++counts_->made[Valid];
      if (const std::string fault = faultOf(result.words); !fault.empty())
        differs(Valid, file, std::string(level.name) + ": " + fault);
      if (level.debug || level.optimization == coopc::Optimization::Size) continue;
      for (const std::string& target : targets_) lower(file, level, result.words, target);
      translate(file, level, result.words, stage);
    }
  }

  // The findings by the rules of coopval and of core SPIR-V, or "".
  static std::string faultOf(std::span<const uint32_t> words) {
    coopc::ValidateOptions options;
    options.advice = false;
    coopc::CheckedFile file{"module", coopc::validate(words, options)};
    coopc::validateCore(words, {.environment = coopc::CoreEnvironment::Vulkan13}, options, file.result);
    return file.result.ok() ? std::string() : coopc::renderText(file);
  }

  void lower(const RandomFile& file, const Level& level, std::span<const uint32_t> words,
             const std::string& target) {
    coopc::LowerOptions options;
    options.profile = target;
    options.specDefaults = true;
    const coopc::LowerResult result = coopc::lower(words, options);
    // A device that lacks nothing gets the same words: there is nothing to compare.
    if (result.kind == coopc::Lowering::Native) return;
    const auto where = [&] { return std::string(level.name) + " for " + target + ": "; };
    if (!result.error.empty()) return differs(Lowered, file, where() + result.error);
    if (result.kind == coopc::Lowering::Declined) {
      ++counts_->declined[Lowered];
      if (result.reasons.empty()) differs(Lowered, file, where() + "declined without a reason");
      return;
    }
    ++counts_->made[Lowered];
    if (const std::string fault = faultOf(result.words); !fault.empty())
      differs(Lowered, file, where() + fault);
  }

  void translate(const RandomFile& file, const Level& level, std::span<const uint32_t> words,
                 coopc::Stage stage) {
    const coopc::TranslateResult result =
        coopc::translate(words, {.language = coopc::ShadingLanguage::Glsl, .entryPoint = {}});
    if (!result.ok()) {
      ++counts_->declined[Translated];
      return;
    }
    ++counts_->made[Translated];
    const coopc::Result again = compile(result.text, stage, kLevels.front());
    if (!again.ok)
      return differs(Translated, file, std::string(level.name) + ", translated: " + again.messages);
    if (const std::string fault = faultOf(again.words); !fault.empty())
      differs(Translated, file, std::string(level.name) + ", translated: " + fault);
  }

  const Arguments& arguments_;
  std::mutex& output_;
  const std::vector<std::string> targets_ = targets();
  std::map<std::string, Counts> all_;
  Counts* counts_ = nullptr;
  std::string name_;
  std::vector<RandomFile> files_;
};

std::vector<std::string> allKinds() {
  std::vector<std::string> kinds(randomStageKinds().begin(), randomStageKinds().end());
  kinds.emplace_back("matrices");
  kinds.emplace_back("tensors");
  kinds.emplace_back("blocks");
  return kinds;
}

bool parse(int argc, char** argv, Arguments& a) {
  const std::vector<std::string> known = allKinds();
  for (int n = 1; n < argc; ++n) {
    const std::string_view option = argv[n];
    if (!option.starts_with("--")) {
      if (std::find(known.begin(), known.end(), option) == known.end()) return false;
      a.kinds.emplace_back(option);
      continue;
    }
    if (++n == argc) return false;
    const char* value = argv[n];
    if (option == "--seed") {
      a.seed = std::strtoull(value, nullptr, 10);
    } else if (option == "--count") {
      a.count = std::strtoull(value, nullptr, 10);
    } else if (option == "--minutes") {
      a.minutes = std::strtod(value, nullptr);
    } else if (option == "--jobs") {
      a.jobs = unsigned(std::strtoul(value, nullptr, 10));
    } else if (option == "--keep") {
      a.keep = value;
    } else {
      return false;
    }
  }
  if (a.kinds.empty()) a.kinds = known;
  return a.jobs != 0;
}

void printTable(const std::vector<std::string>& kinds, const std::map<std::string, Counts>& all) {
  std::string head = "| kind | programs |", line = "|---|---|";
  for (const char* name : kComparisonNames) {
    head += std::string(" ") + name + " |";
    line += "---|";
  }
  std::printf("%s differences |\n%s---|\n", head.c_str(), line.c_str());
  uint64_t comparisons = 0, lowered = 0, translated = 0, differences = 0;
  for (const std::string& kind : kinds) {
    const auto found = all.find(kind);
    if (found == all.end()) continue;
    const Counts& c = found->second;
    std::printf("| %s | %llu |", kind.c_str(), static_cast<unsigned long long>(c.programs));
    for (size_t n = 0; n < kComparisons; ++n) {
      comparisons += c.made[n];
      std::printf(" %llu", static_cast<unsigned long long>(c.made[n]));
      if (c.declined[n] != 0) std::printf(" (%llu declined)", static_cast<unsigned long long>(c.declined[n]));
      std::printf(" |");
    }
    lowered += c.made[Lowered];
    translated += c.made[Translated];
    differences += c.differences;
    std::printf(" %llu |\n", static_cast<unsigned long long>(c.differences));
  }
  std::printf("%llu comparisons, %llu lowered, %llu translated, %llu differences\n",
              static_cast<unsigned long long>(comparisons), static_cast<unsigned long long>(lowered),
              static_cast<unsigned long long>(translated), static_cast<unsigned long long>(differences));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: compare [--seed N] [--count N | --minutes N] [--jobs N] [--keep DIR] [KIND...]\n");
    return 2;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(60 * arguments.minutes);
  const uint64_t kinds = arguments.kinds.size();
  std::atomic<uint64_t> next{0};
  std::mutex output;
  std::map<std::string, Counts> all;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < arguments.jobs; ++t)
    threads.emplace_back([&] {
      Comparer comparer(arguments, output);
      while (true) {
        const uint64_t n = next++;
        if (arguments.minutes > 0 ? std::chrono::steady_clock::now() >= end : n >= arguments.count * kinds)
          break;
        comparer.program(arguments.kinds[n % kinds], arguments.seed + n / kinds);
      }
      const std::lock_guard lock(output);
      for (const auto& [kind, counts] : comparer.counts()) all[kind].add(counts);
    });
  for (std::thread& t : threads) t.join();
  printTable(arguments.kinds, all);
  uint64_t differences = 0;
  for (const auto& [kind, counts] : all) differences += counts.differences;
  return differences == 0 ? 0 : 1;
}
