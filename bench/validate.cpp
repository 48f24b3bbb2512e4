// bench_validate FILE.spv...: the times of validate() and of SPIRV-Tools' validator for the same modules.
// Each is the minimum of several runs over all files. Files are read before the clock starts.
#include "coopc/validate.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <spirv-tools/libspirv.hpp>

#include "bench/module_file.hpp"
#include "bench/statistics.hpp"

using coopc::bench::leastMilliseconds;

int main(int argc, char** argv) {
  std::vector<std::vector<uint32_t>> modules;
  size_t bytes = 0;
  for (int n = 1; n < argc; ++n) {
    std::vector<uint32_t> words = coopc::bench::readModuleFile(argv[n]);
    if (words.empty()) continue;
    bytes += words.size() * 4;
    modules.push_back(std::move(words));
  }
  if (modules.empty()) {
    std::fprintf(stderr, "usage: bench_validate FILE.spv...\n");
    return 2;
  }
  constexpr int kRuns = 10;
  size_t findings = 0;
  const double ours = leastMilliseconds(kRuns, [&] {
    findings = 0;
    for (const auto& words : modules) findings += coopc::validate(words).findings.size();
  });
  size_t valid = 0;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  const double theirs = leastMilliseconds(kRuns, [&] {
    valid = 0;
    for (const auto& words : modules) valid += tools.Validate(words.data(), words.size(), options) ? 1 : 0;
  });
  std::printf("%zu modules, %zu bytes\n", modules.size(), bytes);
  std::printf("coopc::validate  %8.3f ms  (%zu findings)\n", ours, findings);
  std::printf("SPIRV-Tools      %8.3f ms  (%zu valid: an invalid module ends its validation early)\n", theirs,
              valid);
  return 0;
}
