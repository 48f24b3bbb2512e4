// Runs the modules that different compilers made of one shader, with the same inputs, and compares what they
// write.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/lowering.hpp"
#include "tests/llama/inputs.hpp"
#include "tests/llama/reflection.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/kept_devices.hpp"
#include "vulkan/executor/runner.hpp"

namespace coopc::tests::llama {

enum ModuleIndex : size_t { kReference, kPlain, kOptimized, kModules };
/// "glslc -O0", "coopc -O0" and "coopc -O". If `lowered`, the last one is "coopc -O0, lowered".
const char* moduleName(size_t index, bool lowered = false);

using Modules = std::array<std::vector<uint32_t>, kModules>;

/// The tolerance for |a - b| / (1 + |b|) if results need not be identical: drivers fuse multiplications and
/// additions, depending on the module's form.
constexpr double kTolerance = 2e-3;
/// The limit of Difference::ofTypical for sums of 16-bit floats that are rounded in other places.
constexpr double kRounding = 0.05;

struct Difference {
  size_t numbers = 0;   ///< how many differ
  size_t first = 0;     ///< byte offset in its buffer
  std::string binding;  ///< the first that differs
  /// |a - b| / (1 + |b|), in the number types of the buffers; infinite for types other than floats
  double worst = 0;
  std::array<double, 2> worstPair{};  ///< these a and b
  /// The largest |a - b| of a buffer, relative to the root mean square of b over the elements that differ. It
  /// is small if sums were rounded differently, even if terms cancel, and about 1 if a typical element took
  /// another one's place, unless a few very large numbers hide that. It is infinite if `worst` is, or if all
  /// these b are 0.
  double ofTypical = 0;
  /// No difference remains if the driver may not fuse floating-point operations. Only tried if there is a
  /// difference.
  bool sameUnfused = false;

  bool same() const { return numbers == 0; }
  bool tolerable() const { return worst <= kTolerance; }
  /// Whether other rounding explains it.
  bool rounding() const { return ofTypical <= kRounding; }
};

struct Comparison {
  enum class Kind {
    Done,
    NotRunnable,  ///< the device lacks something: reasons
    Native,       ///< there is nothing to lower
    Declined,     ///< lowering declines the module: reasons
    Failed,       ///< a module did not run, or wrote outside its buffers: reasons
    Lost,         ///< the same, and the device is gone
  };
  Kind kind = Kind::Failed;
  std::vector<std::string> reasons;
  Difference plain;      ///< coopc -O0 beside the reference
  Difference optimized;  ///< coopc -O, or coopc -O0 lowered, beside coopc -O0
  /// Several runs of one module differ: workgroups race, and differences between modules mean nothing. This
  /// is checked if there is a difference, or if ExecutionOptions requests it.
  bool races = false;
  size_t changed = 0;  ///< bytes that the reference's module changed
  size_t nans = 0;     ///< of these, NaNs in float buffers
  std::array<double, kModules> pipelineMilliseconds{};

  /// Whether the run is meaningful: bytes changed, and at most half of them are NaNs.
  bool meaningful() const { return changed > 0 && nans * 2 <= changed; }
};

struct ExecutionOptions {
  uint32_t timeoutSeconds = 600;  ///< for one dispatch, which includes compiling on CPU drivers; the machine
                                  ///< may be busy
  uint32_t repeats = 0;           ///< additional runs of the reference's module, whatever the results are
  coopc::vk::LogicalDevices* devices = nullptr;  ///< see RunRequest
  /// If set, the module kOptimized is coopc's -O0 module as well, and runs lowered for these targets.
  const coopc::harness::LoweringTargets* lowered = nullptr;
  bool lowersAll = false;                              ///< lowers the other two modules as well
  std::function<void(size_t)> begins = [](size_t) {};  ///< called before a module is run
};

/// The reference compiler's known fault in the variant: wrong code or different rounding. Empty if there is
/// none, or none that explains a Difference with this `worst`.
std::string knownReferenceFault(const Subject& subject, double worst = 0);

/// `reflection` is of the reference's module.
coopc::vk::RunRequest requestOf(const Subject& subject, const Reflection& reflection, const Target& target,
                                const Setting& setting);

Comparison compareModules(const coopc::vk::Instance& instance, const coopc::vk::PhysicalDevice& device,
                          const Reflection& reflection, const coopc::vk::RunRequest& request,
                          const Modules& modules, const ExecutionOptions& options);

/// The reasons why the device cannot run the module with the request. Empty if it can.
std::vector<std::string> missingFor(const coopc::vk::PhysicalDevice& device, coopc::vk::RunRequest request,
                                    std::span<const uint32_t> module);

/// Must be called before the process uses Vulkan; it also applies to processes forked later. Gives drivers
/// the stack that they need for nested control flow and disables caches of earlier pipelines. lavapipe uses
/// one thread, unless LP_NUM_THREADS is set.
void prepareForDrivers();

/// The properties of a device that inputs depend on.
Target targetOf(const coopc::vk::PhysicalDevice& device);

}  // namespace coopc::tests::llama
