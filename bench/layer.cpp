// bench_layer TARGET FILE.spv...: the Vulkan layer's own time for a pipeline of each module, for a target
// that `cooplower --list-profiles` names: reading the module's capabilities, keeping the module, lowering it
// with the constants' defaults, storing the result, and finding it again in memory and in a file. Each time
// is the minimum of several runs. Prints the median over the modules and the maximum.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/module_file.hpp"
#include "bench/statistics.hpp"
#include "bench/temporary_folder.hpp"
#include "layer/cache.hpp"
#include "layer/module.hpp"
#include "spirv/lower/lower.hpp"

namespace {

namespace lower = coopc::spirv::lower;
namespace layer = coopc::layer;
using coopc::bench::leastMilliseconds;

void print(const char* what, std::vector<double> times) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  std::printf("%-24s median %8.3f ms, longest %8.3f ms\n", what, times[times.size() / 2], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  const auto target = argc > 2 ? lower::findNamedTarget(argv[1]) : std::nullopt;
  if (!target) {
    std::fprintf(stderr, "usage: bench_layer none|khr|radv FILE.spv...\n");
    return 2;
  }
  const coopc::bench::TemporaryFolder folder;
  if (folder.path().empty()) return 1;
  layer::Cache cache(folder.path());
  std::vector<double> scans, keeps, lowerings, misses, puts, widths, memory, files;
  size_t passed = 0, lowered = 0, declined = 0;
  for (int n = 2; n < argc; ++n) {
    const std::vector<uint32_t> words = coopc::bench::readModuleFile(argv[n]);
    if (words.empty()) continue;
    bool matrices = false;
    scans.push_back(leastMilliseconds(10, [&] { matrices = layer::isForLowering(words, {}); }));
    if (!matrices) {
      ++passed;
      continue;
    }
    std::shared_ptr<const layer::KeptModule> kept;
    keeps.push_back(leastMilliseconds(10, [&] {
      kept = layer::keep(words);
      (void)layer::placeholderFor(*kept);
    }));
    lower::LowerRequest request;
    request.target = *target;
    request.specDefaults = true;
    lower::LowerAnswer answer;
    const double time = leastMilliseconds(3, [&] { answer = lower::lower(kept->words, request); });
    if (answer.kind == lower::LowerAnswer::Kind::Declined) {
      ++declined;
      continue;
    }
    ++lowered;
    lowerings.push_back(time);
    auto entry = std::make_shared<layer::Lowered>();
    entry->kind = answer.kind;
    entry->words = answer.words;
    const layer::CacheKey key{"device", kept, {}, 0};
    misses.push_back(leastMilliseconds(10, [&] { (void)layer::Cache(folder.path() + "/none").find(key); }));
    puts.push_back(leastMilliseconds(10, [&] { cache.put(key, entry); }));
    widths.push_back(leastMilliseconds(10, [&] { (void)layer::workgroupWidth(entry->words, "main"); }));
    memory.push_back(leastMilliseconds(10, [&] { (void)cache.find(key); }));
    files.push_back(leastMilliseconds(3, [&] { (void)layer::Cache(folder.path()).find(key); }));
  }
  std::printf("%zu without matrices, %zu lowered, %zu declined\n", passed, lowered, declined);
  print("look at capabilities", scans);
  print("keep, with placeholder", keeps);
  print("lower", lowerings);
  print("not found", misses);
  print("stored in a file", puts);
  print("width of workgroups", widths);
  print("found in memory", memory);
  print("found in a file", files);
  return 0;
}
