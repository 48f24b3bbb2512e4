// Runs the modules that different compilers made of one shader, with the same inputs, and compares what they write.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/device.hpp"
#include "harness/runner.hpp"
#include "harness/vulkan/kept_devices.hpp"
#include "tests/llama/inputs.hpp"
#include "tests/llama/reflection.hpp"

namespace coopc::tests::llama {

enum ModuleIndex : size_t { kReference, kPlain, kOptimized, kModules };
/// "glslc -O0", "coopc -O0", "coopc -O".
const char* moduleName(size_t index);

using Modules = std::array<std::vector<uint32_t>, kModules>;

/// Where results need not have the same bits, |a - b| / (1 + |b|) may be so much: drivers fuse multiplications and additions,
/// and which depends on the module's form.
constexpr double kTolerance = 2e-3;

struct Difference {
  size_t numbers = 0;   ///< that differ
  size_t first = 0;     ///< byte offset in its buffer
  std::string binding;  ///< the first that differs
  double worst =
      0;  ///< |a - b| / (1 + |b|), as numbers of the buffers' kinds; infinite for what is not a float
  /// With float arithmetic that the driver may not fuse there is no difference. Only tried where there is one.
  bool sameUnfused = false;

  bool same() const { return numbers == 0; }
  bool tolerable() const { return worst <= kTolerance; }
};

struct Comparison {
  enum class Kind {
    Done,
    NotRunnable,  ///< the device lacks something: reasons
    Failed,       ///< a module did not run, or wrote outside its buffers: reasons
    Lost,         ///< the same, and the device is gone
  };
  Kind kind = Kind::Failed;
  std::vector<std::string> reasons;
  Difference plain;      ///< coopc -O0 beside the reference
  Difference optimized;  ///< coopc -O beside coopc -O0
  /// Several runs of one module differ: workgroups race, and differences mean nothing. Tried where there is one, and where
  /// ExecutionOptions asks for it.
  bool races = false;
  size_t changed = 0;  ///< bytes that the reference's module changed
  size_t nans = 0;     ///< of these, in float buffers
  std::array<double, kModules> pipelineMilliseconds{};

  /// The run shows something: bytes changed, and at most half of them are NaNs.
  bool meaningful() const { return changed > 0 && nans * 2 <= changed; }
};

struct ExecutionOptions {
  uint32_t timeoutSeconds = 600;  ///< of one dispatch: CPU drivers compile in it, on machines with other work
  uint32_t repeats = 0;           ///< runs more of the reference's module, whatever comes out
  coopc::harness::vk::LogicalDevices* devices = nullptr;  ///< see RunRequest
  std::function<void(size_t)> begins = [](size_t) {};     ///< called before a module is run
};

/// What the reference compiler is known to get wrong, or to round otherwise, in a variant; empty: nothing, or nothing that explains
/// a Difference with this `worst`.
std::string knownReferenceFault(const Subject& subject, double worst = 0);

/// `reflection` is of the reference's module.
coopc::harness::RunRequest requestOf(const Subject& subject, const Reflection& reflection,
                                     const Target& target, const Setting& setting);

Comparison compareModules(const coopc::harness::Instance& instance,
                          const coopc::harness::PhysicalDevice& device, const Reflection& reflection,
                          const coopc::harness::RunRequest& request, const Modules& modules,
                          const ExecutionOptions& options);

/// Why the device cannot run the module under the request; empty: it can.
std::vector<std::string> missingFor(const coopc::harness::PhysicalDevice& device,
                                    coopc::harness::RunRequest request, std::span<const uint32_t> module);

/// To be called before the process touches Vulkan; processes forked later have it too. Drivers get the stack that nested control flow takes them,
/// no cache of earlier builds' pipelines, and on lavapipe one thread, unless LP_NUM_THREADS says otherwise.
void prepareForDrivers();

/// What inputs depend on.
Target targetOf(const coopc::harness::PhysicalDevice& device);

}  // namespace coopc::tests::llama
