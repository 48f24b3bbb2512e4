// bench_layer_driver WITHOUT FILE.spv[:ID=VALUE,...]...: the driver's time for a module as it is, and for the
// module that the Vulkan layer makes by lowering it without the features WITHOUT (as in `cooplower
// --without`: nv). Also the time for lowering. Constants have the given values, or their defaults. Each
// pipeline is the first one of a new device, so that nothing that the driver keeps in memory helps the second
// pipeline. The driver's disk cache must be turned off (for NVIDIA's driver: __GL_SHADER_DISK_CACHE=0). The
// device is the first one, or the one that COOPC_TEST_DEVICE names.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/statistics.hpp"
#include "spirv/lower/lower.hpp"
#include "vulkan/device/lowering_target.hpp"
#include "vulkan/executor/device.hpp"
#include "vulkan/executor/features.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/module_info.hpp"
#include "vulkan/executor/pipeline.hpp"

namespace {

using namespace coopc;
using namespace coopc::vk;

constexpr uint32_t kPushConstants = 256;  // the most that llama.cpp's modules use
constexpr int kRounds = 3;

struct Work {
  std::string file;
  std::vector<Specialization> constants;
};

Work workOf(const std::string& argument) {
  const size_t colon = argument.rfind(':');
  Work work{argument.substr(0, colon), {}};
  const char* at = colon == std::string::npos ? "" : argument.c_str() + colon + 1;
  while (*at != 0) {
    char* end = nullptr;
    Specialization s;
    s.id = uint32_t(std::strtoul(at, &end, 10));
    s.bits = *end == '=' ? std::strtoull(end + 1, &end, 0) : 0;
    work.constants.push_back(s);
    at = *end == ',' ? end + 1 : "";
  }
  return work;
}

struct Module {
  std::vector<uint32_t> words;
  uint32_t subgroupSize = 0;
  bool fullSubgroups = false;
};

// The minimum of some rounds, in milliseconds; no value if the device cannot make the pipeline.
std::optional<double> timeOf(const Instance& instance, const PhysicalDevice& physical, const Module& module,
                             std::span<const Specialization> constants, std::string& why) {
  SpecializationValues values;
  for (const Specialization& s : constants) values[s.id] = s.bits;
  const auto info = readModuleInfo(module.words, values);
  const auto family = vk::computeFamily(instance, physical);
  if (!info || !family) return why = "not a module, or no queue", std::nullopt;
  const Requirements needs =
      requirementsOf(*info, physical, {false, module.subgroupSize != 0, module.fullSubgroups, {}});
  if (!needs.missing.empty()) return why = needs.missing[0], std::nullopt;
  std::vector<vk::Binding> bindings;
  for (const BoundVariable& v : info->boundVariables) {
    const bool there = std::any_of(bindings.begin(), bindings.end(), [&](const vk::Binding& b) {
      return b.set == v.set && b.binding == v.binding;
    });
    if (!there) bindings.push_back({v.set, v.binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
  }
  double least = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    auto device = vk::Device::create(instance, physical, *family, needs, {});
    if (!device) return why = device.error().message, std::nullopt;
    vk::PipelineLayout layout;
    vk::ComputePipeline pipeline;
    vk::PipelineRequest request;
    request.module = module.words;
    request.specializations = constants;
    request.subgroupSize = module.subgroupSize;
    request.fullSubgroups = module.fullSubgroups;
    vk::Outcome bad = layout.create(**device, bindings, kPushConstants);
    if (!bad) bad = pipeline.create(**device, layout, request);
    if (bad) return why = bad->message, std::nullopt;
    least = std::min(least, pipeline.milliseconds());
  }
  return least;
}

void print(const char* what, const std::vector<double>& values, const char* unit) {
  if (values.empty()) return;
  std::printf("%-16s median %8.2f%s, longest %8.2f%s\n", what, bench::summarize(values).median, unit,
              *std::max_element(values.begin(), values.end()), unit);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3)
    return std::fprintf(stderr, "usage: bench_layer_driver WITHOUT FILE.spv[:ID=VALUE,...]...\n"), 2;
  const auto instance = Instance::create({});
  if (!instance) return std::fprintf(stderr, "%s\n", instance.error().message.c_str()), 1;
  const char* const wish = std::getenv("COOPC_TEST_DEVICE");
  const auto physical = pickDevice((*instance)->devices(), wish != nullptr ? wish : "");
  if (!physical) return std::fprintf(stderr, "%s\n", physical.error().message.c_str()), 1;
  const PhysicalDevice& device = **physical;
  spirv::lower::Target target = loweringTarget(device);
  if (const std::string wrong = spirv::lower::removeFeatures(target, argv[1]); !wrong.empty())
    return std::fprintf(stderr, "%s\n", wrong.c_str()), 2;
  std::printf("%s, driver %s %s; without %s; ms of the driver: as it is, lowered; ms of lowering\n",
              device.name.c_str(), device.driverName.c_str(), device.driverInfo.c_str(), argv[1]);
  std::vector<double> natives, lowereds, ratios, own;
  for (int n = 2; n < argc; ++n) {
    const Work work = workOf(argv[n]);
    const auto words = readModuleFile(work.file);
    if (!words) return std::fprintf(stderr, "%s: %s\n", work.file.c_str(), words.error().message.c_str()), 1;
    spirv::lower::LowerRequest request;
    request.target = target;
    request.specDefaults = true;
    for (const Specialization& s : work.constants) request.values.push_back({s.id, s.bits});
    spirv::lower::LowerAnswer answer;
    const double took =
        bench::leastMilliseconds(kRounds, [&] { answer = spirv::lower::lower(*words, request); });
    const std::string name = work.file.substr(work.file.rfind('/') + 1);
    if (answer.kind != spirv::lower::LowerAnswer::Kind::Lowered) {
      std::printf("%-44s %s\n", name.c_str(), answer.reasons.empty() ? "native" : answer.reasons[0].c_str());
      continue;
    }
    const bool chooses = device.minSubgroupSize != device.maxSubgroupSize;
    std::string why;
    const auto native = timeOf(**instance, device, {*words, 0, false}, work.constants, why);
    const auto lowered =
        timeOf(**instance, device, {answer.words, chooses ? answer.subgroupSize : 0, false}, {}, why);
    if (!native || !lowered) {
      std::printf("%-44s %s\n", name.c_str(), why.c_str());
      continue;
    }
    std::printf("%-44s %8.2f %8.2f %8.2f\n", name.c_str(), *native, *lowered, took);
    std::fflush(stdout);
    natives.push_back(*native);
    lowereds.push_back(*lowered);
    ratios.push_back(*lowered / *native);
    own.push_back(took);
  }
  std::printf("%zu modules\n", ratios.size());
  print("native", natives, " ms");
  print("lowered", lowereds, " ms");
  print("lowered/native", ratios, "");
  print("lowering", own, " ms");
  return 0;
}
