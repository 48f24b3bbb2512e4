// Each row is the name of a statistic of one driver. The names also show which driver it is.
#include "harness/pipeline_figures.hpp"

#include <algorithm>
#include <string_view>

#include "harness/machine_code.hpp"

namespace coopc::harness {
namespace {

using Figure = std::optional<uint64_t> PipelineFigures::*;

struct Statistic {
  std::string_view name;
  Figure figure;
  uint64_t most = 0;  // of registers: what the card can give
};

constexpr Statistic kStatistics[] = {
    // RADV
    {"VGPRs", &PipelineFigures::registers, 256},
    {"Spilled VGPRs", &PipelineFigures::spills},
    {"Scratch size", &PipelineFigures::scratchBytes},
    {"LDS size", &PipelineFigures::sharedBytes},
    {"Subgroups per SIMD", &PipelineFigures::waves},
    {"Latency", &PipelineFigures::cycles},
    {"Inverse Throughput", &PipelineFigures::inverseThroughput},
    // NVK
    {"Number of GPRs", &PipelineFigures::registers, 255},
    {"Spills to memory", &PipelineFigures::spills},
    {"SLM size", &PipelineFigures::scratchBytes},
    {"Instruction count", &PipelineFigures::instructions},
    {"Max warps/SM", &PipelineFigures::waves},
    {"Static cycle count", &PipelineFigures::cycles},
    // Turnip
    {"Registers used", &PipelineFigures::registers, 48},
    {"STP Count", &PipelineFigures::spills},
    {"Instruction Count", &PipelineFigures::instructions},
    {"Max Waves Per Core", &PipelineFigures::waves},
    // Honeykrisp
    {"GPRs", &PipelineFigures::registers, 256},
    {"Spills", &PipelineFigures::spills},
    {"Scratch", &PipelineFigures::scratchBytes},
    // NVIDIA's own driver
    {"Register Count", &PipelineFigures::registers, 255},
    {"Shared Memory Size", &PipelineFigures::sharedBytes},
    // RADV and Honeykrisp
    {"Instructions", &PipelineFigures::instructions},
};

constexpr std::string_view kStalls = "Estimated cycles stalled on ";  // SS, SY
constexpr std::string_view kThreads = "Threads";                      // Honeykrisp: invocations of a core
constexpr uint32_t kAppleSubgroup = 32;

void count(const vk::ShaderCode& code, AssemblyForm form, PipelineFigures& figures) {
  const std::string_view text(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  uint64_t matrices = 0;
  std::array<uint64_t, kSharedLoadBytes.size()> loads{};
  for (const CountedInstruction& instruction : countInstructions(text, form)) {
    if (multipliesMatrices(instruction.name, form)) matrices += instruction.count;
    const uint32_t bytes = sharedLoadBytes(instruction.name, form);
    if (bytes == 0) continue;
    size_t width = 0;
    while (width + 1 < loads.size() && kSharedLoadBytes[width + 1] <= bytes) ++width;
    loads[width] += instruction.count;
  }
  figures.matrixInstructions = figures.matrixInstructions.value_or(0) + matrices;
  if (!figures.sharedLoads) figures.sharedLoads.emplace();
  for (size_t i = 0; i < loads.size(); ++i) (*figures.sharedLoads)[i] += loads[i];
}

}  // namespace

PipelineFigures figuresOf(std::span<const std::pair<std::string, double>> statistics,
                          std::span<const vk::ShaderCode> code, uint32_t subgroupSize) {
  PipelineFigures figures;
  if (subgroupSize != 0) figures.subgroupSize = subgroupSize;
  for (const auto& statistic : statistics) {
    const std::string& name = statistic.first;
    const double value = statistic.second;
    const auto number = static_cast<uint64_t>(std::max(value, 0.0));
    const auto* row = std::find_if(std::begin(kStatistics), std::end(kStatistics),
                                   [&](const Statistic& known) { return known.name == name; });
    if (row != std::end(kStatistics)) {
      figures.*row->figure = number;
      if (row->most != 0) figures.mostRegisters = row->most;
    } else if (std::string_view(name).starts_with(kStalls)) {
      figures.stalls = figures.stalls.value_or(0) + number;
    } else if (name == kThreads) {
      figures.waves = number / kAppleSubgroup;
    }
  }
  for (const vk::ShaderCode& form : code) {
    if (!form.isText) continue;
    if (const std::optional<AssemblyForm> known = assemblyForm(form.name)) count(form, *known, figures);
  }
  return figures;
}

}  // namespace coopc::harness
